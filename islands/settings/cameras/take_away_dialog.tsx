/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { RetentionPreview } from "../../../server/domain/retention/deletion_schema.ts";
import type { Overview } from "../../../server/domain/status/overview.ts";
import { counted, formatBytes } from "../../../server/domain/text/format.ts";
import { send, sentenceOfError } from "../../browser/client.ts";
import { Consequence } from "../../parts/consequence.tsx";
import { Dialog, useOpenDialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Note } from "../../parts/note.tsx";
import type { Shared } from "../keep/shared.ts";
import { showCameras } from "./change_cameras.ts";
import type { ListedCamera } from "./listed_camera.ts";

interface TakeAwayDialogProps {
  readonly shared: Shared;
  readonly camera: ListedCamera;
  readonly onClosed: () => void;
}

/** Recordings and runs of a camera here. */
interface Belongings {
  readonly overview: Overview;
  /** Recordings in its folder, and their bytes; null while that is not known. */
  readonly recordings: number | null;
  readonly bytes: number | null;
}

/** Asks before a camera is forgotten: what stays, what ends, and how it comes back. */
export function TakeAwayDialog({ shared, camera, onClosed }: TakeAwayDialogProps) {
  const { id, name, destination } = camera;
  const dialogRef = useOpenDialog(onClosed);
  const has = useSignal<Belongings | null>(null);
  const problem = useSignal<string | null>(null);
  const isPending = useSignal(false);
  useEffect(() => {
    const ended = new AbortController();
    read(id, ended.signal).then(
      (found) => {
        has.value = found;
      },
      // Without the figures it says the same.
      () => {},
    );
    return () => ended.abort();
  }, []);
  const takeAway = async () => {
    if (isPending.value) return;
    isPending.value = true;
    problem.value = null;
    try {
      await send(`DELETE /api/cameras/${id}`);
      dialogRef.current?.close();
      await showCameras(shared, `${name} was taken away. Its recordings stay in ${destination}.`);
    } catch (error) {
      problem.value = sentenceOfError(error);
      isPending.value = false;
    }
  };
  const { overview, recordings = null, bytes = null } = has.value ?? {};
  const kept = overview?.retention.kept.recordings ?? null;
  const trash = overview?.retention.trash.recordings ?? null;
  const waiting = overview?.waiting ?? null;
  return (
    <Dialog name="away" title={`Take ${name} away?`} class="dialog-ask" dialogRef={dialogRef}>
      <p>Dashdock forgets the camera. It deletes nothing: not here and not on the camera.</p>
      <div class="stays" aria-busy={overview === undefined || undefined}>
        <div>
          <h3>Stays</h3>
          <ul>
            <Consequence is="fine">
              {recordings === null ? "All recordings" : counted(recordings, "recording")}
              {bytes !== null && bytes > 0 && `, ${formatBytes(bytes)},`} in <span class="mono">{destination}</span>
            </Consequence>
            {kept !== null && kept > 0 && (
              <Consequence is="fine">{counted(kept, "protected recording")} with their bookmarks</Consequence>
            )}
            {trash !== null && trash > 0 && (
              <Consequence is="fine">{counted(trash, "recording")} in its trash</Consequence>
            )}
            <Consequence is="fine">Its runs, in the history</Consequence>
          </ul>
        </div>
        <div>
          <h3>Ends</h3>
          <ul>
            {camera.state === "syncing" && <Consequence is="attention">The sync that runs is stopped</Consequence>}
            <Consequence is="attention">
              {waiting === null || waiting === 0 ? (
                "New recordings on the camera are not downloaded any more"
              ) : (
                <>
                  <b class="strong">{counted(waiting, "recording")} on the camera</b> {waiting === 1 ? "is" : "are"} not
                  downloaded any more
                </>
              )}
            </Consequence>
            <Consequence is="attention">Its recordings are not shown in the viewer and the statistics</Consequence>
            <Consequence is="attention">Its settings: address, schedule and rules</Consequence>
          </ul>
        </div>
      </div>
      <div class="note is-waiting">
        <Icon name="i-restore" />
        <b class="strong">To restore it</b>
        <p>
          Add a camera with the folder <span class="mono">{destination}</span>. All that stayed is shown again.
        </p>
      </div>
      {problem.value !== null && <Note level="failed" title={problem.value} role="alert" />}
      <div class="row">
        {/* The safe choice has the focus. */}
        <button class="b" type="submit" value="no" autofocus>
          Keep {name}
        </button>
        <button
          class="b b-danger b-fill"
          type="button"
          aria-busy={isPending.value || undefined}
          onClick={() => void takeAway()}
        >
          Take {name} away
        </button>
      </div>
    </Dialog>
  );
}

async function read(id: string, signal: AbortSignal): Promise<Belongings> {
  const [overview, preview] = await Promise.all([
    send<Overview>(`GET /api/overview?camera=${id}`, undefined, signal),
    send<RetentionPreview>(`GET /api/retention/preview?camera=${id}`, undefined, signal),
  ]);
  const kinds = preview.valid && preview.forecast ? Object.values(preview.forecast.kinds) : [];
  const sizes = kinds.map(({ here }) => here.bytes);
  const isSized = sizes.length > 0 && !sizes.includes(null);
  return {
    overview,
    recordings: overview.recordings,
    bytes: isSized ? sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0) : null,
  };
}
