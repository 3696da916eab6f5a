import type { ClockZone } from "../recordings/clock_change.ts";
import { momentKey, secondsOfMoment } from "../recordings/moment_number.ts";
import { isBreak, isParked } from "../viewer/trips.ts";
import { type Drive, driveInWords } from "./drive_text.ts";

/**
 * Returns the latest drive on the camera's list of which anything was to come home; null when there is none. Drives
 * are cut as the viewer cuts trips: a break longer than the gap ends one, and recordings of the parked car alone are
 * none.
 * @param newestFirst by moment, see `momentNumber`
 * @param gapMinutes `viewer.trip_gap_minutes`
 * @param zone of the camera's clock
 */
export function latestDrive(
  newestFirst: Iterable<{ readonly moment: number; readonly isChosen: boolean; readonly isHome: boolean }>,
  gapMinutes: number,
  zone: ClockZone | null,
): Drive | null {
  let first = -1;
  let chosen = 0;
  let home = 0;
  let isDrive = false;
  for (const { moment, isChosen, isHome } of newestFirst) {
    const isOver = first >= 0 && isBreak(secondsOfMoment(moment), secondsOfMoment(first), gapMinutes, zone);
    if (isOver && isDrive && chosen > 0) break;
    if (isOver) [chosen, home, isDrive] = [0, 0, false];
    isDrive ||= !isParked(momentKey(moment));
    first = moment;
    if (isChosen) chosen++;
    if (isHome) home++;
  }
  if (!isDrive || chosen === 0) return null;
  const drive = { key: momentKey(first), chosen, home };
  return { ...drive, sentence: driveInWords(drive) };
}
