import { counted, formatBytes, formatCount, withinInWords } from "../text/format.ts";
import type { LeftFiles } from "./left_out.ts";

/** Figures of one import. */
export interface ImportCounts {
  /** Recordings whose video came home, files of all kinds, and their bytes. */
  readonly recordings: number;
  readonly files: number;
  readonly bytes: number;
  /** Files that are the same at home. */
  readonly present: number;
  /** Files that were removed from the card. */
  readonly removed: number;
  readonly left: readonly LeftFiles[];
}

/** `12 recordings (1.2 GB) came home in 9 s, 24 files already at home, 3 files left`. */
export function importSummary(counts: ImportCounts, seconds: number, dryRun: boolean): string {
  const { recordings, files, bytes, present, removed } = counts;
  const left = counts.left.reduce((sum, one) => sum + one.files, 0);
  const what = recordings > 0 ? counted(recordings, "recording") : counted(files, "file");
  const came = dryRun
    ? `${what} would come home`
    : `${what} (${formatBytes(bytes)}) came home ${withinInWords(seconds)}`;
  const parts = [files === 0 ? "nothing new" : came];
  if (present > 0) parts.push(`${counted(present, "file")} already at home`);
  if (removed > 0) parts.push(`${counted(removed, "file")} removed from the card`);
  if (left > 0) parts.push(`${counted(left, "file")} left`);
  return parts.join(", ");
}

/** Number of names that one line has. */
const NAMED = 5;

/** `3 files left: Another file of this name is at home. (a.mp4, b.mp4, c.mp4)` */
export function leftLine({ files, sentence, first }: LeftFiles): string {
  const more = files > NAMED ? `, … ${formatCount(files - NAMED)} more` : "";
  return `${counted(files, "file")} left: ${sentence} (${first.slice(0, NAMED).join(", ")}${more})`;
}
