import { mkdirSync, readdirSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode } from "../error_code.ts";
import { isOwnFolder } from "../path_facts.ts";
import { readPlainTextNow } from "../plain_file.ts";
import { ANY_FOLDER, type SameFolder } from "./destination_place.ts";
import { giveToOwnerOf, OWN_FOLDER } from "./own_folder.ts";

/** By what a camera's answer a file is known to be the one it was before; null for what the answer lacks. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
  /** The file's length. */
  total: number | null;
}

export const NO_VALIDATORS: Validators = Object.freeze({ etag: null, lastModified: null, total: null });

/** Facts about a file from when its partial was begun. They show if the camera seemed to be still writing it. */
export interface PartialRecord extends Validators {
  /** All promised bytes had come and the video still looked unfinished: its length then, and when (epoch ms). */
  unfinished: { size: number; at: number } | null;
}

/** Hidden, so that no library of recordings shows it. */
const FOLDER = join(OWN_FOLDER, "partials");
const ENDING = ".json";

/**
 * Notes beside the partials, one small file each, so that a later run knows whether the camera still has the file
 * the partial is of. They are hints: one that is lost or damaged costs a comparison of the bytes, so nothing is flushed.
 */
export class PartialRecords {
  readonly #folder: string;
  readonly #place: SameFolder;
  /** Asked of the disk once: the folder is ours for as long as the destination is. */
  #isOurs: boolean | null = null;

  /** @param root the destination folder */
  constructor(root: string, place: SameFolder = ANY_FOLDER) {
    this.#folder = join(root, FOLDER);
    this.#place = place;
  }

  /** Null when nothing usable was noted. */
  read(name: string): PartialRecord | null {
    try {
      return parseRecord(readPlainTextNow(this.#path(name)));
    } catch {
      return null;
    }
  }

  /** Notes it, in place of what was noted before. Returns false when the disk refuses; the download goes on without. */
  write(name: string, record: PartialRecord): boolean {
    const text = JSON.stringify(record);
    this.#isOurs ??= isOwnFolder(join(this.#folder, ".."));
    if (!this.#isOurs) return false;
    try {
      this.#place.requireSame();
      try {
        writeFileSync(this.#path(name), text);
      } catch (error) {
        if (errorCode(error) !== "ENOENT") throw error;
        // One level at a time: a destination that vanished must not come back as an empty tree.
        makeFolder(join(this.#folder, ".."));
        makeFolder(this.#folder);
        writeFileSync(this.#path(name), text);
      }
      giveToOwnerOf(this.#folder, this.#path(name));
      return true;
    } catch {
      return false;
    }
  }

  remove(name: string): void {
    try {
      unlinkSync(this.#path(name));
    } catch {
      // It is a hint; one that stays is removed by the next run that finds no partial beside it.
    }
  }

  /** The names of all files something is noted of. */
  names(): string[] {
    try {
      return readdirSync(this.#folder).flatMap((name) =>
        name.endsWith(ENDING) ? [name.slice(0, -ENDING.length)] : [],
      );
    } catch {
      return [];
    }
  }

  #path(name: string): string {
    return join(this.#folder, name + ENDING);
  }
}

/** True when the camera's answer is of another file than the one the partial was begun with. */
export function hasChanged(before: Validators | null, now: Validators): boolean {
  if (before === null) return false;
  const differs = <T>(one: T | null, other: T | null) => one !== null && other !== null && one !== other;
  return (
    differs(before.etag, now.etag) || differs(before.lastModified, now.lastModified) || differs(before.total, now.total)
  );
}

/** True when the camera names the file by something stronger than its length, and it is the one it was. */
export function isProven(before: Validators | null, now: Validators): boolean {
  return before !== null && now.etag !== null && before.etag === now.etag;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
    giveToOwnerOf(dirname(path), path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

function parseRecord(text: string): PartialRecord | null {
  const found: unknown = JSON.parse(text);
  if (typeof found !== "object" || found === null) return null;
  const { etag, lastModified, total, unfinished } = found as Partial<Record<keyof PartialRecord, unknown>>;
  const textOr = (value: unknown) => (typeof value === "string" ? value : null);
  return {
    etag: textOr(etag),
    lastModified: textOr(lastModified),
    total: isCount(total) ? total : null,
    unfinished: readUnfinished(unfinished),
  };
}

function readUnfinished(value: unknown): PartialRecord["unfinished"] {
  if (typeof value !== "object" || value === null || !("size" in value) || !("at" in value)) return null;
  const { size, at } = value;
  return isCount(size) && typeof at === "number" && Number.isFinite(at) ? { size, at } : null;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
