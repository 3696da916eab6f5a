import type * as v from "valibot";
import { FAILURE_REASONS, type FailureReason, type Failures, noFailures } from "./failure_reason.ts";
import type { RunSample } from "./run.ts";
import { runEnding } from "./run_ending.ts";
import type { FAILED_RUNS, FAILED_SLOT } from "./stats_schema.ts";

export type FailedRuns = v.InferOutput<typeof FAILED_RUNS>;

export type FailedSlot = v.InferOutput<typeof FAILED_SLOT>;

const HOUR = 3600;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** Possible lengths of a slot, in seconds. */
const LENGTHS: readonly number[] = [HOUR, 3 * HOUR, 6 * HOUR, DAY, WEEK, 4 * WEEK, 13 * WEEK];
/** More bars than these would be too narrow. */
const MOST_SLOTS = 60;
/** 1970-01-05 was a Monday. */
const A_MONDAY = 4 * DAY;
/** Order in which reasons count when several occurred equally often: first the ones a user can do something about. */
const RANK: readonly FailureReason[] = ["disk", "http", "timeout", "network", "unknown"];

/** Counts runs that are added by time. */
export class FailedRunsBuilder {
  readonly #length: number;
  readonly #offset: (ts: number) => number;
  readonly #slots: FailedSlot[] = [];
  #begin = 0;
  #end = Number.NEGATIVE_INFINITY;

  /** @param offset seconds the wall is ahead of UTC at a moment */
  constructor(from: number, to: number, offset: (ts: number) => number) {
    const last = LENGTHS.at(-1) ?? WEEK;
    this.#length = LENGTHS.find((length) => (to - from) / length <= MOST_SLOTS) ?? last;
    this.#offset = offset;
  }

  add(run: RunSample): void {
    const ending = runEnding(run);
    // A run that a user stopped has not failed.
    if (ending === "stopped" || (ending !== "away" && !hasFailed(run))) return;
    const slot = this.#slotOf(run.ts - run.durationSeconds);
    slot[ending === "away" ? "away" : mainReason(run.failures)]++;
  }

  get failedRuns(): FailedRuns {
    return { slot_seconds: this.#length, slots: this.#slots };
  }

  #slotOf(ts: number): FailedSlot {
    if (ts >= this.#end) {
      this.#begin = slotBegin(ts, this.#length, this.#offset);
      // Half a slot beyond its end lies in the next one, also when the clock was changed.
      this.#end = Math.max(ts, slotBegin(this.#begin + 1.5 * this.#length, this.#length, this.#offset));
    }
    const last = this.#slots.at(-1);
    if (last?.ts === this.#begin) return last;
    const slot = { ts: this.#begin, end: this.#end, away: 0, ...noFailures() };
    this.#slots.push(slot);
    return slot;
  }
}

/** Returns the beginning of the stretch that a moment lies in. */
export function slotBegin(ts: number, length: number, offset: (ts: number) => number): number {
  const wall = ts + offset(ts);
  const begin = Math.floor((wall - A_MONDAY) / length) * length + A_MONDAY;
  return begin - offset(begin - offset(ts));
}

/** True when anything went wrong in it, if only a file. */
export function hasFailed({ success, failures }: Pick<RunSample, "success" | "failures">): boolean {
  return !success || FAILURE_REASONS.some((reason) => failures[reason] > 0);
}

/** The reason most of the failures had. */
export function mainReason(failures: Failures): FailureReason {
  let main: FailureReason = "unknown";
  let most = 0;
  for (const reason of RANK) if (failures[reason] > most) [main, most] = [reason, failures[reason]];
  return main;
}
