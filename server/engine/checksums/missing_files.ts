import type { Clock } from "../../clock.ts";
import { dayOfMoment, momentKey } from "../../domain/recordings/moment_number.ts";
import type { Trash } from "../../store/destination/trash.ts";
import { BEFORE_ALL_FILES, type FileId, type Place, type SumRow } from "../../store/destination/sums_rows.ts";
import type { Library } from "../../store/library/library.ts";
import { isWithin } from "../../store/library/unreadable_folders.ts";
import { nextTurn } from "../../turns.ts";
import type { Checksums } from "./checksums.ts";
import type { WantedFiles } from "./library_files.ts";

/** Rows looked at in one turn. */
const SLICE = 500;
/** Files that were noted so lately may still be about to be moved. */
const MOVING_MS = 3_600_000;

export interface MissingParts {
  readonly library: Pick<Library, "names" | "unreadable" | "folderContents">;
  readonly trash: Pick<Trash, "entries" | "problem">;
  readonly clock: Clock;
  readonly checksums: Pick<Checksums, "sums" | "endAway">;
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
  const { checksums, library } = parts;
  const inTrash = await settleAway(parts);
  const closed = [...library.unreadable];
  for (const { path, moments } of library.folderContents) if (path !== "" && moments.size === 0) closed.push(path);
  const missing: SumRow[] = [];
  const unknown: SumRow[] = [];
  const isGone = ({ moment, ending }: SumRow) =>
    dayOfMoment(moment) >= since && !library.names.hasAt(moment, ending) && !inTrash.has(momentKey(moment));
  for (let last: FileId = BEFORE_ALL_FILES; ; ) {
    const rows = checksums.sums.read((all) => {
      const slice = all.after(last, SLICE);
      return slice.map((row) => ({ row, isAway: isGone(row) && all.isAway(row) }));
    }, []);
    for (const { row, isAway } of rows)
      if (!isAway && isGone(row)) (closed.some((path) => isWithin(row.folder, path)) ? unknown : missing).push(row);
    last = rows.at(-1)?.row ?? last;
    if (rows.length < SLICE) return { missing, unknown };
    await nextTurn();
  }
}

/**
 * Ends what was noted of moments that went to the trash: they are at home again, or were removed for good, and their
 * checksums with them. @returns the keys of those in the trash
 */
export async function settleAway(parts: MissingParts): Promise<ReadonlySet<string>> {
  const { checksums, library, trash, clock } = parts;
  const inTrash = new Set((await trash.entries()).map(({ key }) => key));
  // A file that cannot be seen is not gone.
  if (trash.problem !== null || library.unreadable.length > 0) return inTrash;
  const now = clock.now();
  const folders = new Map([...library.folderContents].map(({ path, moments }) => [path, moments]));
  for (let last: Place = BEFORE_ALL_FILES; ; ) {
    const places = checksums.sums.read((all) => all.awayAfter(last, SLICE), []);
    // A clock that was set back since says nothing.
    const old = places.filter(({ at }) => at <= now - MOVING_MS || at > now);
    const isBack = ({ moment, folder }: Place) => folders.get(folder)?.has(moment) ?? false;
    const isGone = (place: Place) => !isBack(place) && !inTrash.has(momentKey(place.moment));
    checksums.endAway(old.filter(isBack), false);
    checksums.endAway(old.filter(isGone), true);
    last = places.at(-1) ?? last;
    if (places.length < SLICE) return inTrash;
    await nextTurn();
  }
}
