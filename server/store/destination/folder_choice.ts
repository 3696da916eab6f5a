import { constants } from "node:fs";
import { access, opendir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isSystemFolder } from "../../domain/settings/system_folder.ts";
import { isHiddenName } from "../library/system_folders.ts";

/** A folder that recordings might go to. */
export interface OfferedFolder {
  readonly name: string;
  readonly path: string;
  readonly canBeUsed: boolean;
  readonly isEmpty: boolean;
}

/** More than people look through. */
const MOST = 300;
/** Entries that are looked at: a folder of files has few folders. */
const MOST_ENTRIES = 20_000;

/**
 * Lists the folders in a folder that this process may see, by name. Links are not followed. Hidden folders are left
 * out, and so are those of the system, but for the ones on the way to disks of users.
 * @throws the error of the disk when the folder cannot be read
 */
export async function foldersIn(path: string): Promise<{ folders: OfferedFolder[]; isCut: boolean }> {
  const names: string[] = [];
  let looked = 0;
  for await (const entry of await opendir(path)) {
    if (++looked > MOST_ENTRIES) break;
    if (entry.isDirectory() && !isHiddenName(entry.name)) names.push(entry.name);
  }
  names.sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  const folders: OfferedFolder[] = [];
  for (const name of names.slice(0, MOST)) {
    const below = join(path, name);
    if (isHidden(below) || !(await may(below, constants.R_OK | constants.X_OK))) continue;
    const canBeUsed = !isSystemFolder(below) && (await may(below, constants.W_OK | constants.X_OK));
    folders.push({ name, path: below, canBeUsed, isEmpty: await isEmpty(below) });
  }
  return { folders, isCut: names.length > MOST || looked > MOST_ENTRIES };
}

/** Folders of the system in which no folder can be used either. */
function isHidden(path: string): boolean {
  return isSystemFolder(path) && !/^\/(root|run|run\/media|dev)$/.test(path);
}

async function may(path: string, mode: number): Promise<boolean> {
  return await access(path, mode).then(
    () => true,
    () => false,
  );
}

async function isEmpty(path: string): Promise<boolean> {
  const found = await readdir(path).catch(() => [""]);
  return found.length === 0;
}
