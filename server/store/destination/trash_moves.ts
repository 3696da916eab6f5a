import { renameSync } from "node:fs";
import { lstat, mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { momentKey } from "../../domain/recordings/moment_number.ts";
import { nameOf } from "../../domain/recordings/recording_name.ts";
import type { PlacedMoment } from "../../domain/retention/due_recordings.ts";
import { messageOf } from "../../log.ts";
import { errorCode } from "../error_code.ts";
import type { Library } from "../library/library.ts";
import { weighed } from "../library/library_sizes.ts";
import type { EndingSet } from "../library/name_index.ts";
import type { SameFolder } from "./destination_place.ts";
import { giveToOwnerOf } from "./own_folder.ts";
import { removeFile, requireFree } from "./put_in_place.ts";
import type { Sizes } from "./trash_batch.ts";
import { inOrder } from "./trash_journal.ts";

/** One moment of the library in one folder, with the files it has there. */
export type LibraryMoment = PlacedMoment<EndingSet>;

/** The destination's own library, in which moves are noted. */
export type NotedLibrary = Pick<Library, "noteAdded" | "noteRemoved">;

interface Ways {
  readonly from: string;
  readonly to: string;
  readonly home: NotedLibrary;
  readonly place: SameFolder;
}

/**
 * Moves one moment out of the destination into a folder of the trash that is there already; on an error all of it stays.
 * @returns the error's code; null when it is there
 */
export async function moveOut(
  { moment, folder, set }: LibraryMoment,
  { from, to, home, place }: Ways,
): Promise<string | null> {
  const key = momentKey(moment);
  const done: string[] = [];
  try {
    place.requireSame();
    for (const ending of inOrder(set.endings)) {
      const name = nameOf(key, ending);
      // No download of it comes that a failure marker could delay.
      if (set.markers.includes(ending)) await removeFile(join(from, name));
      else if (await isFileThere(join(from, name), place)) {
        await rename(join(from, name), join(to, name));
        done.push(name);
      }
      home.noteRemoved(name, folder);
    }
    return null;
  } catch (error) {
    for (const name of done.reverse()) {
      await rename(join(to, name), join(from, name)).catch(() => {});
      home.noteAdded(name, folder);
    }
    return reasonOf(error, place);
  }
}

/**
 * Moves one moment back into a folder of the destination; on an error all of it stays in the trash.
 * @returns why not, as a sentence without a full stop; null when it is there
 */
export async function moveBack(
  { key, set, folder }: { readonly key: string; readonly set: Pick<EndingSet, "endings">; readonly folder: string },
  { from, to, home, place }: Ways,
): Promise<string | null> {
  const done: string[] = [];
  try {
    place.requireSame();
    if (folder !== "") await mkdir(to).then(() => giveToOwnerOf(dirname(to), to), acceptExisting);
    for (const ending of inOrder(set.endings)) {
      const name = nameOf(key, ending);
      if (!(await isFileThere(join(from, name), place))) continue;
      // In one step: a sync that runs may be bringing a file of that name home.
      requireFree(join(to, name));
      renameSync(join(from, name), join(to, name));
      done.push(name);
      home.noteAdded(name, folder);
    }
    return null;
  } catch (error) {
    for (const name of done.reverse()) {
      await rename(join(to, name), join(from, name)).catch(() => {});
      home.noteRemoved(name, folder);
    }
    return `it cannot be moved (${reasonOf(error, place)})`;
  }
}

/** The error's code or words; when the disk left meanwhile, that it did. */
function reasonOf(error: unknown, place: SameFolder): string {
  try {
    place.requireSame();
  } catch (left) {
    return messageOf(left);
  }
  return errorCode(error) || messageOf(error);
}

/** The bytes of a moment in a folder, see `weighed`, asked of the disk; what is a folder by now has none. */
export async function sizesIn(folder: string, { moment, set }: Pick<LibraryMoment, "moment" | "set">): Promise<Sizes> {
  let bytes = 0;
  for (const ending of weighed(set)) {
    const found = await lstat(join(folder, nameOf(momentKey(moment), ending))).catch(() => null);
    if (found?.isFile()) bytes += found.size;
  }
  return { bytes, videos: set.videos };
}

/** False when it is not there any more. @throws EISDIR, and DestinationProblem when all of the disk is not */
async function isFileThere(path: string, place: SameFolder): Promise<boolean> {
  const found = await lstat(path).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  });
  if (found === null) {
    place.requireSame();
    return false;
  }
  // A folder has files of its own, which no deletion was agreed for.
  if (found.isDirectory()) throw Object.assign(new Error("it is a folder"), { code: "EISDIR" });
  return true;
}

function acceptExisting(error: unknown): void {
  if (errorCode(error) !== "EEXIST") throw error;
}
