/** Without a fix for longer than this there is no track: the way between two fixes is not known. */
export const TRACK_GAP_SECONDS = 3;

export interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** Place of the car at a time. */
export interface Fix extends Place {
  readonly t: number;
}

/** Metres a second, 360 km/h: a step that is faster is a mistake of the receiver. */
const FASTEST_STEP = 100;
const EARTH_METERS = 6_371_008.8;

/**
 * True when a line may lead from one fix to the other, as from the end of one clip's track to the beginning of the
 * next one's.
 */
export function isConnected(from: Fix, to: Fix): boolean {
  return to.t >= from.t && !isGap(from, to) && !isJump(from, to);
}

/** Metres between two places on the ground (haversine, on a ball). */
export function metersBetween(one: Place, other: Place): number {
  const radians = Math.PI / 180;
  const half = ((other.lat - one.lat) / 2) * radians;
  const halfTurn = ((other.lon - one.lon) / 2) * radians;
  const a = Math.sin(half) ** 2 + Math.cos(one.lat * radians) * Math.cos(other.lat * radians) * Math.sin(halfTurn) ** 2;
  return 2 * EARTH_METERS * Math.asin(Math.sqrt(Math.min(1, a)));
}

/** True when the way between two fixes is not known. */
export function isGap(from: Fix, to: Fix): boolean {
  return to.t - from.t > TRACK_GAP_SECONDS;
}

/**
 * True when no car drives so fast. Two fixes of one moment may be some metres apart, so at least a second is counted
 * between them.
 */
export function isJump(from: Fix, to: Fix): boolean {
  return metersBetween(from, to) > FASTEST_STEP * Math.max(1, to.t - from.t);
}
