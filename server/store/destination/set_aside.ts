import { renameSync } from "node:fs";
import { lstat, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TrashCause } from "../../domain/retention/deletion_cause.ts";
import { syncFolders } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";
import { giveToOwnerOf } from "./own_folder.ts";
import type { Trash } from "./trash.ts";
import { batchId, beginList } from "./trash_batch.ts";
import type { NotedLibrary } from "./trash_moves.ts";

/**
 * Moves one file of a recording to the trash, and leaves the others where they are. In one step, without the note of a
 * batch that is moved: after a kill the rest of the recording would follow it. Runs in the own folder's guard, after the
 * trash's `prepare`. @throws the file system's own errors; the file is then where it was
 */
export async function setAside(
  { root, trash, home, now }: { root: string; trash: Pick<Trash, "root">; home: NotedLibrary; now: number },
  { name, folder }: { readonly name: string; readonly folder: string },
  cause: TrashCause = CAUSE,
): Promise<void> {
  const path = await newBatch(trash.root, now, cause);
  const place = join(path, folder);
  await mkdir(place, { recursive: true });
  const made = [trash.root, path];
  for (let below = place; below !== path; below = dirname(below)) {
    giveToOwnerOf(path, below);
    made.push(below);
  }
  renameSync(join(root, folder, name), join(place, name));
  home.noteRemoved(name, folder);
  await syncFolders(made);
}

/** No limit was passed, yet of the known reasons to delete, making room for what takes its place is the nearest. */
const CAUSE = "room";

async function newBatch(trash: string, now: number, cause: TrashCause): Promise<string> {
  for (let number = 1; ; number++) {
    const path = join(trash, batchId(now, cause, number));
    if ((await lstat(path).catch(() => null)) !== null) continue;
    try {
      await mkdir(path);
    } catch (error) {
      if (errorCode(error) === "EEXIST") continue;
      throw error;
    }
    giveToOwnerOf(trash, path);
    // Only saves asking for a size.
    await beginList(path, { by: null, keep: {} }).catch(() => {});
    return path;
  }
}
