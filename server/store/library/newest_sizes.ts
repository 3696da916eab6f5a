import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { momentKey } from "../../domain/recordings/moment_number.ts";
import { nameOf, parseArtifact } from "../../domain/recordings/recording_name.ts";
import { type SizeClass, sizeClassOf } from "../../domain/sync/expected_sizes.ts";
import type { Library } from "./library.ts";

/** Number of newest moments that are searched, and number of files of each class that are looked for. */
const MOMENTS = 400;
const OF_EACH = 4;

/**
 * The sizes of some files at home, the oldest first: enough to tell what comes from the same camera. It asks the disk
 * for some dozen files, however many there are.
 */
export async function newestSizes(
  library: Pick<Library, "root" | "folderContents">,
): Promise<{ sizeClass: SizeClass; bytes: number }[]> {
  const found: { sizeClass: SizeClass; bytes: number }[] = [];
  const counts = new Map<SizeClass, number>();
  for (const { moment, path, endings } of newestMoments(library)) {
    for (const ending of endings) {
      const name = nameOf(momentKey(moment), ending);
      const kind = parseArtifact(name)?.kind;
      if (kind === undefined) continue;
      const sizeClass = sizeClassOf(name, kind);
      const count = counts.get(sizeClass) ?? 0;
      if (count >= OF_EACH) continue;
      const file = await lstat(join(library.root, path, name)).catch(() => null);
      if (!file?.isFile()) continue;
      counts.set(sizeClass, count + 1);
      found.push({ sizeClass, bytes: file.size });
    }
  }
  return found.reverse();
}

/** The newest moments, the newest first; some more where several folders have the oldest of them. */
function newestMoments({ folderContents }: Pick<Library, "folderContents">) {
  const folders = [...folderContents];
  // There may be 100,000: by numbers alone first, so that an entry is made of the newest only.
  const all = new Float64Array(folders.reduce((sum, { moments }) => sum + moments.size, 0));
  let count = 0;
  for (const { moments } of folders) for (const moment of moments.keys()) all[count++] = moment;
  const oldest = all.sort().at(-MOMENTS) ?? 0;
  const newest: { moment: number; path: string; endings: readonly string[] }[] = [];
  for (const { path, moments } of folders)
    moments.forEach(({ endings }, moment) => {
      if (moment >= oldest) newest.push({ moment, path, endings });
    });
  return newest.sort((one, other) => other.moment - one.moment);
}
