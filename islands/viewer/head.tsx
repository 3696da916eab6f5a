/** @jsxImportSource preact */
import type { ViewerRecording } from "../../server/domain/api.ts";
import { cameraClock, cameraDay, isDay } from "../../server/domain/camera_time.ts";
import { formatBytes, formatLength } from "../../server/domain/format.ts";
import { camerasOf, dayOfKey, keyOf } from "../../server/domain/viewing.ts";
import { Icon } from "../parts/icon.tsx";
import { RecordingType } from "../parts/recording_type.tsx";
import type { ViewerParts } from "./parts.ts";

/** Above the picture: what it is, and what can be done with it. */
export function Head({ browsing, actions, thisYear }: ViewerParts) {
  const shown = browsing.shown.value;
  if (shown.kind === "recording") {
    const key = keyOf(shown.recording);
    return (
      <div class="vw-head">
        <div>
          <h2>
            <span class="nowrap">
              {cameraDay(dayOfKey(key) ?? "", thisYear)}, {cameraClock(key)}
            </span>
            <RecordingType letter={shown.recording.type} />
          </h2>
          <p>
            <span class="mono">{key}</span>
            {factsOf(shown.recording)}
          </p>
        </div>
        <div class="row needs-script">
          <button
            class="b b-icon"
            type="button"
            title="Copy link to this moment"
            aria-label="Copy link to this moment"
            onClick={() => void actions.copyLink()}
          >
            <Icon name="i-link" />
          </button>
        </div>
      </div>
    );
  }
  return (
    <div class="vw-head">
      <div>
        {shown.kind === "gone" && (
          <>
            <h2>This recording is not here any more</h2>
            <p class="mono">{shown.key}</p>
          </>
        )}
        {shown.kind === "empty_day" && (
          <h2>
            {isDay(shown.date)
              ? `No recordings on ${cameraDay(shown.date, thisYear)}`
              : `“${shown.date}” is not a day of the calendar`}
          </h2>
        )}
        {shown.kind === "nothing" && <h2>No recordings yet</h2>}
      </div>
    </div>
  );
}

function factsOf(recording: ViewerRecording): string {
  const { duration_seconds: length, size_bytes: size } = recording;
  const cameras = camerasOf(recording).map(({ name }) => name);
  const facts = [
    cameras.join(", "),
    length === null ? "" : formatLength(length),
    size === null ? "" : formatBytes(size),
  ];
  return facts.map((fact) => (fact === "" ? "" : ` · ${fact}`)).join("");
}
