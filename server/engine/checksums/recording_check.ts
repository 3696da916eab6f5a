import type { Damage } from "../../domain/checksums/file_judgement.ts";
import type { ReadingPace } from "../../store/destination/file_digest.ts";
import { type FileId, pathOfFile } from "../../store/destination/sums_rows.ts";
import type { Library } from "../../store/library/library.ts";
import type { Checksums } from "./checksums.ts";
import type { Checked } from "./file_check.ts";
import { countFiles, filesIn, type WantedFiles } from "./library_files.ts";
import { findMissing, type MissingParts } from "./missing_files.ts";
import { FILE_MS, type LimitedPace, ReadingHeldUp } from "./reading_pace.ts";

/** A file that does not pass. */
export interface FailedFile {
  /** Relative to the destination. */
  readonly path: string;
  readonly why: Damage;
}

/** Reasons that a file could not be judged. */
export type NotJudged = "denied" | "changed" | "busy" | "unknown";

/** Limits of a check, which waits between two files while other work goes on. */
export type CheckPace = ReadingPace & Pick<LimitedPace, "free">;

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

export interface RecordingCheckParts extends Pick<MissingParts, "trash" | "clock"> {
  readonly checksums: Checksums;
  readonly library: Library;
  readonly isHere: () => boolean;
  /** Looks at the folder before work in it begins. @returns a sentence without a full stop, why it must not; null when it may */
  readonly refusal: () => Promise<string | null>;
}

/**
 * Reads every file of the recordings and compares it with its checksums; then looks for files that are missing.
 * @throws RecordingsAway, SumsUnusable, and what `pace` throws
 */
export async function checkRecordings(
  parts: RecordingCheckParts,
  wanted: WantedFiles,
  tally: CheckTally,
  pace: CheckPace,
): Promise<void> {
  const { checksums, library, isHere, refusal } = parts;
  const why = await refusal();
  if (why !== null) throw new RecordingsAway(why);
  await refreshed(parts);
  tally.total = await countFiles(library, wanted);
  for await (const id of filesIn(library, wanted)) {
    const path = pathOfFile(id);
    const checked = await readWhenFree(checksums, id, pace);
    if (checked.kind === "unread") {
      if (checked.why === "away" || (checked.why === "gone" && !isHere())) throw new RecordingsAway(GONE);
      if (checked.why === "denied" || checked.why === "changed" || checked.why === "busy")
        tally.notJudged.push({ path, why: checked.why });
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
  const { missing, unknown } = await findMissing(parts, wanted);
  if (!isHere()) throw new RecordingsAway(GONE);
  for (const row of missing) tally.damaged.push({ path: pathOfFile(row), why: "missing" });
  for (const row of unknown) tally.notJudged.push({ path: pathOfFile(row), why: "unknown" });
  const byPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1);
  tally.damaged.sort(byPath);
  tally.notJudged.sort(byPath);
}

/** Reads a file again that was held open for too long in the middle of it. */
async function readWhenFree(checksums: Checksums, id: FileId, pace: CheckPace): Promise<Checked> {
  for (;;) {
    await pace.free();
    try {
      return await checksums.check(id, pace, "forget");
    } catch (error) {
      if (!(error instanceof ReadingHeldUp)) throw error;
    }
  }
}

async function refreshed({ library, isHere }: RecordingCheckParts): Promise<void> {
  await library.refresh();
  if (!library.available || !isHere()) throw new RecordingsAway(GONE);
}

const GONE = "the recordings folder is not there; is its disk mounted?";
