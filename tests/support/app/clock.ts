import type { Clock } from "../../../server/clock.ts";

interface Sleeper {
  at: number;
  wake(): void;
}

/**
 * A clock that stands still until it is told: a wall clock, which may be set, and a steady one. Both advance together;
 * sleepers wake in order.
 */
export class FakeClock implements Clock {
  #now: number;
  #elapsed = 0;
  #slept = 0;
  #sleepers: Sleeper[] = [];

  /** `start`: epoch milliseconds or an ISO time. */
  constructor(start: number | string = "2026-06-07T10:15:00Z") {
    this.#now = typeof start === "number" ? start : Date.parse(start);
  }

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  /** Number of sleepers just now. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /**
   * Resolves when the service sleeps for exactly so long from now. The number of sleepers tells less: others come and go
   * beside the one that a test waits for.
   */
  async untilSleeping(ms: number): Promise<void> {
    while (!this.#sleepers.some(({ at }) => at === this.#elapsed + ms)) await new Promise((next) => setImmediate(next));
  }

  uptime(): number {
    return this.#elapsed + this.#slept;
  }

  /** Wall time jumps, as when it is set; no sleeper wakes. */
  jump(ms: number): void {
    this.#now += ms;
  }

  /** Time goes by on both clocks without anything due: no sleeper wakes. */
  pass(ms: number): void {
    this.#pass(ms);
  }

  /** The machine sleeps, and its steady clock with it. */
  suspend(ms: number): void {
    this.#now += ms;
    this.#slept += ms;
  }

  /** Lets time pass, waking sleepers one by one and letting each go on before the next. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    for (;;) {
      const next = this.#sleepers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#pass(next.at - this.#elapsed);
      this.#sleepers = this.#sleepers.filter((sleeper) => sleeper !== next);
      next.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#pass(end - this.#elapsed);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      const wake = () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const sleeper = { at: this.#elapsed + ms, wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", stop);
    });
  }

  #pass(ms: number): void {
    this.#elapsed += ms;
    this.#now += ms;
  }
}
