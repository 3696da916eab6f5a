import type { Force, Rest } from "../viewer/force.ts";
import type { Track } from "../viewer/track.ts";
import { TRACK_GAP_SECONDS } from "../viewer/fix_steps.ts";

/** A direction in the axes of the sensor. */
export type Direction = readonly [x: number, y: number, z: number];

/** Sums of the way a car gained and lost speed, and of the force that the sensor felt meanwhile. */
export interface DrivingSums {
  readonly felt: Direction;
  /** Products of each axis with the gain of speed. */
  readonly both: Direction;
  readonly gain: number;
  readonly gainSquared: number;
  /** Squares and products of the axes: xx, yy, zz, xy, xz, yz. */
  readonly squares: readonly number[];
  /** Times between two fixes that were compared. */
  readonly steps: number;
}

export const NO_DRIVING: DrivingSums = {
  felt: [0, 0, 0],
  both: [0, 0, 0],
  gain: 0,
  gainSquared: 0,
  squares: [0, 0, 0, 0, 0, 0],
  steps: 0,
};

/** A second of 1 g makes a car so many knots faster. */
const KNOT_SECONDS_PER_G = 9.80665 * 1.943844;
/** A car that gained and lost less speed does not tell where its front is: it is the noise of the receiver. */
const LEAST_GAIN_SQUARED = 0.02;
const LEAST_STEPS = 10;
/** Share of the horizontal force that the gain of speed has to account for. */
const LEAST_SHARE = 0.08;
/** Gravity that turned by more says that the camera was mounted anew. */
const SAME_MOUNTING_DEGREES = 15;

/** Adds what a clip tells of how the camera is mounted. */
export function addDriving(sums: DrivingSums, track: Track, { t, x, y, z }: Force): DrivingSums {
  const felt = [...sums.felt] as [number, number, number];
  const both = [...sums.both] as [number, number, number];
  const squares = [...sums.squares];
  let { gain, gainSquared, steps } = sums;
  let sample = 0;
  for (let at = 1; at < track.t.length; at++) {
    const from = track.t[at - 1] ?? 0;
    const to = track.t[at] ?? 0;
    const slow = track.speed[at - 1];
    const fast = track.speed[at];
    while (sample < t.length && (t[sample] ?? 0) < from) sample++;
    let [sumX, sumY, sumZ, count] = [0, 0, 0, 0];
    for (; sample < t.length && (t[sample] ?? 0) < to; sample++, count++) {
      sumX += x[sample] ?? 0;
      sumY += y[sample] ?? 0;
      sumZ += z[sample] ?? 0;
    }
    const seconds = to - from;
    if (count === 0 || typeof slow !== "number" || typeof fast !== "number") continue;
    if (!(seconds > 0) || seconds > TRACK_GAP_SECONDS) continue;
    const gained = (fast - slow) / seconds / KNOT_SECONDS_PER_G;
    // No car on the road does; a receiver that has just found its place may.
    if (Math.abs(gained) > 1.5) continue;
    const mean = [sumX / count, sumY / count, sumZ / count] as const;
    for (const [axis, value] of mean.entries()) {
      felt[axis] = (felt[axis] ?? 0) + value;
      both[axis] = (both[axis] ?? 0) + value * gained;
    }
    for (const [index, [one, other]] of PAIRS.entries())
      squares[index] = (squares[index] ?? 0) + (mean[one] ?? 0) * (mean[other] ?? 0);
    gain += gained;
    gainSquared += gained * gained;
    steps++;
  }
  return { felt, both, gain, gainSquared, squares, steps };
}

const PAIRS = [
  [0, 0],
  [1, 1],
  [2, 2],
  [0, 1],
  [0, 2],
  [1, 2],
] as const;

/** The direction of gravity in the sensor's axes; null for a sensor that feels none. */
export function upOf({ x, y, z }: Rest): Direction | null {
  const length = Math.hypot(x, y, z);
  return length < 0.2 ? null : [x / length, y / length, z / length];
}

/** The direction of the car's front; null when its driving does not tell. */
export function frontOf(sums: DrivingSums, rest: Rest): Direction | null {
  const up = upOf(rest);
  if (up === null || sums.steps < LEAST_STEPS || sums.gainSquared < LEAST_GAIN_SQUARED) return null;
  const still: Direction = [rest.x, rest.y, rest.z];
  const own = still.map((value, axis) => (sums.both[axis] ?? 0) - value * sums.gain) as unknown as Direction;
  const level = minus(own, up, dot(own, up));
  const length = Math.hypot(...level);
  // The squares of the force beside gravity, all of it and along it.
  const all = squaresAround(sums, still);
  const horizontal = all[0] + all[1] + all[2] - along(all, up);
  if (!(length > 0) || length * length < LEAST_SHARE * sums.gainSquared * horizontal) return null;
  return [level[0] / length, level[1] / length, level[2] / length];
}

/** True when a camera may be mounted as it was before. */
export function isSameMounting(one: Direction, other: Direction): boolean {
  const cosine = Math.max(-1, Math.min(1, dot(one, other)));
  return (Math.acos(cosine) * 180) / Math.PI <= SAME_MOUNTING_DEGREES;
}

type Squares = readonly [number, number, number, number, number, number];

function squaresAround({ squares, felt, steps }: DrivingSums, still: Direction): Squares {
  return PAIRS.map(([one, other], index) => {
    const [a, b] = [still[one] ?? 0, still[other] ?? 0];
    return (squares[index] ?? 0) - a * (felt[other] ?? 0) - b * (felt[one] ?? 0) + steps * a * b;
  }) as unknown as Squares;
}

function along([xx, yy, zz, xy, xz, yz]: Squares, [x, y, z]: Direction): number {
  return x * x * xx + y * y * yy + z * z * zz + 2 * (x * y * xy + x * z * xz + y * z * yz);
}

function dot(one: Direction, other: Direction): number {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

function minus(one: Direction, other: Direction, times: number): Direction {
  return [one[0] - other[0] * times, one[1] - other[1] * times, one[2] - other[2] * times];
}
