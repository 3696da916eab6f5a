/** @jsxImportSource preact */
import { type ReadonlySignal, useComputed } from "@preact/signals";
import { CURVE_HEIGHT, CURVE_WIDTH, speedCurve } from "../../server/domain/shares/speed_curve.ts";
import { type SpeedUnit, speedUnitName } from "../../server/domain/viewer/distance_text.ts";
import type { Together } from "./together.ts";
import type { SharedWay } from "./track_map.tsx";

/** From standing to the fastest. */
const COLOURS = ["var(--v1)", "var(--v2)", "var(--v3)", "var(--v4)", "var(--v5)"] as const;

interface TimePartProps {
  readonly together: Together;
  /** Length of the span. */
  readonly seconds: number;
  readonly clock: (time: number) => string;
  readonly track: ReadonlySignal<SharedWay | null>;
  /** The track is on its way: what it shows has its room already, so that nothing moves when it comes. */
  readonly isTrackComing: boolean;
  readonly unit: SpeedUnit;
}

/** The time as a slider; where the speed is shared, its line is the slider. */
export function TimePart({ together, seconds, clock, track, isTrackComing, unit }: TimePartProps) {
  // Not with every picture: an hour has thousands of fixes.
  const drawn = useComputed(() => track.value && speedCurve(track.value.stretches, seconds, unit));
  const { value: curve } = drawn;
  const hasSpeed = curve !== null || isTrackComing;
  return (
    <div class={hasSpeed ? "sh-time has-speed needs-script" : "sh-time needs-script"}>
      {hasSpeed && (
        <>
          <p class="sh-lane">
            <b>Speed</b> {speedUnitName(unit)}
          </p>
          <p class="sh-scale" aria-hidden="true">
            <span>{curve?.top}</span>
            <span>0</span>
          </p>
        </>
      )}
      {curve !== null && (
        <svg
          class="sh-speed"
          viewBox={`0 0 ${CURVE_WIDTH} ${CURVE_HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Speed, ${curve.fastest} ${speedUnitName(unit)} at most`}
        >
          <path
            class="zero"
            d={`M0 1H${CURVE_WIDTH}M0 ${CURVE_HEIGHT / 2}H${CURVE_WIDTH}M0 ${CURVE_HEIGHT - 1}H${CURVE_WIDTH}`}
          />
          <defs>
            <linearGradient id="speeds" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1={CURVE_HEIGHT} y2="0">
              {COLOURS.map((colour, at) => (
                <stop key={colour} offset={at / (COLOURS.length - 1)} stop-color={colour} />
              ))}
            </linearGradient>
          </defs>
          <path class="under" d={curve.area} fill="url(#speeds)" />
          <path class="curve" d={curve.line} stroke="url(#speeds)" />
        </svg>
      )}
      <input
        type="range"
        min={0}
        max={seconds}
        step={0.1}
        value={together.time.value}
        aria-label="Time"
        aria-valuetext={clock(together.time.value)}
        onInput={(event) => together.seek(Number(event.currentTarget.value))}
      />
      <p class="sh-ends">
        <span>{clock(0)}</span>
        <span>{clock(seconds)}</span>
      </p>
    </div>
  );
}
