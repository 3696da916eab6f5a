/** @jsxImportSource preact */

import type { ClockSegment, JourneyClock } from "../../../server/domain/viewer/journey_clock.ts";
import { isParked } from "../../../server/domain/viewer/trips.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { Trip } from "../../../server/domain/viewer/viewer_schema.ts";
import { lookOfType } from "../../parts/recording_type.tsx";
import type { Parts } from "../viewer_parts.ts";
import type { TimeLineState } from "./time_line_state.ts";
import { percentAt, type TimeWindow } from "./time_window.ts";

type Clip = Trip["segments"][number];

/** Between two clips a hair's breadth is left free; a clip is usually drawn so wide at least. Both in percent. */
const HAIR = 0.12;
const NARROWEST = 0.25;

/** Mark over a clip, so that colour is not alone. */
type Mark = "event" | "manual" | null;

/** The mark of a type of clip. */
export function markOf(letter: string): Mark {
  const [look] = lookOfType(letter);
  if (look === "ty-m") return "manual";
  // An impact on the parked car is an event as well.
  return look === "ty-e" || look === "ty-d" || letter === "I" ? "event" : null;
}

/** The clips of the trip by time: coloured by type, hatched where parked, dashed where their length is not known. */
export function ClipsLane({
  trip,
  line,
  marks: { coming },
}: Parts<"trip" | "marks"> & { readonly line: TimeLineState }) {
  const { value: clock } = trip.clock;
  const clips = trip.trip.value?.segments ?? [];
  const window = line.shown.value;
  const shown = clock ? placed(clips, clock, window) : [];
  const gaps = clock?.gaps().filter(([from, to]) => to > window.from && from < window.to) ?? [];
  return (
    <>
      <span class="tl-name">
        <b>Clips</b>
      </span>
      <span class="tl-scale" />
      <svg class="lane" aria-hidden="true">
        <defs>
          <pattern id="tl-hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect class="hatch-ground" width="5" height="5" />
            <rect class="hatch" width="2" height="5" />
          </pattern>
        </defs>
        {shown.map(({ clip, segment, x, width }) => {
          const [look] = lookOfType(clip.type);
          const isComing = clip.coming !== null;
          const kind = isComing ? "sg-wait" : segment.isGuess ? "sg-open" : isParked(segment.key) ? "sg-p" : "sg";
          const part = isComing ? (coming.arrivalOf(segment.key)?.percent ?? 0) / 100 : 0;
          return (
            <g key={segment.key}>
              {part > 0 && <rect class="sg-now" x={`${x}%`} y="30%" width={`${width * part}%`} height="70%" rx="2" />}
              <rect class={`${kind} ${look}`} x={`${x}%`} y="30%" width={`${width}%`} height="70%" rx="2" />
            </g>
          );
        })}
        {gaps.map(([from, to]) => (
          <line
            key={from}
            class="sg-gap"
            x1={`${clamped(percentAt(window, from)) + HAIR}%`}
            x2={`${Math.max(0, clamped(percentAt(window, to)) - HAIR)}%`}
            y1="65%"
            y2="65%"
          />
        ))}
        {shown.map(({ clip, segment, x, width }) => (
          <ClipMarks
            key={segment.key}
            clip={clip}
            isGuess={segment.isGuess && clip.coming === null}
            middle={x + width / 2}
            width={width}
          />
        ))}
      </svg>
    </>
  );
}

interface ClipMarksProps {
  readonly clip: Clip;
  readonly isGuess: boolean;
  /** Percent of the lane. */
  readonly middle: number;
  readonly width: number;
}

/** Marks over a clip: its kind, that it is kept, and that its length is not known. */
export function ClipMarks({ clip, isGuess, middle, width }: ClipMarksProps) {
  const mark = markOf(clip.type);
  const [look] = lookOfType(clip.type);
  const isKept = clip.kept !== null;
  if (mark === null && !isKept && !(isGuess && width > 1)) return null;
  return (
    <svg x={`${middle}%`} overflow="visible">
      {mark === "event" && <path class={`pk ${look}`} d="M-6 7L0 -4L6 7Z" />}
      {mark === "manual" && <path class="mk" d="M0 -4a5 5 0 1 0 .01 0Z" />}
      {isKept && (
        <path class="kp" transform={mark === null ? "translate(0 -4)" : "translate(0 14)"} d="M-4 0H4V10L0 7L-4 10Z" />
      )}
      {isGuess && width > 1 && (
        <text class="sg-q" y="25">
          ?
        </text>
      )}
    </svg>
  );
}

interface Placed {
  readonly clip: Clip;
  readonly segment: ClockSegment;
  readonly x: number;
  readonly width: number;
}

/** The clips of a window, with their places. @param least a clip is never drawn narrower than this, in percent */
export function placed(
  clips: readonly Clip[],
  clock: JourneyClock,
  window: TimeWindow,
  least: number = NARROWEST,
): Placed[] {
  const byKey = new Map(clips.map((clip) => [keyOf(clip), clip]));
  return clock.segments.flatMap((segment) => {
    const clip = byKey.get(segment.key);
    const from = percentAt(window, segment.offset);
    const to = percentAt(window, segment.offset + segment.length);
    if (!clip || to <= 0 || from >= 100) return [];
    const hair = Math.min(HAIR, (to - from) / 10);
    const x = clamped(from) + (from > 0 ? hair : 0);
    const width = Math.max(least, clamped(to) - x - (to < 100 ? hair : 0));
    return [{ clip, segment, x: thousandths(Math.min(x, 100 - least)), width: thousandths(width) }];
  });
}

/** A percentage that lies in the lane. */
export function clamped(percent: number): number {
  return Math.max(0, Math.min(100, percent));
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}
