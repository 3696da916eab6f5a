import type { ClockZone } from "../../domain/recordings/clock_change.ts";
import { dayOfMoment, dayText, isGroupKey, momentNumber } from "../../domain/recordings/moment_number.ts";
import { typeOf } from "../../domain/recordings/recording_name.ts";
import { isEvent } from "../../domain/retention/keep_times.ts";
import type { Coming, ViewerDay } from "../../domain/viewer/viewer_schema.ts";
import type { RecordingIndex } from "../../store/clips/recording_index.ts";
import { bySegmentTime, SegmentDays } from "../../store/clips/segment_days.ts";
import type { DayTrips, PlacedTrip } from "../../store/clips/trip_windows.ts";
import type { Library } from "../../store/library/library.ts";
import type { LibraryFigures } from "../../store/library/library_counts.ts";
import { partsWithoutVideo, type Segment, type SegmentParts } from "../../store/library/recording_files.ts";

/** Recordings that are still on the camera. */
export interface ComingSource {
  /** Another one when recordings come to be on the list or leave it. */
  readonly version: number;
  all(): readonly Coming[];
  of(key: string): Coming | null;
}

interface Parts {
  readonly segments: Pick<RecordingIndex, "inDays" | "figures">;
  readonly library: Pick<Library, "group">;
  readonly coming: ComingSource;
  /** Resolves when a list that has just come from the camera is compared with what is at home. */
  readonly counted?: () => Promise<unknown>;
  /** Zone of the camera's clock. */
  readonly zone: () => ClockZone | null;
}

/** Recordings at home and those to come, as they were at one time. */
interface Merged {
  readonly home: SegmentDays;
  readonly version: number;
  readonly days: SegmentDays;
  /** Those of which no video is at home, by day. */
  readonly away: ReadonlyMap<number, readonly Segment[]>;
}

/**
 * Lists the recordings for the viewer: those at home, and those still on the camera. Their thumbnails and tracks show a
 * drive before its videos are here. Everything else that reads recordings asks the index of those at home.
 */
export class ViewedRecordings {
  readonly #parts: Parts;
  /** One object for the same endings and directions: what was read of a clip is known by it. */
  readonly #known = new Map<string, SegmentParts>();
  #merged: Merged | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** All recordings by day. */
  async inDays(): Promise<SegmentDays> {
    return (await this.#now()).days;
  }

  /** Days with recordings and how many, newest first. */
  async days(): Promise<readonly ViewerDay[]> {
    return (await this.#now()).days.counts;
  }

  /** Days with recordings that are wanted, and how many, newest first. */
  async daysWith(isWanted: (segment: Segment) => boolean): Promise<readonly ViewerDay[]> {
    return (await this.#now()).days.with(isWanted);
  }

  /** The recordings of a day (`YYYY-MM-DD`), newest first; of the newest day for null. Null when there are none. */
  async day(date: string | null): Promise<{ date: string; segments: readonly Segment[] } | null> {
    return (await this.#now()).days.day(date);
  }

  /** The recording with this key (`YYYYMMDD_HHMMSS_T`); null when there is none. */
  async find(key: string): Promise<Segment | null> {
    return (await this.#now()).days.find(key) ?? (await this.#now(0)).days.find(key);
  }

  /** The journey that begins with this recording, oldest first; empty when there is no such recording. */
  async journey(key: string, allTypes: boolean): Promise<Segment[]> {
    return (await this.#now()).days.journey(key, allTypes, this.#parts.zone());
  }

  /** The trip that a recording belongs to; null when there is no such recording. @param gapMinutes `viewer.trip_gap_minutes` */
  async trip(key: string, gapMinutes: number): Promise<PlacedTrip | null> {
    if ((await this.find(key)) === null) return null;
    return (await this.#now()).days.trip(key, gapMinutes, this.#parts.zone());
  }

  /** The trips of a day (`YYYY-MM-DD`), or of the newest day for null. Null when it has no recordings. */
  async trips(date: string | null, gapMinutes: number): Promise<(DayTrips & { readonly date: string }) | null> {
    return (await this.#now()).days.trips(date, gapMinutes, this.#parts.zone());
  }

  /** All recordings, counted by day, type and camera. Driving times are of what is at home: lengths tell them. */
  async figures(): Promise<LibraryFigures> {
    const home = await this.#parts.segments.figures();
    const { away, days } = await this.#now();
    if (away.size === 0) return home;
    const types = { ...home.types };
    const cameras = { ...home.cameras };
    const events = new Map<string, number>();
    for (const [date, segments] of away) {
      for (const { key, parts } of segments) {
        const type = typeOf(key);
        types[type] = (types[type] ?? 0) + 1;
        for (const letter of parts.cameras) cameras[letter] = (cameras[letter] ?? 0) + 1;
      }
      events.set(dayText(date), segments.filter(({ key }) => isEvent(typeOf(key))).length);
    }
    const ofHome = new Map(home.days.map((day) => [day.date, day]));
    return {
      types,
      cameras,
      days: days.counts.map(({ date, count }) => {
        const { events: here = 0, drivingSeconds = 0 } = ofHome.get(date) ?? {};
        return { date, clips: count, events: here + (events.get(date) ?? 0), drivingSeconds };
      }),
    };
  }

  /** @param maxAgeMs how old the last look at the folders may be; as the viewer needs it when left out */
  async #now(maxAgeMs?: number): Promise<Merged> {
    const { segments, coming, counted } = this.#parts;
    const home = await segments.inDays(maxAgeMs);
    await counted?.();
    const { version } = coming;
    if (this.#merged?.home !== home || this.#merged.version !== version) this.#merged = this.#merge(home, version);
    return this.#merged;
  }

  #merge(home: SegmentDays, version: number): Merged {
    const away = this.#awayFrom(home);
    if (away.size === 0) return { home, version, away, days: home };
    const counted = new Map(home.counts.map(({ date, count }, at) => [home.dates[at] ?? 0, { date, count }]));
    for (const [date, { length }] of away)
      counted.set(date, { date: dayText(date), count: (counted.get(date)?.count ?? 0) + length });
    const dates = [...counted.keys()].sort((one, other) => other - one);
    const sorted = new Map<number, readonly Segment[]>();
    const of = (date: number): readonly Segment[] => {
      const ofDay = away.get(date);
      if (ofDay === undefined) return home.of(date);
      const known = sorted.get(date) ?? [...home.of(date), ...ofDay].sort(bySegmentTime);
      sorted.set(date, known);
      return known;
    };
    const counts = dates.map((date) => counted.get(date) ?? { date: dayText(date), count: 0 });
    return { home, version, away, days: new SegmentDays({ dates, counts, of }) };
  }

  /** Returns the recordings to come that have no video at home, by day. */
  #awayFrom(home: SegmentDays): ReadonlyMap<number, readonly Segment[]> {
    const byDay = new Map<number, Coming[]>();
    for (const one of this.#parts.coming.all()) {
      if (!isGroupKey(one.key)) continue;
      const date = dayOfMoment(momentNumber(one.key));
      const ofDay = byDay.get(date);
      if (ofDay) ofDay.push(one);
      else byDay.set(date, [one]);
    }
    const away = new Map<number, readonly Segment[]>();
    for (const [date, ofDay] of byDay) {
      const here = new Set(home.of(date).map(({ key }) => key));
      const segments = ofDay.filter(({ key }) => !here.has(key)).map((one) => this.#segmentOf(one));
      if (segments.length > 0) away.set(date, segments);
    }
    return away;
  }

  #segmentOf({ key, directions }: Coming): Segment {
    const { folder = "", endings = [] } = this.#parts.library.group(key) ?? {};
    const made = `${directions.join("")} ${endings.join(" ")}`;
    const parts = this.#known.get(made) ?? partsWithoutVideo(endings, directions);
    this.#known.set(made, parts);
    return { key, folder, parts };
  }
}
