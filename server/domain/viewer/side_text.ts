import { formatSeconds } from "../text/format.ts";
import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import { dayOf, exactClockOf, wallOf } from "../text/zone_time.ts";
import { type SpeedUnit, speedIn, speedUnitName } from "./distance_text.ts";
import type { JourneyClock } from "./journey_clock.ts";
import type { TripTelemetry } from "./trip_telemetry.ts";

/** Text that stands below the pictures at one time. */
export interface SideText {
  /** `Fri 20 Nov 2026` */
  readonly day: string;
  /** `08:23:47` */
  readonly clock: string;
  /** `41`; a dash where the speed is not known; null in a video without speed. */
  readonly speed: string | null;
  /** `km/h` */
  readonly unit: string;
}

export const CLOCK_NOTE = "Time of the camera’s clock";
export const SPEED_NOTE = "Speed as recorded by the camera, not calibrated";

interface Shown {
  readonly clock: Pick<JourneyClock, "wallAt">;
  /** Null without a speed: it is not wanted, or the camera recorded none. */
  readonly figures: Pick<TripTelemetry, "at"> | null;
  readonly unit: SpeedUnit;
  readonly format?: TimeFormat | undefined;
}

/** The text at a time of the trip. */
export function sideText({ clock, figures, unit, format = USUAL_FORMAT }: Shown, time: number): SideText {
  const wall = wallOf(Math.floor(clock.wallAt(time)) * 1000);
  const speed = figures?.at(time).speed ?? null;
  return {
    // The year is always told: a video outlives it.
    day: dayOf(wall, Number.NaN, format),
    clock: exactClockOf(wall, format),
    speed: figures === null ? null : speed === null ? "–" : String(Math.round(speedIn(speed, unit))),
    unit: speedUnitName(unit),
  };
}

/** Says how far a video is. */
export interface SideProgress {
  /** Seconds of the video that are made, and those of all. */
  readonly done: number;
  readonly seconds: number;
  readonly bytes: number;
}

/** Says how long the rest takes: `about 2 min left`; empty while too little is done to tell. */
export function timeLeft({ done, seconds }: SideProgress, tookSeconds: number): string {
  const share = seconds > 0 ? done / seconds : 0;
  if (share < 0.01 || tookSeconds < 2) return "";
  const left = (tookSeconds / share) * (1 - share);
  if (left < 60) return left < 5 ? "a few seconds left" : `about ${5 * Math.max(1, Math.round(left / 5))}\u00a0s left`;
  return `about ${formatSeconds(60 * Math.ceil(left / 60))} left`;
}
