/** @jsxImportSource preact */
import * as v from "valibot";
import type { App } from "../app.ts";
import type { AppError } from "../domain/errors.ts";
import { SECTIONS } from "../domain/settings.ts";
import { csrfToken } from "../http/csrf.ts";
import { LONGEST_PASSWORD, passwordProblem, SHORTEST_PASSWORD } from "../http/password.ts";
import { html, redirect, refusalHeaders, statusOf } from "../http/respond.ts";
import type { Visit } from "../http/visit.ts";
import { Door, Problem, page } from "./login.tsx";

const LOGGER = "auth";
const USERNAME = SECTIONS.auth.fields.username;

/** `GET /first-run`. */
export function showFirstRun(visit: Visit, app: App): Response {
  if (hasPassword(app)) return redirect("/login");
  const { username } = app.settings.current.auth;
  return html(page(<FirstRunForm token={csrfToken(visit, app)} username={username} problems={{}} />));
}

/** `POST /first-run`. */
export async function submitFirstRun(visit: Visit, app: App): Promise<Response> {
  if (hasPassword(app)) return redirect("/login");
  const form = await visit.form();
  const username = form.get("username")?.trim() || USERNAME.initial;
  const password = form.get("password") ?? "";
  const problems = problemsOf(username, password, form.get("confirm") ?? "");
  if (Object.keys(problems).length > 0) {
    const token = csrfToken(visit, app);
    return html(page(<FirstRunForm token={token} username={username} problems={problems} />), { status: 400 });
  }
  const password_hash = await app.passwords.hash(password);
  const after = await app.settings.update((latest) =>
    // Of two visitors at once the first has it; the other is sent to sign in.
    latest.auth.password_hash === "" ? { ...latest, auth: { ...latest.auth, username, password_hash } } : latest,
  );
  if (after.auth.password_hash === password_hash) {
    app.log.info(LOGGER, `The password was set for the first time, from ${visit.address}`);
  }
  return redirect("/login");
}

/** The form again, with what is in the way. */
export async function refuseFirstRun(error: AppError, visit: Visit, app: App): Promise<Response | null> {
  if (error.code === "BODY_TOO_LARGE" || error.code === "AUTH_REQUIRED") return null;
  if (hasPassword(app)) return redirect("/login");
  const username = (await visit.form()).get("username") ?? "";
  const problems = { form: error.message };
  return html(page(<FirstRunForm token={csrfToken(visit, app)} username={username} problems={problems} />), {
    status: statusOf(error.code),
    headers: refusalHeaders(error),
  });
}

function hasPassword(app: App): boolean {
  return app.settings.current.auth.password_hash !== "";
}

interface Problems {
  readonly form?: string;
  readonly username?: string;
  readonly password?: string;
  readonly confirm?: string;
}

function problemsOf(username: string, password: string, confirm: string): Problems {
  const name = v.safeParse(USERNAME.check, username);
  const weak = passwordProblem(password);
  return {
    ...(name.success ? {} : { username: `The user name ${name.issues[0].message}.` }),
    ...(weak === null ? {} : { password: weak }),
    // Only worth saying once the password itself would do.
    ...(weak === null && confirm !== password ? { confirm: "The two passwords are not the same." } : {}),
  };
}

interface FirstRunProps {
  readonly token: string;
  readonly username: string;
  readonly problems: Problems;
}

function FirstRunForm({ token, username, problems }: FirstRunProps) {
  return (
    <Door title="Choose a password" token={token}>
      <p>This service has no password yet. The one you choose here protects your recordings and settings.</p>
      <Problem id="form-error" text={problems.form} />
      <form method="post" action="/first-run">
        <input type="hidden" name="csrf_token" value={token} />
        <p>
          <label for="username">User name</label>
          <input
            id="username"
            name="username"
            type="text"
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            value={username}
            {...described(problems.username, "username-error")}
          />
        </p>
        <Problem id="username-error" text={problems.username} />
        <p>
          <label for="password">Password</label>
          <PasswordInput name="password" autofocus {...described(problems.password, "password-error password-hint")} />
        </p>
        <Problem id="password-error" text={problems.password} />
        <p id="password-hint">At least {SHORTEST_PASSWORD} characters. A few words are fine.</p>
        <p>
          <label for="confirm">The same password again</label>
          <PasswordInput name="confirm" {...described(problems.confirm, "confirm-error")} />
        </p>
        <Problem id="confirm-error" text={problems.confirm} />
        <p>
          <button type="submit">Create account</button>
        </p>
      </form>
    </Door>
  );
}

interface PasswordInputProps extends Described {
  readonly name: string;
  readonly autofocus?: boolean;
}

function PasswordInput({ name, autofocus = false, ...rest }: PasswordInputProps) {
  return (
    <input
      id={name}
      name={name}
      type="password"
      autocomplete="new-password"
      minLength={SHORTEST_PASSWORD}
      maxLength={LONGEST_PASSWORD}
      required
      autofocus={autofocus}
      {...rest}
    />
  );
}

interface Described {
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: boolean;
}

/** Ties a field to the text about it. */
function described(problem: string | undefined, ids: string): Described {
  if (problem !== undefined) return { "aria-describedby": ids, "aria-invalid": true };
  const hints = ids.split(" ").filter((id) => id.endsWith("-hint"));
  return hints.length === 0 ? {} : { "aria-describedby": hints.join(" ") };
}
