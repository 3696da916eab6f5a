/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { Note } from "../parts/note.tsx";
import { PasswordField } from "../parts/password_field.tsx";
import { LockNote } from "./lock_note.tsx";
import { usePending } from "./pending.ts";
import { NameField } from "./text_field.tsx";

/** Reason why the form is shown again. */
export interface LoginProblem {
  readonly title: string;
  readonly words: string;
  /** Seconds without sign-in from this address; 0 when that is not the problem. */
  readonly lockedSeconds: number;
}

export interface LoginFormProps {
  readonly token: string;
  /** Name that was typed before; empty the first time. */
  readonly username: string;
  /** Address to open afterwards. */
  readonly next: string;
  readonly problem: LoginProblem | null;
}

const PROBLEM = "login-error";

/** Name and password, and above them why it did not work the last time. */
export function LoginForm({ token, username, next, problem }: LoginFormProps) {
  const shown = useSignal(false);
  const pending = usePending();
  const isLocked = useSignal(false);
  const about = problem === null ? undefined : PROBLEM;
  const submit = (event: SubmitEvent) => {
    if (pending.value || isLocked.value) return event.preventDefault();
    // The browser would remember a password that is shown as text.
    shown.value = false;
    pending.value = true;
  };
  return (
    <form method="post" action="/login" onSubmit={submit}>
      {problem !== null &&
        (problem.lockedSeconds > 0 ? (
          <LockNote id={PROBLEM} {...problem} isLocked={isLocked} />
        ) : (
          <Note level="attention" id={PROBLEM} role="alert" title={problem.title}>
            <p>{problem.words}</p>
          </Note>
        ))}
      <input type="hidden" name="csrf_token" value={token} />
      <input type="hidden" name="next" value={next} />
      <NameField required autofocus={username === ""} defaultValue={username} describedBy={about} />
      <PasswordField
        name="password"
        label="Password"
        autocomplete="current-password"
        autofocus={username !== ""}
        shown={shown.value}
        onShow={() => {
          shown.value = !shown.value;
        }}
        describedBy={about}
      />
      <button
        class="b b-primary"
        type="submit"
        aria-busy={pending.value || undefined}
        aria-disabled={isLocked.value || undefined}
      >
        {pending.value ? "Signing in" : "Sign in"}
      </button>
    </form>
  );
}
