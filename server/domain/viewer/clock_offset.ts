import { secondsOf } from "../recordings/recording_name.ts";
import type { ZoneTime } from "../text/zone_time.ts";

/** A clip whose beginning the satellites know. */
export interface ToldClip {
  readonly key: string;
  /** Epoch milliseconds, by the satellites. */
  readonly utc: number;
}

/** A receiver that tells another day has not yet found its time. */
const MOST_SECONDS = 2 * 86_400;
/** No zone is farther from that of the satellites. */
const FARTHEST_ZONE_SECONDS = 14 * 3600;

/** True when the time by the satellites is about that by the camera's clock, in whatever zone that is. */
export function isBelieved({ key, utc }: ToldClip): boolean {
  return Math.abs(secondsOf(key) - utc / 1000) <= MOST_SECONDS + FARTHEST_ZONE_SECONDS;
}

/**
 * Returns the seconds by which a camera's clock was ahead of the satellites: the median of the clips; null when none tells.
 * @param zone of the camera's clock
 */
export function clockOffsetOf(clips: readonly ToldClip[], zone: Pick<ZoneTime, "offset">): number | null {
  const told = clips
    .map(({ key, utc }) => secondsOf(key) - (utc + zone.offset(utc)) / 1000)
    .filter((seconds) => Math.abs(seconds) <= MOST_SECONDS)
    .sort((one, other) => one - other);
  const middle = told[Math.floor(told.length / 2)];
  const before = told[Math.ceil(told.length / 2) - 1];
  return middle === undefined || before === undefined ? null : Math.round((before + middle) / 2);
}
