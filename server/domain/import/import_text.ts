import {
  counted,
  formatBytes,
  formatBytesOf,
  formatCount,
  formatRate,
  formatSeconds,
  withinInWords,
} from "../text/format.ts";
import type { ImportState } from "./import_schema.ts";
import type { LeftCause, LeftFiles } from "./left_out.ts";

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

/** Says in a few words what an import does or did. */
export function importHeadline(state: ImportState): string {
  const { state: standing, ending, message, recordings_imported: came, files_imported: files } = state;
  const brought = came > 0 || files === 0 ? counted(came, "recording") : counted(files, "file");
  switch (standing) {
    case "idle":
      return "Nothing was imported yet";
    case "running":
      return doing(state);
    case "completed":
      return files === 0 ? "Nothing new in this folder" : `${brought} imported`;
    case "failed":
      if (ending === "stopped") return `Stopped after ${brought}`;
      return `Import failed: ${message ?? "the log has the cause"}`;
  }
}

function doing(state: ImportState): string {
  switch (state.step) {
    case "waiting":
      return "Waiting for the sync to end";
    case "comparing":
      return `Comparing ${formatCount(state.files_compared)} of ${counted(state.files_to_compare, "file")} with those at home`;
    case "copying": {
      const { recordings_total: recordings, recordings_completed: done } = state;
      if (recordings > 0) return `Importing ${formatCount(done)} of ${counted(recordings, "recording")}`;
      return `Importing ${formatCount(state.files_completed)} of ${counted(state.files_total, "file")}`;
    }
    case "looking":
    case null:
      return "Looking through the folder";
  }
}

/** `19.8 of 51.2 GB, 84 MB/s, about 6 min left`; empty while nothing is copied. */
export function importPace(state: ImportState): string {
  const { bytes_downloaded_total: done, bytes_expected: all, bytes_per_second: rate, eta_seconds: left } = state;
  if (state.state !== "running" || state.step !== "copying") return "";
  const amount = all !== null && all > done ? formatBytesOf(done, all) : formatBytes(done);
  const parts = [
    amount,
    ...(rate > 0 ? [formatRate(rate)] : []),
    ...(left ? [`about ${formatSeconds(left)} left`] : []),
  ];
  return parts.join(", ");
}

/** Causes that can be mended, or that a person wants to know of. */
const ATTENTION: ReadonlySet<LeftCause> = new Set([
  "unreadable",
  "unfinished",
  "differs",
  "unknown-home",
  "too-long",
  "no-room",
  "in-the-way",
  "changed",
  "not-removed",
]);

/** Rank of a cause: most files that are left were meant to be. */
export function levelOfLeft(cause: LeftCause): "attention" | "waiting" {
  return ATTENTION.has(cause) ? "attention" : "waiting";
}

/** Number of names that a row of the page has. */
const SHOWN = 2;

/** `a.mp4, b.mp4 and 25 more` */
export function namesOfLeft({ files, first }: Pick<LeftFiles, "files" | "first">): string {
  const shown = first.slice(0, SHOWN);
  const more = files - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${formatCount(more)} more` : shown.join(", ");
}
