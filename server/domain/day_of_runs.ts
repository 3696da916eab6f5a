import type { Moment } from "./activity.ts";
import { isOffline, type RunSample } from "./run.ts";

/** How a run went, for somebody who looks at a whole day at once. Away is never drawn as failure. */
export type RunKind = "bad" | "new" | "ok" | "away";

export interface DayOfRuns extends Moment {
  /** The quarters of an hour of the last day, oldest first; the most telling of its runs, null where none ended. */
  slots: (RunKind | null)[];
  counts: Record<RunKind, number>;
}

const SLOT_MS = 900_000;
const SLOTS = 96;
/** What is told of a quarter of an hour with several runs. */
const RANK: readonly RunKind[] = ["bad", "new", "ok", "away"];

/** @param now epoch milliseconds, the end of the last slot */
export function dayOf(slices: Iterable<Iterable<RunSample>>, now: number): Pick<DayOfRuns, "slots" | "counts"> {
  const slots: (RunKind | null)[] = Array.from({ length: SLOTS }, () => null);
  const counts: Record<RunKind, number> = { bad: 0, new: 0, ok: 0, away: 0 };
  const from = now - SLOTS * SLOT_MS;
  for (const slice of slices) {
    for (const run of slice) {
      const kind = kindOf(run);
      const at = Math.min(SLOTS - 1, Math.floor((run.ts * 1000 - from) / SLOT_MS));
      if (at < 0) continue;
      counts[kind]++;
      const there = slots[at] ?? null;
      if (there === null || RANK.indexOf(kind) < RANK.indexOf(there)) slots[at] = kind;
    }
  }
  return { slots, counts };
}

function kindOf(run: RunSample): RunKind {
  if (isOffline(run)) return "away";
  // What was stopped by hand is told by what it had brought until then.
  if (!run.success && !run.stopped) return "bad";
  return run.files > 0 ? "new" : "ok";
}
