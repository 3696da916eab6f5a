import type { Caller } from "../request/request_context.ts";
import { isSame, sign } from "../request/sessions.ts";
import type { SignInParts } from "./sign_in.ts";

/** Outlasts the session and signing out. It is no session: it only names the browser that a guess comes from. */
export const DEVICE_COOKIE = "dashdock_device";
const DAYS = 365;
const DAY_MS = 86_400_000;
/** A clock that is set back a little forgets no browser. */
const MOST_AHEAD_MS = 300_000;

type Parts = Omit<SignInParts, "passwords">;

/**
 * Returns the browser of a request, when it has signed in with the current password; null for all others. Among several
 * cookies, it takes the one that has guesses left: a neighbour on the same host may have added one.
 */
export function deviceOf(context: Caller, app: Parts): string | null {
  const known = context.cookies(DEVICE_COOKIE).flatMap((cookie) => read(cookie, app) ?? []);
  return known.find((id) => !app.throttle.isSpent(id)) ?? known[0] ?? null;
}

/** Gives the browser a mark with the answer, by which the next sign-in recognises it. */
export function rememberDevice(context: Caller, app: Parts): void {
  const known = deviceOf(context, app);
  // One whose guesses were used up by a thief would lock the new one as well.
  const id = known !== null && !app.throttle.isSpent(known) ? known : crypto.randomUUID();
  const issued = app.clock.now();
  context.setCookie(DEVICE_COOKIE, `${id}.${issued}.${mark(id, issued, app)}`, (DAYS * DAY_MS) / 1000);
}

function read(cookie: string, app: Parts): string | null {
  const [id = "", issued = "", signature = "", ...rest] = cookie.split(".");
  const age = app.clock.now() - Number(issued);
  if (rest.length > 0 || !(age < DAYS * DAY_MS && age >= -MOST_AHEAD_MS)) return null;
  return isSame(signature, mark(id, Number(issued), app)) ? id : null;
}

/** A new password ends it, and so does ending all sessions. */
function mark(id: string, issued: number, { settings }: Parts): string {
  const { session_secret, password_hash } = settings.current.auth;
  return sign(session_secret, "device", `${id}.${issued}.${password_hash}`);
}
