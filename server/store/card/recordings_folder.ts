import { lstatSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ID_PATH, OWN_FOLDER } from "../destination/own_folder.ts";
import { errorCode } from "../error_code.ts";

/** True for a folder of recordings at home, of whatever camera; and for one that does not tell its id. */
export function isRecordingsFolder(place: string): boolean {
  return isThere(join(place, OWN_FOLDER)) === true && isThere(join(place, ID_PATH)) !== false;
}

/** Null where the disk refuses to tell. */
function isThere(path: string): boolean | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return errorCode(error) === "ENOTDIR" ? false : null;
  }
}

/** Returns the folder of recordings at home that a path leads to or into; null for none. */
export async function recordingsFolderAround(path: string): Promise<string | null> {
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    if (isRecordingsFolder(folder)) return folder;
    if (folder === dirname(folder)) return null;
  }
}
