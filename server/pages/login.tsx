/** @jsxImportSource preact */

import * as v from "valibot";
import type { LoginProblem } from "../../islands/sign_in/login_form.tsx";
import SignInForm from "../../islands/sign_in.tsx";
import type { App } from "../app.ts";
import { type AppError, ERRORS } from "../domain/answers/errors.ts";
import { csrfToken } from "../http/auth/csrf.ts";
import { deviceOf, rememberDevice } from "../http/auth/device_cookie.ts";
import { clearFirstRunCookie, hasFirstRunCookie } from "../http/auth/first_run_cookie.ts";
import { briefly, nextPage } from "../http/auth/return_path.ts";
import { signIn } from "../http/auth/sign_in.ts";
import { LOCKED_MINUTES, type ThrottleState } from "../http/auth/sign_in_throttle.ts";
import { readForm, readQuery, TYPED } from "../http/request/read_request.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { type Extras, html, redirect, refusalHeaders } from "../http/request/respond.ts";
import { page } from "./document.tsx";
import { Island } from "./island.tsx";
import { PlainDocument } from "./plain_document.tsx";

const LOGGER = "auth";
const NEXT = v.pipe(v.nullable(v.string()), v.transform(nextPage));
const ASKED = v.object({ next: NEXT });
const SENT = v.object({ next: NEXT, username: TYPED, password: TYPED });
/** The same whether the name or the password was wrong. */
const WRONG = "User name or password is wrong";
const WELCOME = "To see this machine’s recordings.";
const NOT_TAKEN = "Dashdock did not accept your entry. Sign in again in a moment.";
const GO_ON = "Sign in to go on.";

type Parts = Pick<App, "clock" | "log" | "settings" | "sessions" | "throttle" | "passwords">;

/** `GET /login`. */
export function showLogin(context: RequestContext, app: Parts): Response {
  const { next } = readQuery(context, ASKED);
  const { auth } = app.settings.current;
  if (auth.mode !== "login" || app.sessions.of(context) !== null) return redirect(next);
  const { lockedSeconds } = app.throttle.standingOf(context.address, deviceOf(context, app));
  const problem = lockedSeconds > 0 ? locked(lockedSeconds, "Too many failed attempts") : null;
  if (hasFirstRunCookie(context, app))
    return form(context, app, { username: auth.username, next, problem, intro: passwordSet(app) });
  const intro = next === "/" ? WELCOME : GO_ON;
  return form(context, app, { username: "", next, problem, intro });
}

/** The step between the two of the first run. */
function passwordSet({ settings }: Parts): string {
  const isNext = settings.current.connection.address === "";
  return isNext ? "Password set. Sign in with it; the camera’s address comes next." : "Password set. Sign in with it.";
}

/** `POST /login`. */
export async function submitLogin(context: RequestContext, app: Parts): Promise<Response> {
  const { next, username, password } = await readForm(context, SENT);
  const { auth } = app.settings.current;
  if (auth.mode !== "login") return redirect(next);
  const origin = { address: context.address, device: deviceOf(context, app) };
  const role = await signIn(app, { ...origin, username, password });
  if (role !== null) {
    // Ended, so that a copy of this browser's former cookie is worth nothing.
    await app.sessions.end(context);
    // A name that the command `password` has just written counts already.
    const { username: admin, viewer_username: viewer } = app.settings.current.auth;
    app.sessions.begin(context, role === "viewer" ? viewer : admin, role);
    // Whose password is not the admin's gets no guesses of its own at it.
    if (role === "admin") rememberDevice(context, app);
    clearFirstRunCookie(context);
    app.log.info(LOGGER, `Signed in from ${context.address}`);
    return redirect(next);
  }
  // Not the name: people type their password into the wrong field.
  app.log.warning(LOGGER, `A sign-in from ${context.address} failed`);
  const problem = wrong(app.throttle.standingOf(origin.address, origin.device));
  return form(context, app, { username: briefly(username), next, problem, intro: WELCOME }, { status: 401 });
}

/** The form again, with the error: too many attempts, or a page that was opened before the cookie changed. */
export async function refuseLogin(error: AppError, context: RequestContext, app: Parts): Promise<Response | null> {
  if (!["CSRF_FAILED", "RATE_LIMITED", "STARTING"].includes(error.code)) return null;
  const { next, username } = await readForm(context, SENT);
  return form(
    context,
    app,
    { username: briefly(username), next, problem: problemOf(error), intro: WELCOME },
    { status: ERRORS[error.code].status, headers: refusalHeaders(error) },
  );
}

/** `POST /logout`. */
export async function signOut(context: RequestContext, app: Parts): Promise<Response> {
  await app.sessions.end(context);
  // Thumbnails and videos that the browser kept are not for the person who uses it next.
  return redirect("/login", { headers: { "clear-site-data": '"cache"' } });
}

/** The number of tries left does not reveal whether the name exists: they are counted by address. */
function wrong({ triesLeft, lockedSeconds, of }: ThrottleState): LoginProblem {
  if (lockedSeconds > 0) return locked(lockedSeconds, `${WRONG}. That was the last try`);
  const tries = triesLeft === 1 ? "1 try left" : `${triesLeft} tries left`;
  const words = `${tries}. After that, signing in from this ${of} is locked for ${LOCKED_MINUTES}\u00a0min.`;
  return { title: WRONG, words, lockedSeconds: 0 };
}

function locked(lockedSeconds: number, title: string): LoginProblem {
  const minutes = Math.ceil(lockedSeconds / 60);
  return { title, words: `Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`, lockedSeconds };
}

/** A refusal's message begins with what happened, and goes on with what to do. */
function problemOf({ code, message, details }: AppError): LoginProblem {
  if (code === "CSRF_FAILED") return { title: "Dashdock did not accept this", words: message, lockedSeconds: 0 };
  if (code === "STARTING") return { title: "Dashdock is starting", words: NOT_TAKEN, lockedSeconds: 0 };
  const [title = message, words = ""] = message.split(/\.\s(.*)/s);
  return { title, words, lockedSeconds: Number(details["retry_after_seconds"] ?? 0) };
}

interface Shown {
  readonly username: string;
  readonly next: string;
  readonly problem: LoginProblem | null;
  readonly intro: string;
}

function form(context: RequestContext, app: Parts, { intro, ...shown }: Shown, extras: Extras = {}): Response {
  const token = csrfToken(context, app);
  return html(
    page(
      <PlainDocument context={context} token={token} title="Sign in" islands={["sign_in"]}>
        <h1>Sign in</h1>
        <p>{intro}</p>
        <Island name="sign_in" of={SignInForm} props={{ form: "login", token, ...shown }} />
        <p class="later">
          <a href="/help/sign-in">Help with signing in</a>
        </p>
      </PlainDocument>,
    ),
    extras,
  );
}
