import type { Clock } from "../../clock.ts";
import { AppError } from "../../domain/answers/errors.ts";
import { guesserOf, networkOf } from "../request/client_address.ts";
import { type Count, type Failure, GuessCount, LOCKED_MS } from "./guess_count.ts";

const WITHIN_MS = 600_000;
/** Minutes that an address stays locked. */
export const LOCKED_MINUTES = LOCKED_MS / 60_000;
const ADDRESS = { most: 10, withinMs: WITHIN_MS, remembered: 10_000 };
/** A provider gives a household a /56 or a /48: 256 or more networks that are counted by themselves. */
const NETWORK = { most: 30, withinMs: WITHIN_MS, remembered: 10_000 };
/** For ever: the cookie of a browser that has signed in once must not be worth more to its thief. */
const DEVICE = { most: 10, remembered: 1000 };

/** Number of failures from anywhere after which every further answer takes its time. */
const MANY_FAILURES = 200;
/** Time of a guess from then on, right or wrong. */
export const SLOW_MS = 5000;
/** Most guesses that may wait for such an answer; each holds a connection. */
const MOST_SLOW = 32;

/** One guess at a password, counted as a failure until it is known to be none. */
export interface Attempt {
  /** The password was right: the address starts afresh. */
  succeed(): void;
  /** The password could not be checked: the guess does not count. */
  withdraw(): void;
}

/** State of an address or a browser that wants to sign in. */
export interface ThrottleState extends Count {
  /** The one that was counted, and is locked when no guess is left. */
  readonly of: "address" | "browser";
}

/**
 * Stops guessing: ten failures from one address within ten minutes lock it for fifteen, as do thirty from one IPv6 /48.
 * A guess is counted before the password is looked at, so guesses made at the same moment count like any others.
 *
 * A browser that has signed in before is counted by itself as well, and only that locks it: behind a proxy its address
 * may be that of all. It has ten guesses, then none for fifteen minutes, and is one like any other from then on.
 */
export class SignInThrottle {
  readonly #clock: Clock;
  readonly #addresses: GuessCount;
  readonly #networks: GuessCount;
  readonly #devices: GuessCount;
  /** From anywhere, oldest first: no more than needed to see whether there are too many. */
  readonly #failures: Failure[] = [];
  #slow = 0;

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
    this.#addresses = new GuessCount(clock, ADDRESS);
    this.#networks = new GuessCount(clock, NETWORK);
    this.#devices = new GuessCount(clock, DEVICE);
  }

  get size(): number {
    return this.#addresses.size;
  }

  /** True when there were so many failures, from anywhere, that answers take their time. */
  get isSlow(): boolean {
    const first = this.#failures.at(-MANY_FAILURES);
    return first !== undefined && this.#clock.elapsed() - first.at < WITHIN_MS;
  }

  /** True when a browser has had the guesses it was trusted with. */
  isSpent(device: string): boolean {
    return this.#devices.isSpent(device);
  }

  /**
   * True when a browser has signed in before and is counted by itself. After its guesses are used up and the lock has
   * ended, it is like any other.
   */
  isKnown(device: string | null): device is string {
    return device !== null && (!this.#devices.isSpent(device) || this.#devices.of(device).lockedSeconds > 0);
  }

  /** Returns the present state of an address, or of a browser that has signed in before; asking counts nothing. */
  standingOf(address: string, device: string | null = null): ThrottleState {
    if (this.isKnown(device)) return { ...this.#devices.of(device), of: "browser" };
    const found = this.#addresses.of(guesserOf(address));
    const network = networkOf(address);
    if (network === null) return { ...found, of: "address" };
    const around = this.#networks.of(network);
    return {
      triesLeft: Math.min(found.triesLeft, around.triesLeft),
      lockedSeconds: Math.max(found.lockedSeconds, around.lockedSeconds),
      of: "address",
    };
  }

  /** @throws AppError RATE_LIMITED while the address, or the browser, is locked */
  check(address: string, device: string | null = null): void {
    const { lockedSeconds } = this.standingOf(address, device);
    if (lockedSeconds > 0) throw rateLimited(lockedSeconds);
  }

  /**
   * Counts a guess; the last one that is allowed locks at once.
   * @throws AppError RATE_LIMITED while the address, or the browser, is locked; such an attempt does not count
   */
  begin(address: string, device: string | null = null): Attempt {
    this.check(address, device);
    const failure: Failure = { at: this.#clock.elapsed() };
    if (!this.isKnown(device)) return this.#count(address, failure);
    this.#devices.add(device, failure);
    // A guess from a locked address is the browser's alone: it must not lengthen the lock of the others.
    const counted = this.standingOf(address).lockedSeconds > 0 ? null : this.#count(address, failure);
    return {
      succeed: () => {
        this.#devices.forget(device);
        counted?.succeed();
      },
      withdraw: () => {
        this.#devices.remove(device, failure);
        counted?.withdraw();
      },
    };
  }

  /** Nothing was guessed of a new password: all locks end. */
  forget(): void {
    for (const count of [this.#addresses, this.#networks, this.#devices]) count.clear();
    this.#failures.length = 0;
  }

  #count(address: string, failure: Failure): Attempt {
    const key = guesserOf(address);
    const network = networkOf(address);
    this.#addresses.add(key, failure);
    if (network !== null) this.#networks.add(network, failure);
    this.#failures.push(failure);
    if (this.#failures.length > 2 * MANY_FAILURES) this.#failures.shift();
    const withdraw = () => {
      this.#addresses.remove(key, failure);
      if (network !== null) this.#networks.remove(network, failure);
      const at = this.#failures.indexOf(failure);
      if (at !== -1) this.#failures.splice(at, 1);
    };
    return {
      succeed: () => {
        withdraw();
        // The others of the network have guessed as often as before.
        this.#addresses.forget(key);
      },
      withdraw,
    };
  }

  /**
   * Takes one of the places of those whose answer takes its time; returns the way to give it back. Null when answers
   * are quick, and for a browser that has signed in before: its guesses are few.
   * @throws AppError RATE_LIMITED when all are taken
   */
  wait(device: string | null): (() => void) | null {
    if (!this.isSlow || this.isKnown(device)) return null;
    if (this.#slow >= MOST_SLOW) {
      const message = "Too many wrong passwords come in at this moment. Try again in a few seconds.";
      throw new AppError("RATE_LIMITED", message, { retry_after_seconds: SLOW_MS / 1000 });
    }
    this.#slow++;
    return () => {
      this.#slow--;
    };
  }
}

function rateLimited(seconds: number): AppError {
  const minutes = Math.ceil(seconds / 60);
  const message = `Too many failed attempts. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
  return new AppError("RATE_LIMITED", message, { retry_after_seconds: seconds });
}
