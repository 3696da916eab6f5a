import type { GsensorSample } from "../recordings/sensor_schema.ts";

/** The samples of a clip's g-sensor by time, as columns of one length. Every number is finite. */
export interface Force {
  /** Seconds since the beginning of the clip. */
  readonly t: Float64Array;
  /** Vertical, lateral and longitudinal, in g. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
}

/** Values of each axis while nothing happens: they come from the camera's mounting and from gravity. */
export interface Rest {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A later sample is no time into a clip: a file of something else. */
const LATEST_SECONDS = 24 * 3600;
/** Steps of a sensor in a g, and how many there are each way: 16 g, as far as any tells. */
const STEPS_PER_G = 128;
const MOST_G = 16;
const MOST_STEPS = MOST_G * STEPS_PER_G;
const AXES = ["x", "y", "z"] as const;

/** The columns of a clip's samples. What no sensor can feel is left out: the file is damaged, or one of something else. */
export function forceOf(samples: readonly GsensorSample[]): Force {
  let isRising = true;
  let last = 0;
  const sound: GsensorSample[] = [];
  for (const sample of samples) {
    const { t, x, y, z } = sample;
    if (!(t >= 0 && t <= LATEST_SECONDS && Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) <= MOST_G)) continue;
    if (t < last) isRising = false;
    last = t;
    sound.push(sample);
  }
  if (!isRising) sound.sort((one, other) => one.t - other.t);
  const length = sound.length;
  const [t, x, y, z] = [0, 0, 0, 0].map(() => new Float64Array(length)) as [Column, Column, Column, Column];
  for (let at = 0; at < length; at++) {
    const sample = sound[at];
    if (sample === undefined) continue;
    t[at] = sample.t;
    x[at] = sample.x;
    y[at] = sample.y;
    z[at] = sample.z;
  }
  return { t, x, y, z };
}

type Column = Float64Array<ArrayBuffer>;

/** Counts how often each step of the sensor appears. Counting is cheaper than sorting: an hour has 36,000 samples. */
export class RestCounts {
  readonly #counts = AXES.map(() => new Uint32Array(2 * MOST_STEPS + 1));
  #samples = 0;

  add(force: Force): void {
    this.#samples += force.t.length;
    for (const [axis, name] of AXES.entries()) {
      const column = force[name];
      const counts = this.#counts[axis] ?? new Uint32Array();
      for (let at = 0; at < column.length; at++) {
        const step = Math.round((column[at] ?? 0) * STEPS_PER_G) + MOST_STEPS;
        const place = Math.max(0, Math.min(2 * MOST_STEPS, step));
        counts[place] = (counts[place] ?? 0) + 1;
      }
    }
  }

  /** The median of each axis, to a step of the sensor and within what it can tell; null without samples. */
  rest(): Rest | null {
    if (this.#samples === 0) return null;
    const [x = 0, y = 0, z = 0] = this.#counts.map((counts) => {
      let place = -1;
      let below = 0;
      while (below * 2 < this.#samples) below += counts[++place] ?? this.#samples;
      return (place - MOST_STEPS) / STEPS_PER_G;
    });
    return { x, y, z };
  }
}

/** Returns the force on the car itself at each sample, in g and squared: enough for comparing. */
export function squaresOf({ t, x, y, z }: Force, rest: Rest): Float64Array {
  const squares = new Float64Array(t.length);
  for (let at = 0; at < t.length; at++) {
    const dx = (x[at] ?? 0) - rest.x;
    const dy = (y[at] ?? 0) - rest.y;
    const dz = (z[at] ?? 0) - rest.z;
    squares[at] = dx * dx + dy * dy + dz * dz;
  }
  return squares;
}
