/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import type { App } from "../app.ts";
import type { AppError } from "../domain/errors.ts";
import { csrfToken } from "../http/csrf.ts";
import { nextPage } from "../http/next_page.ts";
import { html, redirect, refusalHeaders, statusOf } from "../http/respond.ts";
import { signIn } from "../http/sign_in.ts";
import type { Visit } from "../http/visit.ts";

const LOGGER = "auth";
/** The same whether the name or the password was wrong. */
const WRONG = "The user name or the password is wrong.";

/** `GET /login`. */
export function showLogin(visit: Visit, app: App): Response {
  const token = csrfToken(visit, app);
  if (app.settings.current.auth.mode !== "login") return html(page(<NoSignIn token={token} />));
  return html(page(<LoginForm token={token} username="" next={nextPage(visit.url.searchParams.get("next"))} />));
}

/** `POST /login`. */
export async function submitLogin(visit: Visit, app: App): Promise<Response> {
  const form = await visit.form();
  const next = nextPage(form.get("next"));
  const { auth } = app.settings.current;
  if (auth.mode !== "login") return redirect(next);
  const username = form.get("username") ?? "";
  if (await signIn(app, { address: visit.address, username, password: form.get("password") ?? "" })) {
    app.sessions.begin(visit, auth.username);
    app.log.info(LOGGER, `Signed in from ${visit.address}`);
    return redirect(next);
  }
  // Not the name: people type their password into the wrong field.
  app.log.warning(LOGGER, `A sign-in from ${visit.address} failed`);
  return html(page(<LoginForm token={csrfToken(visit, app)} username={username} next={next} error={WRONG} />), {
    status: 401,
  });
}

/** The form again, with what is in the way: too many attempts, or a page that was opened before the cookie changed. */
export async function refuseLogin(error: AppError, visit: Visit, app: App): Promise<Response | null> {
  if (error.code !== "CSRF_FAILED" && error.code !== "RATE_LIMITED") return null;
  const form = await visit.form();
  const typed = { username: form.get("username") ?? "", next: nextPage(form.get("next")) };
  return html(page(<LoginForm token={csrfToken(visit, app)} {...typed} error={error.message} />), {
    status: statusOf(error.code),
    headers: refusalHeaders(error),
  });
}

/** `POST /logout`. */
export async function signOut(visit: Visit, app: App): Promise<Response> {
  await app.sessions.end(visit);
  return redirect("/login");
}

interface LoginProps {
  readonly token: string;
  readonly username: string;
  readonly next: string;
  readonly error?: string;
}

function LoginForm({ token, username, next, error }: LoginProps) {
  const described = error === undefined ? {} : { "aria-describedby": "login-error", "aria-invalid": true };
  return (
    <Door title="Sign in" token={token}>
      <Problem id="login-error" text={error} />
      <form method="post" action="/login">
        <input type="hidden" name="csrf_token" value={token} />
        <input type="hidden" name="next" value={next} />
        <p>
          <label for="username">User name</label>
          <input
            id="username"
            name="username"
            type="text"
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            required
            autofocus={username === ""}
            value={username}
            {...described}
          />
        </p>
        <p>
          <label for="password">Password</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            required
            autofocus={username !== ""}
            {...described}
          />
        </p>
        <p>
          <button type="submit">Sign in</button>
        </p>
      </form>
    </Door>
  );
}

function NoSignIn({ token }: { readonly token: string }) {
  return (
    <Door title="No sign-in needed" token={token}>
      <p>This service does not ask for a password itself.</p>
      <p>
        <a href="/">Go to the dashboard</a>
      </p>
    </Door>
  );
}

/** What is wrong, read out when the page loads; nothing when nothing is. */
export function Problem({ id, text }: { readonly id: string; readonly text: string | undefined }) {
  return text === undefined ? null : (
    <p id={id} role="alert">
      {text}
    </p>
  );
}

interface DoorProps {
  readonly title: string;
  readonly token: string;
  readonly children: ComponentChildren;
}

/** The document of the pages in front of the sign-in: no navigation and no version. */
export function Door({ title, token, children }: DoorProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="csrf-token" content={token} />
        <title>{`${title} · Dashdock`}</title>
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
  );
}

/** The text of a whole document. */
export function page(document: Parameters<typeof renderToString>[0]): string {
  return `<!doctype html>${renderToString(document)}`;
}
