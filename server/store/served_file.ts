import { realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Clock } from "../clock.ts";
import { errorCode } from "./recordings.ts";

/** A file below the destination that may be handed out. */
export interface ServedFile {
  /** Where it really lies, links followed. */
  readonly path: string;
  readonly size: number;
  /** When it was last written: nanoseconds since the epoch. */
  readonly mtimeNs: bigint;
}

const NOT_THERE: readonly string[] = ["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "EACCES", "EINVAL"];

/** How long it is believed where a path leads: a player seeking asks for the same file many times a second. */
const SERVES_MS = 1000;
/** More files than anybody plays at once. */
const MOST_FILES = 64;

/** The files below the destination that may be handed out. */
export class ServedFiles {
  readonly #root: string;
  readonly #clock: Clock;
  readonly #places = new Map<string, { at: number; place: string }>();

  constructor(parts: { root: string; clock: Clock }) {
    this.#root = parts.root;
    this.#clock = parts.clock;
  }

  /**
   * Finds a file below the root. Links are followed as long as they stay below it; hidden files and folders, and those
   * a NAS keeps for itself (`@eaDir`, `#recycle`), are not there, neither by name nor through a link.
   * @param path relative to the root, parts separated by `/`
   * @returns null when there is no such file
   */
  async find(path: string): Promise<ServedFile | null> {
    const known = this.#places.get(path);
    if (known && this.#clock.elapsed() - known.at < SERVES_MS) return await lookAt(known.place);
    const place = await placeOf(this.#root, path);
    this.#places.delete(path);
    if (place === null) return null;
    this.#places.set(path, { at: this.#clock.elapsed(), place });
    const [oldest] = this.#places.keys();
    if (this.#places.size > MOST_FILES && oldest !== undefined) this.#places.delete(oldest);
    return await lookAt(place);
  }
}

/** As `ServedFiles.find`, for a single look. */
export async function findServedFile(root: string, path: string): Promise<ServedFile | null> {
  const place = await placeOf(root, path);
  return place === null ? null : await lookAt(place);
}

/** Where a path really leads, links followed; null when that is nowhere below the root. */
async function placeOf(root: string, path: string): Promise<string | null> {
  if (!isPlain(path)) return null;
  return await ifThere(async () => {
    const [top, place] = await Promise.all([realpath(root), realpath(join(root, path))]);
    return isPlain(relative(top, place)) ? place : null;
  });
}

async function lookAt(place: string): Promise<ServedFile | null> {
  return await ifThere(async () => {
    const found = await stat(place, { bigint: true });
    return found.isFile() ? { path: place, size: Number(found.size), mtimeNs: found.mtimeNs } : null;
  });
}

async function ifThere<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look();
  } catch (error) {
    if (NOT_THERE.includes(errorCode(error))) return null;
    throw error;
  }
}

/** True for a path that goes down only, through parts that are neither hidden nor special. */
function isPlain(path: string): boolean {
  return !path.includes("\0") && path.split("/").every((part) => part !== "" && !".@#".includes(part.charAt(0)));
}
