import { dateOf, shortDateOf, wallOf } from "./zone_time.ts";

/**
 * Days from the first to the last, `YYYY-MM-DD`, as one says them: `8 Nov`, `6 to 8 Nov`, `28 Oct to 3 Nov`, with years
 * when one of them is not the year of `now`: `3 Jan 2024 to 8 Nov 2026`.
 */
export function daySpan(oldest: string, newest: string, now: number): string {
  const [first, last, { year }] = [wallOf(Date.parse(oldest)), wallOf(Date.parse(newest)), wallOf(now)];
  const inWords = first.year === year && last.year === year ? shortDateOf : dateOf;
  if (oldest === newest) return inWords(last);
  const isOneMonth = first.year === last.year && first.month === last.month;
  return `${isOneMonth ? first.day : inWords(first)} to ${inWords(last)}`;
}
