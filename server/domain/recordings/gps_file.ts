import type { GpsPoint } from "./sensor_schema.ts";

export interface GpsTrack {
  /** Points by time. Empty when the camera saw no satellites. */
  points: GpsPoint[];
  /** Real time at `t` 0, epoch milliseconds, by the satellites; null without them. */
  startUtc: number | null;
}

/**
 * Bytes read of a file: half an hour of a receiver that writes much. Reading more would keep other requests waiting, so
 * the rest is ignored.
 */
export const MOST_GPS_BYTES = 1024 * 1024;

/** `[milliseconds]` and right behind it an NMEA-0183 sentence of any satellite system; its checksum is never read. */
const ENTRY = /\[([0-9]{1,15})\]\$G[A-Z](RMC|GGA),([^*\r\n]*)/g;
const DECIMAL = /^[0-9]+(\.[0-9]*)?$/;
const SPEED = /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?$/i;
const NOT_FINITE = /^[+-]?(nan|inf|infinity)$/i;

type Fix = Omit<GpsPoint, "t">;
/** Entries that are read in one step: a few milliseconds, and more than any real clip of a minute has. */
const STEP_ENTRIES = 500;

/** Reads a `.gps` file as `gpsSteps` does, in one go. */
export function readGps(file: Uint8Array): GpsTrack {
  const steps = gpsSteps(file);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/**
 * Reads a `.gps` file: text, per entry `[<milliseconds>]$G?RMC,…` or `$G?GGA,…` (NMEA-0183). The bracket is the camera's
 * own clock in no known zone, so only differences of it are used. At one stamp RMC beats GGA, and the later of a kind
 * the earlier. Every number in the result is finite. Step by step: a file that is no recording's may take long.
 */
export function* gpsSteps(file: Uint8Array): Generator<void, GpsTrack> {
  const text = new TextDecoder().decode(file.subarray(0, MOST_GPS_BYTES));
  const fixes = new Map<number, { kind: string; fix: Fix }>();
  let first = Number.POSITIVE_INFINITY;
  let real: { stamp: number; utc: number } | null = null;
  let entries = 0;
  for (const [, bracket = "", kind = "", body = ""] of text.matchAll(ENTRY)) {
    if (++entries % STEP_ENTRIES === 0) yield;
    const stamp = Number(bracket);
    first = Math.min(first, stamp);
    if (kind === "GGA" && fixes.get(stamp)?.kind === "RMC") continue;
    const fields = body.split(",", 10);
    const fix = kind === "RMC" ? fixOfRmc(fields) : fixOfGga(fields);
    if (fix === null) continue;
    fixes.set(stamp, { kind, fix });
    const utc: number | null = kind === "RMC" && real === null ? utcOfRmc(fields) : null;
    if (utc !== null) real = { stamp, utc };
  }
  const points = [...fixes]
    .sort(([one], [other]) => one - other)
    .map(([stamp, { fix }]) => ({ t: (stamp - first) / 1000, ...fix }));
  return { points, startUtc: real && real.utc - (real.stamp - first) };
}

/** Time, status, latitude, N or S, longitude, E or W, knots. */
function fixOfRmc(fields: readonly string[]): Fix | null {
  const [, status, lat = "", north, lon = "", east, knots] = fields;
  if (knots === undefined || status !== "A") return null;
  const place = placeOf(lat, north, lon, east);
  const speed = speedOf(knots);
  return place && speed !== undefined ? { ...place, speed } : null;
}

/** Time, latitude, N or S, longitude, E or W, quality: none is 0, dead reckoning 6. */
function fixOfGga(fields: readonly string[]): Fix | null {
  const [, lat = "", north, lon = "", east, quality = ""] = fields;
  if (quality === "" || quality === "0") return null;
  const place = placeOf(lat, north, lon, east);
  return place && { ...place, speed: null };
}

function placeOf(lat: string, north: string | undefined, lon: string, east: string | undefined) {
  const latitude = angleOf(lat, north === "S", 90);
  const longitude = angleOf(lon, east === "W", 180);
  if (latitude === null || longitude === null) return null;
  // Some receivers without a fix claim 0°, 0°, which lies in the Gulf of Guinea.
  return latitude === 0 && longitude === 0 ? null : { lat: latitude, lon: longitude };
}

/** `DDMM.mmmmm` or `DDDMM.mmmmm` in degrees; null when that is no such angle. */
function angleOf(text: string, negative: boolean, most: number): number | null {
  if (!DECIMAL.test(text)) return null;
  const value = Number(text);
  const degrees = Math.floor(value / 100);
  const minutes = value - degrees * 100;
  const angle = degrees + minutes / 60;
  if (!(minutes < 60 && angle <= most)) return null;
  return negative && angle > 0 ? -angle : angle;
}

/** Knots; null when the field is empty or not finite, undefined when it is not a number at all. */
function speedOf(text: string): number | null | undefined {
  if (text === "" || NOT_FINITE.test(text)) return null;
  if (!SPEED.test(text)) return undefined;
  const speed = Number(text);
  return Number.isFinite(speed) ? speed : null;
}

/** `hhmmss.ss` and, in the ninth field, `ddmmyy`. */
function utcOfRmc(fields: readonly string[]): number | null {
  const time = /^([0-9]{2})([0-9]{2})([0-9]{2})(\.[0-9]{1,3})?/.exec(fields[0] ?? "");
  const date = /^([0-9]{2})([0-9]{2})([0-9]{2})$/.exec(fields[8] ?? "");
  if (!time || !date) return null;
  const [day, month, year] = date.slice(1).map(Number);
  const [hour, minute, second, part] = time.slice(1).map((field) => Number(field ?? 0));
  return Date.UTC(2000 + (year ?? 0), (month ?? 1) - 1, day, hour, minute, second) + Math.round((part ?? 0) * 1000);
}
