import { DAY_SECONDS, USUAL_DAYS } from "./card_memory.ts";
import { median, type Visit } from "./visit.ts";

/** A span of time, in seconds of one clock. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Visits from which on something is usual. */
export const LEAST_VISITS = 5;
/** Days that are looked ahead for visits. */
const DAYS_AHEAD = 7;
/** Days of a weekday from which on it is told from the others. */
const LEAST_OF_WEEKDAY = 2;
/** Visits that begin within this time of the day are alike. */
const ALIKE_SECONDS = 2 * 3600;
const LEAST_ALIKE = 3;
const DAYS_OF_WEEK = 7;

/** Turns visits into spans on a clock. @param wall turns epoch milliseconds into seconds of that clock */
export function spansOf(visits: readonly Visit[], wall: (ms: number) => number): Span[] {
  return visits.map(({ from, seconds }) => ({ from: wall(from), to: wall(from) + seconds }));
}

/**
 * Returns the visits that are usual in the next week, oldest first: those of the same weekdays in the last eight weeks.
 * None when fewer than five visits are known.
 * @param visits that have ended, in any order
 * @param begun those of today that have begun, the one that goes on too
 */
export function usualVisits(visits: readonly Span[], begun: readonly Span[], now: number): Span[] {
  const today = dayOf(now);
  const recent = visits.filter(({ from }) => dayOf(from) >= today - USUAL_DAYS);
  if (recent.length < LEAST_VISITS) return [];
  const byDay = new Map<number, Span[]>();
  for (const visit of [...recent].sort((one, other) => one.from - other.from)) {
    const day = dayOf(visit.from);
    byDay.set(day, [...(byDay.get(day) ?? []), visit]);
  }
  const first = Math.min(...byDay.keys());
  const expected: Span[] = [];
  for (let day = today; day <= today + DAYS_AHEAD; day++) {
    const usual = usualOf(sampledDays(first, today, day), byDay);
    const passed = day === today ? begun.filter(({ from }) => dayOf(from) === today).length : 0;
    for (const { from, to } of usual.slice(passed)) {
      const span = { from: Math.max(day * DAY_SECONDS + from, now), to: day * DAY_SECONDS + to };
      if (span.to > span.from) expected.push(span);
    }
  }
  return apart(expected);
}

/** Days before today that are like this one: of the same weekday, or all while that was seen too seldom. */
function sampledDays(first: number, today: number, like: number): number[] {
  const days = Array.from({ length: Math.max(0, today - first) }, (_, index) => first + index);
  const same = days.filter((day) => (like - day) % DAYS_OF_WEEK === 0);
  return same.length >= LEAST_OF_WEEKDAY ? same : days;
}

/** The visits of most of these days, by their place in the day; times in seconds after midnight. */
function usualOf(days: readonly number[], byDay: ReadonlyMap<number, readonly Span[]>): Span[] {
  const usual: Span[] = [];
  for (let place = 0; ; place++) {
    const alike = days.flatMap((day) => {
      const visit = byDay.get(day)?.[place];
      return visit ? [{ from: visit.from - day * DAY_SECONDS, seconds: visit.to - visit.from }] : [];
    });
    if (alike.length === 0 || alike.length * 2 < days.length) return usual;
    const from = median(alike.map((visit) => visit.from)) ?? 0;
    usual.push({ from, to: from + (median(alike.map(({ seconds }) => seconds)) ?? 0) });
  }
}

/** Spans in order, and none that begins before the one before it has ended. */
function apart(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (last !== undefined && span.from <= last.to)
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else result.push(span);
  }
  return result;
}

/**
 * Returns the seconds that a visit usually takes that began at `from` and has taken `passed` already; null while fewer than
 * five are known. Visits that began about this time of the same weekday count, else about this time of any day, else all.
 */
export function usualStay(visits: readonly Span[], from: number, passed = 0): number | null {
  const recent = visits.filter((visit) => dayOf(visit.from) >= dayOf(from) - USUAL_DAYS);
  if (recent.length < LEAST_VISITS) return null;
  const alike = recent.filter((visit) => timeBetween(visit.from, from) <= ALIKE_SECONDS);
  const sameDay = alike.filter((visit) => (dayOf(visit.from) - dayOf(from)) % DAYS_OF_WEEK === 0);
  const samples = [sameDay, alike].find(({ length }) => length >= LEAST_ALIKE) ?? recent;
  const stays = samples.map((visit) => visit.to - visit.from);
  // One that is longer already than most is like those that were longer still.
  const longer = stays.filter((seconds) => seconds > passed);
  return Math.max(passed, median(longer.length > 0 ? longer : stays) ?? 0);
}

/** Seconds between two times of the day, at most twelve hours. */
function timeBetween(one: number, other: number): number {
  const apartBy = Math.abs(one - other) % DAY_SECONDS;
  return Math.min(apartBy, DAY_SECONDS - apartBy);
}

function dayOf(seconds: number): number {
  return Math.floor(seconds / DAY_SECONDS);
}
