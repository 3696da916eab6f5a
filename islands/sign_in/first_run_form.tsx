/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { KeepQuestion } from "../../server/domain/retention/keep_choice.ts";
import { LONGEST_PASSWORD, passwordProblem, SHORTEST_PASSWORD } from "../../server/domain/settings/password_length.ts";
import { strengthOf } from "../../server/domain/settings/password_strength.ts";
import { reached } from "../browser/address.ts";
import { Note } from "../parts/note.tsx";
import { PasswordField } from "../parts/password_field.tsx";
import { PasswordStrengthBar } from "../parts/password_strength_bar.tsx";
import { CodeField } from "./code_field.tsx";
import { ConfirmField } from "./confirm_field.tsx";
import { KeepChoice } from "./keep_choice.tsx";
import { usePending } from "./pending.ts";
import { type FirstRunProblems, setPassword } from "./set_password.ts";
import { NameField } from "./text_field.tsx";
import { ZoneOffer } from "./zone_offer.tsx";

export interface FirstRunFormProps {
  readonly token: string;
  readonly username: string;
  readonly problems: FirstRunProblems;
  /** Choice of keeping times when the folder already holds recordings, else null. */
  readonly found: KeepQuestion | null;
  /** Text typed as the code; null when no code is asked for. */
  readonly code: string | null;
  /** The time zone in force where none was chosen, else null. */
  readonly zone: string | null;
  /** Address that signing in leads to. */
  readonly next: string;
  /** The field for the password once more as HTML, for browsers without a script. */
  readonly confirm: string;
}

/** Fields in their order on the page. */
const FIELDS = ["code", "username", "password", "keep"] as const;
/** Name that the service takes when no name was typed. */
const DEFAULT_NAME = "admin";
/** Typing has paused when nothing came for so long. */
const PAUSE_MS = 900;

/**
 * The owner's name and password, whose strength is shown while it is typed. With a script the password is typed once, as
 * it can be shown, and the form signs in by itself; without one there is a second field, and the sign-in page follows.
 */
export function FirstRunForm({ token, username, problems: sent, found, code, zone, next, confirm }: FirstRunFormProps) {
  const problems = useSignal(sent);
  const csrf = useSignal(token);
  const name = useSignal(username);
  const password = useSignal("");
  const shown = useSignal(false);
  const isHydrated = useSignal(false);
  const ownZone = useSignal<string | null>(null);
  const pending = usePending();
  const form = useRef<HTMLFormElement>(null);
  const nameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // Typed text, and text that the browser filled in, may be older than the script.
    name.value = nameField.current?.value ?? username;
    password.value = passwordField.current?.value ?? "";
    ownZone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? null;
    isHydrated.value = true;
  }, []);

  const strength = strengthOf(password.value, [name.value]);
  /** A problem is shown until its field is changed. */
  const forget = (field: keyof FirstRunProblems) => {
    const { [field]: _putRight, ...others } = problems.value;
    problems.value = others;
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (pending.value || !form.current) return;
    const weak = passwordProblem(password.value);
    problems.value = weak === null ? {} : { password: weak };
    if (weak !== null) return passwordField.current?.focus();
    pending.value = true;
    const refused = await setPassword(form.current);
    if (refused === null) return signIn(form.current);
    pending.value = false;
    csrf.value = refused.token;
    problems.value = refused.problems;
    const [first = ""] = FIELDS.filter((field) => refused.problems[field] !== undefined);
    form.current.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
  };
  /** The form signs in itself: so browsers offer to keep the password. */
  const signIn = (of: HTMLFormElement) => {
    // The browser would remember a password that is shown as text.
    if (passwordField.current) passwordField.current.type = "password";
    if (nameField.current) nameField.current.value = nameField.current.value.trim() || DEFAULT_NAME;
    const where = document.createElement("input");
    Object.assign(where, { type: "hidden", name: "next", value: next });
    of.append(where);
    of.action = reached("/login");
    of.submit();
  };
  const {
    form: general,
    code: badCode,
    username: badName,
    password: badPassword,
    confirm: badConfirm,
  } = problems.value;
  // The field that matters: the first one to put right, else the password.
  const first = badName !== undefined ? "username" : badPassword === undefined && badConfirm ? "confirm" : "password";
  return (
    <form method="post" action="/first-run" noValidate={isHydrated.value} onSubmit={submit} ref={form}>
      {general !== undefined && (
        <Note level="attention" id="form-error" role="alert" title="Dashdock did not accept this">
          <p>{general}</p>
        </Note>
      )}
      <input type="hidden" name="csrf_token" value={csrf.value} />
      {isHydrated.value && <input type="hidden" name="confirm" value={password.value} />}
      {code !== null && <CodeField typed={code} problem={badCode} onInput={() => forget("code")} />}
      <NameField
        autofocus={code === null && first === "username"}
        defaultValue={username}
        inputRef={nameField}
        onInput={({ currentTarget }) => {
          name.value = currentTarget.value;
          forget("username");
        }}
        problem={badName}
      />
      <PasswordField
        name="password"
        label="Password"
        autocomplete="new-password"
        minLength={SHORTEST_PASSWORD}
        maxLength={LONGEST_PASSWORD}
        autofocus={code === null && first === "password"}
        shown={shown.value}
        onShow={() => {
          shown.value = !shown.value;
        }}
        onInput={(typed) => {
          password.value = typed;
          forget("password");
        }}
        inputRef={passwordField}
        problem={badPassword}
        describedBy={badPassword === undefined ? "password-hint" : undefined}
      >
        {/* The problem stands in place of the words. */}
        <PasswordStrengthBar id="password-hint" strength={strength} isWordless={badPassword !== undefined} />
      </PasswordField>
      {sent.confirm === undefined ? (
        // A browser with a script takes this for a text and shows nothing of it.
        <noscript dangerouslySetInnerHTML={{ __html: confirm }} />
      ) : (
        !isHydrated.value && <ConfirmField problem={sent.confirm} />
      )}
      {zone !== null && <ZoneOffer zone={zone} own={ownZone.value} />}
      {found !== null && <KeepChoice {...found} problem={problems.value.keep} />}
      <button class="b b-primary" type="submit" aria-busy={pending.value || undefined}>
        {pending.value ? "Setting the password" : "Set password and continue"}
      </button>
      <Announcement text={password.value === "" ? "" : `${strength.word}.`} />
    </form>
  );
}

/** Changes by typing, for screen readers: after a pause in the typing, not at every key. */
function Announcement({ text }: { readonly text: string }) {
  const said = useSignal("");
  useEffect(() => {
    const timer = setTimeout(() => {
      said.value = text;
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p class="sr" role="status">
      {said.value}
    </p>
  );
}
