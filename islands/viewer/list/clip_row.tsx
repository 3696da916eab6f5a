/** @jsxImportSource preact */

import { cameraClock } from "../../../server/domain/recordings/camera_clock.ts";
import { landingOf } from "../../../server/domain/viewer/event_moment.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import { ComingButton } from "../coming/coming_line.tsx";
import type { Parts } from "../viewer_parts.ts";
import { whoseInList } from "../whose.ts";
import { RecordingRow } from "./recording_row.tsx";

interface ClipRowProps extends Parts<"list" | "browsing" | "marks" | "actions" | "format" | "speedUnit"> {
  readonly recording: ViewerRecording;
  /** Below its trip. */
  readonly isSmall?: boolean;
}

/** A clip in the list, with a box while several are chosen. */
export function ClipRow({ recording, isSmall = false, ...parts }: ClipRowProps) {
  const { browsing, actions, speedUnit, format } = parts;
  const { choosing, whose } = parts.list;
  const { coming } = parts.marks;
  const key = keyOf(recording);
  const start = landingOf(recording);
  const isPicked = choosing.isOn.value && choosing.isChosen(key);
  // The row in the same place in both cases, so that one that has the focus stays.
  return (
    <li class={`${isPicked ? "is-on" : ""}${recording.coming === null ? "" : " trip-line"}` || undefined}>
      {choosing.isOn.value && (
        <label class="pick">
          <input type="checkbox" checked={isPicked} onClick={(event) => choosing.toggle(key, event.shiftKey)} />
          <span class="sr">Select {cameraClock(key, 0, format)}</span>
        </label>
      )}
      <RecordingRow
        recording={recording}
        path={browsing.pathOf(key, start)}
        isChosen={key === browsing.key}
        isSmall={isSmall}
        camera={isSmall ? null : whoseInList(whose, key)}
        speedUnit={speedUnit}
        coming={coming}
        format={format}
        choose={() => void actions.show(key, true, start)}
      />
      {!choosing.isOn.value && <ComingButton recording={recording} coming={coming} format={format} />}
    </li>
  );
}
