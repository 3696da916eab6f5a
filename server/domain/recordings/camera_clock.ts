import { clockOf, dayOf, isoDay, wallOf } from "../text/zone_time.ts";
import { dateOf, secondsOf } from "./recording_name.ts";

/**
 * What the camera's clock showed so many seconds into the recording with this key: `08:15:41`. Names carry the camera's
 * own wall time; it is shown as it is and never taken into another zone.
 */
export function cameraClock(key: string, seconds = 0): string {
  return new Date((secondsOf(key) + Math.floor(seconds)) * 1000).toISOString().slice(11, 19);
}

/** As `cameraClock`, without seconds: enough to name a clip beside others of its day. */
export function shortClock(key: string): string {
  return clockOf(wallOf(secondsOf(key) * 1000));
}

/** `Sun 1 Nov, 02:51`. */
export function clipName(key: string, thisYear: number): string {
  return `${cameraDay(dateOf(key), thisYear)}, ${shortClock(key)}`;
}

/** A day of the camera's calendar (`YYYY-MM-DD`): `Fri 20 Nov`, with the year when it is not `thisYear`. */
export function cameraDay(date: string, thisYear: number): string {
  return dayOf(wallOf(Date.parse(date)), thisYear);
}

/** Whether this is a day of the calendar, as `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const time = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && isoDay(time) === text;
}
