/** @jsxImportSource preact */
import { useComputed } from "@preact/signals";
import { speedIn, speedUnitName } from "../../../server/domain/viewer/distance_text.ts";
import { speedScale, speedSteps } from "../../../server/domain/viewer/speed_ramp.ts";
import { Icon } from "../../parts/icon.tsx";
import { lacksForce, lacksTrack } from "../trip_lacks.ts";
import type { TripState } from "../trip_state.ts";
import type { Parts } from "../viewer_parts.ts";
import { areaOf, barsOf, HEIGHT, linesOf, niceTop, strokeOf, WIDTH } from "./curves.ts";
import type { TimeLineState } from "./time_line_state.ts";
import { percentAt } from "./time_window.ts";

interface LaneProps extends Parts<"list" | "browsing" | "trip" | "speedUnit"> {
  readonly line: TimeLineState;
}

const SPEED_TOPS: readonly number[] = [20, 40, 60, 80, 100, 120, 140, 160, 200, 240, 320, 400];
const FORCE_TOPS: readonly number[] = [0.3, 0.6, 0.8, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24];
/** The share of a lane's height that its top value takes: the stroke needs room above it. */
const SPEED_ROOM = 0.952;
const FORCE_ROOM = 0.47;
/** A little over the top value is still drawn within the lane. */
const OVER_TOP = 1.03;
/** The colours of the ramp. */
const RAMP: readonly string[] = ["ramp-1", "ramp-2", "ramp-3", "ramp-4", "ramp-5"];
const BOX = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" } as const;

/** The speed by time, coloured as the track on the map is; gaps are gaps. */
export function SpeedLane({ list, browsing, trip, line, speedUnit }: LaneProps) {
  const drawing = useComputed(() => {
    const track = trip.drawn.value?.track;
    const fastest = trip.telemetry.value?.fastest_knots ?? null;
    if (!track || fastest === null) return null;
    const top = niceTop(SPEED_TOPS, speedIn(fastest, speedUnit) / OVER_TOP);
    const perUnit = (SPEED_ROOM * HEIGHT) / top;
    const values = track.speed.map((knots) => (knots === null ? null : speedIn(knots, speedUnit)));
    const lines = linesOf({ ...track, values }, line.shown.value, (speed) => HEIGHT - speed * perUnit);
    return { top, perUnit, curve: strokeOf(lines), under: areaOf(lines, HEIGHT) };
  });
  const steps = speedSteps(speedScale(trip.telemetry.value?.fastest_knots ?? null, speedUnit));
  const fastestStep = steps.at(-1) ?? 1;
  const isMissing = useComputed(() => lacksTrack({ trip, browsing, list }));
  const isUnknown = useComputed(
    () => trip.telemetry.value !== null && trip.telemetry.value.fastest_knots === null && !isMissing.value,
  );
  const shape = drawing.value;
  return (
    <>
      <span class="tl-name">
        <b>Speed</b>
        {speedUnitName(speedUnit)}
      </span>
      <Scale labels={shape ? [`${shape.top}`, `${shape.top / 2}`, "0"] : []} />
      {isMissing.value || isUnknown.value ? (
        <p class="lane lane-none">
          <Icon name="i-nogps" class="i i-s" />
          {!isMissing.value
            ? "The camera wrote places, but no speed"
            : isAwaited(trip, "has_gps")
              ? "Nothing of the speed is here yet"
              : "No speed without GPS"}
        </p>
      ) : (
        <svg class="lane lane-speed" {...BOX}>
          {shape && (
            <>
              <defs>
                <linearGradient
                  id="tl-ramp"
                  gradientUnits="userSpaceOnUse"
                  x1="0"
                  x2="0"
                  y1={HEIGHT}
                  y2={HEIGHT - fastestStep * shape.perUnit}
                >
                  {steps.map((step, index) => (
                    <stop key={step} class={RAMP[index]} offset={step / fastestStep} />
                  ))}
                </linearGradient>
              </defs>
              <path
                class="zero dots"
                d={[0, 0.5, 1].map((share) => `M0 ${HEIGHT * (1 - share * SPEED_ROOM)}H${WIDTH}`).join("")}
              />
              <path class="under" d={shape.under} />
              <path class="curve" d={shape.curve} />
            </>
          )}
        </svg>
      )}
    </>
  );
}

/** The force by time with the mounting taken off: faster and slower as bars, the other axes as lines, all as a shade. */
export function ForceLane({ list, browsing, trip, line }: LaneProps) {
  const drawing = useComputed(() => {
    const drawn = trip.drawn.value;
    if (!drawn || drawn.force.t.length === 0) return null;
    const { force, peaks } = drawn;
    const window = line.shown.value;
    const most = trip.telemetry.value?.strongest_g ?? 0;
    const top = niceTop(FORCE_TOPS, most / OVER_TOP);
    const gain = (FORCE_ROOM * HEIGHT) / top;
    const yOf = (g: number) => HEIGHT / 2 - g * gain;
    const lines = (values: readonly number[]) => linesOf({ t: force.t, values, breaks: force.breaks }, window, yOf);
    const [faster, slower] = barsOf({ t: force.t, values: force.longitudinal }, window, gain);
    return {
      top,
      faster,
      slower,
      all: areaOf(lines(force.magnitude), HEIGHT / 2),
      lateral: strokeOf(lines(force.lateral)),
      vertical: strokeOf(lines(force.vertical)),
      peaks: peaks.map(({ time }) => percentAt(window, time)).filter((percent) => percent >= 0 && percent <= 100),
    };
  });
  const isMissing = useComputed(() => lacksForce({ trip, browsing, list }));
  const shape = drawing.value;
  return (
    <>
      <span class="tl-name">
        <b>Force</b>g
      </span>
      <Scale labels={shape ? [`${shape.top}`, "0", `−${shape.top}`] : []} />
      {isMissing.value ? (
        <p class="lane lane-none">
          {isAwaited(trip, "has_3gf") ? "Nothing of the force is here yet" : "No force without a g-sensor file"}
        </p>
      ) : (
        <div class="lane lane-g">
          <svg class="fill" {...BOX}>
            <path class="zero" d={`M0 50H${WIDTH}`} />
            {shape && (
              <>
                <path class="all" d={shape.all} />
                <path class="acc" d={shape.faster} />
                <path class="brk" d={shape.slower} />
                <path class="ax-z" d={shape.vertical} />
                <path class="ax-y" d={shape.lateral} />
              </>
            )}
          </svg>
          <svg class="fill" aria-hidden="true">
            {shape?.peaks.map((percent) => (
              <svg key={percent} x={`${percent}%`} overflow="visible">
                <path class="peak" d="M0 -5L4 0L0 5L-4 0Z" />
              </svg>
            ))}
          </svg>
        </div>
      )}
    </>
  );
}

/** Values beside a lane, from the top. */
function Scale({ labels }: { readonly labels: readonly string[] }) {
  return (
    <span class="tl-scale">
      {labels.map((label) => (
        <span key={label}>{label}</span>
      ))}
    </span>
  );
}

/** True when the part of the trip that is still on the camera may bring such a file. */
function isAwaited({ trip }: TripState, file: "has_gps" | "has_3gf"): boolean {
  return trip.value?.segments.some((clip) => clip.coming !== null && !clip[file]) ?? false;
}
