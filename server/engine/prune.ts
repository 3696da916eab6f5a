import type { Clock } from "../clock.ts";
import { clockDoubt } from "../domain/clock_doubt.ts";
import type { Log } from "../log.ts";
import type { RunHistory } from "../store/run_history.ts";
import type { Segments } from "../store/segments.ts";

const DAY_SECONDS = 86_400;

export interface PruneParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly history: Pick<RunHistory, "extent" | "prune">;
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
  const { base: newest } = await segments.newest().catch(() => ({ base: null }));
  const doubt = clockDoubt({ now, last_run: lastRun, newest });
  if (doubt === null) history.prune(before);
  else log.warning("history", `Old runs are not deleted: ${doubt}`);
}
