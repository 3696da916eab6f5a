import { type Clock, systemClock } from "../../../server/clock.ts";

/** Time that goes by so many times as fast: long waits are short, and come in their order all the same. */
export class FastClock implements Clock {
  readonly #start = Date.now();
  readonly #times: number;

  constructor(times: number) {
    this.#times = times;
  }

  now = (): number => this.#start + this.elapsed();
  elapsed = (): number => performance.now() * this.#times;
  sleep = (ms: number, signal?: AbortSignal): Promise<void> => systemClock.sleep(ms / this.#times, signal);
}
