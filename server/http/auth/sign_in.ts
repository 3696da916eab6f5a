import type { Clock } from "../../clock.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { withoutDirectionMarks } from "../../domain/text/direction_marks.ts";
import type { SettingsSource } from "../../store/config/settings_source.ts";
import type { Session } from "../request/admitted_user.ts";
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
 * Returns whose name and password they are; null when they belong to no account. Wrong ones are answered late,
 * whichever of the two was wrong. While many are wrong, right ones are late, too, or a guesser would not wait for the
 * others.
 * @throws AppError RATE_LIMITED when the address has guessed too often, or when too many passwords wait to be checked
 */
export async function signIn(
  parts: SignInParts,
  { username, password, ...origin }: Credentials,
): Promise<Session["role"] | null> {
  const { clock, settings, throttle } = parts;
  // The command `password` may have just written a new one, with which all locks end.
  await settings.refresh();
  throttle.check(origin.address, origin.device);
  const giveBack = throttle.wait(origin.device);
  const started = clock.elapsed();
  try {
    // Phone keyboards add a blank to the word they suggest; the name in the settings has no direction marks.
    const { auth } = settings.current;
    const named = withoutDirectionMarks(username).trim();
    const isAdmin = isSame(named, auth.username.trim());
    const isViewer = isSame(named, auth.viewer_username.trim()) && auth.viewer_password_hash !== "" && named !== "";
    const role = isAdmin || !isViewer ? "admin" : "viewer";
    const isRight = await checkPassword(parts, origin, password, { role, mayPass: isAdmin || isViewer });
    const lasts = giveBack === null ? (isRight ? 0 : WRONG_GUESS_MS) : SLOW_MS;
    const left = lasts - (clock.elapsed() - started);
    if (left > 0) await clock.sleep(left);
    // The session that begins now is of the password that holds now.
    return isRight && isUnchanged(auth, settings.current.auth) ? role : null;
  } finally {
    giveBack?.();
  }
}

/** True when the passwords that a guess was about are those that hold now. */
function isUnchanged(before: Settings["auth"], now: Settings["auth"]): boolean {
  return before.password_hash === now.password_hash && before.viewer_password_hash === now.viewer_password_hash;
}

interface Guessed {
  readonly role: Session["role"];
  readonly mayPass: boolean;
}

/**
 * True when a password is that of the role in the settings. It counts against the origin. With `mayPass` false it is
 * checked all the same and counts as wrong. A right one of the account to watch only leaves the count as it is: who has
 * it could guess the admin's for ever.
 * @throws AppError RATE_LIMITED
 */
export async function checkPassword(
  { settings, throttle, passwords }: Omit<SignInParts, "clock">,
  { address, device }: Origin,
  password: string,
  { role, mayPass }: Guessed = { role: "admin", mayPass: true },
): Promise<boolean> {
  const attempt = throttle.begin(address, device);
  try {
    const hashNow = () => settings.current.auth[role === "viewer" ? "viewer_password_hash" : "password_hash"];
    const hash = hashNow();
    const matches = await passwords.verify(password, hash, throttle.isKnown(device));
    // A password that was changed meanwhile is an old one.
    const isRight = matches && mayPass && hashNow() === hash;
    if (isRight && role === "admin") attempt.succeed();
    else if (isRight) attempt.withdraw();
    return isRight;
  } catch (error) {
    attempt.withdraw();
    throw error;
  }
}
