/** @jsxImportSource preact */
import type { ViewerRecording } from "../../server/domain/api.ts";
import { cameraClock } from "../../server/domain/camera_time.ts";
import { formatBytes, formatLength } from "../../server/domain/format.ts";
import { camerasOf, keyOf, viewerPath } from "../../server/domain/viewing.ts";
import { RecordingType } from "../parts/recording_type.tsx";
import { isPlainClick } from "../plain_click.ts";

interface RecordingRowProps {
  readonly recording: ViewerRecording;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

/** One recording in the list: its picture, when, what, by which cameras, how long and how large. */
export function RecordingRow({ recording, isChosen, choose }: RecordingRowProps) {
  const { thumb, type, duration_seconds: length, size_bytes: size } = recording;
  const key = keyOf(recording);
  const cameras = camerasOf(recording).map(({ name }) => name);
  const names = cameras.join(", ");
  return (
    <a
      class="trip"
      href={viewerPath(key)}
      aria-current={isChosen ? "true" : undefined}
      data-key={key}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        choose();
      }}
    >
      <span class="shot">
        {thumb !== null && <img src={thumb} alt="" width={88} height={50} loading="lazy" decoding="async" />}
        {length !== null && (
          <span class="shot-tag">
            <span class="sr">Length </span>
            {formatLength(length)}
          </span>
        )}
      </span>
      <span>
        <b>{cameraClock(key)}</b>
        <RecordingType letter={type} />
        <span class="small soft trip-facts">
          <span title={names}>{cameras.length > 2 ? `${cameras.length} cameras` : names}</span>
          {size !== null && ` · ${formatBytes(size)}`}
        </span>
      </span>
    </a>
  );
}
