import { dateOf, groupOf, KEY_LENGTH, MOST_NAMESAKES, midnightOf, ordinalOf } from "./recording_name.ts";

/**
 * Moments as numbers: a library of 100,000 recordings is gone through, sorted and kept in memory without a text for each.
 */

/** Type letters that a moment's number can hold. */
export const TYPE_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Numbers of moments in one second, and seconds in a day. */
const IN_A_SECOND = TYPE_LETTERS.length * MOST_NAMESAKES;
const IN_A_DAY = 86_400;
const UNDERSCORE = 95;
const LETTER_A = 65;

/**
 * Turns a group's key, also as the beginning of a file's name, into one number: day, second of the day, type letter,
 * and the number among the recordings of that name. It is below 2^53 and in the order of time, and a map keyed by it
 * holds no text. It is -1 when the name does not begin like that, or its time of the day cannot be; the date is not
 * judged.
 */
export function momentNumber(name: string): number {
  return momentOf(name, ordinalOf(name));
}

/** As `momentNumber`, of a name whose ordinal is known. */
export function momentOf(name: string, ordinal: number): number {
  if (name.length < KEY_LENGTH || name.charCodeAt(8) !== UNDERSCORE || name.charCodeAt(KEY_LENGTH - 2) !== UNDERSCORE)
    return -1;
  let digits = 0;
  for (let at = 0; at < KEY_LENGTH - 2; at++) {
    if (at === 8) continue;
    const digit = name.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return -1;
    digits = digits * 10 + digit;
  }
  const day = Math.floor(digits / 1_000_000);
  const clock = digits - day * 1_000_000;
  const minutes = (clock / 100) | 0;
  const hour = (minutes / 100) | 0;
  const minute = minutes - hour * 100;
  const second = clock - minutes * 100;
  const letter = name.charCodeAt(KEY_LENGTH - 1) - LETTER_A;
  const isPossible = hour < 24 && minute < 60 && second < 60 && ordinal <= MOST_NAMESAKES;
  if (!isPossible || !(letter >= 0 && letter < TYPE_LETTERS.length)) return -1;
  const base = day * IN_A_DAY + hour * 3600 + minute * 60 + second;
  return base * IN_A_SECOND + letter * MOST_NAMESAKES + ordinal - 1;
}

/** The key that a moment's number was made of. */
export function momentKey(moment: number): string {
  const second = baseOfMoment(moment) % IN_A_DAY;
  const time = Math.floor(second / 3600) * 10_000 + (Math.floor(second / 60) % 60) * 100 + (second % 60);
  const day = String(dayOfMoment(moment)).padStart(8, "0");
  const clock = String(time).padStart(6, "0");
  const key = `${day}_${clock}_${TYPE_LETTERS[letterOfMoment(moment)]}`;
  const ordinal = ordinalOfMoment(moment);
  return ordinal === 1 ? key : `${key}.${ordinal}`;
}

/** Returns the number of a moment among those of its name, from 1 on. */
export function ordinalOfMoment(moment: number): number {
  // A remainder of so large a number takes several times as long as a division.
  return moment - Math.floor(moment / MOST_NAMESAKES) * MOST_NAMESAKES + 1;
}

/** The moment of the first recording of its name. */
export function firstOfMoment(moment: number): number {
  return Math.floor(moment / MOST_NAMESAKES) * MOST_NAMESAKES;
}

/** The place of a moment's type in `TYPE_LETTERS`. */
export function letterOfMoment(moment: number): number {
  return Math.floor(moment / MOST_NAMESAKES) % TYPE_LETTERS.length;
}

/** A moment without its type, by which the recordings of one second are one. */
export function baseOfMoment(moment: number): number {
  return Math.floor(moment / IN_A_SECOND);
}

/** `YYYYMMDD` of a moment, as a number. */
export function dayOfMoment(moment: number): number {
  return Math.floor(moment / (IN_A_SECOND * IN_A_DAY));
}

/** The number of the first moment that the second of this one can have, whatever its type. */
export function firstOfBase(moment: number): number {
  return baseOfMoment(moment) * IN_A_SECOND;
}

/** The number before which all moments of earlier days are. @param day `YYYYMMDD` as a number */
export function firstMomentOf(day: number): number {
  return day * IN_A_DAY * IN_A_SECOND;
}

/** The time that a moment names, as `secondsOf` its key. */
export function secondsOfMoment(moment: number): number {
  return midnightOf(dayOfMoment(moment)) + (baseOfMoment(moment) % IN_A_DAY);
}

/** The first day of which a recording has an age, see `hasUnsetClock`. */
const FIRST_DAY = 20_100_000;

/** True as `hasUnsetClock` is. */
export function hasNoAge(moment: number): boolean {
  return dayOfMoment(moment) < FIRST_DAY;
}

/** True for the key of a group; the date is not judged. */
export function isGroupKey(key: string): boolean {
  return momentNumber(key) >= 0 && groupOf(key) === key;
}

/** `YYYY-MM-DD` as the number `YYYYMMDD`; 0 for null, which is before every day. */
export function dayNumber(day: string | null): number {
  return day === null ? 0 : Number(day.replaceAll("-", ""));
}

/** The number `YYYYMMDD` as `YYYY-MM-DD`. */
export function dayText(day: number): string {
  return dateOf(String(day).padStart(8, "0"));
}
