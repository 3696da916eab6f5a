import { DiskTrend } from "../domain/forecast.ts";
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
    const line = this.#current();
    if (line === null || line.slope <= 0 || line.from.disk >= limit) return null;
    const seconds = (limit - line.from.disk) / line.slope;
    return seconds > AHEAD_SECONDS ? null : (line.from.ts + seconds) * 1000;
  }

  #current(): DiskTrend["line"] {
    const history = this.#history();
    const latest = history.latest()?.ts ?? null;
    if (latest === null || latest === this.#ofRun) return latest === null ? null : this.#line;
    const trend = new DiskTrend();
    for (const slice of history.samples(latest - BACK_SECONDS))
      for (const run of slice) trend.add(run.ts, run.diskUsedRatio);
    this.#ofRun = latest;
    this.#line = trend.line;
    return this.#line;
  }
}
