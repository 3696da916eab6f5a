import type { Clock } from "../clock.ts";
import { clockDoubt, jumpDoubt } from "../domain/clock_doubt.ts";
import type { Log } from "../log.ts";
import type { RunHistory } from "../store/run_history.ts";
import type { Segments } from "../store/segments.ts";

const DAY_SECONDS = 86_400;
/** Runs that are looked through for a jump of the clock: a week of one every ten minutes. */
const RUNS_LOOKED_AT = 1000;

export interface PruneParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly history: Pick<RunHistory, "extent" | "prune" | "page">;
  readonly segments: Pick<Segments, "newest">;
}

/**
 * Forgets runs that are older than `days`, when the clock that says so can be trusted.
 * @param lastRun the end of the run before the one that has just ended, in epoch seconds; null without one
 */
export async function pruneHistory(parts: PruneParts, days: number, lastRun: number | null): Promise<void> {
  const { clock, log, history, segments } = parts;
  if (days === 0) return;
  const now = clock.now() / 1000;
  const before = now - days * DAY_SECONDS;
  const { runs, firstTs } = history.extent(0, 1);
  if (runs === 0 || firstTs >= before) return;
  const doubt = await doubtOfClock({ clock, history, segments }, lastRun);
  if (doubt === null) history.prune(before);
  else log.warning("history", `Old runs are not deleted: ${doubt}`);
}

/**
 * Why the clock cannot be trusted with deleting by age; null when nothing speaks against it.
 * @param lastRun the end of the run before, in epoch seconds; null without one
 */
export async function doubtOfClock(
  { clock, history, segments }: Pick<PruneParts, "clock" | "segments"> & { history: Pick<RunHistory, "page"> },
  lastRun: number | null,
): Promise<string | null> {
  const now = clock.now() / 1000;
  const { base: newest } = await segments.newest().catch(() => ({ base: null }));
  const ends = history.page(0, RUNS_LOOKED_AT).map(({ ts }) => ts);
  return clockDoubt({ now, last_run: lastRun, newest }) ?? jumpDoubt(now, ends);
}
