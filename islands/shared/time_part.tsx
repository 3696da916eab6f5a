/** @jsxImportSource preact */
import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { SharedClip, SharedEvent } from "../../server/domain/shares/shared_clips.ts";
import type { SpanClock } from "../../server/domain/shares/span_clock.ts";
import { CURVE_HEIGHT, CURVE_WIDTH, speedCurve } from "../../server/domain/shares/speed_curve.ts";
import type { TimeFormat } from "../../server/domain/text/time_format.ts";
import { type SpeedUnit, speedUnitName } from "../../server/domain/viewer/distance_text.ts";
import { HALF_LABELS } from "../viewer/timeline/play_head.tsx";
import { TimeAxis } from "../viewer/timeline/time_axis.tsx";
import { percentAt, wallClock } from "../viewer/timeline/time_window.ts";
import { ClipsLane, ClipsLegend } from "./clips_lane.tsx";
import type { Together } from "./together.ts";
import type { SharedWay } from "./track_map.tsx";

/** From standing to the fastest. */
const COLOURS = ["var(--v1)", "var(--v2)", "var(--v3)", "var(--v4)", "var(--v5)"] as const;
/** Above the curve, so that its stroke and the uppermost line are not cut. */
const ROOM = 5;
/** Pixels of the lanes until they are measured. */
const USUAL_WIDTH = 700;

interface TimePartProps {
  readonly together: Together;
  /** Length of the span. */
  readonly seconds: number;
  readonly clock: SpanClock;
  readonly clips: readonly SharedClip[];
  readonly events: ReadonlySignal<readonly SharedEvent[]>;
  readonly track: ReadonlySignal<SharedWay | null>;
  /** The track is on its way: what it shows has its room already, so that nothing moves when it comes. */
  readonly isTrackComing: boolean;
  readonly unit: SpeedUnit;
  readonly format: TimeFormat;
}

/** The span as a time line: its recordings, where the place is shared also the speed, and over all the time that is seen. */
export function TimePart(props: TimePartProps) {
  const { together, seconds, clock, clips, events, track, isTrackComing, unit, format } = props;
  // Not with every picture: an hour has thousands of fixes.
  const drawn = useComputed(() => track.value && speedCurve(track.value.stretches, seconds, unit));
  const { value: curve } = drawn;
  const hasSpeed = curve !== null || isTrackComing;
  const lanes = useRef<HTMLDivElement>(null);
  const width = useSignal(USUAL_WIDTH);
  useEffect(() => {
    const axis = lanes.current?.querySelector(".tl-axis");
    if (!axis) return;
    const watching = new ResizeObserver(([entry]) => {
      width.value = entry?.contentRect.width || width.peek();
    });
    watching.observe(axis);
    return () => watching.disconnect();
  }, []);
  const seekTo = (clientX: number) => {
    const box = lanes.current?.querySelector(".tl-axis")?.getBoundingClientRect();
    if (box && box.width > 0) together.seek(((clientX - box.left) / box.width) * seconds);
  };
  const window = { from: 0, to: seconds };
  return (
    <section class="tl sh-time needs-script" aria-label="Time line">
      <div
        class="tl-body"
        ref={lanes}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          seekTo(event.clientX);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event.clientX);
        }}
      >
        <ClipsLane clips={clips} events={events} seconds={seconds} clock={clock} format={format} />
        {hasSpeed && (
          <>
            <span class="tl-name">
              <b>Speed</b>
              {speedUnitName(unit)}
            </span>
            <span class="tl-scale" aria-hidden="true">
              {curve &&
                [curve.top, curve.top / 2, 0].map((at) => <span key={at}>{Number.isInteger(at) ? at : ""}</span>)}
            </span>
            <SpeedLane curve={curve} unit={unit} />
          </>
        )}
        <TimeAxis clock={clock} window={window} width={width.value} format={format} />
        <PlayHead together={together} window={window} width={width} clock={clock} format={format} />
        <Slider together={together} seconds={seconds} clock={clock} format={format} />
      </div>
      <ClipsLegend clips={clips} />
    </section>
  );
}

function SpeedLane({ curve, unit }: { readonly curve: ReturnType<typeof speedCurve>; readonly unit: SpeedUnit }) {
  return (
    <svg
      class="lane lane-speed sh-speed"
      viewBox={`0 ${-ROOM} ${CURVE_WIDTH} ${CURVE_HEIGHT + ROOM}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={curve === null ? "Speed" : `Speed, 0 to ${curve.fastest} ${speedUnitName(unit)}`}
    >
      {curve !== null && (
        <>
          <defs>
            <linearGradient id="tl-ramp" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1={CURVE_HEIGHT} y2="0">
              {COLOURS.map((colour, at) => (
                <stop key={colour} offset={at / (COLOURS.length - 1)} stop-color={colour} />
              ))}
            </linearGradient>
          </defs>
          <path
            class="zero dots"
            d={[0, 0.5, 1].map((share) => `M0 ${CURVE_HEIGHT * share}H${CURVE_WIDTH}`).join("")}
          />
          <path class="under" d={curve.area} />
          <path class="curve" d={curve.line} />
        </>
      )}
    </svg>
  );
}

interface PlayHeadProps extends Pick<TimePartProps, "together" | "clock" | "format"> {
  readonly window: { readonly from: number; readonly to: number };
  readonly width: ReadonlySignal<number>;
}

/** The time that is seen, over all lanes. */
function PlayHead({ together, window, width, clock, format }: PlayHeadProps) {
  const half = HALF_LABELS[format.hours];
  const percent = useComputed(() => percentAt(window, together.time.value));
  const place = useComputed(() => `${percent.value}%`);
  const label = useComputed(() => wallClock(clock.wallAt(together.time.value), format));
  // Nearer to an end it would stick out.
  const inside = useComputed(() => {
    const at = (percent.value / 100) * width.value;
    const by = Math.max(0, half - at) - Math.max(0, at - (width.value - half));
    return `translate(${Math.round(by)} 0)`;
  });
  return (
    <div class="head" aria-hidden="true">
      <svg>
        <line x1={place} x2={place} y1="0" y2="100%" />
        <svg x={place} overflow="visible">
          <g class="hd-g" transform="translate(0 29)">
            <circle r="13" />
            <path d="M-4 -5V5M0 -5V5M4 -5V5" />
          </g>
          <g transform={inside}>
            <rect x={-half} y="-5" width={2 * half} height="19" rx="5" />
            <text y="9">{label}</text>
          </g>
        </svg>
      </svg>
    </div>
  );
}

type SliderProps = Pick<TimePartProps, "together" | "seconds" | "clock" | "format">;

/** For keyboards and screen readers: fingers and pointers press on the lanes below it. */
function Slider({ together, seconds, clock, format }: SliderProps) {
  const value = together.time.value;
  return (
    <input
      class="sh-slider"
      type="range"
      min={0}
      max={seconds}
      step={0.1}
      value={value}
      aria-label="Time"
      aria-valuetext={wallClock(clock.wallAt(value), format)}
      onInput={(event) => together.seek(Number(event.currentTarget.value))}
    />
  );
}
