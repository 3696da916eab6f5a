import { formatCount } from "../text/format.ts";
import type { CardTime } from "../text/zone_time.ts";
import type { RunSample } from "./run.ts";
import { runEnding } from "./run_ending.ts";

/**
 * Kinds of runs for a reader of a whole day at once. A run without the camera is never drawn as failure, nor is one
 * that was stopped by hand.
 */
export type RunKind = "bad" | "stopped" | "new" | "ok" | "away";

/**
 * Kinds from worst to best: a quarter of an hour with several runs shows the first one, and sentences name them in
 * this order.
 */
export const RUN_KINDS: readonly RunKind[] = ["bad", "stopped", "new", "ok", "away"];

export type RunCounts = Record<RunKind, number>;

export interface DayOfRuns extends CardTime {
  /** The quarters of an hour of the last day, oldest first; null where no run ended. */
  slots: (RunSlot | null)[];
  counts: RunCounts;
}

/** The runs that ended within a quarter of an hour. */
export interface RunSlot {
  /** The first of `RUN_KINDS` that occurs. */
  worst: RunKind;
  /** The best that went well beside a worse one, so that a failure does not hide it; null where there is none. */
  beside: "new" | "ok" | null;
  counts: RunCounts;
}

export const SLOT_MS = 900_000;
const SLOTS = 96;

/** @param now epoch milliseconds, the end of the last slot */
export function dayOf(runs: Iterable<RunSample>, now: number): Pick<DayOfRuns, "slots" | "counts"> {
  const found: (RunCounts | null)[] = Array.from({ length: SLOTS }, () => null);
  const counts = noRuns();
  const from = now - SLOTS * SLOT_MS;
  for (const run of runs) {
    const at = Math.min(SLOTS - 1, Math.floor((run.ts * 1000 - from) / SLOT_MS));
    if (at < 0) continue;
    const slot = found[at] ?? noRuns();
    found[at] = slot;
    const kind = kindOf(run);
    counts[kind]++;
    slot[kind]++;
  }
  return { slots: found.map((slot) => slot && slotOf(slot)), counts };
}

/** Counts runs by kind, the worst first: `1 failed, 2 brought files`; empty without runs. */
export function runsInWords(counts: RunCounts): string {
  return RUN_KINDS.filter((kind) => counts[kind] > 0)
    .map((kind) => `${formatCount(counts[kind])} ${KIND_WORDS[kind]}`)
    .join(", ");
}
const KIND_WORDS: Readonly<Record<RunKind, string>> = {
  bad: "failed",
  stopped: "stopped",
  new: "brought files",
  ok: "found nothing new",
  away: "found the camera away",
};

function noRuns(): RunCounts {
  return { bad: 0, stopped: 0, new: 0, ok: 0, away: 0 };
}

function slotOf(counts: RunCounts): RunSlot {
  const worst = RUN_KINDS.find((kind) => counts[kind] > 0) ?? "away";
  const isTrouble = worst === "bad" || worst === "stopped";
  const beside = !isTrouble ? null : counts.new > 0 ? "new" : counts.ok > 0 ? "ok" : null;
  return { worst, beside, counts };
}

function kindOf(run: RunSample): RunKind {
  const ending = runEnding(run);
  if (ending === "completed") return run.files > 0 ? "new" : "ok";
  return ending === "away" || ending === "stopped" ? ending : "bad";
}
