import { MONTHS, WEEKDAYS } from "../text/calendar_names.ts";
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
  return cameraClock(key).slice(0, 5);
}

/** `Sun 1 Nov, 02:51`. */
export function clipName(key: string, thisYear: number): string {
  return `${cameraDay(dateOf(key), thisYear)}, ${shortClock(key)}`;
}

/** A day of the camera's calendar (`YYYY-MM-DD`): `Fri 20 Nov`, with the year when it is not `thisYear`. */
export function cameraDay(date: string, thisYear: number): string {
  const day = new Date(`${date}T00:00:00Z`);
  const year = day.getUTCFullYear();
  const words = `${WEEKDAYS[day.getUTCDay()]} ${day.getUTCDate()}\u00a0${MONTHS[day.getUTCMonth()]}`;
  return year === thisYear ? words : `${words} ${year}`;
}

/** Whether this is a day of the calendar, as `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}
