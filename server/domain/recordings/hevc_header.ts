import { type ReadAt, windowed } from "./mp4_boxes.ts";
import { behind, boxesWithin, sampleEntriesOf, VISUAL_ENTRY_BYTES } from "./mp4_tracks.ts";

/** Bytes that stand in the place of those of a file. */
export interface HeaderPatch {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** Before the arrays of a decoder configuration record (ISO/IEC 14496-15 §8.3.3.1.2); its last byte counts them. */
const RECORD_HEAD_BYTES = 23;
/** A record holds some hundred bytes. */
const LONGEST_RECORD = 65_536;
/** Video, sequence and picture parameter sets, without which nothing can be decoded. */
const PARAMETER_SETS: readonly number[] = [32, 33, 34];
/** Types allowed in a record: parameter sets and supplemental information. */
const ALLOWED: readonly number[] = [...PARAMETER_SETS, 39, 40];
/** Bits that are reserved and set, by their byte. */
const RESERVED: readonly (readonly [byte: number, bits: number])[] = [
  [13, 0xf0],
  [15, 0xfc],
  [16, 0xfc],
  [17, 0xf8],
  [18, 0xf8],
];
const COMPLETE = 0x80;
const RESERVED_IN_ARRAY = 0x40;
const TYPE = 0x3f;
const BOX_HEAD_BYTES = 8;

/**
 * Returns the patches with which browsers can play an HEVC video: bytes in the places of as many, none when nothing is
 * wrong. Some cameras write an array of zeros into the decoder configuration (`hvcC`), of a type that is no parameter
 * set; decoders give up on it. And they name the track `hev1`, with parameter sets among the pictures, which some
 * players refuse. `hvc1` is as true: the record holds all of them. It reads headers only.
 */
export async function hevcPatches(size: number, readAt: ReadAt): Promise<HeaderPatch[]> {
  const read = windowed(readAt);
  const patches: HeaderPatch[] = [];
  for await (const entry of sampleEntriesOf(size, read)) {
    if (entry.type !== "hev1" && entry.type !== "hvc1") continue;
    // A length of 64 bits, which no camera writes here, would put the letters elsewhere.
    if (new TextDecoder().decode(await read(entry.content - 4, 4)) !== entry.type) continue;
    for await (const { type, content, end } of boxesWithin(read, behind(entry, VISUAL_ENTRY_BYTES))) {
      const length = end - content;
      if (type !== "hvcC" || length < RECORD_HEAD_BYTES || length > LONGEST_RECORD) continue;
      const box = new Uint8Array(await readAt(content - BOX_HEAD_BYTES, length + BOX_HEAD_BYTES));
      // A header of 16 bytes, which no camera writes for a hundred bytes, is left alone.
      if (box.length !== length + BOX_HEAD_BYTES || sizeOf(box) !== box.length) continue;
      const repaired = repairedRecord(box);
      if (repaired === null) continue;
      if (!isSame(repaired, box)) patches.push({ at: content - BOX_HEAD_BYTES, bytes: repaired });
      if (entry.type === "hev1") patches.push({ at: entry.content - 4, bytes: new TextEncoder().encode("hvc1") });
    }
  }
  return patches.sort((one, other) => one.at - other.at);
}

/** The bytes from `from` on with the patches that lie in them; changes what it is given. */
export function applyPatches(bytes: Uint8Array, from: number, patches: readonly HeaderPatch[]): Uint8Array {
  for (const { at, bytes: patch } of patches) {
    const start = Math.max(0, from - at);
    const end = Math.min(patch.length, from + bytes.length - at);
    if (start < end) bytes.set(patch.subarray(start, end), at + start - from);
  }
  return bytes;
}

/** A whole `hvcC` box of the same length; null when it lacks a parameter set, which mending cannot bring. */
function repairedRecord(box: Uint8Array): Uint8Array | null {
  const arrays = arraysOf(box.subarray(BOX_HEAD_BYTES));
  const types = arrays.map(({ type }) => type);
  if (!PARAMETER_SETS.every((type) => types.includes(type))) return null;
  const head = box.slice(BOX_HEAD_BYTES, BOX_HEAD_BYTES + RECORD_HEAD_BYTES);
  head[0] = 1;
  head[RECORD_HEAD_BYTES - 1] = arrays.length;
  for (const [at, bits] of RESERVED) head[at] = (head[at] ?? 0) | bits;
  const record = joined([head, ...arrays.map(({ bytes }) => bytes)]);
  const left = box.length - BOX_HEAD_BYTES - record.length;
  // Bytes left over become a box that every reader passes over, or stay behind the record when they are too few for
  // one.
  const rest = new Uint8Array(left);
  if (left >= BOX_HEAD_BYTES) writeHead(rest, left, "free");
  const start = new Uint8Array(BOX_HEAD_BYTES);
  writeHead(start, box.length - (left >= BOX_HEAD_BYTES ? left : 0), "hvcC");
  return joined([start, record, rest]);
}

interface NalArray {
  readonly type: number;
  readonly bytes: Uint8Array;
}

/** The arrays that belong in a record, said to be complete, as far as they are whole. */
function arraysOf(record: Uint8Array): NalArray[] {
  const arrays: NalArray[] = [];
  const u16 = (at: number) => ((record[at] ?? 0) << 8) | (record[at + 1] ?? 0);
  let at = RECORD_HEAD_BYTES;
  for (let left = record[RECORD_HEAD_BYTES - 1] ?? 0; left > 0 && at + 3 <= record.length; left--) {
    const start = at;
    const head = record[at] ?? 0;
    const count = u16(at + 1);
    at += 3;
    for (let unit = 0; unit < count; unit++) {
      if (at + 2 > record.length || at + 2 + u16(at) > record.length) return arrays;
      at += 2 + u16(at);
    }
    const type = head & TYPE;
    if (!ALLOWED.includes(type) || count === 0) continue;
    const bytes = record.slice(start, at);
    bytes[0] = (PARAMETER_SETS.includes(type) ? head | COMPLETE : head) & ~RESERVED_IN_ARRAY;
    arrays.push({ type, bytes });
  }
  return arrays;
}

function writeHead(box: Uint8Array, length: number, type: string): void {
  new DataView(box.buffer, box.byteOffset).setUint32(0, length);
  box.set(new TextEncoder().encode(type), 4);
}

function sizeOf(box: Uint8Array): number {
  return new DataView(box.buffer, box.byteOffset).getUint32(0);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
