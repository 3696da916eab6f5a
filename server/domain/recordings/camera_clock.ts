import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import { clockOf, clockSpanOf, dayOf, exactClockOf, isoDay, type Wall, wallOf } from "../text/zone_time.ts";
import { dateOf, secondsOf } from "./recording_name.ts";

/**
 * Returns the camera's clock so many seconds into the recording with this key: `08:15:41`, `8:15:41 am`. Names carry
 * the camera's own wall time; it is shown as it is and never taken into another zone.
 */
export function cameraClock(key: string, seconds = 0, format: TimeFormat = USUAL_FORMAT): string {
  return exactClockOf(wallAt(key, seconds), format);
}

/** Returns `cameraClock` without seconds: enough to name a clip beside others of its day. */
export function shortClock(key: string, format: TimeFormat = USUAL_FORMAT): string {
  return clockOf(wallAt(key, 0), format);
}

/** Writes the time from the beginning of one recording to that of another of the same day: `20:12 to 20:59`. */
export function clockSpan(from: string, to: string, format: TimeFormat = USUAL_FORMAT): string {
  return clockSpanOf(wallAt(from, 0), wallAt(to, 0), format);
}

function wallAt(key: string, seconds: number): Wall {
  return wallOf((secondsOf(key) + Math.floor(seconds)) * 1000);
}

/** `Sun 1 Nov, 02:51`, `Sun Nov 1, 2:51 am`. */
export function clipName(key: string, thisYear: number, format: TimeFormat = USUAL_FORMAT): string {
  return `${cameraDay(dateOf(key), thisYear, format)}, ${shortClock(key, format)}`;
}

/** A day of the camera's calendar (`YYYY-MM-DD`): `Fri 20 Nov`, with the year when it is not `thisYear`. */
export function cameraDay(date: string, thisYear: number, format: TimeFormat = USUAL_FORMAT): string {
  return dayOf(wallOf(Date.parse(date)), thisYear, format);
}

/** True for a day of the calendar, as `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const time = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && isoDay(time) === text;
}
