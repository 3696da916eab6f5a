import type { Damage } from "../../domain/checksums/file_judgement.ts";
import type { ReadingPace } from "../../store/destination/file_digest.ts";
import { pathOfFile } from "../../store/destination/sums_rows.ts";
import type { Library } from "../../store/library/library.ts";
import type { Checksums } from "./checksums.ts";
import { countFiles, filesIn, type WantedFiles } from "./library_files.ts";
import { findMissing, type MissingParts } from "./missing_files.ts";
import { FILE_MS, type LimitedPace } from "./reading_pace.ts";

/** A file that does not pass. */
export interface FailedFile {
  /** Relative to the destination. */
  readonly path: string;
  readonly why: Damage;
}

/** Reasons that a file could not be judged. */
export type NotJudged = "denied" | "changed" | "unknown";

/** Progress and outcome of one check of all recordings. */
export interface CheckTally {
  checked: number;
  bytes: number;
  total: number;
  /** Files whose checksums were taken now: there were none, or their owner has changed them. */
  taken: number;
  readonly damaged: FailedFile[];
  /** Files of which nothing can be said. */
  readonly notJudged: { readonly path: string; readonly why: NotJudged }[];
}

export function newTally(): CheckTally {
  return { checked: 0, bytes: 0, total: 0, taken: 0, damaged: [], notJudged: [] };
}

/** The folder of the recordings is not there, or another one. */
export class RecordingsAway extends Error {
  override name = "RecordingsAway";
}

export interface RecordingCheckParts extends Pick<MissingParts, "trash"> {
  readonly checksums: Checksums;
  readonly library: Library;
  readonly isHere: () => boolean;
  /** Looks at the folder before work in it begins. @returns a sentence without a full stop, why it must not; null when it may */
  readonly refusal: () => Promise<string | null>;
}

/**
 * Reads every file of the recordings and compares it with its checksums; then looks for files that are missing.
 * @throws RecordingsAway, and what `pace` throws
 */
export async function checkRecordings(
  parts: RecordingCheckParts,
  wanted: WantedFiles,
  tally: CheckTally,
  pace: ReadingPace & Pick<LimitedPace, "held">,
): Promise<void> {
  const { checksums, library, isHere, trash, refusal } = parts;
  const why = await refusal();
  if (why !== null) throw new RecordingsAway(why);
  await refreshed(parts);
  tally.total = await countFiles(library, wanted);
  for await (const id of filesIn(library, wanted)) {
    await pace.held();
    const path = pathOfFile(id);
    const checked = await checksums.check(id, pace, "forget");
    if (checked.kind === "unread") {
      if (checked.why === "away" || (checked.why === "gone" && !isHere())) throw new RecordingsAway(GONE);
      if (checked.why === "denied" || checked.why === "changed") tally.notJudged.push({ path, why: checked.why });
    } else {
      tally.bytes += checked.row.size;
      if (checked.kind === "taken") tally.taken++;
      if (checked.kind === "damaged") tally.damaged.push({ path, why: checked.row.damage ?? "other_bytes" });
    }
    tally.checked++;
    await pace.after(0, FILE_MS);
  }
  await checksums.sums.write();
  // Files may have been moved meanwhile.
  await refreshed(parts);
  const { missing, unknown } = await findMissing({ library, trash, sums: checksums.sums }, wanted);
  if (!isHere()) throw new RecordingsAway(GONE);
  for (const row of missing) tally.damaged.push({ path: pathOfFile(row), why: "missing" });
  for (const row of unknown) tally.notJudged.push({ path: pathOfFile(row), why: "unknown" });
  const byPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1);
  tally.damaged.sort(byPath);
  tally.notJudged.sort(byPath);
}

async function refreshed({ library, isHere }: RecordingCheckParts): Promise<void> {
  await library.refresh();
  if (!library.available || !isHere()) throw new RecordingsAway(GONE);
}

const GONE = "the recordings folder is not there; is its disk mounted?";
