/** A box (ISO/IEC 14496-12 §4.2) with this content. */
export function box(type: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = concat(...parts);
  return concat(words(content.length + 8), letters(type), content);
}

/** A box with a version and flags before its content. */
export function fullBox(type: string, version: number, flags: number, ...parts: readonly Uint8Array[]): Uint8Array {
  return box(type, words(version * 0x100_0000 + flags), ...parts);
}

/** Parts of boxes that were not joined yet: what is in several boxes is copied once. */
export type Loose = readonly Uint8Array[];

/** As `box`, not joined. */
export function looseBox(type: string, ...parts: readonly (Uint8Array | Loose)[]): Loose {
  const content = parts.flatMap((part) => (part instanceof Uint8Array ? [part] : part));
  const length = content.reduce((sum, part) => sum + part.length, 8);
  return [words(length), letters(type), ...content];
}

/** As `fullBox`, not joined. */
export function looseFullBox(type: string, version: number, ...parts: readonly (Uint8Array | Loose)[]): Loose {
  return looseBox(type, words(version * 0x100_0000), ...parts);
}

/** Numbers of 32 bits. */
export function words(...numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * numbers.length);
  const view = viewOf(bytes);
  for (const [at, number] of numbers.entries()) view.setUint32(4 * at, number);
  return bytes;
}

/** True where the numbers of typed arrays have their least byte first, which MP4 has last. */
const IS_LEAST_FIRST = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/**
 * Turns the bytes of each number around where the machine has them the other way than MP4. A table is read and written by
 * this as a whole: number by number by way of a view it takes several times as long until the code is compiled.
 */
export function swapWords(numbers: Uint32Array): void {
  if (!IS_LEAST_FIRST) return;
  for (let at = 0; at < numbers.length; at++) {
    const word = numbers[at] ?? 0;
    numbers[at] = (word >>> 24) | ((word >>> 8) & 0xff00) | ((word << 8) & 0xff_0000) | (word << 24);
  }
}

/** Numbers of 16 bits. */
export function halves(...numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(2 * numbers.length);
  const view = viewOf(bytes);
  for (const [at, number] of numbers.entries()) view.setUint16(2 * at, number);
  return bytes;
}

/** A number of 64 bits, as far as it is whole. */
export function longWord(number: number): Uint8Array {
  return words(Math.floor(number / 0x1_0000_0000), number % 0x1_0000_0000);
}

export function letters(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
