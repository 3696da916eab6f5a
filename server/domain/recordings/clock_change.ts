import type { ZoneTime } from "../text/zone_time.ts";

export type ClockZone = Pick<ZoneTime, "id" | "offset">;

/** Clocks change by so much or more. */
export const LEAST_CHANGE_SECONDS = 1800;

/**
 * Returns the seconds that passed between two times on a camera's clock, as `secondsOf` has them. An hour that clocks leave
 * out in spring did not pass, unless the camera filmed in it: then it does not change its clock. An hour that clocks repeat
 * in autumn cannot be told from the one before.
 * @param zone of the camera's clock; null where it is not known
 */
export function secondsBetween(from: number, to: number, zone: ClockZone | null): number {
  const seconds = to - from;
  if (zone === null || seconds < LEAST_CHANGE_SECONDS) return seconds;
  const [begin, end] = [momentOf(from, zone), momentOf(to, zone)];
  if (begin === null || end === null) return seconds;
  const passed = (end - begin) / 1000;
  return passed >= 0 ? Math.min(seconds, passed) : seconds;
}

/** Epoch milliseconds of a time on the wall; null for one that the zone leaves out. */
function momentOf(seconds: number, zone: ClockZone): number | null {
  const wall = seconds * 1000;
  const moment = wall - zone.offset(wall - zone.offset(wall));
  return moment + zone.offset(moment) === wall ? moment : null;
}
