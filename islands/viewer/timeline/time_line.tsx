/** @jsxImportSource preact */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { formatLength } from "../../../server/domain/text/format.ts";
import type { Parts } from "../viewer_parts.ts";
import { ClipsLane } from "./clips_lane.tsx";
import { ForceLane, SpeedLane } from "./lanes.tsx";
import { Legend } from "./legend.tsx";
import { MomentsLane } from "./moments_lane.tsx";
import { Peek } from "./peek.tsx";
import { HoverReading, MarkedRange, PlayHead } from "./play_head.tsx";
import { Pointing, shareOn } from "./pointing.ts";
import { ReelLane } from "./reel_lane.tsx";
import { clipsInWords, forceInWords, speedLaneInWords } from "./summaries.ts";
import { TimeAxis } from "./time_axis.tsx";
import { listenToTimeLineKeys, pressedOnSlider } from "./time_line_keys.ts";
import { TimeLineState } from "./time_line_state.ts";
import { clockAt } from "./time_window.ts";
import { useFollowedHead, usePosition } from "./use_position.ts";

/** Turned by this many pixels a wheel zooms by one step. */
const WHEEL_STEP = 100;

/** One time line for the whole trip: its clips, under them speed and force, over all one play head. */
export function TimeLine(
  parts: Parts<"list" | "browsing" | "playback" | "trip" | "moments" | "marks" | "format" | "speedUnit">,
) {
  const { trip } = parts;
  const line = useMemo(() => new TimeLineState(trip), [trip]);
  const plot = useRef<HTMLDivElement>(null);
  const pointing = useMemo(() => {
    const shareOf = (clientX: number) => shareOn(plot.current?.querySelector(".tl-axis"), clientX);
    return new Pointing({ line, trip, place: () => plot.current, shareOf });
  }, [line, trip]);
  const all = { ...parts, line };
  useEffect(() => listenToTimeLineKeys(document, { line, trip }), [line, trip]);
  useFollowedHead(line);
  useEffect(() => {
    const axis = plot.current?.querySelector(".tl-axis");
    if (!axis) return;
    const watching = new ResizeObserver(([entry]) => {
      line.width.value = entry?.contentRect.width || line.width.peek();
    });
    watching.observe(axis);
    return () => watching.disconnect();
  }, [line]);
  // A listener that may keep the page from zooming has to be added by hand.
  useEffect(() => {
    const place = plot.current;
    const turned = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
      if (line.zoom.peek() === null && !event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const share = shareOn(place?.querySelector(".tl-axis"), event.clientX);
      if (event.ctrlKey || event.metaKey) line.zoomBy(-event.deltaY / WHEEL_STEP, line.timeAt(share));
      else line.moveBy(event.deltaX / (place?.clientWidth || 1));
    };
    place?.addEventListener("wheel", turned, { passive: false });
    return () => place?.removeEventListener("wheel", turned);
  }, [line]);

  const position = usePosition(all);
  const isReel = trip.movements.value !== null;
  return (
    <section class="tl needs-script" aria-label="Time line">
      <div
        ref={plot}
        class={isReel ? "tl-body tl-reel" : "tl-body"}
        role="slider"
        tabIndex={0}
        aria-label={isReel ? "Position in the time parked" : "Position in the trip"}
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
        <MomentsLane {...all} />
        {isReel ? (
          <ReelLane {...all} />
        ) : (
          <>
            <ClipsLane {...all} />
            <SpeedLane {...all} />
          </>
        )}
        {/* Minutes of a whole night are too narrow for curves. */}
        {(!isReel || line.zoom.value !== null) && <ForceLane {...all} />}
        <Axis {...all} />
        <MarkedRange {...all} grab={(end, event) => pointing.down(end, event)} />
        <HoverReading {...all} />
        <div class="head">
          <Peek {...all} />
        </div>
        <PlayHead {...all} />
      </div>
      <Summaries {...all} />
      <div class="tl-foot">
        <Legend {...all} />
        <Tools {...all} />
      </div>
    </section>
  );
}

type LineProps = Parts<"trip" | "format" | "speedUnit"> & { readonly line: TimeLineState };

/** Times of the camera's clock under the lanes. */
function Axis({ trip, line, format }: LineProps) {
  const { value: clock } = trip.shownClock;
  return <TimeAxis clock={clock} window={line.shown.value} width={line.width.value} format={format} />;
}

/** Contents of the lanes in words, for screen readers. */
function Summaries({ trip, speedUnit, format }: LineProps) {
  const { value: clock } = trip.shownClock;
  const { value: whole } = trip.trip;
  const { value: told } = trip.telemetry;
  const { value: figures } = trip.figures;
  if (clock === null || whole === null) return null;
  const words = [
    clipsInWords(whole, clock, format),
    ...(told && figures ? [speedLaneInWords(told, speedUnit), forceInWords(told, figures, clock, format)] : []),
  ];
  return <p class="sr">{words.join(" ")}</p>;
}

/** Marking a range and looking closer, for those without a keyboard. */
function Tools({ trip, line, format }: LineProps) {
  const range = trip.range.value;
  const { value: clock } = trip.shownClock;
  const problem = trip.telemetryProblem.value;
  return (
    <div class="tl-tools">
      <p class="tl-says" role="status">
        {problem !== null && `Speed and force are not there: ${problem} They are asked for again in a moment.`}
      </p>
      {range && clock && (
        <p class="tl-marked">
          {clockAt(clock, range.from, format)} to {clockAt(clock, range.to, format)}{" "}
          <span>{formatLength(range.to - range.from)}</span>
        </p>
      )}
      <Tool name="Mark from here" letter="I" words="From here" act={() => line.mark("from", line.head.peek())} />
      <Tool name="Mark to here" letter="O" words="To here" act={() => line.mark("to", line.head.peek())} />
      {range && <Tool name="Clear the mark" letter="Esc" words="Clear" act={() => line.clearRange()} />}
      <Tool name="Look closer" letter="+" words="+" act={() => line.zoomBy(1)} />
      <Tool name="See more" letter="-" words="−" isOff={line.zoom.value === null} act={() => line.zoomBy(-1)} />
      {line.zoom.value !== null && (
        <Tool
          name="The whole trip"
          words="All"
          act={() => {
            line.zoom.value = null;
          }}
        />
      )}
    </div>
  );
}

interface ToolProps {
  readonly name: string;
  readonly letter?: string;
  readonly words: string;
  /** There is nothing to do at the moment; the focus stays. */
  readonly isOff?: boolean;
  readonly act: () => void;
}

function Tool({ name, letter, words, isOff = false, act }: ToolProps) {
  return (
    <button
      class="b b-quiet tl-b"
      type="button"
      aria-label={name}
      aria-disabled={isOff ? "true" : undefined}
      title={letter === undefined ? name : `${name} (${letter})`}
      onClick={act}
    >
      {words}
    </button>
  );
}
