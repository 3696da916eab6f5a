import type { Clock } from "../../clock.ts";

/** Time that a guesser stays locked after it has used up its guesses. */
export const LOCKED_MS = 900_000;
/** A wrong guess is answered after at least this time, so that neither the time nor the number of guesses reveals anything. */
export const WRONG_GUESS_MS = 1500;

/** A guess that counts as wrong until it is known to be right. */
export interface Failure {
  /** By the clock's elapsed time. */
  readonly at: number;
}

interface Guesser {
  /** Those that still count, oldest first. */
  failures: readonly Failure[];
  lockedUntil: number;
}

/** State of a guesser: the same for any name that was tried. */
export interface Count {
  /** Guesses that are left before it is locked; at least one while it may guess. */
  readonly triesLeft: number;
  /** Seconds until it may guess again; 0 when it may now. */
  readonly lockedSeconds: number;
}

export interface GuessRule {
  /** Number of failures that lock. */
  readonly most: number;
  /** Older ones do not count; for ever when left out. */
  readonly withinMs?: number;
  /** Number of guessers that are remembered; the one that was quiet longest goes first. */
  readonly remembered: number;
}

/** Counts wrong guesses of guessers of one kind, such as addresses. Its memory is limited. */
export class GuessCount {
  readonly #clock: Clock;
  readonly #rule: GuessRule;
  /** Oldest use first. */
  readonly #guessers = new Map<string, Guesser>();
  /** Goes on from call to call: a new one would pass all that have been deleted each time. */
  #byAge = this.#guessers.keys();

  constructor(clock: Clock, rule: GuessRule) {
    this.#clock = clock;
    this.#rule = rule;
  }

  get size(): number {
    return this.#guessers.size;
  }

  /** Returns the present state of a guesser; asking counts nothing. */
  of(key: string): Count {
    const guesser = this.#guessers.get(key);
    const lockedMs = (guesser?.lockedUntil ?? 0) - this.#clock.elapsed();
    if (lockedMs > 0) return { triesLeft: 0, lockedSeconds: Math.ceil(lockedMs / 1000) };
    const counted = guesser ? this.#counted(guesser).length : 0;
    return { triesLeft: Math.max(1, this.#rule.most - counted), lockedSeconds: 0 };
  }

  /** True when a guesser has ever had all its guesses. Only where failures count for ever. */
  isSpent(key: string): boolean {
    const guesser = this.#guessers.get(key);
    return guesser !== undefined && this.#counted(guesser).length >= this.#rule.most;
  }

  /** Counts a failure; the last one that is allowed locks at once. */
  add(key: string, failure: Failure): void {
    const guesser = this.#guessers.get(key) ?? { failures: [], lockedUntil: 0 };
    guesser.failures = [...this.#counted(guesser), failure];
    if (guesser.failures.length >= this.#rule.most) guesser.lockedUntil = failure.at + LOCKED_MS;
    this.#guessers.delete(key);
    this.#guessers.set(key, guesser);
    if (this.#guessers.size <= this.#rule.remembered) return;
    this.#guessers.delete(this.#oldest());
  }

  /** Takes a guess out of the count, and unlocks what only this one had locked. */
  remove(key: string, failure: Failure): void {
    const guesser = this.#guessers.get(key);
    if (!guesser?.failures.includes(failure)) return;
    guesser.failures = guesser.failures.filter((other) => other !== failure);
    guesser.lockedUntil = 0;
  }

  /** The guesser starts afresh. */
  forget(key: string): void {
    this.#guessers.delete(key);
  }

  /** All guessers start afresh. */
  clear(): void {
    this.#guessers.clear();
  }

  /** Only while there are guessers. All before the returned one are deleted, so the iterator goes on where it was. */
  #oldest(): string {
    const next = this.#byAge.next();
    if (!next.done) return next.value;
    this.#byAge = this.#guessers.keys();
    return this.#oldest();
  }

  #counted({ failures }: Guesser): readonly Failure[] {
    const { withinMs } = this.#rule;
    const now = this.#clock.elapsed();
    return withinMs === undefined ? failures : failures.filter(({ at }) => now - at < withinMs);
  }
}
