import { metersBetween } from "../viewer/fix_steps.ts";
import { courseBetween } from "../viewer/map_track.ts";
import { type MapBox, partInside } from "./map_box.ts";
import { STEPS_PER_DEGREE, type TripLine } from "./trip_line.ts";

/** Fixes of one stretch in a row, as columns of one length. */
export type LinePart = Pick<TripLine, "t" | "lat" | "lon" | "speed">;

/** A stretch of a line inside a box. */
export interface Inside {
  /** Milliseconds on the clock of the trip. */
  readonly from: number;
  readonly to: number;
  /** Knots and degrees clockwise from north at the beginning; null when unknown or, for the course, standing. */
  readonly speed: number | null;
  readonly heading: number | null;
}

/** Stretches with less than this between them are one pass. */
const JOINED_MS = 10_000;
/** Speed below which a receiver is taken to stand. */
const STANDING_KNOTS = 0.5;
const STANDING_METERS_A_SECOND = 0.3;

/** The stretches of a part of a line inside a box, by time. */
export function stretchesInside(part: LinePart, box: MapBox): Inside[] {
  const { t } = part;
  const found: Inside[] = [];
  for (let at = 1; at < t.length; at++) {
    const inside = partInside(stepAt(part, at - 1), box);
    if (inside === null) continue;
    const begin = t[at - 1] ?? 0;
    const took = (t[at] ?? 0) - begin;
    const from = Math.round(begin + inside[0] * took);
    const to = Math.round(begin + inside[1] * took);
    const last = found.at(-1);
    if (last && from - last.to < JOINED_MS) found[found.length - 1] = { ...last, to: Math.max(last.to, to) };
    else found.push({ from, to, ...motionAt(part, at - 1, inside[0]) });
  }
  return found;
}

/** True when a part of a line leads into a box or through it. */
export function touches(part: LinePart, box: MapBox): boolean {
  for (let at = 1; at < part.t.length; at++) if (partInside(stepAt(part, at - 1), box) !== null) return true;
  return false;
}

/** Speed and course at the beginning of a part. */
export function motionAtStart(part: LinePart): Pick<Inside, "speed" | "heading"> {
  return motionAt(part, 0, 0);
}

/** Joins stretches by time, such as those of several parts of a line. */
export function joinedPasses(stretches: readonly Inside[]): Inside[] {
  const joined: Inside[] = [];
  for (const one of stretches) {
    const last = joined.at(-1);
    if (last && one.from - last.to < JOINED_MS) joined[joined.length - 1] = { ...last, to: Math.max(last.to, one.to) };
    else joined.push(one);
  }
  return joined;
}

function stepAt({ lat, lon }: LinePart, at: number) {
  return {
    fromLat: (lat[at] ?? 0) / STEPS_PER_DEGREE,
    fromLon: (lon[at] ?? 0) / STEPS_PER_DEGREE,
    toLat: (lat[at + 1] ?? 0) / STEPS_PER_DEGREE,
    toLon: (lon[at + 1] ?? 0) / STEPS_PER_DEGREE,
  };
}

/** @param share of the step behind the fix at which the motion is asked for */
function motionAt(part: LinePart, at: number, share: number): Pick<Inside, "speed" | "heading"> {
  const { fromLat, fromLon, toLat, toLon } = stepAt(part, at);
  const from = { lat: fromLat, lon: fromLon };
  const to = { lat: toLat, lon: toLon };
  const told = part.speed[share > 0.5 ? at + 1 : at] ?? -1;
  const speed = told < 0 ? null : told / 1000;
  const meters = metersBetween(from, to);
  const seconds = ((part.t[at + 1] ?? 0) - (part.t[at] ?? 0)) / 1000;
  const isStanding = speed === null ? meters < STANDING_METERS_A_SECOND * seconds : speed < STANDING_KNOTS;
  const heading = isStanding || meters === 0 ? null : Math.round(courseBetween(from, to) * 10) / 10;
  return { speed, heading: heading === 360 ? 0 : heading };
}
