import { isoDay } from "../text/zone_time.ts";

const DAY_MS = 86_400_000;

/** A month of the calendar, `YYYY-MM`. */
export type Month = string;

/** The month of a day, `YYYY-MM-DD`. */
export function monthOfDay(date: string): Month {
  return date.slice(0, 7);
}

/** The weeks of a month, Monday first: `YYYY-MM-DD`, null before its first day and behind its last. */
export function weeksOf(month: Month): (readonly (string | null)[])[] {
  const first = Date.parse(`${month}-01`);
  const days: (string | null)[] = Array.from({ length: weekdayOf(`${month}-01`) }, () => null);
  for (let day = first; monthOfDay(isoDay(day)) === month; day += DAY_MS) days.push(isoDay(day));
  while (days.length % 7 !== 0) days.push(null);
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
}

/** Returns the date so many days later, or earlier. */
export function addDays(date: string, days: number): string {
  return isoDay(Date.parse(date) + days * DAY_MS);
}

/** Returns the date so many months later, or earlier: the same day of the month, or the month's last. */
export function addMonths(date: string, months: number): string {
  const [year, month, day] = date.split("-").map(Number);
  const last = Date.UTC(year ?? 0, (month ?? 1) + months, 0);
  return isoDay(Math.min(last, Date.UTC(year ?? 0, (month ?? 1) - 1 + months, day)));
}

/** 0 for Monday. */
export function weekdayOf(date: string): number {
  return (new Date(Date.parse(date)).getUTCDay() + 6) % 7;
}
