import { isConnected, TRACK_GAP_SECONDS } from "./fix_steps.ts";
import type { Telemetry } from "./viewer_schema.ts";

/** The fixes of a whole trip on its one clock, as columns of one length, at least one fix. */
export interface MapTrack {
  /** Seconds on the trip's clock, never falling. */
  readonly t: readonly number[];
  readonly lat: readonly number[];
  /** Longitudes without a jump at the date line: below −180 and above 180 where the trip crosses it. */
  readonly lon: readonly number[];
  /** Knots; null when unknown. */
  readonly speed: readonly (number | null)[];
  /** Degrees clockwise from north, to where the car drives on from here; 0 while it has not moved at all. */
  readonly course: readonly number[];
  /** Indexes of the fixes that no line leads to; rising, the first is 0. */
  readonly starts: readonly number[];
}

/** Place of the car on the map. */
export interface CarPlace {
  readonly lat: number;
  readonly lon: number;
  readonly course: number;
  /** False where the nearest fix is more than 3 s away: the place is then the last that is known. */
  readonly hasFix: boolean;
}

/** Closer fixes do not tell where a car heads: they are how the receiver wanders. */
const LEAST_METERS = 3;
const METERS_PER_DEGREE = 111_195;

/** The track of a trip; null when there is not one fix. */
export function mapTrackOf(telemetry: Telemetry): MapTrack | null {
  const [t, lat, lon]: [number[], number[], number[]] = [[], [], []];
  const [speed, starts]: [(number | null)[], number[]] = [[], []];
  for (const { track, offset_seconds: offset } of telemetry.segments) {
    if (track === null) continue;
    const breaks = new Set(track.breaks);
    let isFirst = true;
    let isBroken = false;
    for (const [at, seconds] of track.t.entries()) {
      const here = { t: offset + seconds, lat: track.lat[at] ?? 0, lon: track.lon[at] ?? 0 };
      const last = t.length - 1;
      const before = { t: t[last] ?? 0, lat: lat[last] ?? 0, lon: lon[last] ?? 0 };
      if (breaks.has(at)) isBroken = true;
      // The last of a clip may be later than the first of the next one.
      if (last >= 0 && here.t < before.t) continue;
      if (last < 0 || isBroken || (isFirst && !isConnected(before, here))) starts.push(t.length);
      isFirst = false;
      isBroken = false;
      t.push(here.t);
      lat.push(here.lat);
      lon.push(last < 0 ? here.lon : here.lon - 360 * Math.round((here.lon - before.lon) / 360));
      speed.push(track.speed[at] ?? null);
    }
  }
  return t.length === 0 ? null : { t, lat, lon, speed, course: coursesOf(lat, lon, starts), starts };
}

/**
 * Returns the car's place at a time of the trip. Between two fixes it is on the line between them, in a gap at the
 * nearest fix.
 */
export function carAt(track: MapTrack, time: number): CarPlace {
  const { t, lat, lon, course, starts } = track;
  const at = lastAtOrBefore(t, time);
  const fix = (index: number, hasFix: boolean): CarPlace => {
    return { lat: lat[index] ?? 0, lon: lon[index] ?? 0, course: course[index] ?? 0, hasFix };
  };
  const isNear = (index: number) => Math.abs((t[index] ?? Number.POSITIVE_INFINITY) - time) <= TRACK_GAP_SECONDS;
  if (at < 0) return fix(0, isNear(0));
  const next = at + 1;
  if (next >= t.length) return fix(at, isNear(at));
  const [from = 0, to = 0] = [t[at], t[next]];
  if (starts.includes(next)) {
    if (isNear(next) && to - time < time - from) return fix(next, true);
    return fix(at, isNear(at));
  }
  const part = to > from ? (time - from) / (to - from) : 0;
  const between = (column: readonly number[]) => (column[at] ?? 0) + ((column[next] ?? 0) - (column[at] ?? 0)) * part;
  return { lat: between(lat), lon: between(lon), course: course[at] ?? 0, hasFix: true };
}

/** The index of the last time that is not later; -1 when all are. */
function lastAtOrBefore(t: readonly number[], time: number): number {
  let low = 0;
  let high = t.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((t[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Degrees clockwise from north of the way from one place to another near by. */
export function courseBetween(from: { lat: number; lon: number }, to: { lat: number; lon: number }): number {
  const north = to.lat - from.lat;
  const east = (to.lon - from.lon) * Math.cos(((from.lat + to.lat) / 2) * (Math.PI / 180));
  return (Math.atan2(east, north) * (180 / Math.PI) + 360) % 360;
}

/** Returns for each fix the course to the next one; at the end of a piece, the course from the one before. */
function coursesOf(lat: readonly number[], lon: readonly number[], starts: readonly number[]): number[] {
  const courses: number[] = [];
  const placeAt = (at: number) => ({ lat: lat[at] ?? 0, lon: lon[at] ?? 0 });
  for (const [piece, start] of starts.entries()) {
    const end = starts[piece + 1] ?? lat.length;
    let course = courses.at(-1) ?? 0;
    let stood = start;
    for (let at = start + 1; at < end; at++) {
      if (metersApart(placeAt(stood), placeAt(at)) < LEAST_METERS) continue;
      course = courseBetween(placeAt(stood), placeAt(at));
      while (courses.length < at) courses.push(course);
      stood = at;
    }
    while (courses.length < end) courses.push(course);
  }
  return courses;
}

function metersApart(one: { lat: number; lon: number }, other: { lat: number; lon: number }): number {
  const north = (other.lat - one.lat) * METERS_PER_DEGREE;
  const east = (other.lon - one.lon) * METERS_PER_DEGREE * Math.cos(one.lat * (Math.PI / 180));
  return Math.hypot(north, east);
}

/**
 * Returns the time at which the force was strongest in a clip, in seconds on the trip's clock: an event was recorded
 * for it.
 */
export function strongestTime(telemetry: Telemetry, key: string): number | null {
  const { rest, segments } = telemetry;
  const clip = segments.find((segment) => segment.key === key);
  if (clip === undefined) return null;
  const { t, x, y, z } = clip.force ?? { t: [], x: [], y: [], z: [] };
  let strongest = -1;
  let time = 0;
  for (const [at, seconds] of t.entries()) {
    const force = Math.hypot(
      (x[at] ?? 0) - (rest?.x ?? 0),
      (y[at] ?? 0) - (rest?.y ?? 0),
      (z[at] ?? 0) - (rest?.z ?? 0),
    );
    if (force > strongest) [strongest, time] = [force, seconds];
  }
  return clip.offset_seconds + time;
}

/** Around all fixes. */
export function boundsOf({ lat, lon }: MapTrack): { south: number; west: number; north: number; east: number } {
  const bounds = { south: 90, west: Number.POSITIVE_INFINITY, north: -90, east: Number.NEGATIVE_INFINITY };
  for (const [at, here] of lat.entries()) {
    const there = lon[at] ?? 0;
    bounds.south = Math.min(bounds.south, here);
    bounds.north = Math.max(bounds.north, here);
    bounds.west = Math.min(bounds.west, there);
    bounds.east = Math.max(bounds.east, there);
  }
  return bounds;
}
