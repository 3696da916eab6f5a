import type { ClockZone } from "../recordings/clock_change.ts";

/** Turns epoch milliseconds into seconds of the camera's clock, as `secondsOf` has them. */
export function wallSeconds(ms: number, zone: ClockZone): number {
  return Math.floor((ms + zone.offset(ms)) / 1000);
}

/** Turns seconds of the camera's clock into epoch milliseconds. A time that clocks leave out is as long after the change. */
export function wallMoment(seconds: number, zone: ClockZone): number {
  const wall = seconds * 1000;
  return wall - zone.offset(wall - zone.offset(wall));
}
