import { dayOfMoment } from "../../domain/recordings/moment_number.ts";
import type { FileId } from "../../store/destination/sums_rows.ts";
import type { Library } from "../../store/library/library.ts";
import { MARKER_ENDING } from "../../store/library/name_index.ts";
import { isSliceEnd, nextTurn } from "../../turns.ts";

type Contents = Pick<Library, "folderContents">;

/** Recordings that are gone through: all, or those from a day on, `YYYYMMDD`. */
export interface WantedFiles {
  readonly since: number;
}
export const ALL_FILES: WantedFiles = { since: 0 };

/** Counts the files of recordings in a library. */
export async function countFiles({ folderContents }: Contents, { since }: WantedFiles): Promise<number> {
  let count = 0;
  let handled = 0;
  for (const { moments } of folderContents)
    for (const [moment, { endings, markers }] of moments) {
      if (isSliceEnd(++handled)) await nextTurn();
      if (dayOfMoment(moment) >= since) count += endings.length - markers.length;
    }
  return count;
}

/** The files of recordings in a library, folder by folder, by time. A folder that goes meanwhile is left out. */
export async function* filesIn(library: Contents, { since }: WantedFiles): AsyncGenerator<FileId> {
  const folders = [...library.folderContents].toSorted((one, other) => (one.path < other.path ? -1 : 1));
  for (const { path: folder, moments } of folders) {
    const sorted = Float64Array.from(moments.keys()).sort();
    await nextTurn();
    for (const moment of sorted) {
      if (dayOfMoment(moment) < since) continue;
      for (const ending of moments.get(moment)?.endings ?? [])
        if (!ending.endsWith(MARKER_ENDING)) yield { moment, ending, folder };
    }
  }
}
