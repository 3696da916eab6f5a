import { type DiskHeading, DiskTrend } from "../domain/forecast.ts";
import { usedWithoutTrash } from "../domain/run.ts";
import type { RunHistory } from "../store/run_history.ts";

/** How far back the trend is taken from, in seconds: a month of habits. */
const BACK_SECONDS = 2_592_000;
/** Further ahead than this nobody plans, and the line means nothing. */
const AHEAD_SECONDS = 2 * 31_536_000;

/** When the disk will be as full as allowed, by the trend of the last month. Reckoned once per run. */
export class DiskOutlook {
  readonly #history: () => Pick<RunHistory, "latest" | "samples">;
  #ofRun: number | null = null;
  #line: DiskTrend["line"] = null;

  constructor(history: () => Pick<RunHistory, "latest" | "samples">) {
    this.#history = history;
  }

  /**
   * @param limit 0..1
   * @returns epoch milliseconds; null when the disk is not filling up, or nobody knows
   */
  fullAt(limit: number): number | null {
    const at = this.heading(limit).full_at;
    return at === null ? null : at * 1000;
  }

  /** Where the disk is heading, and when it gets there. @param limit 0..1 */
  heading(limit: number): DiskHeading {
    const line = this.#current();
    if (line === null) return { state: "unknown", full_at: null };
    if (line.from.disk >= limit) return { state: "reached", full_at: null };
    if (line.slope <= 0) return { state: "steady", full_at: null };
    const seconds = (limit - line.from.disk) / line.slope;
    return seconds > AHEAD_SECONDS
      ? { state: "slow", full_at: null }
      : { state: "filling", full_at: line.from.ts + seconds };
  }

  #current(): DiskTrend["line"] {
    const history = this.#history();
    const latest = history.latest()?.ts ?? null;
    if (latest === null || latest === this.#ofRun) return latest === null ? null : this.#line;
    const trend = new DiskTrend();
    for (const slice of history.samples(latest - BACK_SECONDS))
      for (const run of slice) trend.add(run.ts, usedWithoutTrash(run));
    this.#ofRun = latest;
    this.#line = trend.line;
    return this.#line;
  }
}
