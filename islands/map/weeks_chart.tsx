/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { cameraDay } from "../../server/domain/recordings/camera_clock.ts";
import { counted, formatSeconds } from "../../server/domain/text/format.ts";
import type { TimeFormat } from "../../server/domain/text/time_format.ts";
import { dateOf, shortDateOf, type Wall, wallOf } from "../../server/domain/text/zone_time.ts";
import type { MapState } from "./map_state.ts";
import { type DaySpan, placeOf, spanOf, type Week } from "./weeks.ts";

/** Part of a week's width that its bar has. */
const BAR = 0.83;
/** The nearest end of the span is dragged where the pointer is so near, in weeks. */
const NEAR = 1.5;
/** A bar of nearly nothing is seen all the same. */
const LEAST_HEIGHT = 4;
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
/** Names of months below the bars. */
const MOST_NAMES = 5;

/** Hours driven by week, in which a span of weeks can be chosen. */
export function WeeksChart({ map }: { readonly map: MapState }) {
  const weeks = map.weeks.value;
  const { value: span } = map.span;
  const words = span === null ? "All time" : spanInWords(span, map.props.format);
  const count = map.count.value;
  return (
    <section class="mapw" aria-label="When">
      <div class="mapw-head">
        <p class="mapw-word">
          <b>{words}</b>
          {count !== null && ` · ${counted(count, "drive")} on the map`}
        </p>
        {span !== null && (
          <button
            class="text-b"
            type="button"
            onClick={() => {
              map.span.value = null;
            }}
          >
            All time
          </button>
        )}
      </div>
      <Bars map={map} weeks={weeks} />
    </section>
  );
}

/** `24 Aug to 22 Nov 2026` */
function spanInWords({ from, to }: DaySpan, format: TimeFormat): string {
  const [first, last] = [from, to].map((date) => wallOf(Date.parse(date))) as [Wall, Wall];
  return `${(first.year === last.year ? shortDateOf : dateOf)(first, format)} to ${dateOf(last, format)}`;
}

function Bars({ map, weeks }: { readonly map: MapState; readonly weeks: readonly Week[] }) {
  const chart = useRef<HTMLDivElement>(null);
  /** The end that does not move while another one is dragged; null between two drags. */
  const anchor = useSignal<number | null>(null);
  const { value: span } = map.span;
  const place = span && placeOf(weeks, span);
  const count = Math.max(1, weeks.length);
  const most = Math.max(1, ...weeks.map(({ seconds }) => seconds));
  const percent = (at: number) => `${((at / count) * 100).toFixed(2)}%`;
  const weekAt = ({ clientX }: MouseEvent) => {
    const { left, width } = chart.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    return ((clientX - left) / Math.max(1, width)) * count;
  };
  const choose = (one: number, other: number) => {
    map.span.value = spanOf(weeks, one, other);
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const at = weekAt(event);
    chart.current?.setPointerCapture(event.pointerId);
    if (place && Math.abs(at - place[0]) < NEAR) anchor.value = place[1];
    else if (place && Math.abs(at - place[1] - 1) < NEAR) anchor.value = place[0];
    else {
      anchor.value = Math.floor(at);
      choose(Math.floor(at), Math.floor(at));
    }
  };
  const move = (event: PointerEvent) => {
    if (anchor.value !== null) choose(anchor.value, Math.max(0, Math.min(weeks.length - 1, Math.floor(weekAt(event)))));
  };
  const [first, last] = place ?? [0, weeks.length - 1];
  return (
    <div class="hist-b">
      <div
        class="hist-span needs-script"
        role="group"
        aria-label="Hours driven by week. Two sliders choose a span."
        ref={chart}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={() => {
          anchor.value = null;
        }}
        onPointerCancel={() => {
          anchor.value = null;
        }}
      >
        <svg class="hist" aria-hidden="true">
          <line class="pv-base" x1="0" x2="100%" y1="100%" y2="100%" />
          {weeks.map(({ date, seconds }, at) => {
            const high = seconds === 0 ? 0 : Math.max(LEAST_HEIGHT, (seconds / most) * 100);
            const isIn = at >= first && at <= last;
            return (
              <rect
                key={date}
                class={isIn ? "hi-in" : "hi-out"}
                x={percent(at + (1 - BAR) / 2)}
                width={percent(BAR)}
                y={`${100 - high}%`}
                height={`${high}%`}
                rx="1"
              >
                <title>
                  {cameraDay(date, map.props.thisYear, map.props.format)}: {formatSeconds(seconds)}
                </title>
              </rect>
            );
          })}
          {place && <rect class="rg" x={percent(first)} width={percent(last + 1 - first)} y="0" height="100%" />}
        </svg>
        {weeks.length > 0 && (
          <>
            <End map={map} weeks={weeks} at={first} other={last} isFirst choose={choose} />
            <End map={map} weeks={weeks} at={last} other={first} isFirst={false} choose={choose} />
          </>
        )}
      </div>
      <div class="scale" aria-hidden="true">
        {namesOf(weeks).map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
    </div>
  );
}

interface EndProps {
  readonly map: MapState;
  readonly weeks: readonly Week[];
  readonly at: number;
  readonly other: number;
  readonly isFirst: boolean;
  readonly choose: (one: number, other: number) => void;
}

/** One end of the span, to be dragged or moved by arrow keys. */
function End({ map, weeks, at, other, isFirst, choose }: EndProps) {
  const { format } = map.props;
  const { from = "", to = "" } = spanOf(weeks, at, at) ?? {};
  const least = isFirst ? 0 : other;
  const most = isFirst ? other : weeks.length - 1;
  const press = (event: KeyboardEvent) => {
    const next = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: least, End: most }[
      event.key
    ];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    choose(Math.max(least, Math.min(most, next)), other);
  };
  const part = (isFirst ? at : at + 1) / Math.max(1, weeks.length);
  return (
    <div
      class={isFirst ? "rg-end is-first" : "rg-end"}
      style={{ left: `${part * 100}%` }}
      role="slider"
      tabIndex={0}
      aria-label={isFirst ? "First week" : "Last week"}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={at}
      aria-valuetext={dateOf(wallOf(Date.parse(isFirst ? from : to)), format)}
      onKeyDown={press}
    />
  );
}

/** Months below the bars, at even distances: `Nov 2025`, `Feb`. A year stands with its first month that is named. */
function namesOf(weeks: readonly Week[]): string[] {
  const count = Math.min(MOST_NAMES, weeks.length);
  let year = "";
  return Array.from({ length: count }, (_, at) => {
    const { date = "" } = weeks[Math.round((at * (weeks.length - 1)) / Math.max(1, count - 1))] ?? {};
    const month = MONTHS[Number(date.slice(5, 7)) - 1] ?? "";
    const name = date.slice(0, 4) === year ? month : `${month} ${date.slice(0, 4)}`;
    year = date.slice(0, 4);
    return name;
  });
}
