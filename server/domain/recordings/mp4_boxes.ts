/** Reads `length` bytes at `offset`; shorter at the end of the file. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

/**
 * State of a file by its top-level boxes (ISO/IEC 14496-12 §4.2: length, four letters, content, one after the other
 * until the file ends).
 *
 * - `whole`: it begins as an MP4, holds the index (`moov` §8.2.1, or fragments, `moof` §8.8.4) and pictures (`mdat`
 *   §8.1.1), and its last box ends exactly where the file ends.
 * - `open-ended`: the same, but the last box has length 0, "to the end of the file" (§4.2): valid, and no proof that
 *   the file ends where it should.
 * - `unfinished`: it begins as an MP4, but its boxes do not end with the file, or index or pictures are missing: it
 *   is still being written, was cut off, or lies in a preallocated file that is not filled yet, such as one of zeros.
 * - `foreign`: it does not begin as an MP4.
 */
export type Mp4State = "whole" | "open-ended" | "unfinished" | "foreign";

/**
 * Boxes that stand first in files of cameras and muxers: `ftyp` (§4.3), `styp` of a segment (§8.16.2). Older writers
 * that know no `ftyp` begin with others, and so do placeholders (§4.3: such files are read as MP4 all the same).
 */
const FIRST: ReadonlySet<string> = new Set(["ftyp", "styp", "moov", "mdat", "free", "skip", "wide", "pnot"]);
/** The type box holds a brand, a version and a few compatible brands of four bytes each (§4.3): never this much. */
const LONGEST_TYPE_BOX = 4096;
/** Boxes read: cameras write less than 20, an hour in fragments of two seconds has 3,600. */
const MOST_BOXES = 4096;
/** Bytes read at once: of a file of tiny boxes one read has hundreds, and a real one loses nothing by it. */
const WINDOW = 4096;

/** Cameras reserve room for a whole recording: a file of this size that begins with zeros waits to be filled. */
const RESERVED_FROM = 64 * 1024;

/** Judges a file by its top-level boxes. It reads box headers only, so it costs the same whatever the file's size. */
export async function judgeMp4(size: number, readAt: ReadAt): Promise<Mp4State> {
  const read = windowed(readAt);
  const head = await read(0, Math.min(16, size));
  const isReserved = size >= RESERVED_FROM && head.every((byte) => byte === 0);
  if (!beginsAsMp4(head)) return isReserved ? "unfinished" : "foreign";
  let end = 0;
  let hasIndex = false;
  let hasMedia = false;
  for await (const box of boxesOf(read, 0, size)) {
    if (box.type === "moov" || box.type === "moof") hasIndex = true;
    if (box.type === "mdat" || box.type === "moof") hasMedia = true;
    // A length of 0 without an index before it is the placeholder of a camera that will write both at the end.
    if (box.isOpen) return hasIndex && hasMedia && box.type === "mdat" ? "open-ended" : "unfinished";
    end = box.end;
  }
  return end === size && hasIndex && hasMedia ? "whole" : "unfinished";
}

/**
 * True when the first bytes of a file (12 are enough) are those of an MP4: a possible length and a first box's
 * letters.
 */
export function beginsAsMp4(head: Uint8Array): boolean {
  if (head.length < 8) return false;
  const type = typeOf(head, 0);
  if (!FIRST.has(type)) return false;
  const length = wordAt(head, 0);
  if (type === "ftyp" || type === "styp") return length >= 16 && length <= LONGEST_TYPE_BOX && length % 4 === 0;
  if (length !== 1) return length === 0 || length >= 8;
  // The upper half of a 64-bit length: no file has more bytes than a number counts.
  return head.length >= 12 && wordAt(head, 8) < 0x20_0000;
}

/** A box of a file: its four letters, where its content begins, and where it ends. */
export interface Box {
  readonly type: string;
  readonly content: number;
  readonly end: number;
  /** It goes on to the end of what it is in, wherever that is. */
  readonly isOpen: boolean;
}

/**
 * The boxes from one place of a file to another, one after the other, as far as they make sense; the last one may claim
 * to end behind the other place. It reads box headers only.
 */
export async function* boxesOf(read: ReadAt, from: number, to: number): AsyncGenerator<Box> {
  let at = from;
  for (let count = 0; count < MOST_BOXES && at < to; count++) {
    const box = boxAt(at, to, await read(at, Math.min(16, to - at)));
    if (box === null) return;
    yield box;
    at = box.end;
  }
}

/** As `boxesOf`, of boxes in memory. */
export function* boxesIn(bytes: Uint8Array, from = 0, to = bytes.length): Generator<Box> {
  let at = from;
  for (let count = 0; count < MOST_BOXES && at < to; count++) {
    const box = boxAt(at, to, bytes, at);
    if (box === null) return;
    yield box;
    at = box.end;
  }
}

/**
 * Reads the head of a box from its first 16 bytes (§4.2); null for nonsense, and for one that is cut off. An index has so
 * many boxes that bytes are taken one by one: that is fast from the first call on, and a view of them is not.
 * @param first where they stand in `bytes`
 */
function boxAt(at: number, to: number, bytes: Uint8Array, first = 0): Box | null {
  const length = Math.min(bytes.length - first, to - at);
  if (length < 8) return null;
  const type = typeOf(bytes, first);
  const short = wordAt(bytes, first);
  if (short === 0) return { type, content: at + 8, end: to, isOpen: true };
  if (short !== 1) return short < 8 ? null : { type, content: at + 8, end: at + short, isOpen: false };
  if (length < 16) return null;
  const long = wordAt(bytes, first + 8) * 0x1_0000_0000 + wordAt(bytes, first + 12);
  return long < 16 ? null : { type, content: at + 16, end: at + long, isOpen: false };
}

/** Reads from the window last fetched while it can. */
export function windowed(readAt: ReadAt): ReadAt {
  let [start, bytes]: [number, Uint8Array] = [0, new Uint8Array(0)];
  return async (offset, length) => {
    if (offset < start || offset + length > start + bytes.length) {
      [start, bytes] = [offset, await readAt(offset, Math.max(WINDOW, length))];
    }
    return bytes.subarray(offset - start, offset - start + length);
  };
}

function typeOf(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(bytes[at + 4] ?? 0, bytes[at + 5] ?? 0, bytes[at + 6] ?? 0, bytes[at + 7] ?? 0);
}

/** A number of 32 bits. */
function wordAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] ?? 0) * 0x100_0000 + (((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0))
  );
}
