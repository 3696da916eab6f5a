import type { ZoneTime } from "../../domain/text/zone_time.ts";
import type { RunHistory } from "../../store/config/run_history.ts";

/** Longer than the longest day of a calendar, in seconds. */
const DAY_SECONDS = 26 * 3600;

/** Recordings that runs of today have brought home. Counted once per run. */
export class BroughtToday {
  readonly #history: Pick<RunHistory, "latest" | "since">;
  /** The run and the day that `#recordings` was counted for. */
  #of = "";
  #recordings = 0;

  constructor(history: Pick<RunHistory, "latest" | "since">) {
    this.#history = history;
  }

  /** @param zone in which days begin */
  recordings(now: number, zone: ZoneTime): number {
    const today = zone.dayNumber(now);
    const of = `${this.#history.latest()?.ts ?? 0} ${today} ${zone.id}`;
    if (of !== this.#of) {
      const runs = this.#history.since(now / 1000 - DAY_SECONDS);
      const ofToday = runs.filter(({ ts, dryRun }) => !dryRun && zone.dayNumber(ts * 1000) === today);
      this.#recordings = ofToday.reduce((sum, { counts }) => sum + (counts?.videos ?? 0), 0);
      this.#of = of;
    }
    return this.#recordings;
  }
}
