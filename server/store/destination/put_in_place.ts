import { constants, lstatSync } from "node:fs";
import { copyFile, open, unlink } from "node:fs/promises";
import { syncFolder } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";
import { giveToOwnerOf } from "./own_folder.ts";

/** Gives a file another name: as `node:fs` does, at once or through its threads. */
export interface Renames {
  renameSync(from: string, to: string): void;
  rename(from: string, to: string): Promise<void>;
}

/** Something has the final name already; it stays as it is. */
export class NameTaken extends Error {
  override name = "NameTaken";
}

/**
 * Called directly before a rename, which would replace an existing file. Measured, `link` and `unlink` cost the same as
 * this and would leave no gap. But a kill between them leaves a file with two names, one of which is written to as a
 * partial. FAT, SMB and some FUSE file systems have no links, either. The lock keeps other Dashdocks out of the gap.
 * @throws NameTaken
 */
export function requireFree(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })) throw new NameTaken(path);
}

/** Answers of `fsync` on file systems that cannot flush a file, as some FUSE ones: there is nothing to wait for. */
export const NO_FLUSH: readonly string[] = ["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

/**
 * Moves a file to a folder on another file system, which a rename cannot do. It copies the file to `beside`, which is
 * in the folder of `to`, and renames it there. The original goes when the copy is on the disk under its final name.
 * @throws NameTaken, and the file system's own errors; each of them keeps the original
 */
export async function moveAcross(
  paths: { from: string; to: string; beside: string; folder: string },
  { rename }: Pick<Renames, "rename">,
): Promise<void> {
  const { from, to, beside, folder } = paths;
  try {
    // A file that a crash left there goes first, a link with it: copying would follow it.
    await removeFile(beside);
    await copyFile(from, beside, constants.COPYFILE_EXCL);
    giveToOwnerOf(folder, beside);
    await using file = await open(beside, "r");
    await file.sync().catch((error: unknown) => {
      if (!NO_FLUSH.includes(errorCode(error))) throw error;
    });
    requireFree(to);
    await rename(beside, to);
  } catch (error) {
    await unlink(beside).catch(() => {});
    throw error;
  }
  // Two file systems write when they like: without this a power cut could take the new name after the old one was removed.
  await syncFolder(folder);
  // The new name holds: the next run removes a partial whose recording is complete.
  await unlink(from).catch(() => {});
}

/** Deletes a file; false when there was none. */
export async function removeFile(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}
