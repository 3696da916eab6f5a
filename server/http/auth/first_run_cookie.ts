import type { HttpApp } from "../request/http_app.ts";
import type { RequestContext } from "../request/request_context.ts";
import { isSame, sign } from "../request/sessions.ts";

const COOKIE = "dashdock_welcome";
const SECONDS = 600;

/** Remembers for a while that this browser has set the password, so that the sign-in page can go on from there. */
export function setFirstRunCookie(context: RequestContext, app: Pick<HttpApp, "settings">): void {
  context.setCookie(COOKIE, mark(app), SECONDS);
}

/** True when the current password was just set from this browser. */
export function hasFirstRunCookie(context: RequestContext, app: Pick<HttpApp, "settings">): boolean {
  return context.cookies(COOKIE).some((cookie) => isSame(cookie, mark(app)));
}

/** Takes the cookie from a browser that has signed in. */
export function clearFirstRunCookie(context: RequestContext): void {
  if (context.cookies(COOKIE).length > 0) context.clearCookie(COOKIE);
}

/** Signed, because the sign-in page shows the user name to the browser that brings it. */
function mark({ settings }: Pick<HttpApp, "settings">): string {
  const { session_secret, password_hash } = settings.current.auth;
  return sign(session_secret, "welcome", password_hash);
}
