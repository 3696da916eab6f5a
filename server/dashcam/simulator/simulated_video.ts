import { secondsOfMp4 } from "../../domain/recordings/mp4_length.ts";
import { mixed, seedOf } from "./simulated_noise.ts";

/** A file on the simulated card: its exact size, and its bytes from any place, without holding them in memory. */
export interface CardFile {
  readonly size: number;
  /** The bytes from `start` up to, not including, `end`; both within the size. */
  read(start: number, end: number): Uint8Array | Promise<Uint8Array>;
}

/** A file that is held in memory. */
export function fileOf(bytes: Uint8Array): CardFile {
  return { size: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

/** A file that is made when it is asked for; it is forgotten when memory is needed, and made again the same. */
export function lazyFile(make: () => Uint8Array): CardFile {
  let kept: WeakRef<Uint8Array> | null = null;
  const bytes = () => {
    const held = kept?.deref();
    if (held) return held;
    const made = make();
    kept = new WeakRef(made);
    return made;
  };
  return {
    get size() {
      return bytes().length;
    },
    read: (start, end) => bytes().subarray(start, end),
  };
}

/** Two files, one after the other, as one. */
export function concatenated(first: CardFile, second: CardFile): CardFile {
  return {
    size: first.size + second.size,
    async read(start, end) {
      if (end <= first.size) return first.read(start, end);
      if (start >= first.size) return second.read(start - first.size, end - first.size);
      const bytes = new Uint8Array(end - start);
      bytes.set(await first.read(start, first.size));
      bytes.set(await second.read(0, end - first.size), first.size - start);
      return bytes;
    },
  };
}

/** An ISO base media box: length, four letters, content (ISO/IEC 14496-12 §4.2). */
export function box(kind: string, ...contents: Uint8Array[]): Uint8Array {
  const size = contents.reduce((sum, { length }) => sum + length, 8);
  const bytes = new Uint8Array(size);
  new DataView(bytes.buffer).setUint32(0, size);
  bytes.set(new TextEncoder().encode(kind), 4);
  let at = 8;
  for (const content of contents) {
    bytes.set(content, at);
    at += content.length;
  }
  return bytes;
}

/** Bytes of the smallest synthetic video: all boxes, and nothing in the last. */
export const SMALLEST_VIDEO = 24 + 116 + 16;

/**
 * A file of exactly `size` bytes with the box structure of a video (`ftyp`, `moov`, `mdat`), filled with noise that
 * depends on the name alone. Nothing is held in memory, so a card of many gigabytes costs nothing.
 */
export function syntheticVideo(name: string, size: number, seconds: number): CardFile {
  if (!Number.isSafeInteger(size) || size < SMALLEST_VIDEO) {
    throw new RangeError(`A synthetic video has at least ${SMALLEST_VIDEO} bytes, not ${size}`);
  }
  const head = videoHead(size, seconds);
  const noise: CardFile = { size: size - head.length, read: (start, end) => noiseOf(seedOf(name), start, end) };
  return concatenated(fileOf(head), noise);
}

/** The seconds that a video's boxes claim; 0 when they name none. */
export async function secondsOfVideo(file: CardFile): Promise<number> {
  const readAt = async (offset: number, length: number) =>
    await file.read(offset, Math.min(file.size, offset + length));
  return (await secondsOfMp4(file.size, readAt)) ?? 0;
}

function videoHead(size: number, seconds: number): Uint8Array {
  const text = (letters: string) => new TextEncoder().encode(letters);
  const ftyp = box("ftyp", text("mp42"), new Uint8Array(4), text("mp42isom"));
  const header = new DataView(new ArrayBuffer(100));
  header.setUint32(12, 1000);
  header.setUint32(16, Math.round(seconds * 1000));
  header.setUint32(20, 0x10000);
  header.setUint16(24, 0x100);
  // The identity matrix, and the next free track.
  for (const [at, value] of [
    [36, 0x10000],
    [52, 0x10000],
    [68, 0x40000000],
    [96, 1],
  ] as const)
    header.setUint32(at, value);
  const moov = box("moov", box("mvhd", new Uint8Array(header.buffer)));
  // The long form of the length, so that sizes beyond four gigabytes need no other layout.
  const mdat = new DataView(new ArrayBuffer(16));
  mdat.setUint32(0, 1);
  mdat.setBigUint64(8, BigInt(size - ftyp.length - moov.length));
  const opening = new Uint8Array(mdat.buffer);
  opening.set(text("mdat"), 4);
  const head = new Uint8Array(ftyp.length + moov.length + 16);
  head.set(ftyp);
  head.set(moov, ftyp.length);
  head.set(opening, ftyp.length + moov.length);
  return head;
}

function noiseOf(seed: number, start: number, end: number): Uint8Array {
  const first = Math.floor(start / 4);
  const words = new Uint32Array(Math.ceil(end / 4) - first);
  for (let index = 0; index < words.length; index++) words[index] = mixed(seed, first + index);
  return new Uint8Array(words.buffer, start - first * 4, end - start);
}
