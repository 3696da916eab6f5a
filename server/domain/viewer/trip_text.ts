import { cameraDay } from "../recordings/camera_clock.ts";
import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import { clockOf, clockSpanOf, exactClockOf, wallOf } from "../text/zone_time.ts";

const DAY_MS = 86_400_000;

/** `Fri 20 Nov, 08:00 to 08:40`; over midnight `Fri 20 Nov, 23:50 to Sat 00:11`. Both are ISO 8601, camera time. */
export function tripTimes(start: string, end: string, thisYear: number, format: TimeFormat = USUAL_FORMAT): string {
  return `${cameraDay(dayOf(start), thisYear, format)}, ${spanOf(start, end, thisYear, format)}`;
}

/**
 * Returns the times of a trip below the heading of a day: `08:00 to 08:40`, `23:50 to Sat 00:11`, and on the day after
 * `Fri 20 Nov, 23:50 to 00:11`.
 */
export function tripTimesOnDay(
  start: string,
  end: string,
  date: string,
  thisYear: number,
  format: TimeFormat = USUAL_FORMAT,
): string {
  if (dayOf(start) === date) return spanOf(start, end, thisYear, format);
  if (dayOf(end) !== date) return tripTimes(start, end, thisYear, format);
  return `${cameraDay(dayOf(start), thisYear, format)}, ${clockAt(start, format)} to ${clockAt(end, format)}`;
}

/** The weekday is enough for the next day, and fits. */
function spanOf(start: string, end: string, thisYear: number, format: TimeFormat): string {
  const days = Math.round((Date.parse(dayOf(end)) - Date.parse(dayOf(start))) / DAY_MS);
  if (days === 0) return clockSpanOf(wallOf(msOf(start)), wallOf(msOf(end)), format);
  const first = clockAt(start, format);
  const last = clockAt(end, format);
  const day = cameraDay(dayOf(end), thisYear, format);
  return `${first} to ${days === 1 ? `${day.slice(0, day.indexOf(" "))}\u00a0` : `${day}, `}${last}`;
}

function dayOf(moment: string): string {
  return moment.slice(0, 10);
}

function clockAt(moment: string, format: TimeFormat): string {
  return clockOf(wallOf(msOf(moment)), format);
}

/** The end of a trip to the second, as its list has it: `08:40:12`. */
export function exactClockAt(moment: string, format: TimeFormat): string {
  return exactClockOf(wallOf(msOf(moment)), format);
}

/** Camera times are reckoned as if they were UTC. */
function msOf(moment: string): number {
  return Date.parse(`${moment.slice(0, 19)}Z`);
}

/** A moment of the camera's clock, in seconds since 1970 as if that were UTC, in ISO 8601 without an offset. */
export function wallText(wall: number): string {
  // A thousandth is what sums of lengths may be off.
  return new Date(Math.floor(wall + 0.001) * 1000).toISOString().slice(0, 19);
}
