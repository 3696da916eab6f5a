import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Destination } from "./destination.ts";
import type { PartialFile } from "./partial_file.ts";

/**
 * Puts a companion that was fetched once more in place of the one of its name, which came without its video; false when it
 * holds nothing that is not here: an answer that was cut takes nothing away. The only file that is ever written over.
 */
export async function replaceCompanion(
  recordings: Pick<Destination, "root" | "library" | "discardPartial">,
  partial: PartialFile,
  folder: string,
): Promise<boolean> {
  const { root, library } = recordings;
  const [from, to] = [join(root, `.${partial.name}`), join(root, folder, partial.name)];
  await partial.flush();
  const [fresh, before] = await Promise.all([readFile(from), readFile(to)]);
  if (before.subarray(0, fresh.length).equals(fresh)) {
    await recordings.discardPartial(partial.name);
    return false;
  }
  await rename(from, to);
  library.noteAdded(partial.name, folder);
  return true;
}
