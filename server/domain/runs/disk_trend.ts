import type * as v from "valibot";
import type { DISK_HEADING, FORECAST_LINE } from "./stats_schema.ts";

/** All ratios are 0..1. */
export type ForecastLine = v.InferOutput<typeof FORECAST_LINE>;

export type DiskHeading = v.InferOutput<typeof DISK_HEADING>;

/** Days with runs before a page forecasts the disk: a few runs within minutes give no trend. */
export const DAYS_TO_FORECAST = 3;

/** True when there are too few days with runs for a page to forecast the disk. */
export function isTooEarly({ days }: Pick<DiskHeading, "days">): boolean {
  return days < DAYS_TO_FORECAST;
}

/** Says when a forecast comes, counted in days with runs: `Forecast available in two days.` */
export function waitsForDays({ days }: Pick<DiskHeading, "days">): string {
  return `Forecast available in ${DAYS_IN_WORDS[DAYS_TO_FORECAST - days] ?? DAYS_IN_WORDS[DAYS_TO_FORECAST]}.`;
}
/** Numbers as words, since figures of other things stand beside them. */
const DAYS_IN_WORDS: readonly string[] = ["today", "one day", "two days", "three days"];

export type ProjectedPoint = ForecastLine["projected"][number];

/** Seconds that `range: all` forecasts. */
export const USUAL_HORIZON_SECONDS = 604_800;
const POINTS = 12;
const FEWEST_RUNS = 3;

/** The straight line through what runs measured (ordinary least squares of ratio over time), without keeping them. */
export class DiskTrend {
  #count = 0;
  #last: ProjectedPoint | null = null;
  /** Means, and sums of products of deviations from them, so that large times lose no digits. */
  #meanTs = 0;
  #meanDisk = 0;
  #squares = 0;
  #products = 0;

  /** Takes a run, by time; a run that did not measure the disk is passed over. */
  add(ts: number, disk: number | null): void {
    if (disk === null || !Number.isFinite(disk)) return;
    this.#count++;
    const offTs = ts - this.#meanTs;
    const offDisk = disk - this.#meanDisk;
    this.#meanTs += offTs / this.#count;
    this.#meanDisk += offDisk / this.#count;
    this.#squares += offTs * (ts - this.#meanTs);
    this.#products += offTs * (disk - this.#meanDisk);
    this.#last = { ts, disk };
  }

  /** Ratio per second, and the measurement the projection starts at; null with fewer than three runs. */
  get line(): { slope: number; from: ProjectedPoint } | null {
    if (this.#last === null || this.#count < FEWEST_RUNS) return null;
    // All at one time: there is no direction, and no last one either.
    if (this.#squares === 0) return { slope: 0, from: { ts: this.#last.ts, disk: this.#meanDisk } };
    return { slope: this.#products / this.#squares, from: this.#last };
  }
}

/**
 * Goes on from the last measurement along the trend. The lowest limit holds it back, but never below where the disk
 * is already: a limit stops downloads, it frees nothing. A falling line is never raised.
 * @param horizonSeconds how far ahead
 */
export function forecast(
  trend: DiskTrend,
  limits: ForecastLine["limits"],
  horizonSeconds: number,
): Pick<ForecastLine, "projected" | "limits"> {
  const { line } = trend;
  if (line === null) return { projected: [], limits };
  const { slope, from } = line;
  const ceiling = Math.max(from.disk, Math.min(limits.max_used_disk_percent, limits.keep_steady_state ?? 1));
  const projected = Array.from({ length: POINTS }, (_, index) => {
    const ahead = (horizonSeconds * (index + 1)) / POINTS;
    const disk = Math.min(from.disk + slope * ahead, ceiling);
    return { ts: from.ts + ahead, disk: Math.round(Math.min(1, Math.max(0, disk)) * 1_000_000) / 1_000_000 };
  });
  return { projected, limits };
}
