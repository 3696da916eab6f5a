/** @jsxImportSource preact */

import { cameraClock, shortClock } from "../../../server/domain/recordings/camera_clock.ts";
import { formatBytes, formatLength } from "../../../server/domain/text/format.ts";
import type { TimeFormat } from "../../../server/domain/text/time_format.ts";
import { isHere } from "../../../server/domain/viewer/coming_text.ts";
import type { SpeedUnit } from "../../../server/domain/viewer/distance_text.ts";
import { eventInWords } from "../../../server/domain/viewer/event_text.ts";
import { namesakeInWords } from "../../../server/domain/viewer/namesake_text.ts";
import { camerasOf, keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import { isPlainClick } from "../../browser/plain_click.ts";
import { Icon } from "../../parts/icon.tsx";
import type { PlateCamera } from "../../parts/plate.tsx";
import { lookOfType, RecordingType, typeInWords } from "../../parts/recording_type.tsx";
import { Shot } from "../../parts/shot.tsx";
import type { ComingClips } from "../coming/coming_clips.ts";
import { ComingLine } from "../coming/coming_line.tsx";
import { toChosen, useFocusHandover } from "../focus_handover.tsx";
import { WhoseLine } from "./whose_line.tsx";

interface RecordingRowProps {
  readonly recording: ViewerRecording;
  readonly path: string;
  readonly isChosen: boolean;
  /** Below its trip, which says the rest. */
  readonly isSmall: boolean;
  readonly speedUnit: SpeedUnit;
  readonly coming: ComingClips;
  /** Format of times and dates. */
  readonly format: TimeFormat;
  readonly choose: () => void;
  /** The camera that it is of, where clips of several are on the list. */
  readonly camera?: PlateCamera | null;
}

/** One recording in the list: its picture, when, what, by which cameras, how long and how large, of an event what happened, and whether it is kept. */
export function RecordingRow(props: RecordingRowProps) {
  const { recording, path, isChosen, isSmall, speedUnit, coming, format, choose, camera } = props;
  const { thumb, type, duration_seconds: length, size_bytes: size, kept, kept_with: event } = recording;
  const key = keyOf(recording);
  const place = useFocusHandover<HTMLAnchorElement>(toChosen);
  const cameras = camerasOf(recording).map(({ name }) => name);
  const names = cameras.join(", ");
  const words = eventInWords(recording, speedUnit);
  const [look, icon] = lookOfType(type);
  const namesake = isSmall ? null : namesakeInWords(key);
  const isKept = kept !== null || event !== null;
  return (
    <a
      class={isSmall ? "trip trip-clip" : "trip"}
      href={path}
      aria-current={isChosen ? "true" : undefined}
      data-key={key}
      ref={place}
      onClick={(click) => {
        if (!isPlainClick(click)) return;
        click.preventDefault();
        choose();
      }}
    >
      <Shot thumb={thumb} type={type} isAway={!isHere(recording)}>
        {length !== null && (
          <span class="shot-tag">
            <span class="sr">Length </span>
            {formatLength(length)}
          </span>
        )}
      </Shot>
      <span>
        <b>{cameraClock(key, 0, format)}</b>
        {words === null ? (
          <>
            <WhoseLine camera={camera}>
              <RecordingType letter={type} />
            </WhoseLine>
            {isHere(recording) && (
              <span class="small soft trip-facts">
                <span title={names}>{cameras.length > 2 ? `${cameras.length} cameras` : names}</span>
                {size !== null && ` · ${formatBytes(size)}`}
              </span>
            )}
          </>
        ) : (
          <>
            <WhoseLine camera={camera}>
              <span class={`type event-words ${look}`} title={typeInWords(type)}>
                <Icon name={icon} />
                <span class="sr">{typeInWords(type)}: </span>
                {words.what}
              </span>
            </WhoseLine>
            {words.more !== "" && <span class="small soft trip-facts">{words.more}</span>}
          </>
        )}
        {namesake && <span class="rec-line">{namesake}</span>}
        <ComingLine recording={recording} coming={coming} format={format} />
        {kept === null && event !== null && <span class="rec-line">With {shortClock(event, format)}</span>}
        {kept?.note && <span class="rec-note">{kept.note}</span>}
      </span>
      {isKept && (
        <span class="rec-kept" title="Kept">
          <Icon name="i-kept" class="i i-s" />
          <span class="sr">Kept</span>
        </span>
      )}
    </a>
  );
}
