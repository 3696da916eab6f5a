import type { DayTrips, TripSummary, ViewerRecording } from "../../domain/api/viewer_schema.ts";
import { distanceOfTrip, mostOf, type TelemetryFacts } from "../../domain/viewer/clip_facts.ts";
import { JourneyClock } from "../../domain/viewer/journey_clock.ts";
import type { ListFilter } from "../../domain/viewer/list_filter.ts";
import type { Trip } from "../../domain/viewer/trips.ts";
import { keyOf } from "../../domain/viewer/viewer_address.ts";
import type { Segment } from "../../store/library/recording_files.ts";
import { type ListParts, listedBy } from "../retention/viewer_lists.ts";
import type { ViewedRecordings } from "../viewer/viewed_recordings.ts";
import { type EntryParts, viewerEntries } from "./viewer_entries.ts";

export type TripListParts = ListParts & EntryParts & { readonly viewed: Pick<ViewedRecordings, "trips"> };

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

async function tripSummaries(app: TripListParts, trips: readonly Trip<Segment>[]): Promise<TripSummary[]> {
  const segments = trips.flatMap(({ clips }) => clips);
  // Lengths first: what a track comes to is judged by them.
  const entries = await viewerEntries(app, segments);
  const telemetry = await app.segments.telemetryFacts(segments);
  let from = 0;
  return trips.map(({ kind, clips }) => {
    const to = from + clips.length;
    const summary = summaryOf(kind, entries.slice(from, to), telemetry.slice(from, to));
    from = to;
    return summary;
  });
}

function summaryOf(
  kind: TripSummary["kind"],
  entries: readonly ViewerRecording[],
  telemetry: readonly (TelemetryFacts | null)[],
): TripSummary {
  const clips = entries.map(keyOf);
  const clock = new JourneyClock(entries.map((entry) => ({ ...entry, key: keyOf(entry) })));
  const types: Record<string, number> = {};
  for (const { type } of entries) types[type] = (types[type] ?? 0) + 1;
  const third = Math.floor(entries.length / 3);
  const pictures = [...entries.slice(third), ...entries.slice(0, third).reverse()];
  return {
    kind,
    start: entries[0]?.datetime ?? "",
    end: new Date(Math.round(clock.wallAt(clock.length)) * 1000).toISOString().slice(0, 19),
    length_seconds: clock.length,
    distance_meters: distanceOfTrip(
      entries.map((entry, at) => ({ offsetSeconds: clock.offsetOf(keyOf(entry)) ?? 0, facts: telemetry[at] ?? null })),
    ),
    fastest_knots: mostOf(telemetry.map((facts) => facts?.fastestKnots ?? null)),
    strongest_g: mostOf(telemetry.map((facts) => facts?.strongestG ?? null)),
    is_complete:
      entries.every(({ size_bytes: size, videos }) => size !== null || Object.keys(videos).length === 0) &&
      !telemetry.includes(null),
    types,
    kept: entries.filter(({ kept }) => kept !== null).length,
    here: entries.filter(({ coming }) => coming === null).length,
    coming: entries.filter(({ coming }) => coming !== null && coming.state !== "unwanted").length,
    thumb: pictures.find(({ thumb }) => thumb !== null)?.thumb ?? null,
    clips,
  };
}
