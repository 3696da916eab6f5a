import type { MapDrives } from "../../server/domain/places/places_schema.ts";
import { timeOf } from "../../server/domain/recordings/recording_name.ts";
import { type KeepClass, keepClassOf } from "../../server/domain/retention/keep_times.ts";
import { flatPlace } from "../../server/domain/viewer/map_drawing.ts";
import type { FlatBox } from "./map_view.ts";

/** A drive, or a part of one without a gap. */
export type Drive = MapDrives["drives"][number];

/** Kinds of most drives. */
const NORMAL: readonly KeepClass[] = ["normal"];

/** A drive on the flat world. Its line may lead beyond the edge, so that it is one line also over 180°. */
export interface FlatDrive {
  /** Drives of one trip have one number. */
  readonly trip: number;
  readonly key: string;
  readonly camera: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Kinds of its recordings. */
  readonly kinds: readonly KeepClass[];
  /** Minute of the day at which it began, by the camera's clock. */
  readonly minute: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Knots; not a number where the speed is not known. */
  readonly knots: Float32Array;
  readonly bounds: FlatBox;
}

export function flatDrivesOf(drives: readonly Drive[]): FlatDrive[] {
  const trips = new Map<string, number>();
  return drives.map(({ trip: key, camera, date, types = "N", points }) => {
    const trip = trips.get(key) ?? trips.size;
    trips.set(key, trip);
    const x = new Float64Array(points.length);
    const y = new Float64Array(points.length);
    const knots = new Float32Array(points.length);
    let [left, top, right, bottom] = [
      Number.POSITIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ];
    for (const [at, [lat, lon, speed]] of points.entries()) {
      const place = flatPlace(lat, lon);
      const before = at > 0 ? (x[at - 1] ?? 0) : place.x;
      // The short way round the world.
      x[at] = place.x + Math.round(before - place.x);
      y[at] = place.y;
      knots[at] = speed ?? Number.NaN;
      left = Math.min(left, x[at] ?? 0);
      right = Math.max(right, x[at] ?? 0);
      top = Math.min(top, place.y);
      bottom = Math.max(bottom, place.y);
    }
    return {
      trip,
      key,
      camera,
      date,
      kinds: kindsOf(types),
      minute: minuteOf(timeOf(key)),
      x,
      y,
      knots,
      bounds: { left, top, right, bottom },
    };
  });
}

function kindsOf(types: string): readonly KeepClass[] {
  return types === "N" ? NORMAL : [...new Set([...types].map(keepClassOf))];
}

/** Minute of the day of `08:15:41`. */
export function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** The smallest part of the world that has all drives; null without one. */
export function boundsOf(drives: readonly Pick<FlatDrive, "bounds">[]): FlatBox | null {
  const [first] = drives;
  if (first === undefined) return null;
  const middle = (first.bounds.left + first.bounds.right) / 2;
  let { left, top, right, bottom } = first.bounds;
  for (const { bounds } of drives) {
    // The copy of the world that is nearest to the first one.
    const by = Math.round(middle - (bounds.left + bounds.right) / 2);
    left = Math.min(left, bounds.left + by);
    right = Math.max(right, bounds.right + by);
    top = Math.min(top, bounds.top);
    bottom = Math.max(bottom, bounds.bottom);
  }
  return { left, top, right: Math.min(right, left + 1), bottom };
}

/** Whole numbers of worlds by which a drive has to be moved to lie in a part of the world. */
export function copiesIn({ left, right }: FlatBox, { bounds }: Pick<FlatDrive, "bounds">): number[] {
  const first = Math.ceil(left - bounds.right);
  const last = Math.floor(right - bounds.left);
  return last < first ? [] : Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Returns the part of a line within a rectangle, from 0 to 1 of its length; null when it is outside. */
export function partInside(
  [x0, y0, x1, y1]: readonly [number, number, number, number],
  { left, top, right, bottom }: FlatBox,
): readonly [from: number, to: number] | null {
  let from = 0;
  let to = 1;
  const edges = [
    [x0 - x1, x0 - left],
    [x1 - x0, right - x0],
    [y0 - y1, y0 - top],
    [y1 - y0, bottom - y0],
  ] as const;
  for (const [along, room] of edges) {
    if (along === 0 && room < 0) return null;
    if (along < 0) from = Math.max(from, room / along);
    if (along > 0) to = Math.min(to, room / along);
  }
  return from <= to ? [from, to] : null;
}

/** True when the line of a drive leads through a part of the world. */
export function isIn(box: FlatBox, drive: FlatDrive): boolean {
  const { bounds, x, y } = drive;
  if (bounds.bottom < box.top || bounds.top > box.bottom) return false;
  return copiesIn(box, drive).some((by) => {
    for (let at = 1; at < x.length; at++) {
      const line = [(x[at - 1] ?? 0) + by, y[at - 1] ?? 0, (x[at] ?? 0) + by, y[at] ?? 0] as const;
      if (partInside(line, box) !== null) return true;
    }
    return false;
  });
}
