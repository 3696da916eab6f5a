/** @jsxImportSource preact */
import type { MomentKind } from "../../../server/domain/places/moments.ts";
import { momentHeadline } from "../../../server/domain/places/moment_text.ts";
import type { Parts } from "../viewer_parts.ts";
import type { TimeLineState } from "./time_line_state.ts";
import { percentAt } from "./time_window.ts";

/** Outlines around a point: colour is not alone. */
export const MARKS: Readonly<Record<MomentKind, string>> = {
  brake: "M-6 -5H6L0 5Z",
  accelerate: "M-6 5H6L0 -5Z",
  turn: "M0 -6L6 0L0 6L-6 0Z",
  bump: "M0 -5a5 5 0 1 0 .01 0Z",
  impact: "M-5 -5L0 -2L5 -5L2 0L5 5L0 2L-5 5L-2 0Z",
  parked_bump: "M-5 -5H5V5H-5Z",
};

/** Moments of the trip by time, above the curve of the force. They take no room of their own: nothing moves when they come. */
export function MomentMarks({
  moments,
  line,
  speedUnit,
}: Parts<"moments" | "speedUnit"> & { readonly line: TimeLineState }) {
  const window = line.shown.value;
  const seen = moments.seen.value;
  return (
    <svg class="fill" data-lane="moments" aria-hidden="true">
      {moments.all.value.map(({ time, moment }) => {
        const percent = percentAt(window, time);
        if (percent < 0 || percent > 100) return null;
        return (
          <svg key={`${time} ${moment.kind}`} x={`${percent}%`} overflow="visible">
            <title>{momentHeadline(moment, speedUnit)}</title>
            <path class={moment === seen ? "kp" : "sg ty-e"} data-kind={moment.kind} d={MARKS[moment.kind]} />
          </svg>
        );
      })}
    </svg>
  );
}
