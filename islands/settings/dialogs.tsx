/** @jsxImportSource preact */
import { ModeDialog, SessionsDialog } from "./confirm_dialogs.tsx";
import { PasswordDialog } from "./password_dialog.tsx";

export interface SettingsDialogProps {
  readonly kind: "mode" | "password" | "sessions";
  readonly username: string;
  /** The sign-in mode as it is, and as it is about to be saved. */
  readonly mode: string;
  readonly nextMode: string;
  readonly proxyHeader: string;
  readonly hasChanges: boolean;
  readonly save: () => void;
  /** All sessions have ended, this one too. */
  readonly onEnded: () => void;
  readonly onClosed: () => void;
}

/** The dialog that is open. Few visitors need one, so they are a script of their own. */
export function SettingsDialog({ kind, onClosed, ...about }: SettingsDialogProps) {
  switch (kind) {
    case "mode":
      return <ModeDialog mode={about.nextMode} header={about.proxyHeader} save={about.save} onClosed={onClosed} />;
    case "password":
      return <PasswordDialog username={about.username} hasSessions={about.mode === "login"} onClosed={onClosed} />;
    case "sessions":
      return <SessionsDialog hasChanges={about.hasChanges} onEnded={about.onEnded} onClosed={onClosed} />;
  }
}
