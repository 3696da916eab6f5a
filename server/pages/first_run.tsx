/** @jsxImportSource preact */
import { renderToString } from "preact-render-to-string";
import * as v from "valibot";
import { ConfirmField } from "../../islands/sign_in/confirm_field.tsx";
import type { FirstRunProblems } from "../../islands/sign_in/set_password.ts";
import SignInForm from "../../islands/sign_in.tsx";
import type { App } from "../app.ts";
import { type AppError, ERRORS } from "../domain/answers/errors.ts";
import { DECIDE_LATER } from "../domain/retention/keep_choice.ts";
import { passwordProblem } from "../domain/settings/password_length.ts";
import { SECTIONS } from "../domain/settings/settings.ts";
import type { DeletionConsent } from "../engine/retention/deletion_consent.ts";
import { type FoundParts, foundRecordings } from "../engine/retention/found_recordings.ts";
import { csrfToken } from "../http/auth/csrf.ts";
import { codeHolds, isCodeAsked } from "../http/auth/first_run_code.ts";
import { setFirstRunCookie } from "../http/auth/first_run_cookie.ts";
import { briefly } from "../http/auth/return_path.ts";
import { readForm, TYPED } from "../http/request/read_request.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { type Extras, html, redirect, refusalHeaders } from "../http/request/respond.ts";
import { page } from "./document.tsx";
import { Island } from "./island.tsx";
import { openZone } from "./open_zone.ts";
import { PlainDocument } from "./plain_document.tsx";

const LOGGER = "auth";
/** The second step. */
const ADDRESS_STEP = "/?start";
const CONFIRM = renderToString(<ConfirmField />);
const USERNAME = SECTIONS.auth.fields.username;
const TIMEZONE = SECTIONS.schedule.fields.timezone;
const WRONG_CODE = "This is not the code. After ten wrong ones no more are taken from here for a quarter of an hour.";
const KEEP = SECTIONS.retention.fields.keep;
const SENT = v.object({
  username: TYPED,
  password: TYPED,
  confirm: TYPED,
  code: TYPED,
  keep: v.nullable(v.string(), DECIDE_LATER),
  timezone: v.nullable(v.string()),
});

/** The parts of the app that the first run needs. */
export type FirstRunApp = FoundParts &
  FormParts &
  Pick<App, "log" | "passwords" | "throttle" | "firstRunCode"> & {
    readonly retention: { readonly consent: Pick<DeletionConsent, "noteChoice" | "release"> };
  };
/** The parts that draw the form. */
type FormParts = Pick<App, "clock" | "settings" | "sessions" | "isZoneGiven">;

/** `GET /first-run`. */
export async function showFirstRun(context: RequestContext, app: FirstRunApp): Promise<Response> {
  if (hasPassword(app)) return redirect("/login");
  const { username } = app.settings.current.auth;
  return form(context, { app, opened: app }, { username, code: "" }, {});
}

/** `POST /first-run`. */
export async function submitFirstRun(context: RequestContext, app: FirstRunApp): Promise<Response> {
  if (hasPassword(app)) return redirect("/login");
  const { password, confirm, keep, code, timezone, ...sent } = await readForm(context, SENT);
  const username = sent.username.trim() || USERNAME.initial;
  const isAsked = isCodeAsked(context);
  const problems: FirstRunProblems = {
    ...(isAsked && code.trim() === "" ? { code: "Type the code that was printed at the start." } : {}),
    ...problemsOf(username, password, confirm, keep),
  };
  const again = (found: FirstRunProblems) =>
    form(context, { app, opened: app }, { username: briefly(username), keep, code: briefly(code) }, found, {
      status: 400,
    });
  if (Object.keys(problems).length > 0) return again(problems);
  // Last, so that what is wrong elsewhere costs none of the few tries.
  if (isAsked && !(await codeHolds(context, app, code))) return again({ code: WRONG_CODE });
  const password_hash = await app.passwords.hash(password);
  const after = await app.settings.update((latest) =>
    // The first of two visitors at once sets it; the other is sent to sign in.
    latest.auth.password_hash === "" ? { ...latest, auth: { ...latest.auth, username, password_hash } } : latest,
  );
  if (after.auth.password_hash === password_hash) {
    setFirstRunCookie(context, app);
    app.log.info(LOGGER, `The password was set for the first time, from ${context.address}`);
    // Unlike an initial value, a user's choice may delete what was here before.
    if (keep !== DECIDE_LATER) await choose(app, keep);
    await useZone(app, timezone);
  }
  return redirect("/login");
}

/** Saves how long to keep recordings, and that a user has said so, also where it is what is set already. */
async function choose({ settings, retention }: FirstRunApp, keep: string): Promise<void> {
  await settings.patch("retention", { keep });
  retention.consent.noteChoice();
  await retention.consent.release();
}

/** Saves the browser's time zone, where that was agreed to and no other was chosen. */
async function useZone(app: FirstRunApp, timezone: string | null): Promise<void> {
  if (timezone === null || openZone(app) === null || !v.is(TIMEZONE.check, timezone)) return;
  await app.settings.patch("schedule", { timezone });
}

/** The form again, with the error; null for an error that has a page of its own. */
export async function refuseFirstRun(
  error: AppError,
  context: RequestContext,
  app: FormParts & Pick<App, "isReady"> & { readonly opened: FoundParts | null },
): Promise<Response | null> {
  if (["AUTH_REQUIRED", "BAD_HOST", "BODY_TOO_LARGE", "HOST_NOT_ALLOWED"].includes(error.code)) return null;
  if (hasPassword(app)) return redirect("/login");
  const { username, keep, code } = await readForm(context, SENT);
  const typed = { username: briefly(username), keep, code: briefly(code) };
  const extras = { status: ERRORS[error.code].status, headers: refusalHeaders(error) };
  return form(context, { app, opened: app.isReady() ? app.opened : null }, typed, { form: error.message }, extras);
}

function hasPassword({ settings }: Pick<App, "settings">): boolean {
  return settings.current.auth.password_hash !== "";
}

function problemsOf(username: string, password: string, confirm: string, keep: string): FirstRunProblems {
  const name = v.safeParse(USERNAME.check, username);
  const weak = passwordProblem(password);
  return {
    ...(name.success ? {} : { username: `The user name ${name.issues[0].message}.` }),
    ...(weak === null ? {} : { password: weak }),
    // Only worth saying once the password itself would do.
    ...(weak === null && confirm !== password ? { confirm: "The two passwords are not the same." } : {}),
    ...(keep === DECIDE_LATER || v.is(KEEP.check, keep) ? {} : { keep: "Choose one of these." }),
  };
}

/** Values that were typed before; `keep` as it was sent. */
interface Typed {
  readonly username: string;
  readonly code: string;
  readonly keep?: string;
}

async function form(
  context: RequestContext,
  { app, opened }: { readonly app: FormParts; readonly opened: FoundParts | null },
  { username, code, keep }: Typed,
  problems: FirstRunProblems,
  extras: Extras = {},
): Promise<Response> {
  const token = csrfToken(context, app);
  // While the service starts what is in the folder is not known yet; the question comes with the next form, or later.
  const asked = opened && (await foundRecordings(opened));
  const isOffered = asked?.options.some(({ value }) => value === keep);
  const found = asked && { ...asked, chosen: isOffered && keep !== undefined ? keep : asked.chosen };
  return html(
    page(
      <PlainDocument context={context} token={token} title="Setup" islands={["sign_in"]}>
        <ol class="steps">
          <li aria-current="step">1. Your password</li>
          <li>2. The camera’s address</li>
        </ol>
        <h1>Make it yours</h1>
        <p>Choose a password now. Until you do, anyone on your network could take over.</p>
        <Island
          name="sign_in"
          of={SignInForm}
          props={{
            form: "first-run",
            token,
            username,
            problems,
            found,
            code: isCodeAsked(context) ? code : null,
            zone: openZone(app),
            next: app.settings.current.connection.address === "" ? ADDRESS_STEP : "/",
            confirm: CONFIRM,
          }}
        />
        <p class="later">
          <a href="/help/first-steps">Help with the first steps</a>
        </p>
      </PlainDocument>,
    ),
    extras,
  );
}
