/** @jsxImportSource preact */

import type { CurrentFile } from "../../server/domain/sync/current_transfer.ts";
import { doneOf, workOf } from "../../server/domain/sync/job_text.ts";
import { aheadInWords, formatBytes } from "../../server/domain/text/format.ts";
import { Icon } from "../parts/icon.tsx";
import type { StatusProps } from "./status.tsx";

interface StopDialogProps extends Pick<StatusProps, "snapshot" | "overview" | "zone"> {
  readonly stop: () => void;
}

/** Question before a sync is stopped: it says what stays, what goes on later, and when. */
export function StopQuestion({ snapshot, overview, zone, stop }: StopDialogProps) {
  const { current_file: file } = snapshot;
  const work = workOf(snapshot);
  const { next_at, now, paused } = overview;
  return (
    <form method="dialog">
      <h2 id="stop-confirm-title">Stop this sync?</h2>
      <p>
        {work.done > 0 && `${doneOf(work)} are here and stay. `}
        {file ? (
          <>
            <span class="mono">{file.filename}</span> {begunInWords(file)}, and goes on next time.
          </>
        ) : (
          "The rest comes home with the next run."
        )}
      </p>
      <p>
        {paused || next_at === null
          ? "No run is planned after it."
          : `The next run is at ${zone.clock(next_at)} ${zone.name(next_at)}, ${aheadInWords((next_at - now) / 1000)}. To stop that too, pause the schedule.`}
      </p>
      <div class="row">
        {/* The safe choice has the focus. */}
        <button class="b" type="submit" value="no" autofocus>
          Keep syncing
        </button>
        <button class="b b-danger b-fill" type="submit" value="stop" onClick={stop}>
          <Icon name="i-stop" />
          Stop
        </button>
      </div>
    </form>
  );
}

/** Names the part of a file that is downloaded. */
function begunInWords({ downloaded_bytes: done, total_bytes: total, expected_bytes: guess }: CurrentFile): string {
  if (done === 0) return "has just begun";
  const all = guess === null ? "" : ` of about ${formatBytes(guess)}`;
  return `is half-finished, ${formatBytes(done)}${total > 0 ? ` of ${formatBytes(total)}` : all}`;
}
