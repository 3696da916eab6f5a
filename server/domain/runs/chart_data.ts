import { isTooEarly } from "./disk_trend.ts";
import { FAILURE_REASONS, type FailureReason } from "./failure_reason.ts";
import type { FailedSlot } from "./failure_slots.ts";
import { RANGES } from "./run.ts";
import type { RunPoint } from "./run_series.ts";
import type { Statistics } from "./stats_schema.ts";

/** A value at each time, null where there is none: a gap. */
export interface Line {
  readonly x: readonly number[];
  readonly y: readonly (number | null)[];
}

/** Data of the charts, all on one axis of time in epoch seconds. */
export interface ChartData {
  /** Beginning and end of the axis of time, and end of the disk's axis, which has a forecast. */
  readonly from: number;
  readonly to: number;
  readonly until: number;
  /** Values by time: each one is of a run, at its beginning, or of all runs of a bucket. */
  readonly points: readonly RunPoint[];
  /** Position of each point. */
  readonly moments: readonly number[];
  /** Usual distance of two points, in seconds. */
  readonly pace: number;
  readonly disk: {
    readonly x: readonly number[];
    /** Line without the trash, as the forecast has it. */
    readonly used: Line["y"];
    /** Line with the trash, from where there begins to be one to where there is none any more; null elsewhere. */
    readonly whole: Line["y"];
    readonly ahead: Line["y"];
  };
  readonly bytes: Line;
  readonly files: Line;
  readonly duration: Line;
  readonly failed: { readonly slots: readonly FailedSlot[]; readonly seconds: number };
}

const HOUR = 3600;
/** Share of the shown time that the forecast may add. */
const AHEAD = 0.4;
/** Less of the disk than this is nothing that figures or lines could show. */
const LEAST_TRASH = 0.0005;
/** Usual distances without a point from which on there is a hole. */
const HOLE = 8;

/** Puts the statistics into the order charts draw them in. */
export function chartData(stats: Statistics): ChartData {
  const { bucket_seconds: bucket } = stats.series;
  const { to } = stats.period;
  const points = bucket === null ? stats.series.points.map(atBeginning) : stats.series.points;
  const moments = momentsOf(points, stats);
  const pace = bucket ?? paceOf(moments);
  const from = beginOf(stats, Math.min(moments[0] ?? to, points[0]?.ts ?? to));
  const disk = diskLines(stats, points, moments, pace, to + (to - from) * AHEAD);
  const brought = (of: "bytes" | "files") => linked(moments, points, pace, (point) => (point.dry_run ? 0 : point[of]));
  return {
    from,
    to,
    until: Math.max(to, disk.x.at(-1) ?? to),
    points,
    moments,
    pace,
    disk,
    bytes: brought("bytes"),
    files: brought("files"),
    duration: linked(moments, points, pace, ({ offline, duration }) => (offline ? null : duration)),
    failed: { slots: stats.failed_runs.slots, seconds: stats.failed_runs.slot_seconds },
  };
}

/** Seven days are seven days, however short the history is; of all there is, shortly before the first run, an hour at least. */
function beginOf({ range, period: { from, to } }: Statistics, first: number): number {
  if (from !== null && RANGES[range] !== null) return from;
  return Math.min(to - HOUR, first - (to - first) * 0.02);
}

/** The share of the disk that the trash takes at a point; 0 when it is too little to show. */
export function trashAt({ disk, trash }: Pick<RunPoint, "disk" | "trash">): number {
  return disk === null || trash === null || trash < LEAST_TRASH ? 0 : Math.min(disk, trash);
}

/** Returns the used share of the disk without the trash; null when not measured. */
export function usedAt(point: Pick<RunPoint, "disk" | "trash">): number | null {
  return point.disk === null ? null : point.disk - trashAt(point);
}

/** People name a run by when it began, as the table does. */
function atBeginning(point: RunPoint): RunPoint {
  return { ...point, ts: point.ts - point.duration };
}

/** Returns the position of each point, within the axis and by time, also for a run that began before it. */
function momentsOf(points: readonly RunPoint[], { period: { from, to }, series }: Statistics): number[] {
  let last = from ?? Number.NEGATIVE_INFINITY;
  return points.map(({ ts }) => {
    // A bucket stands for a stretch of time: it is drawn in its middle.
    last = Math.max(last, Math.min(to, ts + (series.bucket_seconds ?? 0) / 2));
    return last;
  });
}

/** Finds the point nearest to a moment; -1 when there is none. */
export function nearest(moments: readonly number[], ts: number): number {
  let low = 0;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle] ?? 0) < ts) low = middle + 1;
    else high = middle;
  }
  const before = moments[low - 1];
  const after = moments[low];
  if (after === undefined) return moments.length - 1;
  return before !== undefined && ts - before < after - ts ? low - 1 : low;
}

/** The stretch of time a moment lies in; null when nothing went wrong in it. */
export function slotAt({ slots }: Pick<ChartData["failed"], "slots">, ts: number): FailedSlot | null {
  return slots.findLast((slot) => slot.ts <= ts && ts < slot.end) ?? null;
}

/** The stretches of values without a gap, each from its first to its last place. */
export function stretches(values: ArrayLike<number | null | undefined>): [first: number, last: number][] {
  const found: [first: number, last: number][] = [];
  for (let at = 0; at < values.length; at++) {
    if ((values[at] ?? null) === null) continue;
    const open = found.at(-1);
    if (open?.[1] === at - 1) open[1] = at;
    else found.push([at, at]);
  }
  return found;
}

/** Values a line would not show: those without a neighbour on either side, and the ends of stretches that are short. */
export function alone(values: Line["y"], isShort: (first: number, last: number) => boolean): number[] {
  return stretches(values).flatMap(([first, last]) => {
    if (first === last) return [first];
    return isShort(first, last) ? [first, last] : [];
  });
}

/** Runs that failed in a stretch of time, without those that did not reach the camera. */
export function failedIn(slot: FailedSlot): number {
  return FAILURE_REASONS.reduce((sum, reason) => sum + slot[reason], 0);
}

/** Counts the runs without the camera in the stretch with the most of them. */
export function mostAwayIn(slots: readonly FailedSlot[]): number {
  return Math.max(0, ...slots.map(({ away }) => away));
}

/** The reasons that occur, in the order they are stacked. */
export function reasonsIn(slots: readonly FailedSlot[]): FailureReason[] {
  return STACK.filter((reason) => slots.some((slot) => slot[reason] > 0));
}
const STACK: readonly FailureReason[] = ["disk", "http", "timeout", "network", "unknown"];

/**
 * Returns the lines of the disk: the forecast joined to the last measured value, and cut off at the end of the axis.
 */
function diskLines(
  stats: Statistics,
  points: readonly RunPoint[],
  moments: readonly number[],
  pace: number,
  until: number,
): ChartData["disk"] {
  const measured = points.flatMap((point, at) => {
    const disk = usedAt(point);
    return disk === null ? [] : [{ ts: moments[at] ?? 0, disk, trash: trashAt(point) }];
  });
  const times = measured.map(({ ts }) => ts);
  const used = linked(times, measured, pace, ({ disk }) => disk);
  const whole = linked(times, measured, pace, ({ disk, trash }, at) => {
    const isBeside = (measured[at - 1]?.trash ?? 0) + trash + (measured[at + 1]?.trash ?? 0) > 0;
    return isBeside ? disk + trash : null;
  });
  const last = measured.at(-1);
  const ahead: { ts: number; disk: number }[] = [];
  let before: { readonly ts: number; readonly disk: number } | undefined = last;
  for (const point of last && !isTooEarly(stats.forecast.heading) ? stats.forecast.projected : []) {
    if (!before || point.ts <= before.ts) continue;
    const share = Math.min(1, (until - before.ts) / (point.ts - before.ts));
    ahead.push({
      ts: before.ts + (point.ts - before.ts) * share,
      disk: before.disk + (point.disk - before.disk) * share,
    });
    if (share < 1) break;
    before = point;
  }
  const length = used.x.length;
  return {
    x: [...used.x, ...ahead.map(({ ts }) => ts)],
    used: [...used.y, ...ahead.map(() => null)],
    whole: [...whole.y, ...ahead.map(() => null)],
    ahead: [
      ...used.y.map((_, at) => (at === length - 1 && ahead.length > 0 ? (last?.disk ?? null) : null)),
      ...ahead.map(({ disk }) => disk),
    ],
  };
}

/** A line through the values, interrupted where nothing was measured for long. */
function linked<T>(
  moments: readonly number[],
  items: readonly T[],
  pace: number,
  value: (item: T, at: number) => number | null,
): Line {
  const x: number[] = [];
  const y: (number | null)[] = [];
  for (const [at, item] of items.entries()) {
    const ts = moments[at] ?? 0;
    const before = x.at(-1);
    if (before !== undefined && ts - before > pace * HOLE) {
      x.push((before + ts) / 2);
      y.push(null);
    }
    x.push(ts);
    y.push(value(item, at));
  }
  return { x, y };
}

function paceOf(moments: readonly number[]): number {
  const gaps = moments.slice(1).map((ts, at) => ts - (moments[at] ?? 0));
  gaps.sort((a, b) => a - b);
  return Math.max(1, gaps[gaps.length >> 1] ?? HOUR);
}
