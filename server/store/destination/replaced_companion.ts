import { lstatSync, renameSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../error_code.ts";
import type { Destination } from "./destination.ts";
import type { PartialFile } from "./partial_file.ts";

/**
 * Puts a companion that was fetched once more in place of the one of its name, which came without its video; false when it
 * holds nothing that is not here: an answer that was cut takes nothing away. Nor does it come back when the one of its name
 * has gone meanwhile, as when a user deletes the clip. The only file that is ever written over.
 */
export async function replaceCompanion(
  recordings: Pick<Destination, "root" | "discardPartial" | "requireSame" | "noteRenamed">,
  partial: PartialFile,
  folder: string,
): Promise<boolean> {
  const { root } = recordings;
  const [from, to] = [join(root, `.${partial.name}`), join(root, folder, partial.name)];
  await partial.flush();
  const [fresh, before] = await Promise.all([readFile(from), contentOf(to)]);
  const isSame = before?.subarray(0, fresh.length).equals(fresh) ?? true;
  // Looked at once more, in one step with the rename: a deletion may have taken it away while it was read.
  if (isSame || !lstatSync(to, { throwIfNoEntry: false })) {
    await recordings.discardPartial(partial.name);
    return false;
  }
  recordings.requireSame();
  renameSync(from, to);
  recordings.noteRenamed(partial.name, folder);
  return true;
}

/** Null when there is no such file. */
async function contentOf(path: string): Promise<Buffer | null> {
  return await readFile(path).catch((error: unknown) => {
    if (errorCode(error) !== "ENOENT") throw error;
    return null;
  });
}
