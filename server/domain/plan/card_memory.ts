import { CARD_PARTS, type CardPart, cardPartOfType } from "../recordings/card_part.ts";
import { baseOfMoment, dayOfMoment, hasNoAge, letterOfMoment, TYPE_LETTERS } from "../recordings/moment_number.ts";
import { midnightOf } from "../recordings/recording_name.ts";

export type Minutes = Readonly<Record<CardPart, number>>;

/** Recorded minutes of one day on the camera's clock, by hour and part, see `slotOf`. */
export interface DayGain {
  /** Days since 1970. */
  readonly day: number;
  readonly minutes: readonly number[];
}

/** What good lists have shown of a camera's card. All times are seconds on the camera's clock, as `secondsOf` has them. */
export interface CardMemory {
  /** The last eight weeks and a day, oldest first; days on which nothing was recorded are left out. */
  readonly days: readonly DayGain[];
  /** From here on the days are known; null before the first list. */
  readonly since: number | null;
  /** Up to here they are known: the time of the last list. */
  readonly until: number;
  /** The newest recording that was counted. */
  readonly newest: number;
  /** Minutes that the card holds when it is full; null until it was seen to overwrite something. */
  readonly holds: Minutes | null;
  /** Each part of the card overwrites its own oldest, and not the oldest of all. */
  readonly isByPart: boolean;
}

export const EMPTY_CARD_MEMORY: CardMemory = {
  days: [],
  since: null,
  until: 0,
  newest: Number.NEGATIVE_INFINITY,
  holds: null,
  isByPart: false,
};

/** A list by places, oldest first, as `CameraList` is one. A recording takes a minute in all its directions together. */
export interface ListedMoments {
  readonly size: number;
  momentAt(index: number): number;
}

export const DAY_SECONDS = 86_400;
export const HOUR_SECONDS = 3600;
/** Days that count for what is usual. */
export const USUAL_DAYS = 56;
const HOURS = 24;
/** A recording from further ahead was made by a clock that was wrong. */
const MOST_AHEAD = DAY_SECONDS;

/** Place of an hour and a part among the minutes of a day. */
export function slotOf(hour: number, part: CardPart): number {
  return CARD_PARTS.indexOf(part) * HOURS + hour;
}

export function cardPartOf(moment: number): CardPart {
  return cardPartOfType(TYPE_LETTERS[letterOfMoment(moment)] ?? "");
}

/** Calls `take` with every moment of a list once, oldest first, until it answers false. */
export function eachMoment(list: ListedMoments, take: (moment: number) => boolean | undefined): void {
  let before = -1;
  for (let at = 0; at < list.size; at++) {
    const moment = list.momentAt(at);
    if (moment === before) continue;
    before = moment;
    if (take(moment) === false) return;
  }
}

/** Returns the minutes that a list holds. */
export function minutesOf(list: ListedMoments): Minutes {
  const minutes = { driving: 0, parking: 0, events: 0 };
  eachMoment(list, (moment) => {
    minutes[cardPartOf(moment)]++;
  });
  return minutes;
}

/** Returns a function like `secondsOfMoment` that is fast for moments of the same day, one after the other. */
export function secondsReader(): (moment: number) => number {
  let day = -1;
  let midnight = 0;
  return (moment) => {
    const own = dayOfMoment(moment);
    if (own !== day) [day, midnight] = [own, midnightOf(own)];
    return midnight + (baseOfMoment(moment) % DAY_SECONDS);
  };
}

export function sumOf({ driving, parking, events }: Minutes): number {
  return driving + parking + events;
}

/**
 * Returns what is known after a good list.
 * @param before the good list before it, of the same camera; null when there was none
 * @param now on the camera's clock
 */
export function afterList(
  memory: CardMemory,
  before: ListedMoments | null,
  list: ListedMoments,
  now: number,
): CardMemory {
  const counted = withGains(memory, list, now);
  const held = minutesOf(list);
  const seen = before === null ? null : overwritingBetween(before, list);
  if (seen === null || seen === "nothing") {
    // A card that holds more than it was thought to hold is larger than that.
    const { holds } = memory;
    return { ...counted, holds: holds !== null && sumOf(held) > sumOf(holds) ? held : holds };
  }
  return { ...counted, holds: held, isByPart: seen === "by part" };
}

function withGains(before: CardMemory, list: ListedMoments, now: number): CardMemory {
  const today = Math.floor(now / DAY_SECONDS);
  // A clock that was ahead begins anew when it is right again.
  const memory = before.newest > now + MOST_AHEAD ? { ...EMPTY_CARD_MEMORY, holds: before.holds } : before;
  const isUsual = (day: number) => day >= today - USUAL_DAYS && day <= today + 1;
  const days = new Map(memory.days.filter(({ day }) => isUsual(day)).map(({ day, minutes }) => [day, [...minutes]]));
  let { newest, since } = memory;
  const secondsOf = secondsReader();
  eachMoment(list, (moment) => {
    const at = secondsOf(moment);
    if (hasNoAge(moment) || at > now + MOST_AHEAD) return;
    since ??= at;
    if (at <= memory.newest) return;
    newest = Math.max(newest, at);
    const day = Math.floor(at / DAY_SECONDS);
    if (!isUsual(day)) return;
    const minutes = days.get(day) ?? new Array<number>(HOURS * CARD_PARTS.length).fill(0);
    const slot = slotOf(Math.floor((at % DAY_SECONDS) / HOUR_SECONDS), cardPartOf(moment));
    minutes[slot] = (minutes[slot] ?? 0) + 1;
    days.set(day, minutes);
  });
  const sorted = [...days].sort(([one], [other]) => one - other).map(([day, minutes]) => ({ day, minutes }));
  return { ...memory, days: sorted, since, until: now, newest };
}

/**
 * Tells how the card made room between two lists; null when it is no loop recording that explains what is gone. That is
 * so when both have nothing in common, as after formatting, or when something in the middle is gone.
 */
export function overwritingBetween(
  before: ListedMoments,
  list: ListedMoments,
): "nothing" | "oldest first" | "by part" | null {
  const oldestLeft: Record<CardPart, number> = {
    driving: Number.POSITIVE_INFINITY,
    parking: Number.POSITIVE_INFINITY,
    events: Number.POSITIVE_INFINITY,
  };
  const newestGone: Record<CardPart, number> = {
    driving: Number.NEGATIVE_INFINITY,
    parking: Number.NEGATIVE_INFINITY,
    events: Number.NEGATIVE_INFINITY,
  };
  let isAnyLeft = false;
  let isAnyGone = false;
  let at = 0;
  eachMoment(before, (moment) => {
    while (at < list.size && list.momentAt(at) < moment) at++;
    const part = cardPartOf(moment);
    if (at < list.size && list.momentAt(at) === moment) {
      isAnyLeft = true;
      oldestLeft[part] = Math.min(oldestLeft[part], moment);
    } else {
      isAnyGone = true;
      newestGone[part] = Math.max(newestGone[part], moment);
    }
  });
  if (!isAnyLeft) return before.size === 0 ? "nothing" : null;
  if (!isAnyGone) return "nothing";
  if (CARD_PARTS.some((part) => newestGone[part] > oldestLeft[part])) return null;
  const gone = Math.max(...CARD_PARTS.map((part) => newestGone[part]));
  const left = Math.min(...CARD_PARTS.map((part) => oldestLeft[part]));
  return gone > left ? "by part" : "oldest first";
}
