import type { Clock } from "../../clock.ts";

/** A clock that begins in the past and goes faster until it has caught up; from then on it is the other clock. */
export class FasterClock implements Clock {
  readonly #clock: Clock;
  readonly #speed: number;
  readonly #start: number;
  readonly #begun: number;

  /** @param start epoch milliseconds */
  constructor(clock: Clock, speed: number, start: number) {
    this.#clock = clock;
    this.#speed = speed;
    this.#start = start;
    this.#begun = clock.elapsed();
  }

  /** 1 as soon as it has caught up. */
  get speed(): number {
    return this.#fast() < this.#clock.now() ? this.#speed : 1;
  }

  now(): number {
    return Math.min(this.#fast(), this.#clock.now());
  }

  elapsed(): number {
    return this.now() - this.#start;
  }

  /** May be over early when it catches up meanwhile. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(ms / this.speed, signal);
  }

  #fast(): number {
    return this.#start + (this.#clock.elapsed() - this.#begun) * this.#speed;
  }
}
