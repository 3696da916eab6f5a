import { momentKey, secondsOfMoment } from "../recordings/moment_number.ts";
import { isParked } from "../viewer/trips.ts";
import { type Drive, driveInWords } from "./drive_text.ts";

/** Recordings on the camera have no known length: nearly all are a minute, or shorter. */
const USUAL_SECONDS = 60;

/**
 * Returns the latest drive on the camera's list of which anything was to come home; null when there is none. Drives
 * are cut as the viewer cuts trips: a break longer than the gap ends one, and recordings of the parked car alone are
 * none.
 * @param newestFirst by moment, see `momentNumber`
 * @param gapMinutes `viewer.trip_gap_minutes`
 */
export function latestDrive(
  newestFirst: Iterable<{ readonly moment: number; readonly isChosen: boolean; readonly isHome: boolean }>,
  gapMinutes: number,
): Drive | null {
  let first = -1;
  let chosen = 0;
  let home = 0;
  let isDrive = false;
  for (const { moment, isChosen, isHome } of newestFirst) {
    const isBreak = first >= 0 && secondsOfMoment(first) - secondsOfMoment(moment) > gapMinutes * 60 + USUAL_SECONDS;
    if (isBreak && isDrive && chosen > 0) break;
    if (isBreak) [chosen, home, isDrive] = [0, 0, false];
    isDrive ||= !isParked(momentKey(moment));
    first = moment;
    if (isChosen) chosen++;
    if (isHome) home++;
  }
  if (!isDrive || chosen === 0) return null;
  const drive = { key: momentKey(first), chosen, home };
  return { ...drive, sentence: driveInWords(drive) };
}
