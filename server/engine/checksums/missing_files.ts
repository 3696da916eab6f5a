import { dayOfMoment, momentKey } from "../../domain/recordings/moment_number.ts";
import { BEFORE_ALL_FILES, type FileId, type SumRow } from "../../store/destination/sums_rows.ts";
import type { Trash } from "../../store/destination/trash.ts";
import type { Library } from "../../store/library/library.ts";
import { isWithin } from "../../store/library/unreadable_folders.ts";
import { nextTurn } from "../../turns.ts";
import type { KeptSums } from "./kept_sums.ts";
import type { WantedFiles } from "./library_files.ts";

/** Rows looked at in one turn. */
const SLICE = 500;

export interface MissingParts {
  readonly library: Pick<Library, "names" | "unreadable" | "folderContents">;
  readonly trash: Pick<Trash, "entries">;
  readonly sums: KeptSums;
}

/** Files that are not where they were, and nowhere else. */
export interface MissingFiles {
  readonly missing: readonly SumRow[];
  /** Files whose folder cannot be read, or is empty: a disk may belong there. */
  readonly unknown: readonly SumRow[];
}

/**
 * Finds files that were at home, and are nowhere any more, though Dashdock has not deleted them. Folders that Dashdock
 * empties it removes: one that is there and empty may be the place of a disk. After the library was read.
 */
export async function findMissing(parts: MissingParts, { since }: WantedFiles): Promise<MissingFiles> {
  const { sums, library, trash } = parts;
  const inTrash = new Set((await trash.entries()).map(({ key }) => key));
  const closed = [...library.unreadable];
  for (const { path, moments } of library.folderContents) if (path !== "" && moments.size === 0) closed.push(path);
  const missing: SumRow[] = [];
  const unknown: SumRow[] = [];
  const isGone = ({ moment, ending, isAway }: SumRow) =>
    !isAway && dayOfMoment(moment) >= since && !library.names.hasAt(moment, ending) && !inTrash.has(momentKey(moment));
  for (let last: FileId = BEFORE_ALL_FILES; ; ) {
    const rows = sums.read((all) => all.after(last, SLICE), []);
    for (const row of rows)
      if (isGone(row)) (closed.some((path) => isWithin(row.folder, path)) ? unknown : missing).push(row);
    last = rows.at(-1) ?? last;
    if (rows.length < SLICE) return { missing, unknown };
    await nextTurn();
  }
}
