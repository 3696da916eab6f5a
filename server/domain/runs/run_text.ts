import type { StatusLevel } from "../answers/status_level.ts";
import { capitalized, counted, formatBytes, formatCount, formatSeconds } from "../text/format.ts";
import { FAILURE_REASONS, type FailureReason } from "./failure_reason.ts";
import { hasFailed, mainReason } from "./failure_slots.ts";
import { failureWords } from "./failure_text.ts";
import type { FileCounts, LeftOut, Run } from "./run.ts";
import { runEnding } from "./run_ending.ts";

const NBSP = "\u00a0";

/** Returns a word for the ending of a run, and the state that is drawn beside it. */
export function outcomeOf(run: Run): { level: StatusLevel; word: string } {
  const ending = runEnding(run);
  if (ending === "away") return { level: "waiting", word: "Camera away" };
  if (ending === "stopped")
    return { level: "attention", word: run.cause === "shutdown" ? "Stopped by a restart" : "Stopped" };
  if (!run.success) return { level: "failed", word: "Failed" };
  if (run.dryRun) return { level: "fine", word: "Dry run" };
  return hasFailed(run) ? { level: "attention", word: "Partly" } : { level: "fine", word: "Fine" };
}

/** A reason in a word, as a chart names it. */
export const REASON_NAMES: Readonly<Record<FailureReason, string>> = {
  disk: "Disk",
  http: "HTTP",
  timeout: "Timeout",
  network: "Network",
  unknown: "Other",
};

/** A reason as what happened to a file. */
const REASONS: Readonly<Record<FailureReason, string>> = {
  disk: "disk full",
  http: "error from the camera",
  timeout: "camera stopped answering",
  network: "connection broke",
  unknown: "see the log",
};
/** Stands in rows of programs that kept no sentence with a run. */
const NO_MESSAGE = "stopped by hand, or for a cause that is in the log";

/** Says why a run ended as it did, as a short remark; empty where the outcome is enough. */
export function reasonOf(run: Run): string {
  const ending = runEnding(run);
  if (ending === "stopped") return run.cause === "shutdown" ? "Dashdock restarted" : "Stopped by hand";
  const dry = run.dryRun && !run.success ? ", dry run" : "";
  if (!run.success && (run.message ?? run.cause) !== undefined) return capitalized(`${shortReason(run)}${dry}`);
  if (ending === "away") return mainReason(run.failures) === "timeout" ? "Not reachable, timed out" : "Not reachable";
  if (!run.success) return capitalized(`${reasonsOf(run, NO_MESSAGE)}${dry}`);
  if (run.dryRun) return "Listed only, nothing written";
  const failed = failedFiles(run);
  if (failed > 0) return `${failedInWords(run)} failed: ${reasonsOf(run)}`;
  return run.files === 0 ? "Nothing new" : "";
}

/** Says why a run failed, in one short sentence; its detail says the rest. */
function shortReason({ cause, message, failures }: Run): string {
  return failureWords({ cause, message, reason: mainReason(failures) }, { inTrash: 0 }).sentence;
}

/** Rules in the order in which they are shown. */
export const LEFT_OUT: Readonly<Record<keyof LeftOut, string>> = {
  retention: "older than you keep",
  selection: "not chosen by your settings",
  deleted: "deleted here",
  unreadable: "in a folder that cannot be read",
  unknown: "with a name Dashdock does not know",
};

/** Reasons why a wanted file was not downloaded. */
export const NOT_FETCHED: Readonly<Record<Exclude<keyof FileCounts, "videos" | "planned" | "failed">, string>> = {
  present: "at home already",
  blocked: "waiting after an earlier failure",
  growing: "still being recorded",
  held: "left for the next run, as their video may still be being recorded",
  absent: "small files that the camera does not have",
  empty: "empty on the camera",
  vanished: "overwritten on the camera meanwhile",
};

/** Says how many listed recordings were left out, and by which rule; empty when none was, or there was no list. */
export function leftOutOf({ leftOut }: Pick<Run, "leftOut">): string {
  if (leftOut === undefined) return "";
  const rules = (Object.keys(LEFT_OUT) as (keyof LeftOut)[]).filter((rule) => leftOut[rule] > 0);
  const [first] = rules;
  if (first === undefined) return "";
  const all = formatCount(rules.reduce((sum, rule) => sum + leftOut[rule], 0));
  const words = rules.map((rule) => (rules.length === 1 ? "" : `${formatCount(leftOut[rule])} `) + LEFT_OUT[rule]);
  return `${all} left out: ${words.join(", ")}`;
}

/** Says what a run deleted here: `12 recordings deleted here, 1.3 GB`; empty when it deleted none. */
export function deletedOf({ deleted }: Pick<Run, "deleted">): string {
  if (deleted === undefined || deleted.recordings === 0) return "";
  return `${counted(deleted.recordings, "recording")} deleted here, ${formatBytes(deleted.bytes)}`;
}

/** The reason of a run, what it left out and what it deleted, for the place where there is one for all. */
export function remarkOf(run: Run): string {
  return [reasonOf(run), leftOutOf(run), deletedOf(run)].filter(Boolean).join("; ");
}

/**
 * Says how many files a run brought: `3`, `41 of 42` when some failed, `42 listed` for a dry run; empty when the
 * camera was away.
 */
export function filesOf(run: Run): string {
  if (runEnding(run) === "away") return "";
  if (run.dryRun) return `${formatCount(run.recordingsSelected)} listed`;
  // Only a run that came to its end has tried all there was.
  const failed = run.success ? failedFiles(run) : 0;
  return failed === 0 ? formatCount(run.files) : `${formatCount(run.files)} of ${formatCount(run.files + failed)}`;
}

/** The minutes, in whole ones since the epoch, in which more than one of these runs began: there seconds tell them apart. */
export function sharedMinutes(runs: readonly Pick<Run, "ts" | "durationSeconds">[]): ReadonlySet<number> {
  const once = new Set<number>();
  const more = new Set<number>();
  for (const minute of runs.map(minuteOf)) (once.has(minute) ? more : once).add(minute);
  return more;
}

/** The minute in which a run began. */
export function minuteOf({ ts, durationSeconds }: Pick<Run, "ts" | "durationSeconds">): number {
  return Math.floor((ts - durationSeconds) / 60);
}

/** Says how many bytes a run brought; empty when the camera was away, and for a dry run. */
export function sizeOf(run: Run): string {
  return runEnding(run) === "away" || run.dryRun ? "" : formatBytes(run.bytes);
}

/** Says how long a run took, to the second: `1.2 s`, `38 s`, `2 min 29 s`, `1 h 05 min`. */
export function tookInWords(seconds: number): string {
  if (seconds < 9.95) return `${Math.round(seconds * 10) / 10}${NBSP}s`;
  const whole = Math.round(seconds);
  if (whole < 60 || whole >= 3600) return formatSeconds(whole);
  const rest = whole % 60;
  return `${Math.floor(whole / 60)}${NBSP}min${rest === 0 ? "" : ` ${rest}${NBSP}s`}`;
}

/** Each reason once, the most frequent first. */
function reasonsOf({ failures }: Run, unknown = REASONS.unknown): string {
  const found = FAILURE_REASONS.filter((reason) => failures[reason] > 0);
  if (found.length === 0) return unknown;
  return found
    .toSorted((a, b) => failures[b] - failures[a])
    .map((reason) => (reason === "unknown" ? unknown : REASONS[reason]))
    .join("; ");
}

/**
 * Says what a run brought, as recordings: `15 recordings`. It counts files when only these are known, or no recording
 * came.
 */
export function broughtInWords({ counts, files }: Pick<Run, "counts" | "files">): string {
  return counts && counts.videos > 0 ? counted(counts.videos, "recording") : counted(files, "file");
}

/** Says what failed in a run, as recordings. It counts files when only these are known, or no recording failed. */
export function failedInWords(run: Pick<Run, "counts" | "success" | "failures">): string {
  const videos = run.counts?.failed ?? 0;
  return videos > 0 ? counted(videos, "recording") : counted(failedFiles(run), "file");
}

/** Files that could not be brought home; a run that failed counts its own reason beside theirs. */
export function failedFiles({ success, failures }: Pick<Run, "success" | "failures">): number {
  const all = FAILURE_REASONS.reduce((sum, reason) => sum + failures[reason], 0);
  return Math.max(0, success ? all : all - 1);
}
