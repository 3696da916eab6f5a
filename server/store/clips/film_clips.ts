import { fstatSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ClipRefused, type Refusal } from "../../domain/film/clip_refusal.ts";
import { type ClipTables, readClip, type Stretch } from "../../domain/film/clip_tables.ts";
import { applyPatches, hevcPatches } from "../../domain/recordings/hevc_header.ts";
import { beginsAsMp4, boxesOf, type ReadAt } from "../../domain/recordings/mp4_boxes.ts";
import { errorCode } from "../error_code.ts";
import { type OpenFile, openServedFile, readPart } from "../library/opened_file.ts";

/** The index of an hour has some megabytes; a longer one is no camera's. */
const LARGEST_INDEX = 8 * 1024 * 1024;
/** Memory for indexes that were read: those of some hundred clips. */
const MOST_BYTES = 6 * 1024 * 1024;
const HEAD_BYTES = 8;
/** Bytes of a file's head in which its first boxes begin. */
const FIRST_BYTES = 4096;
/** Bytes that are read at once further on: the index of a minute fits in. */
const PART_BYTES = 32 * 1024;
const GONE: readonly string[] = ["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "ENAMETOOLONG"];

interface Stats {
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ino: bigint;
}

/** Text that tells one version of a file from any other: of this size, written at this nanosecond, in this place of the disk. */
function versionText({ size, mtimeNs, ino }: Stats): string {
  return [size, mtimeNs, ino].map((number) => number.toString(36)).join("-");
}

/** The version of a file that has a name at this moment; null when there is none. */
export async function versionAt(root: string, path: string): Promise<string | null> {
  try {
    return versionText(await stat(join(root, path), { bigint: true }));
  } catch (error) {
    if (GONE.includes(errorCode(error))) return null;
    throw error;
  }
}

/** As `versionAt`, while all else waits. */
export function versionNow(root: string, path: string): string | null {
  const found = statSync(join(root, path), { bigint: true, throwIfNoEntry: false });
  return found ? versionText(found) : null;
}

export function versionOfOpen({ descriptor }: OpenFile): string {
  return versionText(fstatSync(descriptor, { bigint: true }));
}

/** Indexes of clips, read once and remembered as long as there is room for them. */
export class FilmClips {
  readonly #root: string;
  /** By path and version; those that were asked for last come last. */
  readonly #known = new Map<string, ClipTables | Refusal>();
  #bytes = 0;

  constructor(root: string) {
    this.#root = root;
  }

  /** The index of a clip of which this version is known, or why it has none that a film can use. */
  async read(path: string, version: string): Promise<ClipTables | Refusal> {
    const key = `${version} ${path}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      this.#known.delete(key);
      this.#known.set(key, known);
      return known;
    }
    using file = await openServedFile(this.#root, path);
    if (file === null) return "missing";
    // It is being changed: what is read now is of no version that a film could be sent of.
    if (versionOfOpen(file) !== version) return "unfinished";
    const tables = await tablesOf(file);
    this.#remember(key, tables);
    return tables;
  }

  forget(): void {
    this.#known.clear();
    this.#bytes = 0;
  }

  #remember(key: string, tables: ClipTables | Refusal): void {
    if (this.#known.has(key)) return;
    this.#known.set(key, tables);
    this.#bytes += bytesOf(tables);
    for (const [oldest, old] of this.#known) {
      if (this.#bytes <= MOST_BYTES || oldest === key) break;
      this.#known.delete(oldest);
      this.#bytes -= bytesOf(old);
    }
  }
}

function bytesOf(tables: ClipTables | Refusal): number {
  return typeof tables === "string" ? 200 : tables.bytes;
}

async function tablesOf(file: OpenFile): Promise<ClipTables | Refusal> {
  try {
    return await readTables(file);
  } catch (error) {
    if (error instanceof ClipRefused) return error.reason;
    throw error;
  }
}

/** Reads the heads of boxes and the index, and none of the media. */
async function readTables(file: OpenFile): Promise<ClipTables> {
  const { size } = file;
  const read = inLargeParts(file);
  if (!beginsAsMp4(await read(0, Math.min(16, size)))) throw new ClipRefused(size === 0 ? "unfinished" : "damaged");
  const media: Stretch[] = [];
  let place: Stretch | null = null;
  for await (const { type, content, end } of boxesOf(read, 0, size)) {
    if (type === "moof") throw new ClipRefused("fragments");
    if (type === "mdat") media.push({ from: content, to: Math.min(end, size) });
    if (type === "moov" && place === null) place = { from: content, to: end };
  }
  if (place === null || place.to > size) throw new ClipRefused("unfinished");
  const length = place.to - place.from;
  if (length > LARGEST_INDEX) throw new ClipRefused("large");
  // A file that holds nothing but the index, so that what mends files can mend it.
  const movie = Buffer.allocUnsafeSlow(HEAD_BYTES + length);
  movie.writeUInt32BE(movie.length, 0);
  movie.write("moov", 4, "latin1");
  const content = await read(place.from, length);
  if (content.length < length) throw new ClipRefused("unfinished");
  movie.set(content, HEAD_BYTES);
  if (movie.includes("hvcC")) {
    const patches = await hevcPatches(movie.length, async (at, count) => movie.subarray(at, at + count));
    applyPatches(movie, 0, patches);
  }
  // Parts of a plain array are taken in a fraction of the time that those of a buffer take.
  return readClip(new Uint8Array(movie.buffer, movie.byteOffset + HEAD_BYTES, length), media);
}

/** Reads a head or an index of the usual size at once, instead of box by box. */
function inLargeParts(file: OpenFile): ReadAt {
  const buffers: { readonly from: number; readonly bytes: Uint8Array }[] = [];
  return async (offset, length) => {
    for (const { from, bytes } of buffers)
      if (offset >= from && offset + length <= from + bytes.length)
        return bytes.subarray(offset - from, offset - from + length);
    const bytes = await readPart(file, offset, Math.max(length, offset === 0 ? FIRST_BYTES : PART_BYTES));
    buffers.unshift({ from: offset, bytes });
    buffers.length = Math.min(2, buffers.length);
    return bytes.subarray(0, length);
  };
}
