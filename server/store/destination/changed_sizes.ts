import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type CheckedFile, pathOfFile } from "./sums_rows.ts";

/** Files asked for at once: a network disk answers many in the time of one. */
const AT_ONCE = 32;

/** Those files of a destination that do not have the size any more that their checksums are of, or cannot be seen. */
export async function changedSizes(root: string, files: readonly CheckedFile[]): Promise<CheckedFile[]> {
  const changed: CheckedFile[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE);
    // A file that its owner keeps elsewhere, behind a link, is at home too.
    const sizes = await Promise.all(some.map((file) => stat(join(root, pathOfFile(file))).catch(() => null)));
    for (const [place, file] of some.entries()) if (sizes[place]?.size !== file.size) changed.push(file);
  }
  return changed;
}
