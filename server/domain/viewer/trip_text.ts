import { cameraDay } from "../recordings/camera_clock.ts";

const DAY_MS = 86_400_000;

/** `Fri 20 Nov, 08:00 to 08:40`; over midnight `Fri 20 Nov, 23:50 to Sat 00:11`. Both are ISO 8601, camera time. */
export function tripTimes(start: string, end: string, thisYear: number): string {
  return `${cameraDay(dayOf(start), thisYear)}, ${clockOf(start)} to ${endOf(start, end, thisYear)}`;
}

/** The same below the heading of a day: `08:00 to 08:40`, `23:50 to Sat 00:11`, and on the day after `Fri 20 Nov, 23:50 to 00:11`. */
export function tripTimesOnDay(start: string, end: string, date: string, thisYear: number): string {
  if (dayOf(start) === date) return `${clockOf(start)} to ${endOf(start, end, thisYear)}`;
  const last = dayOf(end) === date ? clockOf(end) : endOf(start, end, thisYear);
  return `${cameraDay(dayOf(start), thisYear)}, ${clockOf(start)} to ${last}`;
}

/** Of the next day the weekday says enough, and fits. */
function endOf(start: string, end: string, thisYear: number): string {
  const days = Math.round((Date.parse(dayOf(end)) - Date.parse(dayOf(start))) / DAY_MS);
  if (days === 0) return clockOf(end);
  const day = cameraDay(dayOf(end), thisYear);
  return days === 1 ? `${day.slice(0, day.indexOf(" "))}\u00a0${clockOf(end)}` : `${day}, ${clockOf(end)}`;
}

function dayOf(moment: string): string {
  return moment.slice(0, 10);
}

function clockOf(moment: string): string {
  return moment.slice(11, 16);
}

/** A moment of the camera's clock, in seconds since 1970 as if that were UTC, in ISO 8601 without an offset. */
export function wallText(wall: number): string {
  // A thousandth is what sums of lengths may be off.
  return new Date(Math.floor(wall + 0.001) * 1000).toISOString().slice(0, 19);
}
