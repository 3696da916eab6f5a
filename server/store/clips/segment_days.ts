import type { ClockZone } from "../../domain/recordings/clock_change.ts";
import { dayNumber, dayOfMoment, dayText, momentNumber } from "../../domain/recordings/moment_number.ts";
import { ordinalOf } from "../../domain/recordings/recording_name.ts";
import { journeyFrom } from "../../domain/viewer/journey.ts";
import type { ViewerDay } from "../../domain/viewer/viewer_schema.ts";
import type { Segment } from "../library/recording_files.ts";
import { type DayTrips, type PlacedTrip, type TripSource, tripsOfDay, tripWith } from "./trip_windows.ts";

interface Parts {
  /** Days with segments as numbers `YYYYMMDD`, newest first. */
  readonly dates: readonly number[];
  /** Number of segments of each day, in the same order. */
  readonly counts: readonly ViewerDay[];
  /** The segments of a day in the order of `bySegmentTime`; none of a day that is not there. */
  readonly of: (date: number) => readonly Segment[];
}

/** Newest first; at one second by type, at one type by folder. */
export function bySegmentTime(one: Segment, other: Segment): number {
  return one.key === other.key ? (one.folder < other.folder ? 1 : -1) : one.key < other.key ? 1 : -1;
}

/** Segments by day, as they were at one time: what the viewer's lists, journeys and trips are read from. */
export class SegmentDays {
  readonly dates: readonly number[];
  /** Days with segments and how many, newest first. */
  readonly counts: readonly ViewerDay[];
  readonly of: (date: number) => readonly Segment[];

  constructor({ dates, counts, of }: Parts) {
    this.dates = dates;
    this.counts = counts;
    this.of = of;
  }

  /** Days with segments that are wanted, and how many, newest first. */
  with(isWanted: (segment: Segment) => boolean): readonly ViewerDay[] {
    return this.counts.flatMap(({ date }, at) => {
      let count = 0;
      for (const segment of this.of(this.dates[at] ?? 0)) if (isWanted(segment)) count++;
      return count === 0 ? [] : [{ date, count }];
    });
  }

  /** The segments of a day (`YYYY-MM-DD`), newest first; of the newest day for null. Null when there are none. */
  day(date: string | null): { date: string; segments: readonly Segment[] } | null {
    const wanted = date === null ? this.dates[0] : dayNumber(date);
    const segments = wanted === undefined ? [] : this.of(wanted);
    return wanted === undefined || segments.length === 0 ? null : { date: dayText(wanted), segments };
  }

  /** The segment with this key (`YYYYMMDD_HHMMSS_T`), of several folders the last by path; null when there is none. */
  find(key: string): Segment | null {
    return this.of(dayOfMoment(momentNumber(key))).find((segment) => segment.key === key) ?? null;
  }

  /**
   * The journey that begins with this segment, oldest first; empty when there is no such segment.
   * @param zone of the camera's clock
   */
  journey(key: string, allTypes: boolean, zone: ClockZone | null): Segment[] {
    const start = this.find(key);
    return start ? journeyFrom(start, this.#following(start), allTypes, zone) : [];
  }

  /**
   * The trip that a segment belongs to; null when there is no such segment.
   * @param gapMinutes `viewer.trip_gap_minutes` @param zone of the camera's clock
   */
  trip(key: string, gapMinutes: number, zone: ClockZone | null): PlacedTrip | null {
    return tripWith(this.#tripSource(gapMinutes, zone), key);
  }

  /** The trips of a day (`YYYY-MM-DD`), or of the newest day for null. Null when it has no segments. */
  trips(
    date: string | null,
    gapMinutes: number,
    zone: ClockZone | null,
  ): (DayTrips & { readonly date: string }) | null {
    const wanted = date ?? this.counts[0]?.date;
    const found = wanted === undefined ? null : tripsOfDay(this.#tripSource(gapMinutes, zone), wanted);
    return wanted === undefined || found === null ? null : { date: wanted, ...found };
  }

  /** The segments from one key to another, both included, oldest first; not more than so many. */
  between(from: string, to: string, most: number): Segment[] {
    const first = dayOfMoment(momentNumber(from));
    const last = dayOfMoment(momentNumber(to));
    const dates = this.dates.filter((date) => date >= first && date <= last).reverse();
    const found: Segment[] = [];
    for (const segment of this.#oldestFirst(dates)) {
      if (segment.key < from) continue;
      if (segment.key > to || found.length === most) break;
      // A name that was given again is of another drive.
      if (ordinalOf(segment.key) !== ordinalOf(from)) continue;
      found.push(segment);
    }
    return found;
  }

  *newestFirst(): Generator<Segment> {
    for (const date of this.dates) yield* this.of(date);
  }

  /** The segments of the start's day and later, oldest first; of copies the one that `find` gives. */
  *#following(start: Segment): Generator<Segment> {
    const from = this.dates.indexOf(dayOfMoment(momentNumber(start.key)));
    yield* this.#oldestFirst(this.dates.slice(0, from + 1).reverse());
  }

  #tripSource(gapMinutes: number, zone: ClockZone | null): TripSource {
    return { dates: this.dates, segmentsOf: (dates) => this.#oldestFirst(dates), gapMinutes, zone };
  }

  /** The segments of these days, oldest first; of copies the one that `find` gives. */
  *#oldestFirst(dates: readonly number[]): Generator<Segment> {
    for (const date of dates) {
      const segments = this.of(date);
      for (let at = segments.length - 1; at >= 0; at--) {
        const segment = segments[at];
        if (segment && segments[at - 1]?.key !== segment.key) yield segment;
      }
    }
  }
}
