/** @jsxImportSource preact */
import type { HeldDeletion } from "../../server/domain/retention/deletion.ts";
import { confirmationInWords } from "../../server/domain/status/deletion_notes.ts";
import type { Overview } from "../../server/domain/status/overview.ts";
import { counted } from "../../server/domain/text/format.ts";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { showToast } from "../browser/toast.ts";
import { Dialog, useOpenDialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";

interface HeldDialogProps {
  readonly held: HeldDeletion;
  /** State at the time of the question. */
  readonly overview: Overview;
  readonly zone: ZoneTime;
  readonly confirm: () => void;
  readonly onClosed: () => void;
}

/** Asks once before what is held may be deleted. */
export function HeldDialog({ held, overview, zone, confirm, onClosed }: HeldDialogProps) {
  const dialog = useOpenDialog(onClosed);
  return (
    <Dialog name="delete-held" title={`Delete ${counted(held.recordings, "recording")}?`} dialogRef={dialog}>
      {confirmationInWords(held, { ...overview, zone }).map((words) => (
        <p key={words}>{words}</p>
      ))}
      <div class="row">
        {/* The safe choice has the focus. */}
        <button class="b" type="submit" value="no" autofocus>
          Not now
        </button>
        <button class="b b-danger b-fill" type="submit" value="delete" onClick={confirm}>
          <Icon name="i-trash" />
          Delete them
        </button>
      </div>
    </Dialog>
  );
}

/** Shows what an answer about held deletions means as a toast. @param after the overview read since */
export function showAnswer(action: "confirm-deletion" | "keep-everything" | "restore-marks", after: Overview): void {
  if (action === "restore-marks") {
    showToast(document, "fine", "The marks are back. No rule deletes what is marked.");
    return;
  }
  if (action === "keep-everything") {
    showToast(document, "fine", "Everything is kept: no recording is deleted by itself any more.");
    return;
  }
  const note = after.deletion_notes.find(({ about }) => about === "confirmed");
  showToast(document, "waiting", note?.sentence ?? "They are deleted with the next scheduled run.");
}
