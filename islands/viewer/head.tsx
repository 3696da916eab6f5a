/** @jsxImportSource preact */
import type { ViewerRecording } from "../../server/domain/api.ts";
import { formatBytes, formatLength } from "../../server/domain/format.ts";
import { camerasOf, headlineOf, keyOf } from "../../server/domain/viewing.ts";
import { Icon } from "../parts/icon.tsx";
import { RecordingType } from "../parts/recording_type.tsx";
import type { ViewerParts } from "./parts.ts";

/** Above the picture: what it is, and what can be done with it. */
export function Head({ browsing, actions, thisYear }: ViewerParts) {
  const shown = browsing.shown.value;
  const headline = headlineOf(shown, thisYear);
  if (shown.kind === "recording") {
    const key = keyOf(shown.recording);
    return (
      <div class="vw-head">
        <div>
          <h2>
            <span class="nowrap">{headline}</span>
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
        <h2>{headline}</h2>
        {shown.kind === "gone" && <p class="mono">{shown.key}</p>}
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
