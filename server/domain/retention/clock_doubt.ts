import { secondsOf } from "../recordings/recording_name.ts";
import { formatSeconds } from "../text/format.ts";
import { isoDay } from "../text/zone_time.ts";

const DAY = 86_400;
/** Seconds that a service may have been off without its clock being doubted. */
const MOST_AWAY = 30 * DAY;
/** Time after which a recording of these days has to vouch for it. */
const LONG_AWAY = 8 * DAY;

/** Facts that decide about a clock; times in epoch seconds, recordings as `YYYYMMDD_HHMMSS`. */
export interface ClockFacts {
  readonly now: number;
  /** The end of the newest run before this one; null when there was none. */
  readonly last_run: number | null;
  /** The newest recording at home; null when there is none, or the folder cannot be read. */
  readonly newest: string | null;
  /** The newest recording the camera listed last; null when there is none, or while that is unknown. */
  readonly on_camera: string | null;
  /** Seconds that the clock went on more than a steady one in this process; below 0 when it went on less. */
  readonly gained: number;
}

/**
 * Says why the clock cannot be trusted with deleting by age, as a sentence without a full stop; null when nothing
 * speaks against it. A machine that has lost its time counts from 1970, or from years ahead.
 */
export function clockDoubt(facts: ClockFacts): string | null {
  const firm = firmDoubt(facts);
  if (firm !== null) return firm;
  const { now, last_run, newest, gained } = facts;
  if (isOfNow(facts.on_camera, now) || isOfNow(newest, now)) return null;
  const shows = shownBy(now);
  const unconfirmed = "no recording confirms it";
  if (Math.abs(gained) > DAY)
    return `${shows} after a jump of ${formatSeconds(Math.abs(gained))} ${gained > 0 ? "ahead" : "back"}, and ${unconfirmed}`;
  if (last_run !== null && now >= last_run + LONG_AWAY)
    return `${shows}, ${formatSeconds(now - last_run)} after the run before, and ${unconfirmed}`;
  return null;
}

/** Says only the doubts of `clockDoubt` that a recording of these days does not remove. */
export function firmDoubt({ now, last_run, newest }: ClockFacts): string | null {
  const shows = shownBy(now);
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

/** True when a recording was made about now: cameras set their clocks by satellites. */
export function isOfNow(recording: string | null, now: number): boolean {
  return recording !== null && Math.abs(now - secondsOf(recording)) <= DAY;
}

function shownBy(now: number): string {
  return `the clock shows ${isoDay(now * 1000)}`;
}
