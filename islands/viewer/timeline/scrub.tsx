/** @jsxImportSource preact */
import { useComputed } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { lookOfType } from "../../parts/recording_type.tsx";
import type { Parts } from "../viewer_parts.ts";
import { clamped, markOf, placed } from "./clips_lane.tsx";
import { Peek } from "./peek.tsx";
import { Pointing, shareOn } from "./pointing.ts";
import { pressedOnSlider } from "./time_line_keys.ts";
import { TimeLineState } from "./time_line_state.ts";
import { percentAt, ticksOf } from "./time_window.ts";
import { useFollowedHead, usePosition } from "./use_position.ts";

/** Pixels that a time needs below. */
const TICK_WIDTH = 110;
const GRIP_RADIUS = 8.5;
/** A movement around the parked car is drawn so wide at least, in pixels: by its length alone it would not be seen. */
const MOVEMENT_WIDTH = 6;

/** The thin time line: the whole trip in one lane, where there is no room for more, as in full screen and on a phone. */
export function Scrub(parts: Parts<"playback" | "trip" | "format" | "speedUnit">) {
  const { trip } = parts;
  const line = useMemo(() => new TimeLineState(trip), [trip]);
  const place = useRef<HTMLDivElement>(null);
  const pointing = useMemo(() => {
    const shareOf = (clientX: number) => shareOn(place.current, clientX);
    return new Pointing({ line, trip, place: () => place.current, shareOf });
  }, [line, trip]);
  useEffect(() => {
    if (!place.current) return;
    const watching = new ResizeObserver(([entry]) => {
      line.width.value = entry?.contentRect.width ?? 0;
    });
    watching.observe(place.current);
    return () => watching.disconnect();
  }, [line]);
  useFollowedHead(line);
  const position = usePosition({ ...parts, line });
  // Nothing is drawn of it where it is not seen.
  const isSeen = useComputed(() => line.width.value > 0 && trip.clock.value !== null).value;
  return (
    <>
      <div
        ref={place}
        class="scrub needs-script"
        role="slider"
        tabIndex={0}
        aria-label={trip.movements.value === null ? "Position in the trip" : "Position in the time parked"}
        {...position}
        onPointerDown={(event) => pointing.down("head", event)}
        onPointerMove={(event) => pointing.move(event)}
        onPointerUp={(event) => pointing.up(event)}
        onPointerCancel={(event) => pointing.cancel(event)}
        onPointerLeave={() => {
          line.hover.value = null;
        }}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey || !pressedOnSlider(event.key, { line, trip })) return;
          event.preventDefault();
        }}
      >
        {isSeen && <Lane {...parts} line={line} />}
        {isSeen && <Peek {...parts} line={line} isTimed />}
      </div>
      {isSeen && <Axis {...parts} line={line} />}
      {isSeen && <Played {...parts} line={line} />}
    </>
  );
}

type LaneProps = Parts<"trip" | "format"> & { readonly line: TimeLineState };

function Lane({ trip, line }: LaneProps) {
  const head = useComputed(() => line.placeOf(line.head.value));
  // Nothing of it where the window shows another part of the trip.
  const radius = useComputed(() => {
    const { from, to } = line.shown.value;
    return line.head.value < from || line.head.value > to ? 0 : GRIP_RADIUS;
  });
  const { value: clock } = trip.clock;
  if (clock === null) return null;
  const window = line.shown.value;
  const isReel = trip.movements.value !== null;
  const least = isReel ? (MOVEMENT_WIDTH / line.width.value) * 100 : undefined;
  const clips = placed(trip.trip.value?.segments ?? [], clock, window, least);
  const range = trip.range.value;
  return (
    <svg aria-hidden="true">
      <clipPath id="sc-played">
        <rect width={head} height="100%" />
      </clipPath>
      {range && (
        <rect
          class="sc-range"
          x={line.placeOf(range.from)}
          width={`${percentAt(window, range.to) - percentAt(window, range.from)}%`}
          height="100%"
        />
      )}
      <g transform="translate(0 -3)">
        {clips.map(({ clip, segment, x, width }) => {
          const [look] = lookOfType(clip.type);
          const isPlain = look === "ty-n" || clip.coming !== null;
          return (
            <rect
              key={segment.key}
              class={isPlain ? "sc-e" : `sc-b ${look}`}
              x={`${x}%`}
              y="50%"
              width={`${width}%`}
              height="6"
              rx="2"
            />
          );
        })}
        <g clip-path="url(#sc-played)">
          {clips.map(
            ({ clip, segment, x, width }) =>
              lookOfType(clip.type)[0] === "ty-n" && (
                <rect key={segment.key} class="sc-n" x={`${x}%`} y="50%" width={`${width}%`} height="6" rx="2" />
              ),
          )}
        </g>
      </g>
      {clock.gaps().map(([from, to]) => (
        <line
          key={from}
          class="sc-gap"
          x1={`${clamped(percentAt(window, from))}%`}
          x2={`${clamped(percentAt(window, to))}%`}
          y1="50%"
          y2="50%"
        />
      ))}
      {clips.map(({ clip, segment, x, width }) => {
        const mark = markOf(clip.type);
        if (mark === null) return null;
        const t = clip.strongest?.t ?? null;
        const middle = t === null ? x + width / 2 : percentAt(window, segment.offset + t);
        return (
          <svg key={segment.key} x={`${middle}%`} y="50%" overflow="visible">
            {mark === "event" ? (
              <path class={`sc-ev ${lookOfType(clip.type)[0]}`} d="M-6 -5L0 -16L6 -5Z" />
            ) : (
              <circle class="sc-mk" cy="-11" r="5" />
            )}
          </svg>
        );
      })}
      <PointedAt line={line} />
      <circle class="sc-grip" cx={head} cy="50%" r={radius} />
    </svg>
  );
}

function PointedAt({ line }: Pick<LaneProps, "line">) {
  const { value: time } = line.hover;
  if (time === null) return null;
  const at = line.placeOf(time);
  return <line class="sc-at" x1={at} x2={at} y1="0" y2="100%" />;
}

/** Times of the camera's clock below. */
function Axis({ trip, line, format }: LaneProps) {
  const { value: clock } = trip.clock;
  const ticks = clock ? ticksOf(clock, line.shown.value, Math.floor(line.width.value / TICK_WIDTH), format) : [];
  return (
    <svg class="sc-axis" aria-hidden="true">
      {ticks.map(({ label, percent }) => (
        <text
          key={label}
          x={`${percent}%`}
          y="12"
          class={percent < 4 ? "is-first" : percent > 96 ? "is-last" : undefined}
        >
          {label}
        </text>
      ))}
    </svg>
  );
}

/** Part that was played, shown when all else has faded. */
function Played({ trip, line }: LaneProps) {
  const width = useComputed(() => `${percentAt({ from: 0, to: trip.clock.value?.length ?? 0 }, line.head.value)}%`);
  return (
    <svg class="sc-line" aria-hidden="true">
      <rect width={width} height="100%" />
    </svg>
  );
}
