import type { GpsPoint } from "../api/viewer_schema.ts";

/** Without a fix for longer than this there is no track: what lies between two fixes is not known. */
export const TRACK_GAP_SECONDS = 3;

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

/** Metres a second, 360 km/h: a step that is faster is a mistake of the receiver. */
const FASTEST_STEP = 100;
/** The same in knots, for what the receiver says itself. */
const MOST_KNOTS = 195;
/** Below this a receiver is taken to stand: its place wanders by metres without the car moving. */
const STANDING_KNOTS = 0.5;
/** Fewer fixes than this between two jumps are a mistake of the receiver, more are where the car is. */
const FEWEST_TO_BELIEVE = 3;
const EARTH_METERS = 6_371_008.8;

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
      return before && (isGap(before, fix) || isJump(before, fix)) ? [index] : [];
    }),
  };
}

/** Metres along a track, without its gaps and without what a receiver wanders while the car stands. */
export function lengthOfTrack({ t, lat, lon, speed, breaks }: Track): number {
  let [sum, nextBreak] = [0, 0];
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

/** The fastest speed of tracks in knots; null where none is known. */
export function fastestOf(tracks: readonly Track[]): number | null {
  let fastest: number | null = null;
  for (const { speed } of tracks) {
    for (const knots of speed) if (knots !== null && knots > (fastest ?? -1)) fastest = knots;
  }
  return fastest;
}

/** Around all fixes, the short way round the earth; null without any. */
export function boxOf(tracks: readonly Track[]): TrackBox | null {
  let [south, north] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [west, east] = [south, north];
  // The same longitudes counted from 0° to 360°: a track over the date line is narrow only so.
  let [west360, east360] = [south, north];
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

/** Whether a line may lead from the end of one clip's track to the beginning of the next one's. */
export function isConnected(from: Fix, to: Fix): boolean {
  return to.t >= from.t && !isGap(from, to) && !isJump(from, to);
}

/** Metres between two places on the ground (haversine, on a ball). */
export function metersBetween(one: Place, other: Place): number {
  const radians = Math.PI / 180;
  const [half, halfTurn] = [((other.lat - one.lat) / 2) * radians, ((other.lon - one.lon) / 2) * radians];
  const a = Math.sin(half) ** 2 + Math.cos(one.lat * radians) * Math.cos(other.lat * radians) * Math.sin(halfTurn) ** 2;
  return 2 * EARTH_METERS * Math.asin(Math.sqrt(Math.min(1, a)));
}

interface Place {
  readonly lat: number;
  readonly lon: number;
}

interface Fix extends Place {
  readonly t: number;
}

function placeAt(lat: readonly number[], lon: readonly number[], at: number): Place {
  return { lat: lat[at] ?? 0, lon: lon[at] ?? 0 };
}

function isRising(points: readonly GpsPoint[]): boolean {
  return points.every(({ t }, index) => t >= (points[index - 1]?.t ?? 0));
}

function isGap(from: Fix, to: Fix): boolean {
  return to.t - from.t > TRACK_GAP_SECONDS;
}

/** Two fixes of one moment may well be some metres apart; a second is the usual distance of fixes. */
function isJump(from: Fix, to: Fix): boolean {
  return metersBetween(from, to) > FASTEST_STEP * Math.max(1, to.t - from.t);
}

/** Leaves out the few fixes between two jumps, unless there are no others. */
function withoutOutliers(points: readonly GpsPoint[]): readonly GpsPoint[] {
  const runs: GpsPoint[][] = [];
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    const run = runs.at(-1);
    if (run && before && !isJump(before, point)) run.push(point);
    else runs.push([point]);
  }
  if (runs.length < 2) return points;
  const believed = runs.filter((run) => run.length >= FEWEST_TO_BELIEVE);
  return believed.length > 0 ? believed.flat() : points;
}
