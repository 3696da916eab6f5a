import { closeSync, constants, existsSync, fstatSync, open, read, readlinkSync, readSync, statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { errorCode } from "../error_code.ts";
import { isHiddenName } from "./system_folders.ts";

/** A file below the destination that may be handed out, as it was found; what is read of it is opened and judged anew. */
export interface MediaFile {
  /** Its true path, links followed: it names the file, and is never opened. */
  readonly place: string;
  readonly size: number;
  /** Strong: a file of the same size written at the same nanosecond is the same. */
  readonly etag: string;
  /** When it was last written, as an HTTP date and in epoch milliseconds, whole seconds; never in the future. */
  readonly modified: string;
  readonly modifiedMs: number;
}

/** The same while it is open: all of this is about the very file that is read. */
export interface OpenFile extends MediaFile, Disposable {
  readonly descriptor: number;
}

const NOT_THERE: readonly string[] = [
  ...["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "EACCES", "EINVAL"],
  // Sockets and devices.
  ...["ENXIO", "ENODEV"],
];

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** macOS has a flag by which a link anywhere in the path is refused, not only at its end: O_NOFOLLOW_ANY in fcntl.h. */
const NO_LINKS = process.platform === "darwin" ? 0x20000000 : O_NOFOLLOW;
/** Opening waits for regular files only: a FIFO has no end until another program writes to it. */
const FLAGS = O_RDONLY | NO_LINKS | O_NONBLOCK;
/** Each open descriptor as a path, by which it is opened again whatever its file is called by now. */
const DESCRIPTORS = existsSync("/proc/self/fd") ? "/proc/self/fd" : "/dev/fd";

/** Tells where a descriptor's file lies at this moment, links resolved. */
type PlaceOf = (descriptor: number) => string;

/** Linux tells it; elsewhere a file is opened by a path without links, and found there once more. */
const PLACE_OF: PlaceOf | null =
  DESCRIPTORS === "/dev/fd" ? null : (descriptor) => readlinkSync(`${DESCRIPTORS}/${descriptor}`);

const opened = promisify(open);

/**
 * Opens a file below the root once, and judges the open file: a link that is put in the way meanwhile changes nothing
 * any more. Links are followed as long as they stay below the root. Hidden files and folders, and those a NAS keeps for
 * itself (`@eaDir`, `#recycle`), count as missing, by name and through a link. A hard link is a file as any other.
 * @param path relative to the root, parts separated by `/`
 * @param now what no file is newer than
 * @returns null when there is no such file
 */
export async function openServedFile(
  root: string,
  path: string,
  now = Number.POSITIVE_INFINITY,
  placeOf: PlaceOf | null = PLACE_OF,
): Promise<OpenFile | null> {
  if (!isPlain(path)) return null;
  let descriptor: number | null = null;
  try {
    const asked = join(root, path);
    const direct = placeOf && (await openNoLink(asked));
    const real = direct === null ? await placeBelow(root, asked) : asked;
    if (real === null) return null;
    descriptor = direct ?? (await opened(real, FLAGS));
    const place = placeOf ? placeOf(descriptor) : real;
    // A folder on the way may be a link, too.
    if (place !== asked && !isBelow(await realpath(root), place)) return null;
    if (placeOf === null && (await placeBelow(root, asked)) !== place) return null;
    const found = fstatSync(descriptor, { bigint: true });
    if (!found.isFile() || (placeOf === null && !isThere(place, found))) return null;
    const kept = descriptor;
    descriptor = null;
    return { ...factsOf(place, found, now), descriptor: kept, [Symbol.dispose]: () => closeSync(kept) };
  } catch (error) {
    if (NOT_THERE.includes(errorCode(error))) return null;
    throw error;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** As `openServedFile`, of which only the facts are wanted. */
export async function findServedFile(root: string, path: string): Promise<MediaFile | null> {
  using file = await openServedFile(root, path);
  return file && factsAlone(file);
}

/** Returns the facts about a file, without the file. */
export function factsAlone({ place, size, etag, modified, modifiedMs }: MediaFile): MediaFile {
  return { place, size, etag, modified, modifiedMs };
}

/**
 * Returns the first bytes of a file in a folder of ours below the root. Null when there is none, and when it or a
 * folder on the way is a link, wherever that leads.
 */
export async function readOwnFile(
  root: string,
  folder: string,
  path: string,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  using file = await openServedFile(join(root, folder), path);
  const isAtPlace = file?.place === join(await realpath(root), folder, path);
  return file && isAtPlace ? await readPart(file, 0, most) : null;
}

/** A part of an open file; shorter where the file ends. */
export async function readPart(file: OpenFile, at: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(Math.max(0, Math.min(length, file.size - at)));
  return bytes.subarray(0, await readInto(file, at, bytes));
}

/** Fills `bytes` with what is in an open file from `at`. @returns how much there was of it */
export async function readInto({ descriptor }: OpenFile, at: number, bytes: Uint8Array): Promise<number> {
  for (let done = 0; ; ) {
    const count = await new Promise<number>((resolve, reject) => {
      read(descriptor, bytes, done, bytes.length - done, at + done, (error, read) =>
        error ? reject(error) : resolve(read),
      );
    });
    done += count;
    if (count === 0 || done === bytes.length) return done;
  }
}

/** As `readInto`, while all else waits: for as little as the listener itself would read at once. */
export function readNow({ descriptor }: OpenFile, at: number, bytes: Uint8Array): number {
  for (let done = 0; ; ) {
    const count = readSync(descriptor, bytes, done, bytes.length - done, at + done);
    done += count;
    if (count === 0 || done === bytes.length) return done;
  }
}

/** Its file as a path that leads nowhere else as long as it is open. */
export function pathOfOpen({ descriptor }: OpenFile): string {
  return `${DESCRIPTORS}/${descriptor}`;
}

/**
 * By what is seen that an open file is neither written, moved nor removed: all of these change the second time, too.
 * As numbers these cost half of what the exact ones do.
 */
export interface Stamp {
  readonly ctimeMs: number;
  readonly mtimeMs: number;
  readonly size: number;
  readonly nlink: number;
}

/** The stamp of an open file as it is now. */
export function stampOf({ descriptor }: OpenFile): Stamp {
  return fstatSync(descriptor);
}

/** The ETag of an open file as it is now. */
export function etagNow({ descriptor }: OpenFile): string {
  return etagOf(fstatSync(descriptor, { bigint: true }));
}

/**
 * Returns what tells this very content of a file from any other: place and inode, size, and the times at which content
 * and inode were changed, to the nanosecond.
 */
export function contentStamp({ descriptor, place }: OpenFile): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(descriptor, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs, place].join(" ");
}

/** Time at which an open file was last written, in epoch milliseconds. */
export function writtenMs({ descriptor }: OpenFile): number {
  return Number(fstatSync(descriptor, { bigint: true }).mtimeNs / 1_000_000n);
}

/** The ETag of a file of this size, written at this nanosecond. */
export function etagOf({ mtimeNs, size }: { readonly mtimeNs: bigint; readonly size: bigint }): string {
  return `"${mtimeNs.toString(36)}-${size.toString(36)}"`;
}

function factsOf(place: string, found: { readonly mtimeNs: bigint; readonly size: bigint }, now: number): MediaFile {
  const modifiedMs = Math.floor(Math.min(Number(found.mtimeNs / 1_000_000n), now) / 1000) * 1000;
  return {
    place,
    size: Number(found.size),
    etag: etagOf(found),
    modified: new Date(modifiedMs).toUTCString(),
    modifiedMs,
  };
}

/** The descriptor of what has this name; null when that is a link, which is to be judged before it is followed. */
async function openNoLink(path: string): Promise<number | null> {
  try {
    return await opened(path, FLAGS);
  } catch (error) {
    if (errorCode(error) === "ELOOP") return null;
    throw error;
  }
}

/** Returns the path behind all links; null when that is not below the root. */
async function placeBelow(root: string, path: string): Promise<string | null> {
  const [top, place] = await Promise.all([realpath(root), realpath(path)]);
  return isBelow(top, place) ? place : null;
}

function isBelow(top: string, place: string): boolean {
  return isPlain(relative(top, place));
}

/** True when nothing happened to a file between two looks at it. */
export function isSameStamp(one: Stamp, other: Stamp): boolean {
  return (
    one.ctimeMs === other.ctimeMs &&
    one.mtimeMs === other.mtimeMs &&
    one.size === other.size &&
    one.nlink === other.nlink
  );
}

/** True when a path leads to this very file. */
function isThere(place: string, { dev, ino }: { readonly dev: bigint; readonly ino: bigint }): boolean {
  const there = statSync(place, { bigint: true, throwIfNoEntry: false });
  return there?.dev === dev && there.ino === ino;
}

/** True for a path that goes down only, through parts that are neither hidden nor special. */
function isPlain(path: string): boolean {
  return !path.includes("\0") && path.split("/").every((part) => part !== "" && !isHiddenName(part));
}

/** The first bytes of a file of the library; null when there is none. @param path relative to the root */
export async function firstBytes(root: string, path: string, most: number): Promise<Uint8Array<ArrayBuffer> | null> {
  using file = await openServedFile(root, path);
  return file && (await readPart(file, 0, most));
}
