/** @jsxImportSource preact */
import type { ReadonlySignal } from "@preact/signals";
import type { SharedClip, SharedEvent } from "../../server/domain/shares/shared_clips.ts";
import type { SpanClock } from "../../server/domain/shares/span_clock.ts";
import { counted } from "../../server/domain/text/format.ts";
import type { TimeFormat } from "../../server/domain/text/time_format.ts";
import { clockOf } from "../../server/domain/text/zone_time.ts";
import { SHORTEST_GAP_SECONDS } from "../../server/domain/viewer/journey_clock.ts";
import { lookOfType } from "../parts/recording_type.tsx";
import { markOf } from "../viewer/timeline/clips_lane.tsx";
import { Key } from "../viewer/timeline/legend.tsx";
import { percentAt, wallAt } from "../viewer/timeline/time_window.ts";

/** Between two clips a hair's breadth is left free, and a clip is drawn so wide at least. Both in percent. */
const HAIR = 0.12;
const NARROWEST = 0.25;
/** Most events that are told one by one. */
const MOST_TOLD = 4;

interface ClipsLaneProps {
  readonly clips: readonly SharedClip[];
  readonly events: ReadonlySignal<readonly SharedEvent[]>;
  /** Length of the span. */
  readonly seconds: number;
  readonly clock: SpanClock;
  readonly format: TimeFormat;
}

/** The recordings of a span by time: coloured by type, hatched where parked. */
export function ClipsLane({ clips, events, seconds, clock, format }: ClipsLaneProps) {
  const window = { from: 0, to: seconds };
  const marks = events.value.map(({ clip, strongest }) => ({ clip, at: strongest ?? (clip.from + clip.to) / 2 }));
  const manual = clips.filter(({ type }) => markOf(type) === "manual");
  return (
    <>
      <span class="tl-name">
        <b>Clips</b>
      </span>
      <span class="tl-scale" />
      <svg class="lane" role="img" aria-label={inWords(clips, events.value, clock, format)}>
        <defs>
          <pattern id="tl-hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect class="hatch-ground" width="5" height="5" />
            <rect class="hatch" width="2" height="5" />
          </pattern>
        </defs>
        {clips.map(({ from, to, type }) => {
          const [begin, end] = [percentAt(window, from), percentAt(window, to)];
          const hair = Math.min(HAIR, (end - begin) / 10);
          const x = Math.min(begin + (begin > 0 ? hair : 0), 100 - NARROWEST);
          const width = Math.max(NARROWEST, end - x - (end < 100 ? hair : 0));
          const [look] = lookOfType(type);
          const kind = look === "ty-p" ? "sg-p" : "sg";
          return (
            <rect key={from} class={`${kind} ${look}`} x={`${x}%`} y="30%" width={`${width}%`} height="70%" rx="2" />
          );
        })}
        {gapsOf(clips).map(([from, to]) => (
          <line
            key={from}
            class="sg-gap"
            x1={`${percentAt(window, from) + HAIR}%`}
            x2={`${percentAt(window, to) - HAIR}%`}
            y1="65%"
            y2="65%"
          />
        ))}
        {marks.map(({ clip, at }) => (
          <svg key={clip.from} x={`${percentAt(window, at)}%`} overflow="visible">
            <path class={`pk ${lookOfType(clip.type)[0]}`} d="M-6 7L0 -4L6 7Z" />
          </svg>
        ))}
        {manual.map(({ from, to }) => (
          <svg key={from} x={`${percentAt(window, (from + to) / 2)}%`} overflow="visible">
            <path class="mk" d="M0 -4a5 5 0 1 0 .01 0Z" />
          </svg>
        ))}
      </svg>
    </>
  );
}

/** Times between clips of which nothing can be shown. */
function gapsOf(clips: readonly SharedClip[]): (readonly [from: number, to: number])[] {
  let end = clips[0]?.to ?? 0;
  return clips.flatMap(({ from, to }) => {
    const gap = [end, from] as const;
    end = Math.max(end, to);
    return gap[1] - gap[0] >= SHORTEST_GAP_SECONDS ? [gap] : [];
  });
}

/** `3 clips, 1 event at 08:24` */
function inWords(
  clips: readonly SharedClip[],
  events: readonly SharedEvent[],
  clock: SpanClock,
  format: TimeFormat,
): string {
  const times = events.map(({ clip, strongest }) => clockOf(wallAt(clock.wallAt(strongest ?? clip.from)), format));
  const told = times.length > MOST_TOLD ? "" : ` at ${times.join(", ")}`;
  return [counted(clips.length, "clip"), ...(times.length === 0 ? [] : [counted(times.length, "event") + told])].join(
    ", ",
  );
}

/** Meaning of the drawings, as far as there are some. */
export function ClipsLegend({ clips }: { readonly clips: readonly SharedClip[] }) {
  const looks = new Set(clips.map(({ type }) => lookOfType(type)[0]));
  return (
    <ul class="keys">
      {looks.has("ty-n") && (
        <Key name="Normal">
          <rect class="sg ty-n" x="2" y="1" width="16" height="8" rx="2" />
        </Key>
      )}
      {clips.some(({ type }) => markOf(type) === "event") && (
        <Key name="Event">
          <path class="sg ty-e" d="M4 9L10 0L16 9Z" />
        </Key>
      )}
      {looks.has("ty-p") && (
        <Key name="Parking">
          <rect class="sg-p ty-p" x="2" y="1" width="16" height="8" rx="2" />
        </Key>
      )}
      {looks.has("ty-m") && (
        <Key name="Manual">
          <circle class="sg ty-m" cx="10" cy="5" r="5" />
        </Key>
      )}
      {looks.has("ty-d") && (
        <Key name="Driver">
          <rect class="sg ty-d" x="2" y="1" width="16" height="8" rx="2" />
        </Key>
      )}
    </ul>
  );
}
