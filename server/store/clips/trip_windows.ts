import type { ClockZone } from "../../domain/recordings/clock_change.ts";
import { dayNumber, dayOfMoment, momentNumber } from "../../domain/recordings/moment_number.ts";
import { dateOf } from "../../domain/recordings/recording_name.ts";
import { type Trip, tripsOf } from "../../domain/viewer/trips.ts";
import type { Segment } from "../library/recording_files.ts";

/** Days on each side that are searched for the ends of a trip: a longer one comes of a clock that was set. */
const MOST_TRIP_DAYS = 7;

/** The days there are, and the segments of some of them, oldest first. */
export interface TripSource {
  /** As numbers, newest first. */
  readonly dates: readonly number[];
  readonly segmentsOf: (dates: readonly number[]) => Iterable<Segment>;
  /** `viewer.trip_gap_minutes` */
  readonly gapMinutes: number;
  /** Zone of the camera's clock; null where it is not known. */
  readonly zone: ClockZone | null;
}

/** A trip, and the first segments of the trips before and after it. */
export interface PlacedTrip {
  readonly trip: Trip<Segment>;
  readonly earlier: Segment | null;
  readonly later: Segment | null;
}

/** The trips of a day, oldest first. */
export interface DayTrips {
  /** The trip that began on an earlier day and goes on into this one; null when there is none. */
  readonly before: Trip<Segment> | null;
  /** Those that begin on the day. */
  readonly trips: readonly Trip<Segment>[];
}

/** The trip that a segment belongs to; null when there is no such segment. */
export function tripWith(source: TripSource, key: string): PlacedTrip | null {
  const day = dayOfMoment(momentNumber(key));
  // The trip before has to be whole, too: where it begins is where a step back leads to.
  return widen(source, day, ({ trips, isAtStart, isAtEnd }, isLast) => {
    const at = trips.findIndex(({ clips }) => clips.some((clip) => clip.key === key));
    const trip = trips[at];
    if (!trip) return null;
    const isWhole = (at > 1 || isAtStart) && (at < trips.length - 1 || isAtEnd);
    if (!isWhole && !isLast) return undefined;
    return { trip, earlier: trips[at - 1]?.clips[0] ?? null, later: trips[at + 1]?.clips[0] ?? null };
  });
}

/** The trips of a day (`YYYY-MM-DD`); null when it has no segments. */
export function tripsOfDay(source: TripSource, date: string): DayTrips | null {
  return widen(source, dayNumber(date), ({ trips, isAtStart, isAtEnd }, isLast) => {
    const first = trips.findIndex(({ clips }) => clips.some(({ key }) => dateOf(key) === date));
    const last = trips.findLastIndex(({ clips }) => clips.some(({ key }) => dateOf(key) === date));
    const isWhole = (first > 0 || isAtStart) && (last < trips.length - 1 || isAtEnd);
    if (!isWhole && !isLast) return undefined;
    const all = trips.slice(first, last + 1);
    const [before] = all;
    const isBefore = before !== undefined && dateOf(before.clips[0]?.key ?? "") !== date;
    return isBefore ? { before, trips: all.slice(1) } : { before: null, trips: all };
  });
}

interface Window {
  readonly trips: readonly Trip<Segment>[];
  /** There is nothing older. */
  readonly isAtStart: boolean;
  readonly isAtEnd: boolean;
}

/** Asks with more and more days around one, until there is an answer; null when the day is not there. */
function widen<T>(
  { dates, segmentsOf, gapMinutes, zone }: TripSource,
  day: number,
  answer: (window: Window, isLast: boolean) => T | null | undefined,
): T | null {
  const here = dates.indexOf(day);
  for (let days = 1; here >= 0 && days <= MOST_TRIP_DAYS; days++) {
    const from = here + days;
    const to = here - days;
    const trips = tripsOf(segmentsOf(dates.slice(Math.max(0, to), from + 1).reverse()), gapMinutes, zone);
    const window = { trips, isAtStart: from >= dates.length - 1, isAtEnd: to <= 0 };
    const found = answer(window, days === MOST_TRIP_DAYS);
    if (found !== undefined) return found;
  }
  return null;
}
