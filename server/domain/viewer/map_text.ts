import { distanceInWords, type SpeedUnit, speedInWords } from "./distance_text.ts";
import { boundsOf, courseBetween, type MapTrack } from "./map_track.ts";
import type { Telemetry } from "./viewer_schema.ts";

const WINDS: readonly string[] = [
  "north",
  "north-east",
  "east",
  "south-east",
  "south",
  "south-west",
  "west",
  "north-west",
];

interface Told {
  readonly telemetry: Pick<Telemetry, "distance_meters" | "fastest_knots">;
  readonly track: MapTrack;
  readonly unit: SpeedUnit;
  /** `08:24` of each event on the way. */
  readonly events: readonly string[];
}

/** A track for those who do not see it: `Track, 24.6 km from west to north-east, fastest 82 km/h, one event at 08:24`. */
export function trackInWords({ telemetry, track, unit, events }: Told): string {
  const { distance_meters: meters, fastest_knots: fastest } = telemetry;
  const way = meters === null ? "" : `, ${distanceInWords(meters, unit)}`;
  return [
    `Track${way}${fromWhereToWhere(track)}`,
    ...(fastest === null ? [] : [`fastest ${speedInWords(fastest, unit)}`]),
    ...eventsInWords(events),
  ].join(", ");
}

function eventsInWords(events: readonly string[]): string[] {
  if (events.length === 0) return [];
  const count = events.length === 1 ? "one event" : `${events.length} events`;
  const named = events.slice(0, MOST_NAMED).join(", ");
  return [`${count} at ${named}${events.length > MOST_NAMED ? " and later" : ""}`];
}
const MOST_NAMED = 3;

/** Part of a track's width and height within which its end is where it began. */
const SAME_PLACE = 0.1;

function fromWhereToWhere(track: MapTrack): string {
  const { south, north, west, east } = boundsOf(track);
  const middle = { lat: (south + north) / 2, lon: (west + east) / 2 };
  const first = placeOf(track, 0);
  const last = placeOf(track, track.t.length - 1);
  const high = north - south;
  const wide = east - west;
  if (high === 0 && wide === 0) return " at one place";
  if (Math.abs(first.lat - last.lat) <= high * SAME_PLACE && Math.abs(first.lon - last.lon) <= wide * SAME_PLACE)
    return " and back to where it began";
  const from = windOf(middle, first);
  const to = windOf(middle, last);
  return from === to ? ` to the ${windOf(first, last)}` : ` from ${from} to ${to}`;
}

function placeOf({ lat, lon }: MapTrack, at: number): { lat: number; lon: number } {
  return { lat: lat[at] ?? 0, lon: lon[at] ?? 0 };
}

function windOf(from: { lat: number; lon: number }, to: { lat: number; lon: number }): string {
  return WINDS[Math.round(courseBetween(from, to) / 45) % WINDS.length] ?? "";
}
