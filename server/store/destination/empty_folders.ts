import { rmdir } from "node:fs/promises";
import { join } from "node:path";
import { isGroupFolder } from "../../domain/recordings/date_folders.ts";
import { errorCode } from "../error_code.ts";
import type { Destination } from "./destination.ts";

/** Removes dated folders that are empty. The file system itself refuses all others. Returns their names. */
export async function removeEmptyFolders(destination: Destination): Promise<string[]> {
  const { library, root } = destination;
  const removed: string[] = [];
  if (!destination.isThere()) return removed;
  for (const folder of library.folders()) {
    if (!isGroupFolder(folder) || !library.groups(folder).next().done) continue;
    try {
      await rmdir(join(root, folder));
      destination.noteFolderRemoved(folder);
      removed.push(folder);
    } catch (error) {
      // Not empty, busy, not ours, on a disk in trouble: an empty folder more does no harm.
      if (errorCode(error) === "") throw error;
    }
  }
  return removed;
}
