import { accessSync, constants, lstatSync, type Stats, statSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode } from "./error_code.ts";

/** True when this user may make and rename files in a folder at this moment. */
export function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** True for a folder, or a link to one, that is there and answers. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** True unless something else than a real folder is there: through a link bytes would go to places that are not ours. */
export function isOwnFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return true; // nothing is there, or nothing that could be written to
  }
}

/** True when a folder below the root, and each on the way to it, is a real one and no link out of the destination. */
export function isRealFolder(root: string, folder: string): boolean {
  let path = root;
  for (const part of folder.split("/")) {
    path = join(path, part);
    if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return false;
  }
  return true;
}

/** True when a folder below the root is on a file system of its own, so that its troubles are not the root's. */
export function isAnotherDisk(root: string, folder: string): boolean {
  return statSync(root).dev !== statSync(join(root, folder)).dev;
}

/** Returns the remedy for something that lies where a recording's file belongs. */
export function inTheWay(path: string, found: Stats): string {
  if (found.isSymbolicLink()) return `${path} is a link, which is not followed; remove it`;
  if (found.isDirectory()) return `${path} is a folder where a recording's file belongs; rename or remove it`;
  return found.isFile()
    ? `${path} may not be changed by this user; change its owner and mode, or remove it`
    : `${path} is not a file; remove it`;
}

const COMPARED_AT_ONCE = 1024 * 1024;

/** True when the shorter file's bytes are the first ones of the other. */
export async function beginsAlike(shorter: string, longer: string): Promise<boolean> {
  await using one = await open(shorter, constants.O_RDONLY | constants.O_NOFOLLOW);
  await using other = await open(longer, constants.O_RDONLY | constants.O_NOFOLLOW);
  const ours = Buffer.alloc(COMPARED_AT_ONCE);
  const theirs = Buffer.alloc(COMPARED_AT_ONCE);
  for (let at = 0; ; ) {
    const { bytesRead: length } = await one.read(ours, 0, COMPARED_AT_ONCE, at);
    if (length === 0) return true;
    const { bytesRead } = await other.read(theirs, 0, length, at);
    if (bytesRead < length || ours.compare(theirs, 0, length, 0, length) !== 0) return false;
    at += length;
  }
}

/** The file system of a folder, or of the nearest one above it that is there; null when that cannot be told. */
export async function deviceAbove(path: string): Promise<number | null> {
  try {
    return (await stat(path)).dev;
  } catch (error) {
    const above = dirname(path);
    return errorCode(error) === "ENOENT" && above !== path ? await deviceAbove(above) : null;
  }
}
