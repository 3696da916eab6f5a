/** @jsxImportSource preact */
import type { RestoreCheck } from "../../server/domain/backup/restore_schema.ts";
import { returningKeysText } from "../../server/domain/backup/returning_keys_text.ts";
import { counted } from "../../server/domain/text/format.ts";
import { Dialog, useOpenDialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";

interface RestoreDialogProps {
  readonly check: RestoreCheck;
  readonly sections: Readonly<Record<string, string>>;
  /** Time of the backup in words. */
  readonly made: string;
  readonly restore: () => void;
  readonly onClosed: () => void;
}

/** Asks with the list of what would change. */
export function RestoreDialog({ check, sections, made, restore, onClosed }: RestoreDialogProps) {
  const dialogRef = useOpenDialog(onClosed);
  return (
    <Dialog name="restore" title="Restore this backup?" dialogRef={dialogRef}>
      <p>
        It was made {made} by Dashdock {check.version}.
      </p>
      <ul class="news">
        {changesInWords(check, sections).map((line) => (
          <li key={line}>
            <Icon name="i-restore" />
            <span>{line}</span>
          </li>
        ))}
      </ul>
      <p>
        What is here now is kept in the config folder. Recordings are not touched. Dashdock starts anew, and everyone
        signs in again.
      </p>
      <div class="row">
        {/* The safe choice has the focus. */}
        <button class="b" type="submit" value="no" autofocus>
          Cancel
        </button>
        <button class="b b-danger b-fill" type="submit" value="yes" onClick={restore}>
          Restore the backup
        </button>
      </div>
    </Dialog>
  );
}

/** A line for each thing that would change. */
export function changesInWords(
  { would_replace, returning_keys: returning = [] }: Pick<RestoreCheck, "would_replace" | "returning_keys">,
  sections: Readonly<Record<string, string>>,
): string[] {
  const { runs, recordings_in_ledger, kept, keys, settings } = would_replace;
  const named = settings.map((name) => sections[name] ?? name);
  return [
    named.length === 0 ? "No setting changes." : `Settings change: ${named.join(", ")}.`,
    `The history is replaced, here with ${counted(runs, "run")}.`,
    `The list of what became of each recording is replaced, here with ${counted(recordings_in_ledger, "recording")}.`,
    keys === 0
      ? "Keys for programs of the backup are added."
      : `${counted(keys, "key")} for programs ${keys === 1 ? "is" : "are"} replaced.`,
    ...(returning.length === 0 ? [] : [returningKeysText(returning)]),
    kept === 0
      ? "Kept recordings of the backup are added."
      : `Kept recordings of the backup are added to the ${kept} here.`,
  ];
}
