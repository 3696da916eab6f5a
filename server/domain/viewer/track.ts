import type { GpsPoint } from "../recordings/sensor_schema.ts";
import { isConnected, isJump, metersBetween, type Place } from "./fix_steps.ts";
import { believedRuns } from "./track_runs.ts";

/** The fixes of a clip by time, as columns of one length. Every number is finite. */
export interface Track {
  /** Seconds since the beginning of the clip. */
  readonly t: readonly number[];
  readonly lat: readonly number[];
  readonly lon: readonly number[];
  /** Knots over ground; null when unknown. */
  readonly speed: readonly (number | null)[];
  /** Indexes of the fixes that no line leads to: behind a gap, or a jump that no car makes. Rising, without 0. */
  readonly breaks: readonly number[];
}

export interface TrackBox {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  /** Over 180 where the track crosses the date line. */
  readonly east: number;
}

/** 360 km/h, for what the receiver says itself. */
const MOST_KNOTS = 195;
/** Speed below which a receiver is taken to stand: its place wanders by metres without the car moving. */
const STANDING_KNOTS = 0.5;

/** The track of a clip's fixes, without those that a receiver put to a place where the car cannot have been. */
export function trackOf(points: readonly GpsPoint[]): Track {
  const sound = points.filter(({ t, lat, lon }) => t >= 0 && [t, lat, lon].every(Number.isFinite));
  const byTime = isRising(sound) ? sound : sound.toSorted((one, other) => one.t - other.t);
  const fixes = withoutOutliers(byTime);
  return {
    t: fixes.map(({ t }) => t),
    lat: fixes.map(({ lat }) => lat),
    lon: fixes.map(({ lon }) => lon),
    speed: fixes.map(({ speed }) => (speed !== null && speed >= 0 && speed <= MOST_KNOTS ? speed : null)),
    breaks: fixes.flatMap((fix, index) => {
      const before = fixes[index - 1];
      return before && !isConnected(before, fix) ? [index] : [];
    }),
  };
}

/** Metres along a track, without its gaps and without what a receiver wanders while the car stands. */
export function lengthOfTrack({ t, lat, lon, speed, breaks }: Track): number {
  let sum = 0;
  let nextBreak = 0;
  for (let at = 1; at < t.length; at++) {
    if (breaks[nextBreak] === at) {
      nextBreak++;
      continue;
    }
    if ((speed[at - 1] ?? MOST_KNOTS) < STANDING_KNOTS && (speed[at] ?? MOST_KNOTS) < STANDING_KNOTS) continue;
    sum += metersBetween(placeAt(lat, lon, at - 1), placeAt(lat, lon, at));
  }
  return sum;
}

/** Around all fixes, the short way round the earth; null without any. */
export function boxOf(tracks: readonly Track[]): TrackBox | null {
  let south = Number.POSITIVE_INFINITY;
  let north = Number.NEGATIVE_INFINITY;
  let west = south;
  let east = north;
  // The same longitudes counted from 0° to 360°: a track over the date line is narrow only so.
  let west360 = south;
  let east360 = north;
  for (const { lat, lon } of tracks) {
    for (const [at, here] of lon.entries()) {
      south = Math.min(south, lat[at] ?? south);
      north = Math.max(north, lat[at] ?? north);
      west = Math.min(west, here);
      east = Math.max(east, here);
      const from0 = here < 0 ? here + 360 : here;
      west360 = Math.min(west360, from0);
      east360 = Math.max(east360, from0);
    }
  }
  if (south > north) return null;
  return east360 - west360 < east - west
    ? { south, north, west: west360, east: east360 }
    : { south, north, west, east };
}

function placeAt(lat: readonly number[], lon: readonly number[], at: number): Place {
  return { lat: lat[at] ?? 0, lon: lon[at] ?? 0 };
}

function isRising(points: readonly GpsPoint[]): boolean {
  return points.every(({ t }, index) => t >= (points[index - 1]?.t ?? 0));
}

/** Leaves out where the receiver put the car while it was elsewhere. */
function withoutOutliers(points: readonly GpsPoint[]): readonly GpsPoint[] {
  const runs: [GpsPoint, ...GpsPoint[]][] = [];
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    const run = runs.at(-1);
    if (run && before && !isJump(before, point)) run.push(point);
    else runs.push([point]);
  }
  if (runs.length < 2) return points;
  const believed = believedRuns(runs.map((run) => ({ first: run[0], last: run.at(-1) ?? run[0], fixes: run.length })));
  return runs.filter((_, at) => believed[at]).flat();
}
