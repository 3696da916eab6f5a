import type { Clock } from "../clock.ts";

/** A clock that can be in the past, and goes on from there; it never goes back. */
export class DemoClock implements Clock {
  readonly #clock: Clock;
  /** Milliseconds by which it is ahead of the other clock; below zero in the past. */
  #ahead = 0;
  readonly #first: number;

  /** @param first epoch milliseconds */
  constructor(clock: Clock, first: number) {
    this.#clock = clock;
    this.#ahead = first - clock.now();
    this.#first = this.#ahead;
  }

  now(): number {
    return this.#clock.now() + this.#ahead;
  }

  /** Goes with the wall time, so that it is not taken for a clock that was set. */
  elapsed(): number {
    return this.#clock.elapsed() + this.#ahead - this.#first;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(ms, signal);
  }

  /** Goes on to this time, in epoch milliseconds, if that is later. */
  goTo(at: number): void {
    this.#ahead = Math.max(this.#ahead, at - this.#clock.now());
  }

  /** Goes on to the time of the other clock. */
  catchUp(): void {
    this.#ahead = Math.max(this.#ahead, 0);
  }
}
