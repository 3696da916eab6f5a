/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { LONGEST_PASSWORD, passwordProblem } from "../../server/domain/settings/password_length.ts";
import { strengthOf } from "../../server/domain/settings/password_strength.ts";
import { Refusal, send, sentenceOfError } from "../browser/client.ts";
import { showToast } from "../browser/toast.ts";
import { Icon } from "../parts/icon.tsx";
import { PasswordField } from "../parts/password_field.tsx";
import { PasswordStrengthBar } from "../parts/password_strength_bar.tsx";
import type { PartProps } from "./later_place.tsx";

interface Problem {
  readonly of: "username" | "password";
  readonly words: string;
}

/** The account that may look and save: its name and password, which are set together. */
export function ViewerAccount({ shared }: PartProps) {
  const name = shared.at("auth", "viewer_username");
  const typed = useSignal(name.saved.value);
  const password = useSignal("");
  const isShown = useSignal(false);
  const problem = useSignal<Problem | null>(null);
  const isPending = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const isSet = name.saved.value !== "";

  const refuse = (of: Problem["of"], words: string) => {
    problem.value = { of, words };
    (of === "username" ? field : passwordInput).current?.focus();
  };
  const change = async (username: string, done: string) => {
    if (isPending.value) return;
    isPending.value = true;
    problem.value = null;
    try {
      await send("POST /api/auth/viewer", { username, password: password.value });
      name.saved.value = username;
      name.draft.value = username;
      typed.value = username;
      password.value = "";
      if (passwordInput.current) passwordInput.current.value = "";
      showToast(document, "fine", done);
    } catch (error) {
      const isWeak = error instanceof Refusal && error.code === "WEAK_PASSWORD";
      refuse(isWeak ? "password" : "username", sentenceOfError(error));
    }
    isPending.value = false;
  };
  const save = () => {
    const username = typed.value.trim();
    if (username === "") return refuse("username", "Type a user name.");
    const weak = passwordProblem(password.value);
    if (weak !== null) return refuse("password", weak);
    void change(username, `“${username}” can sign in now, to look and save.`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLInputElement)) return;
    // The form around it would save the settings.
    event.preventDefault();
    event.stopPropagation();
    save();
  };
  return (
    <div class="account" role="group" aria-labelledby="auth-viewer_password_hash-label" onKeyDown={onKeyDown}>
      <p class="says">{isSet ? `“${name.saved.value}” may look and save.` : "There is no such account."}</p>
      <input type="hidden" name="viewer_username" value={name.saved.value} />
      <label for="viewer-name">User name</label>
      <input
        class="in in-narrow"
        id="viewer-name"
        type="text"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        maxLength={100}
        value={typed.value}
        ref={field}
        aria-invalid={problem.value?.of === "username" || undefined}
        aria-describedby={problem.value?.of === "username" ? "viewer-name-error" : undefined}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          problem.value = null;
        }}
      />
      {problem.value?.of === "username" && (
        <p class="error" id="viewer-name-error" role="alert">
          <Icon name="s-failed" />
          {problem.value.words}
        </p>
      )}
      <PasswordField
        name="viewer_password"
        isApart
        label={isSet ? "New password" : "Password"}
        autocomplete="new-password"
        shown={isShown.value}
        onShow={() => {
          isShown.value = !isShown.value;
        }}
        maxLength={LONGEST_PASSWORD}
        problem={problem.value?.of === "password" ? problem.value.words : undefined}
        describedBy="viewer_password-says"
        inputRef={passwordInput}
        onInput={(text) => {
          password.value = text;
          problem.value = null;
        }}
      >
        <PasswordStrengthBar id="viewer_password-says" strength={strengthOf(password.value, [typed.value])} />
      </PasswordField>
      <div class="row br-do">
        <button class="b" type="button" aria-busy={isPending.value || undefined} onClick={save}>
          {isSet ? "Change the account" : "Add the account"}
        </button>
        {isSet && (
          <button class="b b-quiet b-danger" type="button" onClick={() => void change("", "The account is removed.")}>
            Remove the account
          </button>
        )}
      </div>
    </div>
  );
}
