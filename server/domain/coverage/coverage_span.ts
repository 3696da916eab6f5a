import { isDay } from "../recordings/camera_clock.ts";
import { isoDay } from "../text/zone_time.ts";

/** Days from one to another, `YYYY-MM-DD`. */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;
/** 13 weeks: so many days when nothing else is asked for. */
const USUAL_DAYS = 91;
const MOST_DAYS = 400;

/** The day so many days later, or earlier when negative. */
export function dayAfter(day: string, days: number): string {
  return isoDay(Date.parse(day) + days * DAY_MS);
}

/** All days of a span, by date. */
export function daysOf({ from, to }: DaySpan): string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, at) => dayAfter(from, at));
}

/**
 * The span that is asked for; what is left out is the usual.
 * @returns a sentence when there is no such span
 */
export function spanAsked(from: string | null, to: string | null, today: string): DaySpan | string {
  for (const day of [from, to]) if (day !== null && !isDay(day)) return "The days must be YYYY-MM-DD.";
  const last = to ?? (from !== null && from > today ? from : today);
  const span = { from: from ?? dayAfter(last, 1 - USUAL_DAYS), to: last };
  if (span.from > span.to) return "The first day must not be after the last one.";
  const days = (Date.parse(span.to) - Date.parse(span.from)) / DAY_MS + 1;
  return days > MOST_DAYS ? `Ask for at most ${MOST_DAYS} days.` : span;
}
