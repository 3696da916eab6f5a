import type { Clock } from "../clock.ts";
import type { SettingsFile } from "../store/settings_file.ts";
import type { Passwords } from "./password.ts";
import { isSame } from "./session.ts";
import type { Throttle } from "./throttle.ts";

/** A failure takes at least this long, so that neither its time nor its number tells anything. */
const FAILURE_MS = 1500;

export interface SignInParts {
  readonly clock: Clock;
  readonly settings: SettingsFile;
  readonly throttle: Throttle;
  readonly passwords: Passwords;
}

/** A name and a password as somebody typed them, and where from. */
export interface Claim {
  readonly address: string;
  readonly username: string;
  readonly password: string;
}

/**
 * Whether a claim is right. A wrong one answers late, whichever part of it was wrong.
 * @throws AppError RATE_LIMITED when the address has guessed too often, or when too many passwords wait to be checked
 */
export async function signIn(parts: SignInParts, { address, username, password }: Claim): Promise<boolean> {
  const started = parts.clock.elapsed();
  // Phone keyboards add a blank to the word they suggest.
  const isNamed = isSame(username.trim(), parts.settings.current.auth.username.trim());
  if (await checkPassword(parts, address, password, isNamed)) return true;
  await parts.clock.sleep(Math.max(0, FAILURE_MS - (parts.clock.elapsed() - started)));
  return false;
}

/**
 * Whether a password is the one in the settings, counted against the address. With `mayPass` false it is checked all the
 * same and counts as wrong.
 * @throws AppError RATE_LIMITED
 */
export async function checkPassword(
  { settings, throttle, passwords }: Omit<SignInParts, "clock">,
  address: string,
  password: string,
  mayPass = true,
): Promise<boolean> {
  const attempt = throttle.begin(address);
  try {
    const hash = settings.current.auth.password_hash;
    const matches = await passwords.verify(password, hash);
    // A password that was changed meanwhile is an old one.
    const isRight = matches && mayPass && settings.current.auth.password_hash === hash;
    if (isRight) attempt.succeed();
    return isRight;
  } catch (error) {
    attempt.withdraw();
    throw error;
  }
}
