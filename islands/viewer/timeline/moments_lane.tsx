/** @jsxImportSource preact */
import type { MomentKind } from "../../../server/domain/places/moments.ts";
import { momentHeadline } from "../../../server/domain/places/moment_text.ts";
import { lacksForce } from "../trip_lacks.ts";
import type { Parts } from "../viewer_parts.ts";
import type { TimeLineState } from "./time_line_state.ts";
import { percentAt } from "./time_window.ts";

/** Outlines around a point: colour is not alone. */
const MARKS: Readonly<Record<MomentKind, string>> = {
  brake: "M-6 -5H6L0 5Z",
  accelerate: "M-6 5H6L0 -5Z",
  turn: "M0 -6L6 0L0 6L-6 0Z",
  bump: "M0 -5a5 5 0 1 0 .01 0Z",
  impact: "M-5 -5L0 -2L5 -5L2 0L5 5L0 2L-5 5L-2 0Z",
  parked_bump: "M-5 -5H5V5H-5Z",
};

/**
 * Rise of a mark above the line: the least, and what a force of so many g adds at most. In percent of the lane. The time
 * at the play head lies over what is higher.
 */
const [LOW, HIGH, FULL_G] = [20, 20, 1];

/** Moments of the trip by time, the stronger the higher. The lane is there before they are known: nothing moves for them. */
export function MomentsLane({
  moments,
  line,
  speedUnit,
  ...shown
}: Parts<"list" | "browsing" | "trip" | "moments" | "speedUnit"> & { readonly line: TimeLineState }) {
  const window = line.shown.value;
  const seen = moments.seen.value;
  if (lacksForce(shown)) return null;
  return (
    <>
      <span class="tl-name">
        <b>Moments</b>
      </span>
      <span class="tl-scale" />
      <svg class="lane" data-lane="moments" aria-hidden="true">
        <line class="zero" x2="100%" y1="100%" y2="100%" />
        {moments.all.value.map(({ time, moment }) => {
          const percent = percentAt(window, time);
          if (percent < 0 || percent > 100) return null;
          const rise = LOW + HIGH * Math.min(1, moment.strength / FULL_G);
          return (
            <g key={`${time} ${moment.kind}`}>
              <title>{momentHeadline(moment, speedUnit)}</title>
              <rect class="sg ty-e" x={`${percent}%`} width="1" y={`${100 - rise}%`} height={`${rise}%`} />
              <svg x={`${percent}%`} y={`${100 - rise}%`} overflow="visible">
                <path class={moment === seen ? "kp" : "sg ty-e"} data-kind={moment.kind} d={MARKS[moment.kind]} />
              </svg>
            </g>
          );
        })}
      </svg>
    </>
  );
}
