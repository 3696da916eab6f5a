import { cameraDay } from "../recordings/camera_clock.ts";

/** `Fri 20 Nov, 08:00 to 08:40`; of a trip over midnight with the other day as well. Both are ISO 8601, camera time. */
export function tripTimes(start: string, end: string, thisYear: number): string {
  const [day, lastDay] = [start.slice(0, 10), end.slice(0, 10)];
  const last = end.slice(11, 16);
  return `${cameraDay(day, thisYear)}, ${start.slice(11, 16)} to ${day === lastDay ? "" : `${cameraDay(lastDay, thisYear)}, `}${last}`;
}

/** A moment of the camera's clock, in seconds since 1970 as if that were UTC, in ISO 8601 without an offset. */
export function wallText(wall: number): string {
  // A thousandth is what sums of lengths may be off.
  return new Date(Math.floor(wall + 0.001) * 1000).toISOString().slice(0, 19);
}
