import { AppError } from "../../domain/answers/errors.ts";
import { hasKeyInQuery, isKeyText } from "../../domain/keys/access_key.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Admission, Session, User } from "../request/admitted_user.ts";
import type { HttpApp } from "../request/http_app.ts";
import { type Caller, LONGEST_BODY, LONGEST_FORM, type RequestContext } from "../request/request_context.ts";
import { redirect } from "../request/respond.ts";
import { type Access, needsSignIn, type RouteAddress } from "../request/route.ts";
import { csrfHolds } from "./csrf.ts";
import { isFromElsewhere } from "./foreign_origin.ts";
import { admittedByKey, type KeyParts, keyGiven } from "./key_access.ts";
import { checkPermission, mayCall } from "./permissions.ts";
import { proxyRole, proxyUser } from "./proxy_user.ts";
import { pageOf, signInPath } from "./return_path.ts";

const UNSAFE: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const FIRST_RUN = "/first-run";
/** Pages that can be read while no password is set: choosing it, and what the guide says of that. */
const BEFORE_PASSWORD = /^\/(first-run|help\/[\w-]+)$/;
const FOREIGN =
  "The request came from a page of another site. Where a proxy is in front, it has to pass on the Host header as it was.";

/**
 * Decides if a request may go on. In this order it checks the client and what it may do, the origin of a change, the
 * size of its body, and the token of its own browser. A request with a key needs no token: no browser sends a key by
 * itself.
 * @returns null when it may, or the answer that leads to the sign-in page
 * @throws AppError AUTH_REQUIRED, SCOPE, READ_ONLY, RATE_LIMITED, BODY_TOO_LARGE, CSRF_FAILED
 */
export async function checkAccess(
  context: RequestContext,
  route: RouteAddress,
  app: HttpApp,
): Promise<Response | null> {
  if (route.access === "open") return null;
  const { auth } = app.settings.current;
  // The first password has to be chosen before anything else.
  const key = isFirstRun(auth) ? null : keyGiven(context, auth);
  // Links are for everyone: a token of another service that comes along is none of theirs.
  if (key !== null && (route.access !== "link" || isKeyText(key))) {
    context.comesByKey();
    await admitKey(context, key, route.access, app);
    context.checkLength(route.longestBody ?? LONGEST_BODY);
    return null;
  }
  if (route.access === "link") {
    if (!UNSAFE.has(context.request.method)) return null;
    if (isFromElsewhere(context)) throw new AppError("CSRF_FAILED", FOREIGN);
    context.checkLength(route.longestBody ?? LONGEST_FORM);
    return null;
  }
  // In proxy mode the sign-in pages are for those the proxy lets in: they could set the password there.
  if (needsSignIn(route.access) || auth.mode === "proxy") {
    const admission = authenticate(context, app);
    if (admission === null) return refusalOf(context, route, auth);
    admit(context, admission, route, app);
  } else if (isFirstRun(auth) && !BEFORE_PASSWORD.test(route.path)) {
    return redirect(FIRST_RUN);
  }
  if (!UNSAFE.has(context.request.method)) return null;
  if (isFromElsewhere(context)) throw new AppError("CSRF_FAILED", FOREIGN);
  context.checkLength(route.longestBody ?? (route.access === "sign-in-page" ? LONGEST_FORM : LONGEST_BODY));
  if (!(await csrfHolds(context, app))) throw new AppError("CSRF_FAILED", csrfMessage(context, app));
  return null;
}

/**
 * Lets in a program with a key, until it is revoked.
 * @throws AppError AUTH_REQUIRED, RATE_LIMITED, SCOPE
 */
export async function admitKey(
  context: RequestContext,
  given: string,
  access: Exclude<Access, "open">,
  app: KeyParts,
): Promise<void> {
  const admission = await admittedByKey(context, given, app);
  context.admit(admission, () => admission.key !== null && app.keys.has(admission.key));
  checkPermission(admission.user, access);
}

/** @throws AppError READ_ONLY */
function admit(context: RequestContext, admission: Admission, { access, method }: RouteAddress, app: HttpApp): void {
  // The password is all that can be changed on the sign-in pages in proxy mode.
  const asked = access === "sign-in-page" && method !== "GET" ? "signed-in" : access;
  if (asked === "open") return;
  context.admit(admission, () => {
    const now = authenticate(context, app);
    return now !== null && mayCall(now.user, asked);
  });
  checkPermission(admission.user, asked);
}

/** Refuses a key in an address, which stands in histories and in the logs of proxies. @throws AppError AUTH_REQUIRED */
export function checkQuery(context: Caller): void {
  if (!hasKeyInQuery(context.request.url)) return;
  const message =
    "A key belongs in the header Authorization or X-API-Key, never in the address. Revoke this one: addresses are written to logs.";
  throw new AppError("AUTH_REQUIRED", message);
}

/** Finds the user by the sign-in mode of this moment; null for none. Called again while a stream is open. */
export function authenticate(context: Caller, app: Pick<HttpApp, "settings" | "sessions">): Admission | null {
  const { auth } = app.settings.current;
  switch (auth.mode) {
    case "none":
      return admissionOf("anonymous", "none");
    case "proxy": {
      const name = proxyUser(context, auth);
      return name === null ? null : admissionOf(name, "proxy", proxyRole(context, auth));
    }
    case "login": {
      const session = auth.password_hash === "" ? null : app.sessions.of(context);
      return session && admissionOf(session.user, "login", session.role, session);
    }
  }
}

function admissionOf(
  name: string,
  mode: User["mode"],
  role: Session["role"] = "admin",
  session: Session | null = null,
): Admission {
  return { user: { name, mode, role, scope: null }, session, key: null };
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
  const { url, request, isFragment, base } = context;
  const signInPage = isFirstRun(auth)
    ? FIRST_RUN
    : signInPath(pageOf(url, request.headers.get("hx-current-url"), { isFragment, base }));
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
