/** @jsxImportSource preact */

import { useEffect, useRef } from "preact/hooks";
import type { HeldDeletion } from "../../server/domain/retention/deletion.ts";
import { confirmationInWords } from "../../server/domain/retention/deletion_notes.ts";
import type { Overview } from "../../server/domain/status/overview.ts";
import { counted } from "../../server/domain/text/format.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";

interface HeldDialogProps {
  readonly held: HeldDeletion;
  /** As it was when somebody asked. */
  readonly overview: Overview;
  readonly confirm: () => void;
  readonly onClosed: () => void;
}

/** Asks once before what is held may be deleted. */
export function HeldDialog({ held, overview, confirm, onClosed }: HeldDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = dialog;
    current?.addEventListener("close", onClosed);
    current?.showModal();
    return () => current?.removeEventListener("close", onClosed);
  }, []);
  return (
    <Dialog name="delete-held" title={`Delete ${counted(held.recordings, "recording")}?`} dialogRef={dialog}>
      {confirmationInWords(held, { ...overview, zone: new ZoneTime(overview.time_zone) }).map((words) => (
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
