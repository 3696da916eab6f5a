import { type CsvCell, csvLineOf } from "../text/csv_line.ts";
import { FAILURE_REASONS } from "./failure_reason.ts";
import type { Run } from "./run.ts";
import { rounded } from "./run_series.ts";
import { outcomeOf, reasonOf } from "./run_text.ts";

/** Names and contents of the columns. Times are ISO 8601 in UTC, so that every spreadsheet reads them. */
const COLUMNS: readonly (readonly [name: string, of: (run: Run) => CsvCell])[] = [
  ["started", (run) => instant(run.ts - run.durationSeconds)],
  ["ended", (run) => instant(run.ts)],
  ["outcome", (run) => outcomeOf(run).word],
  ["reason", (run) => plain(reasonOf(run))],
  ["files", (run) => run.files],
  ["bytes", (run) => run.bytes],
  ["duration_seconds", (run) => rounded(run.durationSeconds, 1000)],
  ["recordings_on_camera", (run) => run.recordingsSeen],
  ["recordings_chosen", (run) => run.recordingsSelected],
  ["disk_used_percent", (run) => run.diskUsedRatio && rounded(run.diskUsedRatio * 100, 100)],
  ...FAILURE_REASONS.map((reason) => [`failures_${reason}`, (run: Run) => run.failures[reason]] as const),
  ["dry_run", (run) => run.dryRun],
  ["message", (run) => (run.message === undefined ? null : plain(run.message))],
  // Older programs did not write down what they deleted.
  ["deleted_recordings", (run) => run.deleted?.recordings ?? null],
  ["deleted_bytes", (run) => run.deleted?.bytes ?? null],
];

/** The first line, with its line end. */
export const CSV_HEAD = csvLineOf(COLUMNS.map(([name]) => name));

/** The line of a run, with its line end. */
export function csvLine(run: Run): string {
  return csvLineOf(COLUMNS.map(([, of]) => of(run)));
}

/** Puts plain blanks in place of no-break ones. */
function plain(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, " ");
}

function instant(ts: number): string {
  return new Date(Math.round(ts * 1000)).toISOString();
}
