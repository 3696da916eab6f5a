/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { KeepQuestion } from "../../server/domain/keep_choice.ts";
import {
  LONGEST_PASSWORD,
  matchInWords,
  passwordProblem,
  SHORTEST_PASSWORD,
  strengthOf,
} from "../../server/domain/password_strength.ts";
import { FieldProblem } from "../parts/field_problem.tsx";
import { Note } from "../parts/note.tsx";
import { PasswordField } from "../parts/password_field.tsx";
import { PasswordStrengthBar } from "../parts/password_strength_bar.tsx";
import { KeepChoice } from "./keep_choice.tsx";
import { usePending } from "./pending.ts";

/** What is wrong, by field; `form` is about none of them. */
export interface FirstRunProblems {
  readonly form?: string;
  readonly username?: string;
  readonly password?: string;
  readonly confirm?: string;
  readonly keep?: string;
}

export interface FirstRunFormProps {
  readonly token: string;
  readonly username: string;
  readonly problems: FirstRunProblems;
  /** Where recordings are here already. */
  readonly found: KeepQuestion | null;
}

/** Typing has paused when nothing came for so long. */
const PAUSE_MS = 900;

/** Name and password of the one who owns the service, the password judged and compared while it is typed. */
export function FirstRunForm({ token, username, problems: sent, found }: FirstRunFormProps) {
  const problems = useSignal(sent);
  const name = useSignal(username);
  const password = useSignal("");
  const again = useSignal("");
  const shown = useSignal(false);
  const isAwake = useSignal(false);
  const pending = usePending();
  const nameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const confirmField = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // What was typed, or filled in by the browser, before the script came.
    name.value = nameField.current?.value ?? username;
    password.value = passwordField.current?.value ?? "";
    again.value = confirmField.current?.value ?? "";
    isAwake.value = true;
  }, []);

  const strength = strengthOf(password.value, [name.value]);
  const match = matchInWords(password.value, again.value);
  const problemsNow = (): FirstRunProblems => {
    const weak = passwordProblem(password.value);
    if (weak !== null) return { password: weak };
    return again.value === password.value ? {} : { confirm: "The two passwords are not the same." };
  };
  /** What is wrong with the name stays until the name is changed. */
  const clearPasswordProblems = () => {
    const { username: stays } = problems.value;
    problems.value = stays === undefined ? {} : { username: stays };
  };
  const submit = (event: SubmitEvent) => {
    if (pending.value) return event.preventDefault();
    problems.value = problemsNow();
    if (problems.value.password === undefined && problems.value.confirm === undefined) {
      // Else the browser would take it for a text, and remember it.
      shown.value = false;
      pending.value = true;
      return;
    }
    event.preventDefault();
    (problems.value.password === undefined ? confirmField : passwordField).current?.focus();
  };
  const { form: general, username: badName, password: badPassword, confirm: badConfirm } = problems.value;
  // The field that matters: the first one to put right, else the password.
  const first = badName !== undefined ? "username" : badPassword === undefined && badConfirm ? "confirm" : "password";
  return (
    <form method="post" action="/first-run" noValidate={isAwake.value} onSubmit={submit}>
      {general !== undefined && (
        <Note mood="attention" id="form-error" role="alert" title="That was not accepted">
          <p>{general}</p>
        </Note>
      )}
      <input type="hidden" name="csrf_token" value={token} />
      <div>
        <label for="username">User name</label>
        <input
          class="in"
          id="username"
          name="username"
          type="text"
          autocomplete="username"
          autocapitalize="none"
          autocorrect="off"
          spellcheck={false}
          autofocus={first === "username"}
          defaultValue={username}
          ref={nameField}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value;
            const { username: _putRight, ...others } = problems.value;
            problems.value = others;
          }}
          aria-describedby={badName === undefined ? undefined : "username-error"}
          aria-invalid={badName !== undefined || undefined}
        />
        {badName !== undefined && <FieldProblem id="username-error" text={badName} />}
      </div>
      <PasswordField
        name="password"
        label="Password"
        autocomplete="new-password"
        minLength={SHORTEST_PASSWORD}
        maxLength={LONGEST_PASSWORD}
        autofocus={first === "password"}
        shown={shown.value}
        onShow={() => {
          shown.value = !shown.value;
        }}
        onInput={(typed) => {
          password.value = typed;
          clearPasswordProblems();
        }}
        inputRef={passwordField}
        problem={badPassword}
        describedBy={badPassword === undefined ? "password-hint" : undefined}
      >
        {/* What is wrong says what the words would. */}
        <PasswordStrengthBar id="password-hint" strength={strength} isWordless={badPassword !== undefined} />
      </PasswordField>
      <PasswordField
        name="confirm"
        label="Once more"
        autocomplete="new-password"
        minLength={SHORTEST_PASSWORD}
        maxLength={LONGEST_PASSWORD}
        autofocus={first === "confirm"}
        shown={false}
        onInput={(typed) => {
          again.value = typed;
          clearPasswordProblems();
        }}
        inputRef={confirmField}
        problem={badConfirm}
        describedBy={badConfirm === undefined ? "confirm-hint" : undefined}
      >
        {badConfirm === undefined && (
          <p class={`says is-${match.mood}`} id="confirm-hint">
            {match.says}
          </p>
        )}
      </PasswordField>
      {found !== null && <KeepChoice {...found} problem={sent.keep} />}
      <button class="b b-primary" type="submit" aria-busy={pending.value || undefined}>
        {pending.value ? "Setting the password" : "Set password and continue"}
      </button>
      <Announcement text={password.value === "" ? "" : `${strength.word}. ${again.value === "" ? "" : match.says}`} />
    </form>
  );
}

/** What changed by typing, for screen readers: said when the hands rest, and not at every key. */
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
