import { DAYS_TO_FORECAST, type DiskHeading, DiskTrend } from "../../domain/runs/disk_trend.ts";
import { usedWithoutTrash } from "../../domain/runs/run.ts";
import type { ZoneTime } from "../../domain/text/zone_time.ts";
import type { RunHistory } from "../../store/config/run_history.ts";

/** Length of the time that the trend is taken from, in seconds: 30 days. */
const BACK_SECONDS = 2_592_000;
/** Further ahead than this the line means nothing. */
const AHEAD_SECONDS = 2 * 31_536_000;

interface Known {
  readonly line: DiskTrend["line"];
  /** With runs that read the disk, counted up to what a forecast needs. */
  readonly days: number;
}
const NOTHING_KNOWN: Known = { line: null, days: 0 };

/** When the disk will be as full as allowed, by the trend of the last month. Computed once per run. */
export class DiskForecast {
  readonly #history: Pick<RunHistory, "latest" | "samples">;
  /** The run and the zone that `#known` was computed for. */
  #of = "";
  #known: Known = NOTHING_KNOWN;

  constructor(history: Pick<RunHistory, "latest" | "samples">) {
    this.#history = history;
  }

  /**
   * Predicts the use of the disk, and the time when it reaches the limit.
   * @param limit 0..1
   * @param zone in which days are counted
   */
  heading(limit: number, zone: ZoneTime): DiskHeading {
    const { line, days } = this.#current(zone);
    if (line === null) return { state: "unknown", full_at: null, days };
    if (line.from.disk >= limit) return { state: "reached", full_at: null, days };
    if (line.slope <= 0) return { state: "steady", full_at: null, days };
    const seconds = (limit - line.from.disk) / line.slope;
    return seconds > AHEAD_SECONDS
      ? { state: "slow", full_at: null, days }
      : { state: "filling", full_at: line.from.ts + seconds, days };
  }

  #current(zone: ZoneTime): Known {
    const history = this.#history;
    const latest = history.latest()?.ts ?? null;
    if (latest === null) return NOTHING_KNOWN;
    const of = `${latest} ${zone.id}`;
    if (of === this.#of) return this.#known;
    const trend = new DiskTrend();
    const days = new Set<number>();
    for (const slice of history.samples(latest - BACK_SECONDS))
      for (const run of slice) {
        const used = usedWithoutTrash(run);
        trend.add(run.ts, used);
        // A day of a zone's calendar costs more than the rest of this loop, and only the first days matter.
        if (used !== null && days.size < DAYS_TO_FORECAST) days.add(zone.dayNumber(run.ts * 1000));
      }
    this.#of = of;
    this.#known = { line: trend.line, days: days.size };
    return this.#known;
  }
}
