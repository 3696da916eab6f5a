import * as v from "valibot";
import type { App } from "../app.ts";
import { text } from "../domain/answers/answer_fields.ts";
import { AppError } from "../domain/answers/errors.ts";
import { filledProblem } from "../domain/settings/field_kinds.ts";
import { LONGEST_PASSWORD, passwordProblem, SHORTEST_PASSWORD } from "../domain/settings/password_length.ts";
import { ME, SESSIONS } from "../domain/settings/settings_schema.ts";
import { withoutDirectionMarks } from "../domain/text/direction_marks.ts";
import { deviceOf, rememberDevice } from "../http/auth/device_cookie.ts";
import { checkPassword } from "../http/auth/sign_in.ts";
import { signedIn } from "../http/auth/signed_in.ts";
import { refusedAs } from "../http/request/read_request.ts";
import { SESSION_COOKIE } from "../http/request/sessions.ts";
import { type Endpoint, endpoint, NOT_SAVED } from "./endpoint.ts";

const LOGGER = "auth";

type Parts = Pick<App, "clock" | "log" | "settings" | "sessions" | "throttle" | "passwords">;

const PASSWORDS = v.pipe(
  v.object({
    current_password: v.optional(v.string("current_password must be a string"), ""),
    new_password: v.pipe(
      v.optional(v.string("new_password must be a string"), ""),
      // Judged once the current one has been: WEAK_PASSWORD.
      v.metadata({ minLength: SHORTEST_PASSWORD, maxLength: LONGEST_PASSWORD }),
    ),
  }),
  refusedAs("VALIDATION_ERROR", undefined, "Both passwords must be strings"),
);

export const me = endpoint({
  summary: "Who is signed in, and how",
  shape: ME,
  returns: "`anonymous` in the mode `none`",
  answer({ context: { user } }, _app: unknown) {
    if (user === null) throw new AppError("AUTH_REQUIRED", "Sign in first");
    const { name: username, mode, role, scope } = user;
    return { username, mode, role, ...(scope !== null && { scope }) };
  },
});

const change = endpoint({
  summary: "Changes the password",
  description: "All other sessions end; the caller's is issued again.",
  body: PASSWORDS,
  shape: v.object({ applied: v.literal(true) }),
  returns: "Changed",
  errors: ["RATE_LIMITED", "INVALID_CURRENT_PASSWORD", "WEAK_PASSWORD", ...NOT_SAVED],
  async answer({ context, body: { current_password: current, new_password: wanted } }, app: Parts) {
    const { settings, passwords, throttle, log } = app;
    const origin = { address: context.address, device: deviceOf(context, app) };
    const before = settings.current.auth.password_hash;
    if (!(await checkPassword({ settings, throttle, passwords }, origin, current))) throw wrongPassword();
    const problem = passwordProblem(wanted);
    if (problem !== null) throw weakPassword(wanted, problem);
    const hash = await passwords.hash(wanted, throttle.isKnown(origin.device));
    await settings.update((latest) => {
      // Another browser changed the password while this one was checked.
      if (latest.auth.password_hash !== before) throw wrongPassword();
      return { ...latest, auth: { ...latest.auth, password_hash: hash } };
    });
    app.sessions.renew(context);
    rememberDevice(context, app);
    log.info(LOGGER, `The password was changed from ${context.address}: all other sessions have ended`);
    return { applied: true } as const;
  },
});

export const changePassword: Endpoint<Parts> = {
  ...change,
  // A locked address is told nothing else, not even what is wrong with its body.
  handle(context, app) {
    app.throttle.check(context.address, deviceOf(context, app));
    return change.handle(context, app);
  },
};

const ACCOUNT = v.pipe(
  v.object({
    username: v.pipe(v.string("username must be a string"), v.description("Empty removes the account")),
    password: v.optional(v.string("password must be a string"), ""),
  }),
  refusedAs("VALIDATION_ERROR", undefined, "Name and password must be strings"),
);

export const setViewer = endpoint({
  summary: "Sets the account that may look and save, and change nothing",
  description: "Its sessions end. With an empty name it is removed.",
  body: ACCOUNT,
  shape: v.object({ applied: v.literal(true) }),
  returns: "Set, or removed",
  errors: ["RATE_LIMITED", "VALIDATION_ERROR", "WEAK_PASSWORD", ...NOT_SAVED],
  async answer({ context, body }, app: Parts) {
    const name = withoutDirectionMarks(body.username).trim();
    const problem = name === "" ? null : viewerProblem(name, app.settings.current.auth.username);
    if (problem !== null)
      throw new AppError("VALIDATION_ERROR", problem, { field_errors: [{ path: "username", message: problem }] });
    const weak = name === "" ? null : passwordProblem(body.password);
    if (weak !== null) throw weakPassword(body.password, weak, "password");
    const viewer_password_hash = name === "" ? "" : await app.passwords.hash(body.password, true);
    await app.settings.update((latest) => ({
      ...latest,
      auth: { ...latest.auth, viewer_username: name, viewer_password_hash },
    }));
    const done = name === "" ? "removed" : "set";
    app.log.info(LOGGER, `The account that may only look was ${done} from ${context.address}; its sessions have ended`);
    return { applied: true } as const;
  },
});

/** The fault of a name for the account to watch only, as a sentence, or null. */
function viewerProblem(name: string, admin: string): string | null {
  if (name === admin.trim()) return "This is your own user name. Choose another one.";
  const problem = filledProblem(name);
  return problem === null ? null : `This user name cannot be used: ${problem}.`;
}

export const endSessions = endpoint({
  summary: "Ends every session, the caller's included",
  shape: v.object({ rotated: v.literal(true), restart_required: v.literal(false) }),
  returns: "Ended",
  errors: NOT_SAVED,
  async answer({ context }, app: Parts) {
    // The settings file puts a new secret in the place of an empty one.
    await app.settings.update((latest) => ({ ...latest, auth: { ...latest.auth, session_secret: "" } }));
    context.clearCookie(SESSION_COOKIE);
    app.log.info(LOGGER, `All sessions were ended from ${context.address}`);
    return { rotated: true, restart_required: false } as const;
  },
});

export const listSessions = endpoint({
  summary: "The browsers that are signed in, the one that was here last first",
  shape: SESSIONS,
  returns: "Empty where nobody signs in with a password",
  answer({ context }, app: Parts) {
    return { sessions: signedIn(app.sessions.all, context.session?.id) };
  },
});

export const endSession = endpoint({
  summary: "Ends the session of one browser, its live views and downloads too",
  params: v.object({ id: text("As the list of sessions has it") }),
  shape: v.object({ ended: v.literal(true) }),
  returns: "Ended",
  errors: ["NOT_FOUND"],
  async answer({ context, params }, app: Parts) {
    if (!(await app.sessions.endOne(params.id)))
      throw new AppError("NOT_FOUND", "This browser is not signed in any more.");
    app.log.info(LOGGER, `A browser was signed out from ${context.address}`);
    return { ended: true } as const;
  },
});

function wrongPassword(): AppError {
  return new AppError("INVALID_CURRENT_PASSWORD", "The current password is wrong");
}

function weakPassword(wanted: string, message: string, path = "new_password"): AppError {
  const code = [...wanted].length > LONGEST_PASSWORD ? "VALIDATION_ERROR" : "WEAK_PASSWORD";
  return new AppError(code, message, { field_errors: [{ path, message }] });
}
