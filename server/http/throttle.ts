import type { Clock } from "../clock.ts";
import { AppError } from "../domain/errors.ts";
import { guesserOf } from "./client_address.ts";

const MOST_FAILURES = 10;
const WITHIN_MS = 600_000;
const LOCKED_MS = 900_000;
/** How long an address stays locked. */
export const LOCKED_MINUTES = LOCKED_MS / 60_000;
const MOST_ADDRESSES = 10_000;

/** One guess at a password, counted as a failure until it is known to be none. */
export interface Attempt {
  /** The password was right: the address starts afresh. */
  succeed(): void;
  /** Nothing was learnt, because the password could not be checked: the guess is given back. */
  withdraw(): void;
}

/** How an address stands: the same whoever asks from there, and whatever name was tried. */
export interface Standing {
  /** Guesses that are left before it is locked. */
  readonly triesLeft: number;
  /** Seconds until it may guess again; 0 when it may now. */
  readonly lockedSeconds: number;
}

interface Failure {
  /** By the clock's elapsed time. */
  readonly at: number;
}

interface Guesser {
  /** Those that still count, oldest first. */
  failures: readonly Failure[];
  lockedUntil: number;
}

/**
 * Stops guessing: ten failures from one address within ten minutes close it for fifteen. A guess is counted before the
 * password is looked at, so guesses made at the same moment count like any others.
 */
export class Throttle {
  readonly #clock: Clock;
  /** Oldest use first. */
  readonly #guessers = new Map<string, Guesser>();

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  /** How many addresses are remembered. */
  get size(): number {
    return this.#guessers.size;
  }

  /** How an address stands now; asking counts nothing. */
  standingOf(address: string): Standing {
    const now = this.#clock.elapsed();
    const { failures, lockedUntil } = this.#guessers.get(guesserOf(address)) ?? { failures: [], lockedUntil: 0 };
    if (lockedUntil > now) return { triesLeft: 0, lockedSeconds: Math.ceil((lockedUntil - now) / 1000) };
    const counted = failures.filter(({ at }) => now - at < WITHIN_MS).length;
    return { triesLeft: Math.max(1, MOST_FAILURES - counted), lockedSeconds: 0 };
  }

  /** @throws AppError RATE_LIMITED while the address is locked */
  check(address: string): void {
    const { lockedSeconds } = this.standingOf(address);
    if (lockedSeconds > 0) throw rateLimited(lockedSeconds);
  }

  /**
   * Counts a guess from an address; the last one that is allowed locks it at once.
   * @throws AppError RATE_LIMITED while the address is locked; such an attempt does not count
   */
  begin(address: string): Attempt {
    this.check(address);
    const key = guesserOf(address);
    const now = this.#clock.elapsed();
    const guesser = this.#guessers.get(key) ?? { failures: [], lockedUntil: 0 };
    const failure: Failure = { at: now };
    guesser.failures = [...guesser.failures.filter(({ at }) => now - at < WITHIN_MS), failure];
    if (guesser.failures.length >= MOST_FAILURES) guesser.lockedUntil = now + LOCKED_MS;
    this.#remember(key, guesser);
    return {
      succeed: () => this.#guessers.delete(key),
      withdraw: () => {
        if (!guesser.failures.includes(failure)) return;
        guesser.failures = guesser.failures.filter((other) => other !== failure);
        guesser.lockedUntil = 0;
      },
    };
  }

  #remember(key: string, guesser: Guesser): void {
    this.#guessers.delete(key);
    this.#guessers.set(key, guesser);
    if (this.#guessers.size <= MOST_ADDRESSES) return;
    const [oldest] = this.#guessers.keys();
    if (oldest !== undefined) this.#guessers.delete(oldest);
  }
}

function rateLimited(seconds: number): AppError {
  const minutes = Math.ceil(seconds / 60);
  const message = `Too many failed attempts. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
  return new AppError("RATE_LIMITED", message, { retry_after_seconds: seconds });
}
