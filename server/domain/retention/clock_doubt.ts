import { secondsOf } from "../recordings/recording_name.ts";
import { isoDay } from "../text/zone_time.ts";

const DAY = 86_400;
/** Seconds that a service may have been off without its clock being doubted. */
const MOST_AWAY = 30 * DAY;

/** What a clock is judged by; times in epoch seconds. */
export interface ClockFacts {
  readonly now: number;
  /** The end of the newest run before this one; null when there was none. */
  readonly last_run: number | null;
  /** `YYYYMMDD_HHMMSS` of the newest recording at home; null when there is none, or the folder cannot be read. */
  readonly newest: string | null;
}

/**
 * Why the clock cannot be trusted with deleting by age, as a sentence without a full stop; null when nothing speaks
 * against it. A machine that has lost its time counts from 1970, or from years ahead.
 */
export function clockDoubt({ now, last_run, newest }: ClockFacts): string | null {
  const shows = `the clock shows ${isoDay(now * 1000)}`;
  if (last_run !== null && now < last_run)
    return `${shows}, before the end of an earlier run (${isoDay(last_run * 1000)})`;
  if (last_run !== null && now > last_run + MOST_AWAY)
    return `${shows}, more than 30 days after the run before (${isoDay(last_run * 1000)})`;
  // Names carry the camera's own wall time, which no zone puts a day ahead.
  const recorded = newest === null ? null : secondsOf(newest);
  if (recorded !== null && now < recorded - DAY)
    return `${shows}, before the newest recording (${isoDay(recorded * 1000)})`;
  return null;
}
