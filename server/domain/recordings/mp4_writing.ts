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
