/** @jsxImportSource preact */
import { useComputed } from "@preact/signals";
import type { SpeedUnit } from "../../../server/domain/viewer/distance_text.ts";
import { forceText, speedInWords } from "../../../server/domain/viewer/distance_text.ts";
import type { TripReading } from "../../../server/domain/viewer/trip_telemetry.ts";
import type { Parts } from "../viewer_parts.ts";
import type { RangeEnd, TimeLineState } from "./time_line_state.ts";
import { clockAt, percentAt } from "./time_window.ts";

interface OverlayProps extends Parts<"trip" | "format" | "speedUnit"> {
  readonly line: TimeLineState;
}

/** Half of a label's width in pixels, by the hours of a clock: nearer to an end it would stick out. */
export const HALF_LABELS = { 12: 43, 24: 33 } as const;
const HALF_READING = 90;

/** The one play head over all lanes. Only its place and its time change while the trip plays. */
export function PlayHead({ trip, line, format }: OverlayProps) {
  const half = HALF_LABELS[format.hours];
  const place = useComputed(() => line.placeOf(line.head.value));
  const label = useComputed(() =>
    trip.shownClock.value ? clockAt(trip.shownClock.value, line.head.value, format) : "",
  );
  const inside = useComputed(() => {
    const at = (percentAt(line.shown.value, line.head.value) / 100) * line.width.value;
    const by = Math.max(0, half - at) - Math.max(0, at - (line.width.value - half));
    return `translate(${Math.round(by)} 0)`;
  });
  const isShown = useComputed(() => {
    const { from, to } = line.shown.value;
    return trip.clock.value !== null && line.head.value >= from && line.head.value <= to;
  });
  return (
    <div class="head" aria-hidden="true" hidden={!isShown.value}>
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

/** Speed and force at the place of the pointer. */
export function HoverReading({ trip, line, speedUnit, format }: OverlayProps) {
  const time = line.hover.value;
  const { value: clock } = trip.shownClock;
  if (time === null || clock === null) return null;
  const at = (percentAt(line.shown.value, time) / 100) * line.width.value;
  const reading = trip.figures.value?.at(time);
  const side = at < HALF_READING ? "is-left" : at > line.width.value - HALF_READING ? "is-right" : "";
  const place = line.placeOf(time);
  return (
    <div class={`head hover ${side}`} aria-hidden="true">
      <svg>
        <line x1={place} x2={place} y1="0" y2="100%" />
        <svg x={place} overflow="visible">
          <text y="6">
            {[clockAt(clock, time, format), ...(reading ? wordsOf(reading, speedUnit) : [])].join(" · ")}
          </text>
        </svg>
      </svg>
    </div>
  );
}

/** The marked range, with an end to take hold of on each side. */
export function MarkedRange({
  trip,
  line,
  grab,
}: OverlayProps & { readonly grab: (end: RangeEnd, event: PointerEvent) => void }) {
  const { value: range } = trip.range;
  if (range === null) return null;
  const window = line.shown.value;
  const [from, to] = [percentAt(window, range.from), percentAt(window, range.to)].map((percent) =>
    Math.max(0, Math.min(100, percent)),
  ) as [number, number];
  const isSeen = (time: number) => time >= window.from && time <= window.to;
  return (
    <div class="head range" aria-hidden="true">
      <svg>
        <rect class="rg" x={`${from}%`} width={`${Math.max(0, to - from)}%`} y="0" height="100%" />
        {isSeen(range.from) && <Handle percent={from} side={-1} grab={(event) => grab("from", event)} />}
        {isSeen(range.to) && <Handle percent={to} side={1} grab={(event) => grab("to", event)} />}
      </svg>
    </div>
  );
}

interface HandleProps {
  readonly percent: number;
  readonly side: -1 | 1;
  readonly grab: (event: PointerEvent) => void;
}

function Handle({ percent, side, grab }: HandleProps) {
  return (
    <>
      <line class="rg-l" x1={`${percent}%`} x2={`${percent}%`} y1="0" y2="100%" />
      <svg
        x={`${percent}%`}
        overflow="visible"
        class="rg-grip"
        data-end={side < 0 ? "from" : "to"}
        onPointerDown={grab}
      >
        <rect class="rg-area" x={side < 0 ? -34 : -10} y="4" width="44" height="54" />
        <rect class="rg-h" x={side < 0 ? -11 : -1} y="18" width="12" height="26" rx="4" />
        <path class="rg-g" d={`M${side * 5} 25v12`} />
      </svg>
    </>
  );
}

/** Speed and force as a reader takes them: `72 km/h`, `0.08 g`; what is not known is left out or said. */
export function wordsOf(reading: TripReading, speedUnit: SpeedUnit): string[] {
  const { hasFix, speed, force } = reading;
  return [
    speed === null ? (hasFix ? "speed not known" : "no fix") : speedInWords(speed, speedUnit),
    ...(force === null ? [] : [`${forceText(force)}\u00a0g`]),
  ];
}
