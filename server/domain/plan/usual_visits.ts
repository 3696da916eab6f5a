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

/** A camera that is back so soon was at home all the time: it had lost the Wi-Fi, or a run had failed. */
const SAME_STAY_SECONDS = 900;

/** Stays at home, in seconds of one clock. */
export interface Stays {
  /** Those that have ended, oldest first. */
  readonly ended: readonly Span[];
  /** The one that goes on; null when there is none. */
  readonly open: Span | null;
}

/**
 * Makes stays of visits, in any order. Those of which one follows soon after the other are one stay. What a clock that was
 * ahead has noted counts for nothing.
 * @param now epoch milliseconds
 * @param wall turns epoch milliseconds into seconds of the clock
 */
export function staysOf(visits: readonly Visit[], now: number, wall: (ms: number) => number): Stays {
  const spans: (Span & { readonly isOpen: boolean })[] = [];
  for (const visit of [...visits].sort((one, other) => one.from - other.from)) {
    if (visit.from > now) continue;
    const from = wall(visit.from);
    const span = { from, to: from + visit.seconds, isOpen: visit.to === null };
    const before = spans.at(-1);
    if (before === undefined || span.from - before.to > SAME_STAY_SECONDS) spans.push(span);
    else
      spans[spans.length - 1] = {
        from: before.from,
        to: Math.max(before.to, span.to),
        isOpen: before.isOpen || span.isOpen,
      };
  }
  const plain = ({ from, to }: Span) => ({ from, to });
  return {
    ended: spans.filter(({ isOpen }) => !isOpen).map(plain),
    open: spans.filter(({ isOpen }) => isOpen).map(plain)[0] ?? null,
  };
}

/**
 * Returns the visits that are usual in the next week, oldest first: those of the same weekdays in the last eight weeks, or
 * where no weekday is like another, as far apart as they are. None when fewer than five visits are known.
 * @param visits that have ended, in any order
 * @param begun those of today that have begun, the one that goes on too
 */
export function usualVisits(visits: readonly Span[], begun: readonly Span[], now: number): Span[] {
  const begin = beginOfDays(visits);
  const moved = (spans: readonly Span[], by: number) => spans.map(({ from, to }) => ({ from: from + by, to: to + by }));
  return moved(visitsByDay(moved(visits, -begin), moved(begun, -begin), now - begin), begin);
}

/**
 * Returns the time of the day at which the days of visits are told apart, in seconds after midnight: the middle of the
 * longest time in which none begins. At midnight, visits of a car that comes home about then would be of two days.
 */
function beginOfDays(visits: readonly Span[]): number {
  const times = visits.map(({ from }) => from - dayOf(from) * DAY_SECONDS).sort((one, other) => one - other);
  const [first = 0] = times;
  let [begin, longest] = [0, 0];
  for (const [at, time] of times.entries()) {
    const length = (times[at + 1] ?? first + DAY_SECONDS) - time;
    if (length > longest) [begin, longest] = [time + length / 2, length];
  }
  return begin % DAY_SECONDS;
}

/** Usual visits where days begin at midnight. */
function visitsByDay(visits: readonly Span[], begun: readonly Span[], now: number): Span[] {
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
  const weeks = Math.max(1, (today - first) / DAYS_OF_WEEK);
  return expected.length >= recent.length / weeks / 2 ? apart(expected) : spacedVisits(recent, begun, now);
}

/** Visits as far apart, and as long, as they usually are. */
function spacedVisits(recent: readonly Span[], begun: readonly Span[], now: number): Span[] {
  const begins = recent.map(({ from }) => from).sort((one, other) => one - other);
  const gap = median(begins.slice(1).map((from, at) => from - (begins[at] ?? from))) ?? 0;
  const stay = median(recent.map(({ from, to }) => to - from)) ?? 0;
  const last = Math.max(...begins, ...begun.map(({ from }) => from));
  const spans: Span[] = [];
  for (let from = Math.max(last + gap, now); gap > 0 && from < now + DAYS_AHEAD * DAY_SECONDS; from += gap)
    spans.push({ from, to: from + stay });
  return apart(spans);
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
