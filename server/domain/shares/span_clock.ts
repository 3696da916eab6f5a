import { type ClockZone, LEAST_CHANGE_SECONDS, secondsBetween } from "../recordings/clock_change.ts";

/** Time that the camera's clock left out within a span: from `at` seconds of the span on it shows so much more. */
export interface SpanSkip {
  readonly at: number;
  readonly seconds: number;
}

/**
 * Finds what the camera's clock left out between the beginning of a span and its recordings; null where it left out
 * nothing.
 * @param starts camera wall time, as `secondsOf` @param walls when its recordings begin, by time
 */
export function skipOf(starts: number, walls: readonly number[], zone: ClockZone | null): SpanSkip | null {
  for (const wall of walls) {
    const passed = secondsBetween(starts, wall, zone);
    const seconds = wall - starts - passed;
    if (seconds >= LEAST_CHANGE_SECONDS) return { at: passed, seconds };
  }
  return null;
}

/** Seconds since the beginning of a span beside the camera's own clock. */
export class SpanClock {
  readonly #starts: number;
  readonly #skip: SpanSkip | null;

  constructor(starts: number, skip: SpanSkip | null) {
    this.#starts = starts;
    this.#skip = skip;
  }

  /** The camera's clock at a time of the span, as `secondsOf`. */
  wallAt(time: number): number {
    const skipped = this.#skip !== null && time >= this.#skip.at ? this.#skip.seconds : 0;
    return this.#starts + time + skipped;
  }

  /** The time of the span at which the camera's clock shows this. */
  timeAtWall(wall: number): number {
    const time = wall - this.#starts;
    if (this.#skip === null || time < this.#skip.at) return time;
    return Math.max(this.#skip.at, time - this.#skip.seconds);
  }
}
