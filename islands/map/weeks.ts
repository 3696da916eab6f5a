import { addDays, weekdayOf } from "../../server/domain/viewer/calendar_month.ts";
import { MAIN_CAMERA } from "../../server/domain/settings/camera_key.ts";

/** Fewer bars would be as wide as a hand. */
const LEAST_WEEKS = 26;
const MOST_WEEKS = 104;

/** A day of the calendar with how long was driven. */
export interface DrivenDay {
  readonly date: string;
  readonly camera?: string | undefined;
  readonly driving_seconds: number;
}

export interface Week {
  /** Its Monday. */
  readonly date: string;
  readonly seconds: number;
}

/** Days that are chosen, by the camera's clock, both counted in; null for all time. */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
}

/** The weeks from the first drive to the last day, or to the newest drive when that is later; two years at most. */
export function weeksOf(days: readonly DrivenDay[], today: string, whose: readonly string[]): Week[] {
  const driven = days.filter(
    ({ driving_seconds: seconds, camera = MAIN_CAMERA }) =>
      seconds > 0 && (whose.length === 0 || whose.includes(camera)),
  );
  const dates = [today, ...driven.map(({ date }) => date)].sort();
  const first = mondayOf(dates[0] ?? today);
  const last = mondayOf(dates.at(-1) ?? today);
  const count = Math.max(LEAST_WEEKS, Math.min(MOST_WEEKS, weeksBetween(first, last) + 1));
  const seconds = new Array<number>(count).fill(0);
  for (const day of driven) {
    const at = count - 1 - weeksBetween(mondayOf(day.date), last);
    if (at >= 0) seconds[at] = (seconds[at] ?? 0) + day.driving_seconds;
  }
  return seconds.map((sum, at) => ({ date: addDays(last, (at + 1 - count) * 7), seconds: sum }));
}

/** The weeks of a span by their place among all: the first and the last one. Null when it has none of them. */
export function placeOf(weeks: readonly Week[], { from, to }: DaySpan): readonly [first: number, last: number] | null {
  const first = weeks.findIndex(({ date }) => addDays(date, 6) >= from);
  const last = weeks.findLastIndex(({ date }) => date <= to);
  return first < 0 || last < first ? null : [first, last];
}

/** The days from one week to another, whichever comes first. */
export function spanOf(weeks: readonly Week[], one: number, other: number): DaySpan | null {
  const first = weeks[Math.max(0, Math.min(one, other))];
  const last = weeks[Math.min(weeks.length - 1, Math.max(one, other))];
  return first && last ? { from: first.date, to: addDays(last.date, 6) } : null;
}

/** The Monday of a day's week. */
export function mondayOf(date: string): string {
  return addDays(date, -weekdayOf(date));
}

function weeksBetween(one: string, other: string): number {
  return Math.round((Date.parse(other) - Date.parse(one)) / (7 * 86_400_000));
}
