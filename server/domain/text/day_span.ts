import { type TimeFormat, USUAL_FORMAT } from "./time_format.ts";
import { dateOf, shortDateOf, wallOf, withYear } from "./zone_time.ts";

/**
 * Writes the days from the first to the last, `YYYY-MM-DD`: `8 Nov`, `6 to 8 Nov`, `28 Oct to 3 Nov`. It adds years
 * when one of them is not the year of `now`: `3 Jan 2024 to 8 Nov 2026`. Formats with the month first have `Nov 6 to
 * 8`.
 */
export function daySpan(oldest: string, newest: string, now: number, format: TimeFormat = USUAL_FORMAT): string {
  const first = wallOf(Date.parse(oldest));
  const last = wallOf(Date.parse(newest));
  const { year } = wallOf(now);
  const isThisYear = first.year === year && last.year === year;
  const inWords = isThisYear ? shortDateOf : dateOf;
  if (oldest === newest) return inWords(last, format);
  if (first.year !== last.year || first.month !== last.month)
    return `${inWords(first, format)} to ${inWords(last, format)}`;
  const days =
    format.order === "dmy"
      ? `${first.day} to ${shortDateOf(last, format)}`
      : `${shortDateOf(first, format)} to ${last.day}`;
  return isThisYear ? days : withYear(days, last.year, format);
}
