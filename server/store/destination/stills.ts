import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { momentNumber } from "../../domain/recordings/moment_number.ts";
import { parseStillFile, type StillName, stillFile } from "../../domain/recordings/still_name.ts";
import { createFile, stampOf, syncFolder } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";
import { readPlainFile } from "../plain_file.ts";
import { ANY_FOLDER, type SameFolder } from "./destination_place.ts";
import { makeFolder, makeOwnFolder, OWN_FOLDER } from "./own_folder.ts";

/** Pictures that one recording can have. */
export const MOST_STILLS = 200;
const FOLDER = "stills";

/** A recording has as many pictures as it can have. */
export class TooManyStills extends Error {
  override readonly name = "TooManyStills";
}

/** By moment, in the order of their names. */
export type StillsByMoment = ReadonlyMap<number, readonly StillName[]>;

/**
 * Pictures that users kept with recordings, in `.dashdock/stills` of the destination, a file each. All changes run in
 * the own folder's guard.
 */
export class Stills {
  /** Absolute path of the folder of all pictures. */
  readonly folder: string;
  readonly #root: string;
  readonly #place: SameFolder;
  /** Contents of the folder when it had this stamp; null when there was none. */
  #known: { readonly stamp: string | null; readonly all: StillsByMoment } | null = null;

  constructor(root: string, place: SameFolder = ANY_FOLDER) {
    this.#root = root;
    this.folder = join(root, OWN_FOLDER, FOLDER);
    this.#place = place;
  }

  /** Lists them all; none while the folder cannot be read. */
  async all(): Promise<StillsByMoment> {
    const stamp = await stampOf(this.folder).catch(() => null);
    if (this.#known?.stamp === stamp) return this.#known.all;
    const names = stamp === null ? [] : await readdir(this.folder).catch(() => []);
    const stills = names.sort().map(parseStillFile);
    const all = Map.groupBy(
      stills.filter((still) => still !== null),
      ({ key }) => momentNumber(key),
    );
    this.#known = { stamp, all };
    return all;
  }

  /**
   * Adds a picture. One of the same moment stays: the new one is named after the next millisecond.
   * @returns its name @throws TooManyStills, and the file system's own errors
   */
  async add(wanted: StillName, picture: Uint8Array): Promise<StillName> {
    this.#place.requireSame();
    await makeOwnFolder(this.#root);
    await makeFolder(join(this.#root, OWN_FOLDER), FOLDER);
    this.#known = null;
    const before = (await this.all()).get(momentNumber(wanted.key)) ?? [];
    if (before.length >= MOST_STILLS) throw new TooManyStills();
    for (let still = wanted; ; still = { ...still, milliseconds: still.milliseconds + 1 }) {
      const path = join(this.folder, stillFile(still));
      if (await createFile(path, picture, { mode: 0o644 })) return still;
      if (await isSame(path, picture)) return still;
    }
  }

  /** Bytes of a picture; null when it is gone, or no plain file. */
  async read(still: StillName): Promise<Uint8Array<ArrayBuffer> | null> {
    return await readPlainFile(join(this.folder, stillFile(still))).then(
      (bytes) => Uint8Array.from(bytes),
      () => null,
    );
  }

  /** Removes pictures for good. @returns the number of those that were there */
  async remove(stills: readonly StillName[]): Promise<number> {
    if (stills.length === 0) return 0;
    this.#place.requireSame();
    let removed = 0;
    for (const still of stills) {
      try {
        await rm(join(this.folder, stillFile(still)));
        removed++;
      } catch (error) {
        if (errorCode(error) !== "ENOENT") throw error;
      }
    }
    await syncFolder(this.folder);
    return removed;
  }
}

async function isSame(path: string, picture: Uint8Array): Promise<boolean> {
  const there = await readPlainFile(path).catch(() => null);
  return there?.equals(picture) === true;
}
