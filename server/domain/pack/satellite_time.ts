/** More than this is no clock that is wrong, but a receiver that does not know the day. */
const MOST_BELIEVED_SECONDS = 2 * 86_400;

/** A clip whose beginning the satellites know. */
export interface SatelliteTime {
  /** On the camera's clock, in seconds as if it were UTC. */
  readonly wall: number;
  /** By the satellites, in epoch milliseconds. */
  readonly utc: number;
}

/**
 * Returns the seconds by which the camera's clock is ahead of the satellites, the median over these clips; null when no
 * clip tells.
 * @param offset milliseconds by which the zone of the camera is ahead of UTC
 */
export function clockError(times: readonly SatelliteTime[], offset: (ms: number) => number): number | null {
  const errors = times
    .map(({ wall, utc }) => wall - (utc + offset(utc)) / 1000)
    .filter((error) => Math.abs(error) <= MOST_BELIEVED_SECONDS)
    .sort((one, other) => one - other);
  return errors[Math.floor(errors.length / 2)] ?? null;
}
