import { fraction, mixed } from "../../server/dashcam/simulator/simulated_noise.ts";

/** Random choices that are the same for the same seed. */
export class Dice {
  readonly #seed: number;
  #throws = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** From 0 up to, not including, 1. */
  fraction(): number {
    return fraction(this.#seed, this.#throws++);
  }

  /** A whole number, both ends included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.fraction() * (to - from + 1));
  }

  /**
   * Picks as `whole` does, but each order of magnitude is as likely as the next: many small numbers, a few large ones.
   */
  spread(from: number, to: number): number {
    return Math.floor(Math.exp(Math.log(from) + this.fraction() * Math.log((to + 1) / from)));
  }

  chance(share: number): boolean {
    return this.fraction() < share;
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.whole(0, list.length - 1)];
    if (found === undefined) throw new Error("There is nothing to pick from");
    return found;
  }

  /** Up to so many of them, none twice. */
  some<T>(list: readonly T[], most: number): T[] {
    const left = [...list];
    const count = Math.min(left.length, this.whole(0, most));
    return Array.from({ length: count }, () => left.splice(this.whole(0, left.length - 1), 1)).flat();
  }

  /** Choices of their own for one part, so that a change of another part does not change them. */
  fork(part: number): Dice {
    return new Dice(mixed(this.#seed, -1 - part));
  }
}
