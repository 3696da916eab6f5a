/** @jsxImportSource preact */
import { stayName } from "../../../server/domain/viewer/reel.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { Parts } from "../viewer_parts.ts";
import { ClipMarks, placed } from "./clips_lane.tsx";
import type { TimeLineState } from "./time_line_state.ts";

/** Pixels: so wide a movement is drawn at least, and so wide where there are many. */
const LEAST_WIDTH = 10;
const CROWDED_WIDTH = 3;
/** The movements' share of the lane from which they are many. */
const CROWDED_SHARE = 0.6;

/** The movements around a parked car by time, each wide enough to be seen and hit; between them nothing moved. */
export function ReelLane({
  trip,
  line,
  browsing,
  playback: { goingOn },
  marks: { coming },
}: Parts<"browsing" | "playback" | "trip" | "marks"> & { readonly line: TimeLineState }) {
  const { value: clock } = trip.clock;
  const clips = trip.trip.value?.segments ?? [];
  const shown = clock ? placed(clips, clock, line.shown.value, leastShare(clips.length, line.width.value)) : [];
  const next = goingOn.countdown.value?.next;
  const nextKey = next && keyOf(next.recording);
  const now = clips.findIndex((clip) => keyOf(clip) === browsing.key);
  const past = new Set(clips.slice(0, Math.max(0, now + (next ? 1 : 0))));
  return (
    <>
      <span class="tl-name">
        <b>{clock ? stayName(clock) : "Night"}</b>
      </span>
      <span class="tl-scale" />
      <svg class="lane lane-reel" aria-hidden="true">
        <line class="rl-q" x1="0" x2="100%" y1="65%" y2="65%" />
        {shown.map(({ clip, segment: { key }, x, width }) => {
          const look = clip.coming !== null ? "sg-wait ty-p" : past.has(clip) ? "rl-past" : "rl-on";
          const part = clip.coming === null ? 0 : (coming.arrivalOf(key)?.percent ?? 0) / 100;
          return (
            <g key={key}>
              {part > 0 && <rect class="sg-now" x={`${x}%`} y="30%" width={`${width * part}%`} height="70%" rx="2" />}
              <rect class={look} x={`${x}%`} y="30%" width={`${width}%`} height="70%" rx="2" />
              {key === nextKey && <rect class="rl-next" x={`${x}%`} y="16%" width={`${width}%`} height="98%" rx="5" />}
            </g>
          );
        })}
        {shown.map(({ clip, segment: { key }, x, width }) => (
          <ClipMarks key={key} clip={clip} isGuess={false} middle={x + width / 2} width={width} />
        ))}
      </svg>
    </>
  );
}

/** Least width of a drawn movement, in percent of the lane. */
function leastShare(count: number, width: number): number {
  if (!(width > 0)) return 0;
  const room = (width * CROWDED_SHARE) / Math.max(1, count);
  return (Math.max(CROWDED_WIDTH, Math.min(LEAST_WIDTH, room)) / width) * 100;
}
