import { access } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../error_code.ts";

/** True for names that are hidden or a system's own, of files and folders: `.snapshot`, `@eaDir` and `#recycle` of a NAS. */
export function isHiddenName(name: string): boolean {
  return ".@#".includes(name.charAt(0));
}

/** True for folders that hold no recordings of ours: hidden ones, and what a check of the disk puts into `lost+found`. */
export function isSystemFolder(name: string): boolean {
  return isHiddenName(name) || name === "lost+found";
}

/** True for a folder that is a destination itself: it carries an id. Errors are the file system's own. */
export async function isBorder(place: string): Promise<boolean> {
  try {
    await access(join(place, ".dashdock", "id"));
    return true;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return false;
    // It may be another camera's: what lies there is unknown, and not this one's.
    throw error;
  }
}
