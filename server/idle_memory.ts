import type { Clock } from "./clock.ts";

/** Compiled code is given back, too: a request right after a start or a run would wait until it is compiled anew. */
const IDLE_MS = 10_000;

/** Gives back what the start or a run took of memory, when the service has been idle for a while. */
export class IdleMemory {
  readonly #clock: Clock;
  /** Number of tasks under way: a run may begin while the start still looks around. */
  #underWay = 0;
  #waiting = new AbortController();
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Does some work, in which nothing is given back; the idle seconds begin when the last has ended, however it did. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay++;
    this.#waiting.abort();
    try {
      return await work();
    } finally {
      this.#underWay--;
      if (this.#underWay === 0 && !this.#isClosed) this.#wait();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting.abort();
  }

  #wait(): void {
    this.#waiting = new AbortController();
    this.#clock.sleep(IDLE_MS, this.#waiting.signal).then(
      () => Bun.shrink(),
      () => {},
    );
  }
}
