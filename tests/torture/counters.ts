import type { Trigger } from "./plan.ts";

type Counted = Trigger["of"];

const NONE: Readonly<Record<Counted, number>> = {
  request: 0,
  byte: 0,
  line: 0,
  "patch sent": 0,
  "patch answered": 0,
  "run ended": 0,
};

/** Events since a visit began, and the waits for more of them. */
export class Counters {
  #counts = { ...NONE };
  readonly #waiting = new Set<{ at: Trigger; reached: () => void }>();
  #movedAt = performance.now();

  /** A visit begins. */
  restart(): void {
    this.#counts = { ...NONE };
    this.#waiting.clear();
    this.#movedAt = performance.now();
  }

  of(counted: Counted): number {
    return this.#counts[counted];
  }

  /** Counts, and does at once what waits for this: a kill must not come later than the byte that it was told to follow. */
  add(counted: Counted, amount = 1): void {
    this.#counts[counted] += amount;
    if (amount > 0) this.#movedAt = performance.now();
    for (const waiter of this.#waiting) {
      if (waiter.at.of !== counted || this.#counts[counted] < waiter.at.count) continue;
      this.#waiting.delete(waiter);
      waiter.reached();
    }
  }

  /** Calls `reached` at that moment, once; now, when it has come already. */
  when(at: Trigger, reached: () => void): void {
    if (this.#counts[at.of] >= at.count && at.count > 0) reached();
    else this.#waiting.add({ at, reached });
  }

  /** Milliseconds since anything happened. */
  get quietMs(): number {
    return performance.now() - this.#movedAt;
  }
}
