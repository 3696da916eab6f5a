import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import { pathProblem } from "../../domain/pack/pack_path.ts";
import { CHUNK_BYTES, MOST_FILES, NoPack, type PackContent, type PackFile, UnreadablePart } from "./pack_content.ts";

/** Signatures and lengths of records (PKWARE APPNOTE 6.3.10, section 4.3). */
const HEAD = 0x0403_4b50;
const LINE = 0x0201_4b50;
const END = 0x0605_4b50;
const LONG_END = 0x0606_4b50;
const LONG_POINTER = 0x0706_4b50;
const HEAD_BYTES = 30;
const LINE_BYTES = 46;
const END_BYTES = 22;
const POINTER_BYTES = 20;
const LONG_END_BYTES = 56;
const FULL_16 = 0xffff;
const FULL_32 = 0xffff_ffff;
/** A comment behind the archive has no more. */
const LONGEST_COMMENT = 0xffff;
/** A directory of so many files takes less. */
const MOST_DIRECTORY_BYTES = 64 * 1024 * 1024;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
const UNIX = 3;
const FILE_TYPE = 0o170000;
const LINK = 0o120000;
const REGULAR = 0o100000;

interface Entry {
  readonly name: string;
  readonly size: number;
  readonly packed: number;
  readonly crc: number;
  readonly method: number;
  readonly flags: number;
  readonly at: number;
  /** Type of file by its mode; 0 where none is told. */
  readonly type: number;
}

/**
 * Opens a pack that is a ZIP, also one that another program packed anew. Only the directory is held in memory. What an
 * entry claims is held against the file before a byte of it is read.
 * @throws NoPack
 */
export async function openPackZip(path: string): Promise<PackContent> {
  const file = await open(path, "r");
  try {
    const entries = await directoryOf(file, path);
    const problems: string[] = [];
    const files: PackFile[] = [];
    const names = new Set<string>();
    for (const entry of entries) {
      const { name, size } = entry;
      if (name.endsWith("/") && size === 0) continue;
      const problem = entryProblem(entry) ?? (names.has(name) ? "is in the archive more than once" : null);
      names.add(name);
      if (problem === null) files.push({ name, size, pieces: () => piecesOf(file, entry) });
      else problems.push(`${JSON.stringify(name)} ${problem}`);
    }
    problems.push(...overlapsOf(entries));
    return { files: withoutFolder(files), problems, [Symbol.asyncDispose]: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function entryProblem({ name, flags, method, type, size, packed }: Entry): string | null {
  const problem = pathProblem(name);
  if (problem !== null) return problem;
  if (type === LINK) return "is a link";
  if (type !== 0 && type !== REGULAR) return "is no file";
  if (flags & ENCRYPTED) return "is encrypted";
  if (method !== STORED && method !== DEFLATED) return "is packed in a way that is not known";
  return method === STORED && size !== packed ? "tells two sizes" : null;
}

/** Entries that share bytes: a small file could unpack to any number of large ones. */
function overlapsOf(entries: readonly Entry[]): string[] {
  const problems: string[] = [];
  let end = 0;
  for (const { name, at, packed } of entries.toSorted((one, other) => one.at - other.at)) {
    if (at < end) problems.push(`${JSON.stringify(name)} shares bytes with another file`);
    end = Math.max(end, at + HEAD_BYTES + name.length + packed);
  }
  return problems;
}

/** Programs that pack a folder put its name in front of all others. */
function withoutFolder(files: readonly PackFile[]): readonly PackFile[] {
  const [first = ""] = files[0]?.name.split("/") ?? [];
  const isFolder = files.length > 0 && files.every(({ name }) => name.startsWith(`${first}/`));
  if (!isFolder || !files.some(({ name }) => name === `${first}/SHA256SUMS`)) return files;
  return files.map((one) => ({ ...one, name: one.name.slice(first.length + 1) }));
}

async function directoryOf(file: FileHandle, path: string): Promise<Entry[]> {
  const { size } = await file.stat();
  const none = () => new NoPack(`${path} is no ZIP, or its end is missing.`);
  const tail = await read(
    file,
    Math.max(0, size - END_BYTES - LONGEST_COMMENT),
    Math.min(size, END_BYTES + LONGEST_COMMENT),
  );
  let at = tail.byteLength - END_BYTES;
  while (
    at >= 0 &&
    !(tail.getUint32(at, true) === END && tail.getUint16(at + 20, true) === tail.byteLength - END_BYTES - at)
  )
    at--;
  if (at < 0) throw none();
  let count = tail.getUint16(at + 10, true);
  let bytes = tail.getUint32(at + 12, true);
  let start = tail.getUint32(at + 16, true);
  const end = size - tail.byteLength + at;
  if (count === FULL_16 || bytes === FULL_32 || start === FULL_32) {
    const pointer = await read(file, end - POINTER_BYTES, POINTER_BYTES);
    if (pointer.byteLength === POINTER_BYTES && pointer.getUint32(0, true) === LONG_POINTER) {
      const long = await read(file, whole(pointer, 8), LONG_END_BYTES);
      if (long.byteLength < LONG_END_BYTES || long.getUint32(0, true) !== LONG_END) throw none();
      [count, bytes, start] = [whole(long, 32), whole(long, 40), whole(long, 48)];
    }
  }
  if (count > MOST_FILES || bytes > MOST_DIRECTORY_BYTES) throw new NoPack(`${path} has more files than any pack.`);
  if (start + bytes > end) throw none();
  const view = await read(file, start, bytes);
  const entries: Entry[] = [];
  for (let line = 0; entries.length < count; ) {
    if (line + LINE_BYTES > view.byteLength || view.getUint32(line, true) !== LINE) throw none();
    const lengths = [28, 30, 32].map((place) => view.getUint16(line + place, true));
    const [name = 0, extra = 0, comment = 0] = lengths;
    const next = line + LINE_BYTES + name + extra + comment;
    if (next > view.byteLength) throw none();
    entries.push(entryAt(view, line, name, extra));
    line = next;
  }
  return entries;
}

function entryAt(view: DataView, at: number, nameLength: number, extraLength: number): Entry {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at + LINE_BYTES, nameLength);
  let packed = view.getUint32(at + 20, true);
  let size = view.getUint32(at + 24, true);
  let start = view.getUint32(at + 42, true);
  const isUnix = view.getUint8(at + 5) === UNIX;
  // Numbers that do not fit stand in the field of Zip64 (4.5.3), those that do not fit alone.
  const end = at + LINE_BYTES + nameLength + extraLength;
  for (let field = at + LINE_BYTES + nameLength; field + 4 <= end; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) !== 1) continue;
    let place = field + 4;
    const limit = Math.min(end, place + view.getUint16(field + 2, true));
    const take = (known: number) => {
      if (known !== FULL_32 || place + 8 > limit) return known;
      place += 8;
      return whole(view, place - 8);
    };
    size = take(size);
    packed = take(packed);
    start = take(start);
  }
  return {
    name: new TextDecoder().decode(bytes),
    size,
    packed,
    at: start,
    crc: view.getUint32(at + 16, true),
    method: view.getUint16(at + 10, true),
    flags: view.getUint16(at + 8, true),
    type: isUnix ? (view.getUint32(at + 38, true) >>> 16) & FILE_TYPE : 0,
  };
}

/** The bytes of an entry; not more than it claims, and those that its checksum fits. */
async function* piecesOf(
  file: FileHandle,
  { name, at, size, packed, method, crc: known }: Entry,
): AsyncGenerator<Uint8Array> {
  const head = await read(file, at, HEAD_BYTES);
  const isHead = head.byteLength === HEAD_BYTES && head.getUint32(0, true) === HEAD;
  const nameLength = isHead ? head.getUint16(26, true) : 0;
  const own = await read(file, at + HEAD_BYTES, nameLength);
  if (!isHead || new TextDecoder().decode(own) !== name)
    throw new UnreadablePart(`${name} is not where the directory says`);
  const start = at + HEAD_BYTES + nameLength + head.getUint16(28, true);
  const stored = stretchOf(file, name, start, packed);
  let done = 0;
  let crc = 0;
  for await (const piece of method === STORED ? stored : unpacked(name, stored)) {
    done += piece.length;
    if (done > size) throw new UnreadablePart(`${name} has more bytes than it says`);
    crc = crc32(piece, crc);
    yield piece;
  }
  if (done < size) throw new UnreadablePart(`${name} has fewer bytes than it says`);
  if (crc !== known) throw new UnreadablePart(`${name} does not fit its checksum in the ZIP`);
}

async function* stretchOf(file: FileHandle, name: string, start: number, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < length; ) {
    // A buffer of its own for each: what unpacks them keeps some.
    const view = await read(file, start + at, Math.min(CHUNK_BYTES, length - at));
    if (view.byteLength === 0) throw new UnreadablePart(`${name} ends too soon`);
    at += view.byteLength;
    yield new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  }
}

async function* unpacked(name: string, packed: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(packed);
  const inflating = createInflateRaw({ chunkSize: CHUNK_BYTES });
  source.on("error", (error) => inflating.destroy(error));
  try {
    yield* source.pipe(inflating) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw error instanceof UnreadablePart ? error : new UnreadablePart(`${name} cannot be unpacked`);
  } finally {
    source.destroy();
    inflating.destroy();
  }
}

/** Fewer bytes where the file ends. */
async function read(file: FileHandle, at: number, length: number): Promise<DataView> {
  if (!(at >= 0) || length <= 0) return new DataView(new ArrayBuffer(0));
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, at + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return new DataView(bytes.buffer, 0, done);
}

/** A number of 64 bits; more than any file has where it is not exact. */
function whole(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}
