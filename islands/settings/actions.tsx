/** @jsxImportSource preact */

/** Settings that are changed by an action of their own, never with the form. */

export function Password({ isSet, open }: { readonly isSet: boolean; readonly open: () => void }) {
  if (!isSet) return <p class="says">None is set. The next visitor who signs in chooses it.</p>;
  return (
    <button
      class="b"
      type="button"
      id="auth-password_hash"
      data-action="change-password"
      aria-haspopup="dialog"
      onClick={open}
    >
      Change password
    </button>
  );
}

export function Sessions({ mode, open }: { readonly mode: string; readonly open: () => void }) {
  if (mode !== "login") return <p class="says">No browser is signed in with a password now.</p>;
  return (
    <button
      class="b"
      type="button"
      id="auth-session_secret"
      data-action="rotate-sessions"
      aria-haspopup="dialog"
      onClick={open}
    >
      Sign out everywhere
    </button>
  );
}
