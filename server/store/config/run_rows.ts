import { failureCause } from "../../domain/runs/failure_cause.ts";
import { type Failures, noFailures } from "../../domain/runs/failure_reason.ts";
import type { FileCounts } from "../../domain/runs/run.ts";
import {
  INTERRUPTED,
  type LeftOut,
  nothingLeftOut,
  RUN_TRIGGERS,
  type Run,
  type RunSample,
} from "../../domain/runs/run.ts";
import type { Row, SampleRow } from "./run_columns.ts";

/** Different texts of failures remembered while reading; nearly all runs share a few. */
const MOST_TEXTS = 1000;

/** The run that a row holds; what an older or newer program left out or added is made good. */
export function runOf(row: Row): Run {
  const leftOut = parseLeftOut(row.left_out_json);
  // Before there were causes, a run that was cut off was known by its message alone.
  const isCutOff = row.cause === null && row.success === 0 && row.message === INTERRUPTED.message;
  const cause = isCutOff ? INTERRUPTED.cause : failureCause(row.cause);
  const counts = parseCounts(row.counts_json);
  const trigger = RUN_TRIGGERS.find((one) => one === row.trigger);
  return {
    ts: row.ts_seconds,
    success: row.success !== 0,
    exitCode: row.exit_code ?? (row.success !== 0 ? 0 : 1),
    durationSeconds: row.duration_seconds,
    files: row.files,
    bytes: row.bytes,
    recordingsSeen: row.recordings_seen,
    recordingsSelected: row.recordings_selected,
    diskUsedRatio: row.disk_used_ratio,
    failedMarkers: row.failed_markers,
    failures: parseFailures(row.failures_json),
    dryRun: row.dry_run !== 0,
    ...(row.stopped !== 0 && { stopped: true }),
    ...(row.address !== null && { address: row.address }),
    ...(row.message !== null && { message: row.message }),
    ...(leftOut !== null && { leftOut }),
    ...(row.deleted_recordings > 0 && { deleted: { recordings: row.deleted_recordings, bytes: row.deleted_bytes } }),
    ...(row.trash_ratio !== null && { trashRatio: row.trash_ratio }),
    ...(cause !== null && { cause }),
    ...(counts !== null && { counts }),
    ...(trigger !== undefined && { trigger }),
  };
}

/** @param texts failures of rows read before, by their text */
export function sampleOf(row: SampleRow, texts: Map<string | null, Failures>): RunSample {
  const [ts, success, durationSeconds, files, bytes, diskUsedRatio, text, dryRun, stopped, trashRatio] = row;
  let failures = texts.get(text);
  if (failures === undefined) {
    failures = parseFailures(text);
    if (texts.size < MOST_TEXTS) texts.set(text, failures);
  }
  const figures = { ts, success: success !== 0, durationSeconds, files, bytes, diskUsedRatio, failures };
  const sample: { -readonly [K in keyof RunSample]: RunSample[K] } = { ...figures, dryRun: dryRun !== 0 };
  if (stopped !== 0) sample.stopped = true;
  if (trashRatio !== null) sample.trashRatio = trashRatio;
  return sample;
}

/** Counts that cannot be read are none; a reason that is not ours counts as unknown. */
function parseFailures(text: string | null): Failures {
  const failures = noFailures();
  for (const [reason, count] of countsIn(text)) {
    const known = Object.hasOwn(failures, reason) ? (reason as keyof Failures) : "unknown";
    failures[known] += count;
  }
  return failures;
}

/** Null for a run that did not get as far as a list; a rule that is not ours is left out. */
function parseLeftOut(text: string | null): LeftOut | null {
  if (text === null) return null;
  const leftOut = nothingLeftOut();
  for (const [rule, count] of countsIn(text)) {
    if (Object.hasOwn(leftOut, rule)) leftOut[rule as keyof LeftOut] += count;
  }
  return leftOut;
}

/** Null for a run that did not get as far as a plan; what is not ours is left out. */
function parseCounts(text: string | null): FileCounts | null {
  if (text === null) return null;
  const counts = {
    planned: 0,
    failed: 0,
    videos: 0,
    present: 0,
    blocked: 0,
    absent: 0,
    held: 0,
    empty: 0,
    vanished: 0,
    growing: 0,
  };
  for (const [what, count] of countsIn(text)) if (Object.hasOwn(counts, what)) counts[what as keyof FileCounts] = count;
  return counts;
}

/** The positive numbers of an object in JSON; none of a text that is no such thing. */
function countsIn(text: string | null): [string, number][] {
  let value: unknown;
  try {
    value = JSON.parse(text ?? "{}");
  } catch {
    return [];
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).filter(([, count]) => typeof count === "number" && count > 0);
}
