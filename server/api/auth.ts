import type { App } from "../app.ts";
import { AppError } from "../domain/api/errors.ts";
import { LONGEST_PASSWORD, passwordProblem } from "../domain/text/password_strength.ts";
import { deviceOf, rememberDevice } from "../http/auth/device_cookie.ts";
import { SESSION_COOKIE } from "../http/auth/sessions.ts";
import { checkPassword } from "../http/auth/sign_in.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { json } from "../http/listen/respond.ts";

const LOGGER = "auth";

type Parts = Pick<App, "clock" | "log" | "settings" | "sessions" | "throttle" | "passwords">;

/** `GET /api/auth/me`: who is signed in, and by which mode. */
export function me(context: RequestContext): Response {
  return json({ username: context.user?.name, mode: context.user?.mode });
}

/** `POST /api/auth/password`: a new password; every other session ends with the old one. */
export async function changePassword(context: RequestContext, app: Parts): Promise<Response> {
  const { settings, passwords, throttle, log } = app;
  const origin = { address: context.address, device: deviceOf(context, app) };
  throttle.check(origin.address, origin.device);
  const { current, wanted } = readPasswords(await context.json());
  const before = settings.current.auth.password_hash;
  if (!(await checkPassword({ settings, throttle, passwords }, origin, current))) throw wrongPassword();
  const problem = passwordProblem(wanted);
  if (problem !== null) throw weakPassword(wanted, problem);
  const hash = await passwords.hash(wanted);
  await settings.update((latest) => {
    // Somebody else was faster, and what was checked above is not the password any more.
    if (latest.auth.password_hash !== before) throw wrongPassword();
    return { ...latest, auth: { ...latest.auth, password_hash: hash } };
  });
  app.sessions.renew(context);
  rememberDevice(context, app);
  log.info(LOGGER, `The password was changed from ${context.address}: all other sessions have ended`);
  return json({ applied: true });
}

/** `DELETE /api/auth/sessions`: a new session secret, which ends every session, the caller's included. */
export async function endSessions(context: RequestContext, app: Parts): Promise<Response> {
  // The settings file puts a new secret in the place of an empty one.
  await app.settings.update((latest) => ({ ...latest, auth: { ...latest.auth, session_secret: "" } }));
  context.clearCookie(SESSION_COOKIE);
  app.log.info(LOGGER, `All sessions were ended from ${context.address}`);
  return json({ rotated: true, restart_required: false });
}

/** A field that is missing counts as empty. */
function readPasswords(body: Record<string, unknown>): { current: string; wanted: string } {
  const { current_password: current = "", new_password: wanted = "" } = body;
  if (typeof current === "string" && typeof wanted === "string") return { current, wanted };
  const wrong = Object.entries({ current_password: current, new_password: wanted }).filter(
    ([, value]) => typeof value !== "string",
  );
  const field_errors = wrong.map(([path]) => ({ path, message: `${path} must be a string` }));
  throw new AppError("VALIDATION_ERROR", "Both passwords must be strings", { field_errors });
}

function wrongPassword(): AppError {
  return new AppError("INVALID_CURRENT_PASSWORD", "The current password is wrong");
}

function weakPassword(wanted: string, message: string): AppError {
  const code = [...wanted].length > LONGEST_PASSWORD ? "VALIDATION_ERROR" : "WEAK_PASSWORD";
  return new AppError(code, message, { field_errors: [{ path: "new_password", message }] });
}
