import { CARD_PARTS, type CardPart, cardPartOfType } from "../recordings/card_part.ts";
import { baseOfMoment, dayOfMoment, hasNoAge, letterOfMoment, TYPE_LETTERS } from "../recordings/moment_number.ts";
import { midnightOf } from "../recordings/recording_name.ts";

export type Minutes = Readonly<Record<CardPart, number>>;

/** Recorded minutes of one day on the camera's clock. */
export interface DayGain {
  /** Days since 1970. */
  readonly day: number;
  /** By hour and part, see `slotOf`; none when nothing was recorded. */
  readonly minutes: readonly number[];
  /** Seconds of the day of which it is known what was recorded, for each of `CARD_PARTS`. */
  readonly seen: readonly number[];
}

/**
 * Facts that good lists have shown of a camera's card. All times are seconds on the camera's clock, as `secondsOf` has
 * them.
 */
export interface CardMemory {
  /** The last eight weeks and a day, oldest first, as far as they were seen. */
  readonly days: readonly DayGain[];
  /** Time of the last list; null before the first. */
  readonly until: number | null;
  /** The newest recording of each part that was counted. */
  readonly newest: Readonly<Record<CardPart, number>>;
  /** Minutes that the card holds when it is full; null until it was seen to overwrite something. */
  readonly holds: Minutes | null;
  /** Each part of the card overwrites its own oldest, and not the oldest of all. */
  readonly isByPart: boolean;
}

const NONE = Number.NEGATIVE_INFINITY;

export const EMPTY_CARD_MEMORY: CardMemory = {
  days: [],
  until: null,
  newest: { driving: NONE, parking: NONE, events: NONE },
  holds: null,
  isByPart: false,
};

/** Returns what is still known with another card in the camera: what is recorded, and no more what the card holds. */
export function withOtherCard(memory: CardMemory): CardMemory {
  return { ...memory, holds: null, isByPart: false };
}

/**
 * A list by places, oldest first, as `CameraList` is one. A recording takes a minute in all its directions together.
 */
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
/** So many of the oldest of a first list may have stayed though others of their time are overwritten. */
const STRAYS = 0.02;

/** Place of an hour and a part among the minutes of a day. */
export function slotOf(hour: number, part: CardPart): number {
  return CARD_PARTS.indexOf(part) * HOURS + hour;
}

const PART_OF_LETTER: readonly CardPart[] = [...TYPE_LETTERS].map(cardPartOfType);

export function cardPartOf(moment: number): CardPart {
  return PART_OF_LETTER[letterOfMoment(moment)] ?? "events";
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
  return { ...counted, holds: held, isByPart: seen === "all" ? memory.isByPart : seen === "by part" };
}

function withGains(known: CardMemory, list: ListedMoments, now: number): CardMemory {
  const secondsOf = secondsReader();
  // Most of it is of the future: it is our clock that is wrong, and nothing is to be learned by it.
  if (list.size > 0 && secondsOf(list.momentAt(list.size >> 1)) > now + MOST_AHEAD) return known;
  // A clock that was ahead begins anew when it is right again.
  const wasAhead = Math.max(...CARD_PARTS.map((part) => known.newest[part])) > now + MOST_AHEAD;
  const before = wasAhead ? { ...EMPTY_CARD_MEMORY, holds: known.holds, isByPart: known.isByPart } : known;
  const times: Record<CardPart, number[]> = { driving: [], parking: [], events: [] };
  eachMoment(list, (moment) => {
    const at = secondsOf(moment);
    if (!hasNoAge(moment) && at <= now + MOST_AHEAD) times[cardPartOf(moment)].push(at);
  });
  const from = seenFrom(before, times, now);
  const days = new DaysSeen(before.days, now);
  const newest = { ...before.newest };
  for (const part of CARD_PARTS) {
    days.see(part, from[part], now);
    for (const at of times[part]) {
      if (at <= newest[part]) continue;
      newest[part] = at;
      if (at >= from[part] || before.until !== null) days.add(part, at);
    }
  }
  return { ...before, days: days.all, until: now, newest };
}

/** From these times on a list shows all that was recorded of each part. @param times by part, oldest first */
function seenFrom(
  { until, newest, isByPart }: CardMemory,
  times: Readonly<Record<CardPart, readonly number[]>>,
  now: number,
): Record<CardPart, number> {
  const strays = (part: CardPart) => (until === null ? Math.floor(times[part].length * STRAYS) : 0);
  const oldestOf = (part: CardPart) => times[part][strays(part)];
  const oldest = Math.min(...CARD_PARTS.map((part) => oldestOf(part) ?? now));
  const newestKnown = Math.max(...CARD_PARTS.map((part) => newest[part]));
  const from = (part: CardPart) => {
    if (until === null || oldest === now) {
      const own = oldestOf(part) ?? oldest;
      // Before its oldest a part may have recorded nothing for as long as it did at other times.
      return own - oldest <= longestGap(times[part].slice(strays(part)), now) ? oldest : own;
    }
    // With nothing of before left, some may have come and gone unseen.
    const [own, known] = isByPart ? [oldestOf(part) ?? until, newest[part]] : [oldest, newestKnown];
    return own <= known ? until : own;
  };
  return { driving: from("driving"), parking: from("parking"), events: from("events") };
}

/** @param times oldest first */
function longestGap(times: readonly number[], now: number): number {
  return times.reduce((longest, at, place) => Math.max(longest, (times[place + 1] ?? now) - at), 0);
}

/** The days that count, while a list is added to them. */
class DaysSeen {
  readonly #days = new Map<number, { minutes: number[]; seen: number[] }>();
  readonly #first: number;
  readonly #last: number;

  constructor(days: readonly DayGain[], now: number) {
    this.#first = Math.floor(now / DAY_SECONDS) - USUAL_DAYS;
    this.#last = this.#first + USUAL_DAYS + 1;
    for (const { day, minutes, seen } of days)
      if (this.#isUsual(day)) this.#days.set(day, { minutes: [...minutes], seen: [...seen] });
  }

  add(part: CardPart, at: number): void {
    const day = Math.floor(at / DAY_SECONDS);
    if (!this.#isUsual(day)) return;
    const { minutes } = this.#day(day);
    if (minutes.length === 0) minutes.push(...new Array<number>(HOURS * CARD_PARTS.length).fill(0));
    const slot = slotOf(Math.floor((at % DAY_SECONDS) / HOUR_SECONDS), part);
    minutes[slot] = (minutes[slot] ?? 0) + 1;
  }

  /** From one time to another everything of this part is known. */
  see(part: CardPart, from: number, to: number): void {
    const place = CARD_PARTS.indexOf(part);
    for (let at = Math.max(from, this.#first * DAY_SECONDS); at < to; ) {
      const day = Math.floor(at / DAY_SECONDS);
      const next = Math.min(to, (day + 1) * DAY_SECONDS);
      const { seen } = this.#day(day);
      // A clock that was set back goes through the same time again.
      seen[place] = Math.min(DAY_SECONDS, (seen[place] ?? 0) + next - at);
      at = next;
    }
  }

  get all(): DayGain[] {
    const sorted = [...this.#days].sort(([one], [other]) => one - other);
    return sorted.map(([day, { minutes, seen }]) => ({ day, minutes, seen }));
  }

  #day(day: number): { minutes: number[]; seen: number[] } {
    const known = this.#days.get(day) ?? { minutes: [], seen: CARD_PARTS.map(() => 0) };
    this.#days.set(day, known);
    return known;
  }

  #isUsual(day: number): boolean {
    return day >= this.#first && day <= this.#last;
  }
}

/** A card that holds so much of what it held has not been formatted in between, or has become full again. */
const AS_FULL = 0.9;

/**
 * Tells how the card made room between two lists; null when it is no loop recording that explains what is gone. That is
 * so when both have nothing in common and there is less, as after formatting, or when something in the middle is gone.
 */
export function overwritingBetween(
  before: ListedMoments,
  list: ListedMoments,
): "nothing" | "oldest first" | "by part" | "all" | null {
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
  if (before.size === 0) return "nothing";
  if (!isAnyLeft) return list.size >= before.size * AS_FULL ? "all" : null;
  if (!isAnyGone) return "nothing";
  if (CARD_PARTS.some((part) => newestGone[part] > oldestLeft[part])) return null;
  const gone = Math.max(...CARD_PARTS.map((part) => newestGone[part]));
  const left = Math.min(...CARD_PARTS.map((part) => oldestLeft[part]));
  return gone > left ? "by part" : "oldest first";
}
