import { formatDate } from "./format.ts";

const YEAR = / \d{4}$/;

/**
 * Days from the first to the last, `YYYY-MM-DD`, as one says them: `8 Nov`, `6 to 8 Nov`, `28 Oct to 3 Nov`, with years
 * when one of them is not the year of `now`: `3 Jan 2024 to 8 Nov 2026`.
 */
export function daySpan(oldest: string, newest: string, now: number): string {
  const [first, last] = [dateOf(oldest), dateOf(newest)];
  const year = String(new Date(now).getUTCFullYear());
  const isThisYear = oldest.startsWith(year) && newest.startsWith(year);
  const short = (date: string) => (isThisYear ? date.replace(YEAR, "") : date);
  if (oldest === newest) return short(last);
  const isOneMonth = oldest.slice(0, 7) === newest.slice(0, 7);
  return `${isOneMonth ? Number(oldest.slice(8)) : short(first)} to ${short(last)}`;
}

function dateOf(day: string): string {
  return formatDate(Date.parse(`${day}T00:00:00Z`), "UTC");
}
