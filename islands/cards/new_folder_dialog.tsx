/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { foundInWords, wasThere } from "../../server/domain/status/last_known.ts";
import type { DestinationAnswer } from "../../server/domain/status/status_schema.ts";
import { counted, formatBytes } from "../../server/domain/text/format.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { Consequence } from "../parts/consequence.tsx";
import { Dialog, useOpenDialog } from "../parts/dialog.tsx";
import { Note } from "../parts/note.tsx";

interface NewFolderDialogProps {
  readonly folder: DestinationAnswer;
  readonly now: number;
  readonly zone: ZoneTime | string;
  readonly accept: () => void;
  readonly onClosed: () => void;
}

/** Asks before another folder takes the place of one whose disk may only be off: where, what was there, what happens. */
export function NewFolderDialog({ folder, now, zone: given, accept, onClosed }: NewFolderDialogProps) {
  const dialog = useOpenDialog(onClosed);
  const isSure = useSignal(false);
  const zone = ZoneTime.from(given);
  const { path, last_known: known, found, on_camera } = folder;
  const what = found.recordings === 0 ? "Start with a new folder" : "Use this folder";
  const free = found.available_bytes === null ? null : formatBytes(found.available_bytes);
  const waits = [
    known?.kept ? `${counted(known.kept, "bookmark")}` : "",
    known?.trash_recordings ? `${counted(known.trash_recordings, "recording")} in the trash` : "",
  ].filter(Boolean);
  return (
    <Dialog name="new-folder" title={`${what}?`} class="dialog-ask" dialogRef={dialog}>
      <p>Do this only if the old disk will not come back. If it is just off or unmounted, wait.</p>
      <dl class="facts facts-wide">
        <dt>Folder</dt>
        <dd class="mono">{path}</dd>
        <dt>Was there</dt>
        <dd>{known === null ? "Not known" : wasThere(known, { now, zone })}</dd>
        <dt>Is there now</dt>
        <dd>{foundInWords(found)}</dd>
      </dl>
      {found.is_system_disk && (
        <Note level="attention" title="The new folder is on the system disk.">
          {free !== null && <p>{free} can be used there.</p>}
        </Note>
      )}
      <div class="stays">
        <div>
          <h3>Stays</h3>
          <ul>
            <Consequence is="fine">All recordings on the old disk</Consequence>
            <Consequence is="fine">Settings, runs and statistics</Consequence>
            {on_camera !== null && <Consequence is="fine">{counted(on_camera, "recording")} on the camera</Consequence>}
          </ul>
        </div>
        <div>
          <h3>Changes</h3>
          <ul>
            <Consequence is="attention">
              {known === null
                ? "The recordings on the old disk leave"
                : `${counted(known.recordings, "recording")} leave`}{" "}
              the viewer
            </Consequence>
            {waits.length > 0 && <Consequence is="attention">{waits.join(" and ")} wait for the old disk</Consequence>}
            {found.recordings > 0 && (
              <Consequence is="attention">
                {counted(found.recordings, "recording")} in this folder are shown
              </Consequence>
            )}
            <Consequence is="attention">The next run downloads again what is not in this folder</Consequence>
          </ul>
        </div>
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={isSure.value}
          onChange={({ currentTarget }) => {
            isSure.value = currentTarget.checked;
          }}
        />
        <span>The old disk will not come back</span>
      </label>
      <div class="row">
        {/* The safe choice has the focus. */}
        <button class="b" type="submit" value="no" autofocus>
          Wait for the disk
        </button>
        <button class="b b-danger b-fill" type="submit" value="yes" disabled={!isSure.value} onClick={accept}>
          {what}
        </button>
      </div>
    </Dialog>
  );
}
