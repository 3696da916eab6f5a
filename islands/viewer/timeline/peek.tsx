/** @jsxImportSource preact */
import { eventInWords } from "../../../server/domain/viewer/event_text.ts";
import { camerasOf, keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { ViewerContext } from "../viewer_context.ts";
import type { TimeLineState } from "./time_line_state.ts";
import { clockAt, percentAt } from "./time_window.ts";

const WIDTH = 216;
const PICTURE_HEIGHT = 121;
const LABEL_HEIGHT = 26;

interface PeekProps extends ViewerContext {
  readonly line: TimeLineState;
  /** Also tells the time, where nothing else does. */
  readonly isTimed?: boolean;
}

/** Above a time line, the picture of the time under the pointer, and which event that is. */
export function Peek({ trip, line, layout, speedUnit, isTimed = false }: PeekProps) {
  const time = line.hover.value;
  const { value: clock } = trip.clock;
  if (time === null || clock === null) return null;
  const to = clock.at(time);
  const clip = trip.trip.value?.segments.find((one) => keyOf(one) === to?.key);
  if (!clip || !to) return null;
  const cameras = camerasOf(clip);
  const picture = cameras[layout.largeOf(cameras)]?.thumb ?? clip.thumb;
  // In a gap it is the clip behind it that a click leads to.
  const when = isTimed ? clockAt(clock, (clock.offsetOf(to.key) ?? 0) + to.seconds) : undefined;
  const label = [when, eventInWords(clip, speedUnit)?.what].filter((part) => part !== undefined).join(" · ");
  if (picture === null && label === "") return null;
  const at = (percentAt(line.shown.value, time) / 100) * line.width.value;
  // It stays inside of the time line.
  const left = Math.round(Math.max(0, Math.min(line.width.value - WIDTH, at - WIDTH / 2)) - at);
  const height = (label === "" ? 2 : LABEL_HEIGHT) + (picture === null ? 0 : PICTURE_HEIGHT);
  return (
    <svg class="peek" aria-hidden="true">
      <svg x={line.placeOf(time)} overflow="visible">
        <g transform={`translate(${left} ${-height - 10})`}>
          <rect class="peek-box" width={WIDTH} height={height} rx="6" />
          {picture !== null && (
            <image
              href={picture}
              x="2"
              y="2"
              width={WIDTH - 4}
              height={PICTURE_HEIGHT - 2}
              preserveAspectRatio="xMidYMid slice"
            />
          )}
          <text x={WIDTH / 2} y={height - 8}>
            {label}
          </text>
        </g>
      </svg>
    </svg>
  );
}
