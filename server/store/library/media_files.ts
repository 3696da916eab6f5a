import { constants, existsSync } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Clock } from "../../clock.ts";
import { errorCode } from "../error_code.ts";
import { isHiddenName } from "./system_folders.ts";

/** A file below the destination that may be handed out. */
export interface MediaFile {
  /** Where it really lies, links followed. */
  readonly path: string;
  readonly size: number;
  /** Strong: a file of the same size written at the same nanosecond is the same. */
  readonly etag: string;
  /** When it was last written, as an HTTP date and in epoch milliseconds, whole seconds; never in the future. */
  readonly modified: string;
  readonly modifiedMs: number;
}

const NOT_THERE: readonly string[] = ["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "EACCES", "EINVAL"];

/** How long what was found is used again: a player seeking asks for parts of the same file many times a second. */
const FRESH_MS = 200;
/** More files than players of one household read at once. */
const MOST_FILES = 64;

/** The files below the destination that may be handed out. */
export class MediaFiles {
  readonly #root: string;
  readonly #clock: Clock;
  readonly #found = new Map<string, { at: number; file: MediaFile }>();

  constructor(parts: { root: string; clock: Clock }) {
    this.#root = parts.root;
    this.#clock = parts.clock;
  }

  /**
   * Finds a file below the root, as it was within the last fifth of a second. Links are followed as long as they stay
   * below it; hidden files and folders, and those a NAS keeps for itself (`@eaDir`, `#recycle`), are not there, neither
   * by name nor through a link.
   * @param path relative to the root, parts separated by `/`
   * @returns null when there is no such file
   */
  async find(path: string): Promise<MediaFile | null> {
    const known = this.#found.get(path);
    // It may have been removed since; what was found just now is in the system's memory and costs no wait.
    if (known && this.#clock.elapsed() - known.at < FRESH_MS && existsSync(known.file.path)) return known.file;
    const file = await findServedFile(this.#root, path, this.#clock.now());
    this.#found.delete(path);
    // What is not there may come at any moment.
    if (file) this.#found.set(path, { at: this.#clock.elapsed(), file });
    const [oldest] = this.#found.keys();
    if (this.#found.size > MOST_FILES && oldest !== undefined) this.#found.delete(oldest);
    return file;
  }
}

/** As `MediaFiles.find`, without memory. */
export async function findServedFile(
  root: string,
  path: string,
  now = Number.POSITIVE_INFINITY,
): Promise<MediaFile | null> {
  if (!isPlain(path)) return null;
  try {
    const asked = join(root, path);
    const [top, place, found] = await Promise.all([realpath(root), realpath(asked), stat(asked, { bigint: true })]);
    if (!isPlain(relative(top, place)) || !found.isFile()) return null;
    const modifiedMs = Math.floor(Math.min(Number(found.mtimeNs / 1_000_000n), now) / 1000) * 1000;
    return {
      path: place,
      size: Number(found.size),
      etag: etagOf(found),
      modified: new Date(modifiedMs).toUTCString(),
      modifiedMs,
    };
  } catch (error) {
    if (NOT_THERE.includes(errorCode(error))) return null;
    throw error;
  }
}

/**
 * The first bytes of a file that `findServedFile` finds; null when there is none, and when it is a link, wherever that
 * leads.
 */
export async function readServedFile(
  root: string,
  path: string,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const found = await findServedFile(root, path);
  if (found === null) return null;
  try {
    // It may have become a link, or something that is waited for, since it was found.
    await using file = await open(join(root, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!(await file.stat()).isFile()) return null;
    const bytes = new Uint8Array(Math.min(found.size, most));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } catch (error) {
    if (NOT_THERE.includes(errorCode(error))) return null;
    throw error;
  }
}

/** The ETag of a file of this size, written at this nanosecond. */
export function etagOf({ mtimeNs, size }: { readonly mtimeNs: bigint; readonly size: bigint }): string {
  return `"${mtimeNs.toString(36)}-${size.toString(36)}"`;
}

/** True for a path that goes down only, through parts that are neither hidden nor special. */
function isPlain(path: string): boolean {
  return !path.includes("\0") && path.split("/").every((part) => part !== "" && !isHiddenName(part));
}
