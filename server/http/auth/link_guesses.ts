import type { Clock } from "../../clock.ts";
import { AppError } from "../../domain/answers/errors.ts";
import { guesserOf } from "../request/client_address.ts";
import { type Failure, GuessCount, WRONG_GUESS_MS } from "./guess_count.ts";
import type { Passwords } from "./password_hashing.ts";

const WITHIN_MS = 600_000;
/** Wrong passwords of one address for one link. */
const ADDRESS = { most: 10, withinMs: WITHIN_MS, remembered: 10_000 };
/** Those for one link from anywhere: addresses are cheap. */
const LINK = { most: 100, withinMs: WITHIN_MS, remembered: 1000 };

/** A password that was typed for a link. */
export interface LinkGuess {
  readonly link: string;
  readonly address: string;
  readonly password: string;
  readonly hash: string;
}

/** Checks passwords of links, and stops guessing: they are counted by link and address, apart from those of signing in. */
export class LinkGuesses {
  readonly #clock: Clock;
  readonly #passwords: Passwords;
  readonly #addresses: GuessCount;
  readonly #links: GuessCount;

  constructor({ clock, passwords }: { readonly clock: Clock; readonly passwords: Passwords }) {
    this.#clock = clock;
    this.#passwords = passwords;
    this.#addresses = new GuessCount(clock, ADDRESS);
    this.#links = new GuessCount(clock, LINK);
  }

  /** Seconds for which no further guess is looked at; 0 when one may be made. */
  lockedSeconds({ link, address }: Pick<LinkGuess, "link" | "address">): number {
    const ofAddress = this.#addresses.of(addressOf(link, address)).lockedSeconds;
    return Math.max(ofAddress, this.#links.of(link).lockedSeconds);
  }

  /**
   * True when a password is the link's. A guess is counted before it is looked at, so those that are made at the same
   * moment count like any others; a wrong one is answered late.
   * @throws AppError RATE_LIMITED after too many
   */
  async isRight(guess: LinkGuess): Promise<boolean> {
    const { link, address, password, hash } = guess;
    const locked = this.lockedSeconds(guess);
    if (locked > 0) throw tooMany(locked);
    const started = this.#clock.elapsed();
    const failure: Failure = { at: started };
    const from = addressOf(link, address);
    this.#addresses.add(from, failure);
    this.#links.add(link, failure);
    const withdraw = () => {
      this.#addresses.remove(from, failure);
      this.#links.remove(link, failure);
    };
    const isRight = await this.#passwords.verify(password, hash).catch((error: unknown) => {
      withdraw();
      throw error;
    });
    if (isRight) {
      withdraw();
      this.#addresses.forget(from);
      return true;
    }
    const left = WRONG_GUESS_MS - (this.#clock.elapsed() - started);
    if (left > 0) await this.#clock.sleep(left);
    return false;
  }
}

function addressOf(link: string, address: string): string {
  return `${link} ${guesserOf(address)}`;
}

function tooMany(seconds: number): AppError {
  const minutes = Math.ceil(seconds / 60);
  const message = `Too many wrong passwords. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
  return new AppError("RATE_LIMITED", message, { retry_after_seconds: seconds });
}
