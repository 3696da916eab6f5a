import { metersBetween, TRACK_GAP_SECONDS } from "./fix_steps.ts";
import { type Force, type Rest, squaresOf } from "./force.ts";
import type { Track } from "./track.ts";
import type { Push } from "./viewer_schema.ts";

/** The strongest moment of a clip. Speeds are in knots, null where no fix is near. */
export interface StrongMoment {
  /** Seconds since the beginning of the clip. */
  readonly t: number;
  /** Force without the part that comes from the camera's mounting. */
  readonly g: number;
  readonly push: Push;
  /** Speed before it: the fastest, or where the car gained speed the slowest. */
  readonly fromKnots: number | null;
  /** Speed after it, the other way round. */
  readonly toKnots: number | null;
}

/** A push lasts about a second: one sample alone may be a stone under a tyre. */
const HALF_PUSH_SECONDS = 0.5;
const BEFORE_SECONDS = 3;
const AFTER_SECONDS = 5;
/** Less of a change may be the receiver's. */
const CLEAR_KNOTS = 4;
const CLEAR_DEGREES = 8;
/** The course of a car that hardly moves says nothing. */
const CLEAR_METERS = 3;

/** @param force within the clip's time. @returns null without samples */
export function strongMoment(force: Force, rest: Rest, track: Track | null): StrongMoment | null {
  const squares = squaresOf(force, rest);
  let most = -1;
  for (let at = 0; at < squares.length; at++) if ((squares[at] ?? 0) > (squares[most] ?? -1)) most = at;
  if (most < 0) return null;
  const t = force.t[most] ?? 0;
  const speeds = track && speedsAround(track, t);
  const push = pushOf(axisAround(force, rest, t), speeds, track && turnAround(track, t));
  const [before, after] = speeds ?? [[], []];
  const [first, last] = push === "accelerated" ? [Math.min, Math.max] : [Math.max, Math.min];
  return {
    t: Math.round(t * 1000) / 1000,
    g: Math.round(Math.sqrt(squares[most] ?? 0) * 10_000) / 10_000,
    push,
    fromKnots: before.length === 0 ? null : first(...before),
    toKnots: after.length === 0 ? null : last(...after),
  };
}

type Axis = "x" | "y" | "z";

/** The axis along which the car was pushed most around a time. */
function axisAround(force: Force, rest: Rest, t: number): Axis {
  const sums = { x: 0, y: 0, z: 0 };
  for (let at = 0; at < force.t.length; at++) {
    if (Math.abs((force.t[at] ?? 0) - t) > HALF_PUSH_SECONDS) continue;
    for (const axis of ["x", "y", "z"] as const) sums[axis] += ((force[axis][at] ?? 0) - rest[axis]) ** 2;
  }
  return sums.z >= sums.y && sums.z >= sums.x ? "z" : sums.y >= sums.x ? "y" : "x";
}

type Speeds = readonly [before: readonly number[], after: readonly number[]];

function speedsAround({ t: times, speed }: Track, t: number): Speeds {
  const between = (from: number, to: number) =>
    speed.flatMap((knots, at) => (knots !== null && within(times[at], from, to) ? [knots] : []));
  return [between(t - BEFORE_SECONDS, t + 0.5), between(t - 0.5, t + AFTER_SECONDS)];
}

/**
 * No maker says which way an axis points, and cameras are mounted either way round: the speed tells braking from
 * accelerating, the course left from right.
 */
function pushOf(axis: Axis, speeds: Speeds | null, turn: number | null): Push {
  if (axis === "x") return "vertical";
  if (axis === "y") {
    if (turn === null || Math.abs(turn) < CLEAR_DEGREES) return "sideways";
    return turn < 0 ? "left" : "right";
  }
  const [before = [], after = []] = speeds ?? [];
  if (before.length === 0 || after.length === 0) return "lengthwise";
  const lost = Math.max(...before) - Math.min(...after);
  const gained = Math.max(...after) - Math.min(...before);
  if (Math.max(lost, gained) < CLEAR_KNOTS) return "lengthwise";
  return gained > lost ? "accelerated" : "braked";
}

/** Returns the degrees by which the course changed, clockwise positive; null when the track does not tell. */
function turnAround(track: Track, t: number): number | null {
  const courses: number[] = [];
  let from = -1;
  for (const [at, time] of track.t.entries()) {
    if (!within(time, t - BEFORE_SECONDS, t + BEFORE_SECONDS)) continue;
    if (from >= 0 && track.breaks.includes(at)) return null;
    if (from < 0) from = at;
    const course = at === from ? null : courseTo(track, at);
    if (course !== null) courses.push(course);
  }
  const first = courses[0];
  const last = courses.at(-1);
  if (first === undefined || last === undefined || courses.length < 2) return null;
  return ((last - first + 540) % 360) - 180;
}

function courseTo({ t, lat, lon }: Track, at: number): number | null {
  const from = { lat: lat[at - 1] ?? 0, lon: lon[at - 1] ?? 0 };
  const to = { lat: lat[at] ?? 0, lon: lon[at] ?? 0 };
  if ((t[at] ?? 0) - (t[at - 1] ?? 0) > TRACK_GAP_SECONDS || metersBetween(from, to) < CLEAR_METERS) return null;
  const east = (((to.lon - from.lon + 540) % 360) - 180) * Math.cos((from.lat * Math.PI) / 180);
  return (Math.atan2(east, to.lat - from.lat) * 180) / Math.PI;
}

function within(time: number | undefined, from: number, to: number): boolean {
  return time !== undefined && time >= from && time <= to;
}
