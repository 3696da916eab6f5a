import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import { dateOf, shortDateOf, wallOf } from "../text/zone_time.ts";
import type { DeletionForecast } from "./deletion.ts";
import { KEEP_CLASSES, type KeepClass } from "./keep_times.ts";

/** Deletions of the next run as a picture: a lane of bars for each kind. All lengths are percents of the lane. */

export interface LaneBar {
  readonly x: number;
  readonly width: number;
  /** Heights of the part that stays, and of the part that goes, which stands on it. */
  readonly stays: number;
  readonly goes: number;
}

export interface Lane {
  readonly kind: KeepClass;
  readonly bars: readonly LaneBar[];
  /** Position at which the keep time ends; null when it ends nowhere in the picture. */
  readonly cut: number | null;
}

/** Share of its place that a bar fills. */
const FILL = 0.8;
/** The least a bar with anything in it is high. */
const LEAST = 16;
const MOST_DATES = 5;
const DAY_MS = 86_400_000;

/** A lane for each kind, all on one scale: heights grow with the root, so that few stay visible beside many. */
export function lanesOf({ bars, end, kinds }: DeletionForecast): Lane[] {
  const most = Math.max(
    1,
    ...KEEP_CLASSES.flatMap((kind) => bars.map((_, at) => (kinds[kind].stays[at] ?? 0) + (kinds[kind].goes[at] ?? 0))),
  );
  const step = 100 / Math.max(1, bars.length);
  const [first] = bars;
  const from = Date.parse(first ?? "");
  const to = Date.parse(end ?? "");
  return KEEP_CLASSES.map((kind) => {
    const { stays, goes, cutoff } = kinds[kind];
    const drawn = bars.flatMap((_, at): LaneBar[] => {
      const stay = stays[at] ?? 0;
      const go = goes[at] ?? 0;
      if (stay + go === 0) return [];
      const height = LEAST + (100 - LEAST) * Math.sqrt((stay + go) / most);
      const high = (height * stay) / (stay + go);
      return [
        {
          x: percent(at * step + (step * (1 - FILL)) / 2),
          width: percent(step * FILL),
          stays: percent(high),
          goes: percent(height - high),
        },
      ];
    });
    const cut = cutoff === null ? Number.NaN : (100 * (Date.parse(cutoff) - from)) / (to - from);
    return { kind, bars: drawn, cut: cut > 0 && cut < 100 ? percent(cut) : null };
  });
}

/**
 * Returns at most five days along the picture, the first and the last among them: `24 Oct`; with years when they
 * differ.
 */
export function datesAlong({ bars, end }: DeletionForecast, format: TimeFormat = USUAL_FORMAT): string[] {
  const [first] = bars;
  if (first === undefined || end === null) return [];
  const from = Date.parse(first);
  const to = Date.parse(end) - DAY_MS;
  const days = Math.round((to - from) / DAY_MS);
  const count = Math.min(MOST_DATES, days + 1);
  const inWords = wallOf(from).year === wallOf(to).year ? shortDateOf : dateOf;
  const dayAt = (at: number) => from + Math.round((at * days) / Math.max(1, count - 1)) * DAY_MS;
  return Array.from({ length: count }, (_, at) => inWords(wallOf(dayAt(at)), format));
}

function percent(value: number): number {
  return Math.round(value * 100) / 100;
}
