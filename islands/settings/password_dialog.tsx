/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { LONGEST_PASSWORD, passwordProblem } from "../../server/domain/settings/password_length.ts";
import { matchInWords, strengthOf } from "../../server/domain/settings/password_strength.ts";
import { leaveForSignIn, Refusal, send, sentenceOfError } from "../browser/client.ts";
import { showToast } from "../browser/toast.ts";
import { Dialog, useOpenDialog } from "../parts/dialog.tsx";
import { Note } from "../parts/note.tsx";
import { PasswordField } from "../parts/password_field.tsx";
import { PasswordStrengthBar } from "../parts/password_strength_bar.tsx";

interface PasswordDialogProps {
  /** For whom: password managers want to know. */
  readonly username: string;
  /** True when there are other browsers to sign out. */
  readonly hasSessions: boolean;
  readonly onClosed: () => void;
}

interface Problems {
  readonly current?: string;
  readonly wanted?: string;
  readonly again?: string;
  /** About none of the fields. */
  readonly all?: string;
}

const SAME_AGAIN = "The two passwords are not the same.";

/** Asks for the password and a new one. It is there while it is open only: what was typed goes with it. */
export function PasswordDialog({ username, hasSessions, onClosed }: PasswordDialogProps) {
  const current = useSignal("");
  const wanted = useSignal("");
  const again = useSignal("");
  const shown = useSignal(false);
  const problems = useSignal<Problems>({});
  const isPending = useSignal(false);
  const fields = {
    current: useRef<HTMLInputElement>(null),
    wanted: useRef<HTMLInputElement>(null),
    again: useRef<HTMLInputElement>(null),
  };

  const dialogRef = useOpenDialog(onClosed);
  const refuse = (found: Problems) => {
    problems.value = found;
    const first = (["current", "wanted", "again"] as const).find((name) => found[name] !== undefined);
    if (first) fields[first].current?.focus();
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isPending.value) return;
    const weak = passwordProblem(wanted.value);
    if (current.value === "") return refuse({ current: "Type your current password." });
    if (weak !== null) return refuse({ wanted: weak });
    if (again.value !== wanted.value) return refuse({ again: SAME_AGAIN });
    problems.value = {};
    isPending.value = true;
    // The old session ends a moment before this browser has the new one: whatever is refused in between, such as a
    // card's next refresh, must not lead away from here.
    const stay = (refusal: Event) => refusal.preventDefault();
    document.addEventListener("signedout", stay);
    let isOver = false;
    try {
      await send("POST /api/auth/password", { current_password: current.value, new_password: wanted.value });
      dialogRef.current?.close();
      showToast(document, "fine", `Password changed.${hasSessions ? " All other browsers are signed out." : ""}`);
    } catch (error) {
      isOver = error instanceof Refusal && error.code === "AUTH_REQUIRED";
      if (!isOver) refuse(problemsOf(error));
    } finally {
      isPending.value = false;
      document.removeEventListener("signedout", stay);
      if (isOver) leaveForSignIn();
      else document.dispatchEvent(new Event("signedin"));
    }
  };
  const toggleShown = () => {
    shown.value = !shown.value;
  };
  const { current: wrong, wanted: weak, again: differs, all } = problems.value;
  const match = matchInWords(wanted.value, again.value);
  return (
    <Dialog name="password" title="Change password" dialogRef={dialogRef} onSubmit={submit}>
      <div class="password-form">
        <input type="text" name="account" autocomplete="username" value={username} readOnly hidden />
        <PasswordField
          name="current_password"
          label="Current password"
          autocomplete="current-password"
          shown={shown.value}
          onShow={toggleShown}
          autofocus
          problem={wrong}
          inputRef={fields.current}
          onInput={(typed) => {
            current.value = typed;
            if (wrong !== undefined) problems.value = {};
          }}
        />
        <PasswordField
          name="new_password"
          label="New password"
          autocomplete="new-password"
          shown={shown.value}
          onShow={toggleShown}
          maxLength={LONGEST_PASSWORD}
          problem={weak}
          describedBy="new_password-says"
          inputRef={fields.wanted}
          onInput={(typed) => {
            wanted.value = typed;
            if (weak !== undefined) problems.value = {};
          }}
        >
          <PasswordStrengthBar id="new_password-says" strength={strengthOf(wanted.value, [username])} />
        </PasswordField>
        <PasswordField
          name="confirm_password"
          label="New password again"
          autocomplete="new-password"
          shown={shown.value}
          onShow={toggleShown}
          problem={differs}
          describedBy="confirm_password-says"
          inputRef={fields.again}
          onInput={(typed) => {
            again.value = typed;
            if (differs !== undefined) problems.value = {};
          }}
        >
          <p class="says" id="confirm_password-says">
            {match.detail}
          </p>
        </PasswordField>
        {all !== undefined && <Note level="failed" title={all} role="alert" />}
      </div>
      <div class="row">
        <button class="b" type="button" onClick={() => dialogRef.current?.close()}>
          Cancel
        </button>
        <button class="b b-primary" type="submit" aria-busy={isPending.value}>
          Change password
        </button>
      </div>
    </Dialog>
  );
}

function problemsOf(error: unknown): Problems {
  if (!(error instanceof Refusal)) return { all: sentenceOfError(error) };
  if (error.code === "INVALID_CURRENT_PASSWORD") return { current: "This is not the current password." };
  const isWeak = error.code === "WEAK_PASSWORD" || error.code === "VALIDATION_ERROR";
  return isWeak ? { wanted: error.message } : { all: error.message };
}
