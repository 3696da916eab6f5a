import { AppError } from "../../domain/answers/errors.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Admission } from "../request/admitted_user.ts";
import type { HttpApp } from "../request/http_app.ts";
import { type Caller, LONGEST_BODY, LONGEST_FORM, type RequestContext } from "../request/request_context.ts";
import { redirect } from "../request/respond.ts";
import type { RouteAddress } from "../request/route.ts";
import { csrfHolds } from "./csrf.ts";
import { isFromElsewhere } from "./foreign_origin.ts";
import { proxyUser } from "./proxy_user.ts";
import { pageOf, signInPath } from "./return_path.ts";

const UNSAFE: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const FIRST_RUN = "/first-run";
/** Pages that can be read while no password is set: choosing it, and what the guide says of that. */
const BEFORE_PASSWORD = /^\/(first-run|help\/[\w-]+)$/;
const FOREIGN =
  "The request came from a page of another site. Where a proxy is in front, it has to pass on the Host header as it was.";

/**
 * Decides if a request may go on. In this order it checks the client, the origin of a change, the size of its body, and
 * the token of its own browser.
 * @returns null when it may, or the answer that leads to the sign-in page
 * @throws AppError AUTH_REQUIRED, BODY_TOO_LARGE, CSRF_FAILED
 */
export async function checkAccess(
  context: RequestContext,
  route: RouteAddress,
  app: HttpApp,
): Promise<Response | null> {
  if (route.access === "open") return null;
  if (route.access === "link") {
    if (!UNSAFE.has(context.request.method)) return null;
    if (isFromElsewhere(context)) throw new AppError("CSRF_FAILED", FOREIGN);
    context.checkLength(route.longestBody ?? LONGEST_FORM);
    return null;
  }
  const { auth } = app.settings.current;
  // In proxy mode the sign-in pages are for those the proxy lets in: they could set the password there.
  if (route.access === "signed-in" || auth.mode === "proxy") {
    const admission = authenticate(context, app);
    if (admission === null) return refusalOf(context, route, auth);
    context.admit(admission, () => authenticate(context, app) !== null);
  } else if (isFirstRun(auth) && !BEFORE_PASSWORD.test(route.path)) {
    return redirect(FIRST_RUN);
  }
  if (!UNSAFE.has(context.request.method)) return null;
  if (isFromElsewhere(context)) throw new AppError("CSRF_FAILED", FOREIGN);
  context.checkLength(route.longestBody ?? (route.access === "sign-in-page" ? LONGEST_FORM : LONGEST_BODY));
  if (!(await csrfHolds(context, app))) throw new AppError("CSRF_FAILED", csrfMessage(context, app));
  return null;
}

/** Finds the user by the sign-in mode of this moment; null for none. Called again while a stream is open. */
export function authenticate(context: Caller, app: Pick<HttpApp, "settings" | "sessions">): Admission | null {
  const { auth } = app.settings.current;
  switch (auth.mode) {
    case "none":
      return { user: { name: "anonymous", mode: "none" }, session: null };
    case "proxy": {
      const name = proxyUser(context, auth);
      return name === null ? null : { user: { name, mode: "proxy" }, session: null };
    }
    case "login": {
      const session = auth.password_hash === "" ? null : app.sessions.of(context);
      return session && { user: { name: session.user, mode: "login" }, session };
    }
  }
}

/** True when the next visitor chooses the password. */
export function isFirstRun(auth: Settings["auth"]): boolean {
  return auth.mode === "login" && auth.password_hash === "";
}

function refusalOf(context: RequestContext, route: RouteAddress, auth: Settings["auth"]): Response {
  if (context.isApi) throw new AppError("AUTH_REQUIRED", "authentication required");
  if (auth.mode === "proxy") {
    const message = "Sign-in happens at the proxy in front of this service. Open the service through it.";
    throw new AppError("AUTH_REQUIRED", message, { mode: auth.mode });
  }
  if (/^\/(media\/|links\/:id\/)/.test(route.path)) throw new AppError("AUTH_REQUIRED", "Sign in to see recordings.");
  const { url, request, isFragment } = context;
  const signInPage = isFirstRun(auth)
    ? FIRST_RUN
    : signInPath(pageOf(url, request.headers.get("hx-current-url"), isFragment));
  return isFragment
    ? new Response(null, { status: 401, headers: { "hx-redirect": signInPage } })
    : redirect(signInPage);
}

function csrfMessage(context: RequestContext, app: HttpApp): string {
  // Cookies are then marked Secure, and a browser on plain HTTP throws them away.
  if (app.trustProxy && !context.isHttps && !context.isApi) {
    return "Your browser did not keep a cookie of this service, which is set up to be used over HTTPS. Open it with https:// through its proxy.";
  }
  return "The request did not carry the token of this browser's session. Load the page again and repeat it.";
}
