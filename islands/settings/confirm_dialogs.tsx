/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { send, sentenceOfError } from "../browser/client.ts";
import { Dialog, useOpenDialog } from "../parts/dialog.tsx";
import { Note } from "../parts/note.tsx";

interface ModeDialogProps {
  /** The sign-in mode that is about to be saved. */
  readonly mode: string;
  readonly header: string;
  readonly save: () => void;
  readonly onClosed: () => void;
}

/** Asks once before the service stops asking for a password. */
export function ModeDialog({ mode, header, save, onClosed }: ModeDialogProps) {
  const dialogRef = useOpenDialog(onClosed);
  const isProxy = mode === "proxy";
  return (
    <Dialog
      name="auth-mode"
      title={isProxy ? "Let the proxy sign people in?" : "Stop asking for a password?"}
      dialogRef={dialogRef}
    >
      {isProxy ? (
        <>
          <p>
            Dashdock then asks for no password. It lets in people whom a trusted proxy names in the header{" "}
            <code>{header || "…"}</code>, and nobody else.
          </p>
          <p>If the proxy stops naming you, change the sign-in method in the settings file.</p>
        </>
      ) : (
        <>
          <p>
            Everyone who can open this address can then watch and delete recordings and change settings. In most homes
            this is everyone on the Wi-Fi.
          </p>
          <p>The password is kept. You can ask for it again later.</p>
        </>
      )}
      <div class="row">
        {/* The safe choice has the focus. */}
        <button class="b" type="submit" value="no" autofocus>
          Keep it as it is
        </button>
        <button class="b b-danger b-fill" type="submit" value="yes" onClick={save}>
          {isProxy ? "Let the proxy decide" : "Let everyone in"}
        </button>
      </div>
    </Dialog>
  );
}

interface SessionsDialogProps {
  readonly hasChanges: boolean;
  /** All sessions have ended, this one too. */
  readonly onEnded: () => void;
  readonly onClosed: () => void;
}

/** Asks before every session ends. */
export function SessionsDialog({ hasChanges, onEnded, onClosed }: SessionsDialogProps) {
  const dialogRef = useOpenDialog(onClosed);
  const problem = useSignal<string | null>(null);
  const isPending = useSignal(false);
  const end = async () => {
    if (isPending.value) return;
    isPending.value = true;
    problem.value = null;
    try {
      await send("DELETE /api/auth/sessions");
      onEnded();
    } catch (error) {
      problem.value = sentenceOfError(error);
      isPending.value = false;
    }
  };
  return (
    <Dialog name="sessions" title="Sign out everywhere?" dialogRef={dialogRef}>
      <p>Every browser is signed out at once, this one too. The password does not change.</p>
      {hasChanges && <p>The unsaved changes on this page are lost.</p>}
      {problem.value !== null && <Note level="failed" title={problem.value} role="alert" class="note-gap" />}
      <div class="row">
        <button class="b" type="submit" value="no" autofocus>
          Stay signed in
        </button>
        <button class="b b-danger b-fill" type="button" aria-busy={isPending.value} onClick={() => void end()}>
          Sign out everywhere
        </button>
      </div>
    </Dialog>
  );
}
