/** @jsxImportSource preact */
import type { ViewerRecording } from "../../../server/domain/api/viewer_schema.ts";
import { cameraClock } from "../../../server/domain/recordings/camera_clock.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import { FocusHandover, toDay } from "../focus_handover.tsx";
import type { ViewerContext } from "../viewer_context.ts";
import { RecordingRow } from "./recording_row.tsx";

/** The recordings of an open day, or why they are not there. */
export function DayBody({ date, ...parts }: ViewerContext & { readonly date: string }) {
  const { list } = parts.browsing;
  const { recordings, problem } = list.stateOf(date);
  if (problem !== null)
    return (
      <div class="day-says" role="status">
        <p>This day could not be read. {problem}</p>
        <FocusHandover key="unread" to={toDay(date)}>
          <button class="b" type="button" onClick={() => void list.load(date).catch(() => {})}>
            Try again
          </button>
        </FocusHandover>
      </div>
    );
  if (recordings === null)
    return (
      <p class="day-says" role="status">
        Reading this day…
      </p>
    );
  const wanted = recordings.filter((recording) => list.isWanted(recording));
  if (wanted.length === 0)
    return (
      <div class="day-says">
        <p>{recordings.length === 0 ? "Nothing is left of this day." : "Nothing of the chosen types on this day."}</p>
        {recordings.length > 0 && (
          <FocusHandover key="other-types" to={toDay(date)}>
            <button
              class="b"
              type="button"
              onClick={() => {
                list.types.value = [];
              }}
            >
              Show all types
            </button>
          </FocusHandover>
        )}
      </div>
    );
  return (
    <ul class="day-body">
      {wanted.map((recording) => (
        <Row key={keyOf(recording)} recording={recording} {...parts} />
      ))}
    </ul>
  );
}

function Row({ recording, browsing, choosing, actions }: ViewerContext & { readonly recording: ViewerRecording }) {
  const key = keyOf(recording);
  const row = (
    <RecordingRow
      recording={recording}
      path={browsing.pathOf(key)}
      isChosen={key === browsing.key}
      choose={() => void actions.show(key, true)}
    />
  );
  // In the same place in both cases, so that a row that has the focus stays.
  const isPicked = choosing.isOn.value && choosing.isChosen(key);
  return (
    <li class={isPicked ? "is-on" : undefined}>
      {choosing.isOn.value && (
        <label class="pick">
          <input type="checkbox" checked={isPicked} onClick={(event) => choosing.toggle(key, event.shiftKey)} />
          <span class="sr">Choose {cameraClock(key)}</span>
        </label>
      )}
      {row}
    </li>
  );
}
