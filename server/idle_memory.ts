import type { Clock } from "./clock.ts";

/** Compiled code is given back, too: whoever comes right after a start or a run would wait until it is compiled anew. */
const IDLE_MS = 10_000;

/** Gives back what the start or a run took of memory, when the service has been idle for a while. */
export class IdleMemory {
  readonly #clock: Clock;
  #waiting = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Work begins, or all ends: nothing is given back until it is idle again. */
  busy(): void {
    this.#waiting.abort();
  }

  idle(): void {
    this.busy();
    this.#waiting = new AbortController();
    this.#clock.sleep(IDLE_MS, this.#waiting.signal).then(
      () => Bun.shrink(),
      () => {},
    );
  }
}
