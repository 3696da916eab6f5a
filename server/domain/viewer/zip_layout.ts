/** One file of an archive, as it is known before a byte of it is read. */
export interface ZipEntry {
  /** ASCII; folders end with `/`. */
  readonly name: string;
  readonly size: number;
  /** Bytes of the file where the archive has it deflated, in `size` bytes; stored as it is when left out. */
  readonly unpacked?: number;
  /** CRC-32, where it is known before a byte is read: then it stands in front of the data, and nothing behind it. */
  readonly crc?: number;
  /** The camera's wall time in seconds since 1970, as if it were UTC: the time beside the name in the archive. */
  readonly wall: number;
}

/** A stretch of an archive's bytes, `from` and `to` counted within its part; `to` is not included. */
export interface ZipPiece {
  /** `end` follows the directory, and belongs to no entry. */
  readonly part: "head" | "data" | "descriptor" | "directory" | "end";
  /** Its entry's place in the list. */
  readonly entry: number;
  readonly from: number;
  readonly to: number;
}

const HEAD_BYTES = 30;
const DIRECTORY_BYTES = 46;
const DESCRIPTOR_BYTES = 16;
const LONG_DESCRIPTOR_BYTES = 24;
const END_BYTES = 22;
const LONG_END_BYTES = 56 + 20;
/** All ones: the number stands in the Zip64 field, or record, instead. */
const FULL_32 = 0xffff_ffff;
const FULL_16 = 0xffff;
/** Version that a reader must know: 2.0, and 4.5 for Zip64 (APPNOTE 4.4.3). */
const PLAIN_VERSION = 20;
const LONG_VERSION = 45;
/** Made on Unix, so that the mode in the directory counts (4.4.2). */
const MADE_BY = 3 << 8;
const FILE_MODE = 0o100644;
/** Bit 3: checksum and sizes stand behind the data (4.4.4). */
const BEHIND = 1 << 3;
const FIRST_DOS_SECONDS = Date.UTC(1980, 0, 1) / 1000;
const LAST_DOS_SECONDS = Date.UTC(2107, 11, 31, 23, 59, 58) / 1000;

/**
 * The bytes of an archive of files (PKWARE APPNOTE 6.3.10). The place of each byte follows from names, sizes
 * and times alone. So an archive's length is known before anything is read, and any part of it can be made without the
 * parts before. Checksums stand behind each file's data and in the directory, those known beforehand in front of it.
 * Zip64 records stand only where numbers need them.
 */
export class ZipLayout {
  readonly entries: readonly ZipEntry[];
  /** Bytes of the whole archive. */
  readonly size: number;
  /** Position at which each entry begins; one more for the directory's. */
  readonly #starts: Float64Array;
  /** Position of each entry's line in the directory; one more for its end. */
  readonly #lines: Float64Array;

  constructor(entries: readonly ZipEntry[]) {
    this.entries = entries;
    const starts = new Float64Array(entries.length + 1);
    const lines = new Float64Array(entries.length + 1);
    for (const [index, entry] of entries.entries()) {
      const start = starts[index] ?? 0;
      starts[index + 1] = start + headBytes(entry) + entry.size + descriptorBytes(entry);
    }
    lines[0] = starts[entries.length] ?? 0;
    for (const [index, entry] of entries.entries())
      lines[index + 1] =
        (lines[index] ?? 0) + DIRECTORY_BYTES + entry.name.length + longBytes(entry, starts[index] ?? 0);
    this.#starts = starts;
    this.#lines = lines;
    this.size = this.#directoryEnd + (this.#isLong ? LONG_END_BYTES : 0) + END_BYTES;
  }

  /** Yields the pieces of the bytes from one place to another, in order; `to` is not included. */
  *pieces(from: number, to: number): Generator<ZipPiece> {
    const { entries } = this;
    for (let index = lastAtOrBefore(this.#starts, from, entries.length); index < entries.length; index++) {
      const entry = entries[index];
      let start = this.#starts[index] ?? 0;
      if (entry === undefined || start >= to) break;
      for (const [part, length] of [
        ["head", headBytes(entry)],
        ["data", entry.size],
        ["descriptor", descriptorBytes(entry)],
      ] as const) {
        const piece = cut(start, length, from, to);
        if (piece) yield { part, entry: index, ...piece };
        start += length;
      }
    }
    for (let index = lastAtOrBefore(this.#lines, from, entries.length); index < entries.length; index++) {
      const start = this.#lines[index] ?? 0;
      const end = this.#lines[index + 1] ?? 0;
      if (start >= to) break;
      const piece = cut(start, end - start, from, to);
      if (piece) yield { part: "directory", entry: index, ...piece };
    }
    const last = cut(this.#directoryEnd, this.size - this.#directoryEnd, from, to);
    if (last) yield { part: "end", entry: entries.length, ...last };
  }

  /** Returns the bytes before an entry's data. Sizes are zero where bit 3 says that they follow. */
  head(index: number): Uint8Array {
    const entry = this.#entry(index);
    const { size, unpacked = size, crc } = entry;
    const isLong = isLongEntry(entry);
    const isKnown = crc !== undefined;
    const record = new Record(headBytes(entry));
    record
      .u32(0x0403_4b50)
      .u16(isLong ? LONG_VERSION : PLAIN_VERSION)
      .u16(flagsOf(entry))
      .u16(methodOf(entry))
      .moment(entry.wall);
    record
      .u32(crc ?? 0)
      .u32(isLong ? FULL_32 : isKnown ? size : 0)
      .u32(isLong ? FULL_32 : isKnown ? unpacked : 0);
    record
      .u16(entry.name.length)
      .u16(isLong ? 20 : 0)
      .ascii(entry.name);
    if (isLong)
      record
        .u16(1)
        .u16(16)
        .u64(isKnown ? unpacked : 0)
        .u64(isKnown ? size : 0);
    return record.bytes;
  }

  /** Returns the bytes behind an entry's data. @param crc CRC-32 of it */
  descriptor(index: number, crc: number): Uint8Array {
    const entry = this.#entry(index);
    const record = new Record(descriptorBytes(entry)).u32(0x0807_4b50).u32(crc);
    if (isLongEntry(entry)) return record.u64(entry.size).u64(entry.size).bytes;
    return record.u32(entry.size).u32(entry.size).bytes;
  }

  /** An entry's line in the directory. @param crc CRC-32 of its data */
  directory(index: number, crc: number): Uint8Array {
    const entry = this.#entry(index);
    const start = this.#starts[index] ?? 0;
    const isLongSize = isLongEntry(entry);
    const isFar = start >= FULL_32;
    const long = longBytes(entry, start);
    const version = long > 0 ? LONG_VERSION : PLAIN_VERSION;
    const record = new Record(DIRECTORY_BYTES + entry.name.length + long);
    record
      .u32(0x0201_4b50)
      .u16(MADE_BY | version)
      .u16(version)
      .u16(flagsOf(entry))
      .u16(methodOf(entry))
      .moment(entry.wall)
      .u32(crc);
    const { size, unpacked = size } = entry;
    record.u32(isLongSize ? FULL_32 : size).u32(isLongSize ? FULL_32 : unpacked);
    record
      .u16(entry.name.length)
      .u16(long)
      .u16(0)
      .u16(0)
      .u16(0)
      .u32(FILE_MODE * 0x1_0000);
    record.u32(isFar ? FULL_32 : start).ascii(entry.name);
    if (long > 0) record.u16(1).u16(long - 4);
    if (isLongSize) record.u64(unpacked).u64(size);
    if (isFar) record.u64(start);
    return record.bytes;
  }

  /** Returns the bytes behind the directory. */
  end(): Uint8Array {
    const { length } = this.entries;
    const start = this.#directoryStart;
    const size = this.#directoryEnd - start;
    const record = new Record(this.size - this.#directoryEnd);
    if (this.#isLong) {
      record
        .u32(0x0606_4b50)
        .u64(44)
        .u16(MADE_BY | LONG_VERSION)
        .u16(LONG_VERSION)
        .u32(0)
        .u32(0);
      record.u64(length).u64(length).u64(size).u64(start);
      record.u32(0x0706_4b50).u32(0).u64(this.#directoryEnd).u32(1);
    }
    const count = Math.min(length, FULL_16);
    record.u32(0x0605_4b50).u16(0).u16(0).u16(count).u16(count);
    record.u32(Math.min(size, FULL_32)).u32(Math.min(start, FULL_32)).u16(0);
    return record.bytes;
  }

  get #directoryStart(): number {
    return this.#lines[0] ?? 0;
  }

  get #directoryEnd(): number {
    return this.#lines[this.entries.length] ?? 0;
  }

  get #isLong(): boolean {
    const start = this.#directoryStart;
    return this.entries.length >= FULL_16 || start >= FULL_32 || this.#directoryEnd - start >= FULL_32;
  }

  #entry(index: number): ZipEntry {
    const entry = this.entries[index];
    if (entry === undefined) throw new RangeError(`the archive has no entry ${index}`);
    return entry;
  }
}

function isLongEntry({ size, unpacked = size }: ZipEntry): boolean {
  return Math.max(size, unpacked) >= FULL_32;
}

/** Stored, or deflated (4.4.5). */
function methodOf({ unpacked }: ZipEntry): number {
  return unpacked === undefined ? 0 : 8;
}

function headBytes(entry: ZipEntry): number {
  return HEAD_BYTES + entry.name.length + (isLongEntry(entry) ? 20 : 0);
}

function flagsOf({ crc }: ZipEntry): number {
  return crc === undefined ? BEHIND : 0;
}

function descriptorBytes(entry: ZipEntry): number {
  if (entry.crc !== undefined) return 0;
  return isLongEntry(entry) ? LONG_DESCRIPTOR_BYTES : DESCRIPTOR_BYTES;
}

/** Counts the bytes of the Zip64 field in the directory. The field holds only numbers that do not fit into the line. */
function longBytes(entry: ZipEntry, start: number): number {
  const numbers = (isLongEntry(entry) ? 2 : 0) + (start >= FULL_32 ? 1 : 0);
  return numbers === 0 ? 0 : 4 + 8 * numbers;
}

/** The part of `length` bytes at `start` that lies within `[from, to)`. */
function cut(start: number, length: number, from: number, to: number): { from: number; to: number } | null {
  const piece = { from: Math.max(0, from - start), to: Math.min(length, to - start) };
  return piece.from < piece.to ? piece : null;
}

/** The last of the first `count` rising numbers that is not over `value`; 0 when all are. */
function lastAtOrBefore(numbers: Float64Array, value: number, count: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** Writes numbers one after the other, little-endian. */
class Record {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.#view = new DataView(this.bytes.buffer);
  }

  u16(value: number): this {
    this.#view.setUint16(this.#at, value, true);
    this.#at += 2;
    return this;
  }

  u32(value: number): this {
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
    return this;
  }

  u64(value: number): this {
    return this.u32(value % 0x1_0000_0000).u32(Math.floor(value / 0x1_0000_0000));
  }

  ascii(text: string): this {
    for (let at = 0; at < text.length; at++) this.bytes[this.#at++] = text.charCodeAt(at);
    return this;
  }

  /** Time and date as MS-DOS has them (4.4.6): steps of two seconds, from 1980 on. */
  moment(wall: number): this {
    const date = new Date(Math.min(LAST_DOS_SECONDS, Math.max(FIRST_DOS_SECONDS, wall)) * 1000);
    this.u16((date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1));
    return this.u16(((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate());
  }
}
