import type { FailureCause } from "../runs/failure_cause.ts";
import type { Run } from "../runs/run.ts";
import { hasReached } from "../runs/run_ending.ts";
import type { Trouble } from "./judgement.ts";
import type { LossCause } from "./recording_state.ts";

/** A stretch of time, in epoch milliseconds; without an end it goes on. */
export interface Span {
  readonly from: number;
  readonly to: number | null;
}

/** A recording that was lost: it was on the card from one moment to another, as far as lists tell. */
export interface Loss {
  readonly firstSeen: number;
  /** When a list lacked it first. */
  readonly missingSince: number;
  readonly trouble: Trouble | null;
}

/** The part of a run that tells why recordings did not come. */
export type RunFacts = Pick<Run, "ts" | "durationSeconds" | "success" | "failures" | "cause" | "stopped" | "bytes">;

/** Everything that is known of the time in which recordings were lost. */
export interface LossTimes {
  readonly runs: readonly RunFacts[];
  /** Times in which the camera was at home. */
  readonly visits: readonly Span[];
  /** Times in which syncing was paused. */
  readonly pauses: readonly Span[];
  /** Usual stay of the camera; null while that is not known. */
  readonly usualStaySeconds: number | null;
}

/** A pause that is shorter keeps no recording from coming: the schedule itself looks no more often. */
const PAUSE_MS = 15 * 60_000;
/** A camera that leaves sooner has given no chance to fetch anything. */
const CHANCE_MS = 60_000;
/** With no usual stay known, so much Wi-Fi time is enough to say that it is too slow. */
const LONG_MS = 60 * 60_000;
const OF_DISK: ReadonlySet<FailureCause> = new Set([
  "disk-full",
  "disk-limit",
  "quota",
  "no-room",
  "folder",
  "disk-error",
]);

/** Finds the cause of a loss: the first one of `LOSS_CAUSES` that fits. */
export function lossCauseOf(loss: Loss, times: LossTimes): LossCause {
  const { firstSeen, missingSince, trouble } = loss;
  const runs = times.runs.filter(
    ({ ts, durationSeconds }) => ts * 1000 >= firstSeen && (ts - durationSeconds) * 1000 <= missingSince,
  );
  const during = (span: Span) => Math.min(span.to ?? missingSince, missingSince) - Math.max(span.from, firstSeen);
  if (trouble === "failing" || isAllFailing(runs)) return "failing";
  const isFull = runs.some(({ cause }) => cause !== undefined && OF_DISK.has(cause));
  if (trouble === "disk" || isFull) return "disk";
  if (times.pauses.some((pause) => during(pause) >= PAUSE_MS)) return "paused";
  const chances = times.visits.map(during).filter((ms) => ms >= CHANCE_MS);
  const atHome = chances.reduce((sum, ms) => sum + ms, 0);
  const usual = times.usualStaySeconds === null ? LONG_MS : times.usualStaySeconds * 1000;
  if (chances.length > 0) return atHome >= usual ? "rate" : "short_visit";
  return runs.length > 0 ? "away" : "unknown";
}

/** True when each run that had the camera failed by it, and there was one. */
function isAllFailing(runs: readonly RunFacts[]): boolean {
  const reached = runs.filter(hasReached);
  return reached.length > 0 && reached.every(({ success, cause }) => !success && cause === "http");
}

/** The times in which runs had the camera: what is known of its visits where none were kept. */
export function contactsOf(runs: readonly RunFacts[]): Span[] {
  return runs
    .filter(hasReached)
    .map(({ ts, durationSeconds }) => ({ from: (ts - durationSeconds) * 1000, to: ts * 1000 }));
}
