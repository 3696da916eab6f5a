/** @jsxImportSource preact */

/** The password, which is changed by an action of its own, never with the form. */

export function Password({ isSet, open }: { readonly isSet: boolean; readonly open: () => void }) {
  if (!isSet) return <p class="says">No password is set. The next visitor who signs in chooses one.</p>;
  return (
    <button
      class="b"
      type="button"
      id="auth-password_hash"
      data-action="change-password"
      aria-haspopup="dialog"
      onClick={open}
    >
      Change password…
    </button>
  );
}
