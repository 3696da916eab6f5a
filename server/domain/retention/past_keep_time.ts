import { dayNumber, dayOfMoment, hasNoAge, letterOfMoment, TYPE_LETTERS } from "../recordings/moment_number.ts";
import { type Cutoffs, keepClassOf } from "./keep_times.ts";

/**
 * Returns a function that tells if a moment is past its keep time: older than the first day that is kept of its kind.
 * Events around it are not looked at. The age is unknown where the camera's clock was not set, so that is never past it.
 */
export function pastKeepTime(cutoffs: Cutoffs): (moment: number) => boolean {
  // Compares by letter, so that 100,000 moments cost two divisions each and no text.
  const firstKept = Array.from(TYPE_LETTERS, (letter) => dayNumber(cutoffs[keepClassOf(letter)]));
  return (moment) => dayOfMoment(moment) < (firstKept[letterOfMoment(moment)] ?? 0) && !hasNoAge(moment);
}
