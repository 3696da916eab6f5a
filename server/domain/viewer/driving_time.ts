import { letterOfMoment, secondsOfMoment, TYPE_LETTERS } from "../recordings/moment_number.ts";
import { USUAL_SEGMENT_SECONDS } from "./journey.ts";
import { PARKED } from "./trips.ts";

const PARKED_LETTERS: readonly number[] = PARKED.map((letter) => TYPE_LETTERS.indexOf(letter));

/**
 * Counts the seconds of a drive that these clips hold. Time that two of them share counts once. Clips of the parked
 * car do not count.
 * @param moments as numbers, rising: the clips of a day
 * @param lengthOf seconds of a clip's video; null where they are not known, which is taken to be a minute
 */
export function drivingSeconds(moments: ArrayLike<number>, lengthOf: (moment: number) => number | null): number {
  let sum = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < moments.length; at++) {
    const moment = moments[at] ?? 0;
    if (moment === moments[at + 1] || PARKED_LETTERS.includes(letterOfMoment(moment))) continue;
    const start = secondsOfMoment(moment);
    const next = moments[at + 1];
    // A length that is a guess ends where the next clip begins: an event cuts the clip before it short.
    const room = next === undefined ? USUAL_SEGMENT_SECONDS : secondsOfMoment(next) - start;
    const length = lengthOf(moment) ?? Math.min(USUAL_SEGMENT_SECONDS, Math.max(0, room));
    sum += Math.max(0, start + length - Math.max(start, end));
    end = Math.max(end, start + length);
  }
  return sum;
}
