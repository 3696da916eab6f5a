import type { Clock } from "../../clock.ts";
import { withoutDirectionMarks } from "../../domain/text/direction_marks.ts";
import type { SettingsSource } from "../../store/config/settings_source.ts";
import { isSame } from "../request/sessions.ts";
import { WRONG_GUESS_MS } from "./guess_count.ts";
import type { Passwords } from "./password_hashing.ts";
import { type SignInThrottle, SLOW_MS } from "./sign_in_throttle.ts";

export interface SignInParts {
  readonly clock: Clock;
  readonly settings: SettingsSource;
  readonly throttle: SignInThrottle;
  readonly passwords: Passwords;
}

/** Origin of a guess: its address, and its browser if that has signed in before. */
export interface Origin {
  readonly address: string;
  readonly device: string | null;
}

/** A name and a password as they were typed, and where from. */
export interface Credentials extends Origin {
  readonly username: string;
  readonly password: string;
}

/**
 * True when name and password are right. Wrong ones are answered late, whichever of the two was wrong. While many are
 * wrong, right ones are late, too, or a guesser would not wait for the others.
 * @throws AppError RATE_LIMITED when the address has guessed too often, or when too many passwords wait to be checked
 */
export async function signIn(parts: SignInParts, { username, password, ...origin }: Credentials): Promise<boolean> {
  const { clock, settings, throttle } = parts;
  // The command `password` may have just written a new one, with which all locks end.
  await settings.refresh();
  throttle.check(origin.address, origin.device);
  const giveBack = throttle.wait(origin.device);
  const started = clock.elapsed();
  try {
    // Phone keyboards add a blank to the word they suggest; the name in the settings has no direction marks.
    const isNamed = isSame(withoutDirectionMarks(username).trim(), settings.current.auth.username.trim());
    const { password_hash: hash } = settings.current.auth;
    const isRight = await checkPassword(parts, origin, password, isNamed);
    const lasts = giveBack === null ? (isRight ? 0 : WRONG_GUESS_MS) : SLOW_MS;
    const left = lasts - (clock.elapsed() - started);
    if (left > 0) await clock.sleep(left);
    // The session that begins now is of the password that holds now.
    return isRight && settings.current.auth.password_hash === hash;
  } finally {
    giveBack?.();
  }
}

/**
 * True when a password is the one in the settings. It counts against the origin. With `mayPass` false it is checked all
 * the same and counts as wrong.
 * @throws AppError RATE_LIMITED
 */
export async function checkPassword(
  { settings, throttle, passwords }: Omit<SignInParts, "clock">,
  { address, device }: Origin,
  password: string,
  mayPass = true,
): Promise<boolean> {
  const attempt = throttle.begin(address, device);
  try {
    const hash = settings.current.auth.password_hash;
    const matches = await passwords.verify(password, hash, throttle.isKnown(device));
    // A password that was changed meanwhile is an old one.
    const isRight = matches && mayPass && settings.current.auth.password_hash === hash;
    if (isRight) attempt.succeed();
    return isRight;
  } catch (error) {
    attempt.withdraw();
    throw error;
  }
}
