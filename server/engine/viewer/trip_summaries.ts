import type { ClockZone } from "../../domain/recordings/clock_change.ts";
import { mostOf, type TelemetryFacts } from "../../domain/viewer/clip_facts.ts";
import { JourneyClock } from "../../domain/viewer/journey_clock.ts";
import type { Place } from "../../domain/viewer/fix_steps.ts";
import type { ListFilter } from "../../domain/viewer/list_filter.ts";
import { withinClip } from "../../domain/viewer/telemetry.ts";
import { endsOf, runsOf, type TripWay, type WayClip, type WayEnds, wayOf } from "../../domain/viewer/trip_way.ts";
import type { Trip } from "../../domain/viewer/trips.ts";
import { keyOf } from "../../domain/viewer/viewer_address.ts";
import type { DayTrips, TripSummary, ViewerRecording } from "../../domain/viewer/viewer_schema.ts";
import type { TelemetryFiles } from "../../store/clips/telemetry_files.ts";
import type { Segment } from "../../store/library/recording_files.ts";
import type { ViewedRecordings } from "./viewed_recordings.ts";
import { knownClockOffset } from "./clock_offset.ts";
import { type EntryParts, viewerEntries } from "./viewer_entries.ts";
import { type ListParts, listedBy } from "./viewer_lists.ts";

export type TripListParts = ListParts &
  EntryParts & {
    readonly viewed: Pick<ViewedRecordings, "trips">;
    readonly telemetry: Pick<TelemetryFiles, "stamps" | "read">;
    readonly placeNames: () => Promise<{ ofTrip(ends: WayEnds | null): Promise<string | null> }>;
    /** Zone of the camera's clock. */
    readonly zone: ClockZone;
  };

/**
 * The trips of a day that have a clip of those a list holds; null when the day has none at all.
 * @param date `YYYY-MM-DD`; null for the newest
 * @param gapMinutes `viewer.trip_gap_minutes`
 */
export async function dayTrips(
  app: TripListParts,
  date: string | null,
  filter: ListFilter,
  gapMinutes: number,
): Promise<DayTrips["days"][number] | null> {
  const found = await app.viewed.trips(date, gapMinutes);
  if (found === null) return null;
  const isListed = await listedBy(app, filter);
  const isWanted = ({ clips }: Trip<Segment>) => clips.some(isListed);
  const before = found.before && isWanted(found.before) ? found.before : null;
  const summaries = await tripSummaries(app, [...(before ? [before] : []), ...found.trips.filter(isWanted)]);
  const first = before ? (summaries.shift() ?? null) : null;
  return { date: found.date, before: first, trips: summaries.reverse() };
}

/** A trip with what is known of its clips. */
interface ReadTrip {
  readonly kind: TripSummary["kind"];
  readonly entries: readonly ViewerRecording[];
  readonly facts: readonly (TelemetryFacts | null)[];
  readonly clock: JourneyClock;
  readonly way: TripWay;
}

/** True when the files of all clips have been read. */
function isRead({ facts }: Pick<ReadTrip, "facts">): boolean {
  return !facts.includes(null);
}

async function tripSummaries(app: TripListParts, trips: readonly Trip<Segment>[]): Promise<TripSummary[]> {
  const names = await app.placeNames();
  const read = await readTrips(app, trips);
  const ends = endsInRow(read);
  const summaries: TripSummary[] = [];
  for (const [at, trip] of read.entries()) {
    summaries.push({
      ...summaryOf(trip),
      name: isRead(trip) ? await names.ofTrip(ends[at] ?? null) : null,
      clock_offset_seconds: knownClockOffset(trips[at]?.clips ?? [], trip.facts, app.zone),
    });
  }
  return summaries;
}

/**
 * Where trips begin and end, one after the other. A parked car without a fix stands where the drive before ended, or where
 * the next one begins.
 */
function endsInRow(trips: readonly ReadTrip[]): (WayEnds | null)[] {
  const ends = trips.map(({ way }) => endsOf(way));
  const stood: (Place | null)[] = trips.map(() => null);
  const walk = (order: readonly number[], side: "first" | "last") => {
    let place: Place | null = null;
    for (const at of order) {
      const own = ends[at];
      if (own) place = own[side];
      // Nobody knows where a drive without a fix led.
      else if (trips[at]?.kind === "drive") place = null;
      else stood[at] ??= place;
    }
  };
  const order = [...trips.keys()];
  walk(order, "last");
  walk(order.toReversed(), "first");
  return ends.map((own, at) => {
    const place = stood[at];
    return own ?? (place ? { first: place, last: place } : null);
  });
}

/** Places at which the trips of a day end, the oldest first, with the key of their last clip. */
export async function endsOfDay(
  app: TripListParts,
  date: string,
  gapMinutes: number,
): Promise<{ readonly place: Place; readonly key: string }[]> {
  const found = await app.viewed.trips(date, gapMinutes);
  const read = await readTrips(app, found?.trips ?? []);
  return read.flatMap(({ way, entries }) => {
    const [ends, last] = [endsOf(way), entries.at(-1)];
    return ends && last ? [{ place: ends.last, key: keyOf(last) }] : [];
  });
}

async function readTrips(app: TripListParts, trips: readonly Trip<Segment>[]): Promise<ReadTrip[]> {
  const segments = trips.flatMap(({ clips }) => clips);
  // Lengths first: what a track comes to is judged by them.
  const entries = await viewerEntries(app, segments);
  const telemetry = await app.segments.telemetryFacts(segments);
  const read: ReadTrip[] = [];
  let from = 0;
  for (const { kind, clips } of trips) {
    const to = from + clips.length;
    const listed = entries.slice(from, to).map((entry) => ({ entry, key: keyOf(entry) }));
    const facts = telemetry.slice(from, to);
    const clock = new JourneyClock(
      listed.map(({ entry, key }) => ({ key, duration_seconds: entry.duration_seconds })),
      app.zone,
    );
    const way = await wayOfTrip(app.telemetry, clips, facts, clock);
    read.push({ kind, entries: entries.slice(from, to), facts, clock, way });
    from = to;
  }
  return read;
}

/** Parts that a trip is named with. */
export type NamingParts = Pick<TripListParts, "telemetry" | "placeNames">;

/**
 * The name of a trip by where it begins and ends; null until all of its clips have been read.
 * @param clock that of the trip
 */
export async function nameOfTrip(
  app: NamingParts,
  clips: readonly Segment[],
  facts: readonly (TelemetryFacts | null)[],
  clock: JourneyClock,
): Promise<string | null> {
  if (facts.includes(null)) return null;
  const ends = endsOf(await wayOfTrip(app.telemetry, clips, facts, clock));
  return (await app.placeNames()).ofTrip(ends);
}

/** The way of a trip, from what is known of its clips; of those that film what others film the tracks are read again. */
async function wayOfTrip(
  files: TripListParts["telemetry"],
  clips: readonly Segment[],
  facts: readonly (TelemetryFacts | null)[],
  clock: JourneyClock,
): Promise<TripWay> {
  const places = clock.segments;
  const shared = clips.filter((_, at) => (places[at]?.from ?? 0) > 0 && facts[at]?.runs);
  const read = shared.length === 0 ? [] : await files.read(await files.stamps(shared), false);
  const tracks = new Map(shared.map((clip, at) => [clip, read[at]?.track ?? null]));
  return wayOf(
    clips.map((clip, at): WayClip => {
      const { offset: offsetSeconds = 0, length = 0, isGuess = true } = places[at] ?? {};
      const durationSeconds = isGuess ? null : length;
      return {
        offsetSeconds,
        durationSeconds,
        runs: (from) => {
          const track = tracks.get(clip);
          if (from <= 0 || !track) return facts[at]?.runs ?? null;
          const told = withinClip({ key: clip.key, offsetSeconds, durationSeconds, track, force: null });
          return told.track && runsOf(told.track, from);
        },
      };
    }),
  );
}

/** Figures of a part of the clips would be taken for those of the whole trip: they are told when all have been read. */
function summaryOf(trip: ReadTrip): Omit<TripSummary, "name" | "clock_offset_seconds"> {
  const { kind, entries, facts, clock } = trip;
  const way = isRead(trip) ? trip.way : { meters: null, fixes: null, fastest: null };
  const clips = entries.map(keyOf);
  const types: Record<string, number> = {};
  for (const { type } of entries) types[type] = (types[type] ?? 0) + 1;
  const third = Math.floor(entries.length / 3);
  const pictures = [...entries.slice(third), ...entries.slice(0, third).reverse()];
  return {
    kind,
    start: entries[0]?.datetime ?? "",
    end: new Date(Math.round(clock.wallAt(clock.length)) * 1000).toISOString().slice(0, 19),
    length_seconds: clock.length,
    distance_meters: way.meters,
    fixes: way.fixes,
    fastest_knots: way.fastest,
    strongest_g: isRead(trip) ? mostOf(facts.map((one) => one?.strongestG ?? null)) : null,
    is_complete:
      entries.every(({ size_bytes: size, videos }) => size !== null || Object.keys(videos).length === 0) &&
      isRead(trip),
    types,
    kept: entries.filter(({ kept }) => kept !== null).length,
    here: entries.filter(({ coming }) => coming === null).length,
    coming: entries.filter(({ coming }) => coming !== null && coming.state !== "unwanted").length,
    thumb: pictures.find(({ thumb }) => thumb !== null)?.thumb ?? null,
    clips,
  };
}
