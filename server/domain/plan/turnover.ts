import { CARD_PARTS, type CardPart } from "../recordings/card_part.ts";
import { secondsOfMoment } from "../recordings/moment_number.ts";
import type { PartTimes } from "../sync/smart_order.ts";
import {
  type CardMemory,
  cardPartOf,
  DAY_SECONDS,
  eachMoment,
  HOUR_SECONDS,
  type ListedMoments,
  type Minutes,
  minutesOf,
  slotOf,
  sumOf,
} from "./card_memory.ts";

/** Days of which nothing can be said yet. */
const LEAST_DAYS = 3;
/** The furthest that is looked ahead. */
export const FURTHEST_SECONDS = 60 * DAY_SECONDS;
const DAYS_OF_WEEK = 7;
/** 1970-01-01 was a Thursday; 0 is Sunday. */
const FIRST_WEEKDAY = 4;

/** For each part of the card the first moment that is not overwritten; all before it are. Null where none is. */
export type Overwritten = Readonly<Record<CardPart, number | null>>;

/** Moments that must not be overwritten, by part of the card, oldest first. */
export type OldestOfParts = Readonly<Record<CardPart, { readonly moments: Float64Array }>>;

/** True when this recording is among the overwritten. */
export function isOverwritten(overwritten: Overwritten, moment: number): boolean {
  const first = overwritten[cardPartOf(moment)];
  return first !== null && moment < first;
}

/**
 * Minutes that a card gains and overwrites, as its lists of the last eight weeks have shown. All times are seconds on
 * the camera's clock.
 */
export class Turnover {
  readonly #isByPart: boolean;
  /** Time of the list. */
  readonly #until: number;
  /** Moments of the list, oldest first: all under each part, or those of each part where it overwrites its own. */
  readonly #rings: Readonly<Record<CardPart, Float64Array>>;
  readonly #holds: Minutes;
  readonly #held: Minutes;
  /** Minutes that a part gains in an hour of a weekday. */
  readonly #gains: Float64Array;

  private constructor(
    memory: CardMemory,
    list: ListedMoments,
    { holds, until }: { readonly holds: Minutes; readonly until: number },
  ) {
    this.#isByPart = memory.isByPart;
    this.#until = until;
    this.#holds = holds;
    this.#held = minutesOf(list);
    this.#rings = ringsOf(list, this.#held, memory.isByPart);
    this.#gains = gainsOf(memory);
  }

  /** Null while nothing is known: when the card was never seen to overwrite, or was seen for less than three days. */
  static of(memory: CardMemory, list: ListedMoments): Turnover | null {
    const { holds, until } = memory;
    if (holds === null || until === null || Math.max(...daysSeen(memory)) < LEAST_DAYS) return null;
    return new Turnover(memory, list, { holds, until });
  }

  /** Minutes that a full card holds. */
  get holds(): number {
    return sumOf(this.#holds);
  }

  /** Returns the minutes that are expected to be recorded between two times. */
  gained(from: number, to: number): Minutes {
    const sum = { driving: 0, parking: 0, events: 0 };
    for (let at = from; at < to; ) {
      const next = Math.min(to, (Math.floor(at / HOUR_SECONDS) + 1) * HOUR_SECONDS);
      this.#add(sum, at, next);
      at = next;
    }
    return sum;
  }

  /** Minutes recorded in a usual week. */
  get weekly(): number {
    return this.#gains.reduce((sum, gain) => sum + gain, 0);
  }

  /** Returns what is expected to be overwritten by then: of what was on the card when it was listed. */
  overwrittenBy(at: number): Overwritten {
    const gained = this.gained(this.#until, Math.min(at, this.#until + FURTHEST_SECONDS));
    const all = sumOf(gained);
    const firstOf = (part: CardPart) => {
      const ring = this.#rings[part];
      const gone = Math.floor((this.#isByPart ? gained[part] : all) - this.#free(part));
      if (gone <= 0 || ring.length === 0) return null;
      // The moments of one second are numbered: the next number is of none.
      return gone < ring.length ? (ring[gone] ?? null) : (ring.at(-1) ?? 0) + 1;
    };
    return { driving: firstOf("driving"), parking: firstOf("parking"), events: firstOf("events") };
  }

  /** As `overwrittenBy`, in seconds of the camera's clock. */
  boundaryAt(at: number): PartTimes {
    const overwritten = this.overwrittenBy(at);
    const secondsOf = (moment: number | null) => (moment === null ? Number.NEGATIVE_INFINITY : secondsOfMoment(moment));
    const { driving, parking, events } = overwritten;
    return { driving: secondsOf(driving), parking: secondsOf(parking), events: secondsOf(events) };
  }

  /**
   * Returns the time at which the first of these recordings is expected to be overwritten: it may have passed, when the
   * card was listed long ago. Null when that is more than two months after the list.
   */
  firstOverwritten(waiting: OldestOfParts): number | null {
    const oldest = new Map<CardPart, number>();
    for (const part of CARD_PARTS) {
      const moment = waiting[part].moments[0];
      if (moment !== undefined) oldest.set(part, moment);
    }
    if (oldest.size === 0) return null;
    const needed = this.#minutesUntilGone(oldest);
    const sum = { driving: 0, parking: 0, events: 0 };
    const from = this.#until;
    for (let at = from; at < from + FURTHEST_SECONDS; ) {
      if (this.#isReached(sum, needed)) return at;
      const next = (Math.floor(at / HOUR_SECONDS) + 1) * HOUR_SECONDS;
      this.#add(sum, at, next);
      at = next;
    }
    return null;
  }

  #add(sum: { -readonly [Part in CardPart]: number }, from: number, to: number): void {
    const weekday = (Math.floor(from / DAY_SECONDS) + FIRST_WEEKDAY) % DAYS_OF_WEEK;
    const hour = Math.floor((from % DAY_SECONDS) / HOUR_SECONDS);
    const share = (to - from) / HOUR_SECONDS;
    for (const part of CARD_PARTS) sum[part] += (this.#gains[weekday * SLOTS + slotOf(hour, part)] ?? 0) * share;
  }

  #isReached(gained: Minutes, needed: ReadonlyMap<CardPart, number>): boolean {
    const all = sumOf(gained);
    for (const [part, minutes] of needed) if ((this.#isByPart ? gained[part] : all) >= minutes) return true;
    return false;
  }

  /** Minutes that have to be recorded until one of these moments is overwritten, by its part. */
  #minutesUntilGone(oldest: ReadonlyMap<CardPart, number>): Map<CardPart, number> {
    return new Map(
      [...oldest].map(([part, moment]) => [part, placeIn(this.#rings[part], moment) + this.#free(part) + 1]),
    );
  }

  #free(part: CardPart): number {
    if (this.#isByPart) return Math.max(0, this.#holds[part] - this.#held[part]);
    return Math.max(0, sumOf(this.#holds) - sumOf(this.#held));
  }
}

/**
 * Moments of a list by the part that overwrites them; one array for all parts where the oldest of all is overwritten.
 */
function ringsOf(list: ListedMoments, held: Minutes, isByPart: boolean): Record<CardPart, Float64Array> {
  const all = isByPart ? null : new Float64Array(sumOf(held));
  const rings = {
    driving: all ?? new Float64Array(held.driving),
    parking: all ?? new Float64Array(held.parking),
    events: all ?? new Float64Array(held.events),
  };
  const sizes = { driving: 0, parking: 0, events: 0 };
  eachMoment(list, (moment) => {
    const part = isByPart ? cardPartOf(moment) : "driving";
    rings[part][sizes[part]++] = moment;
  });
  return rings;
}

/** Number of moments of a ring before this one. */
export function placeIn(ring: Float64Array, moment: number): number {
  let low = 0;
  let high = ring.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ring[middle] ?? 0) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

const HOURS = 24;
const SLOTS = HOURS * CARD_PARTS.length;
/** Days of a weekday from which on it is told from the others. */
const LEAST_OF_WEEKDAY = 0.5;

/**
 * The mean minutes of each weekday, hour and part, of what was seen of them. A weekday of which little was seen is as
 * all days are together.
 */
function gainsOf(memory: CardMemory): Float64Array {
  const gains = new Float64Array(DAYS_OF_WEEK * SLOTS);
  const all = new Float64Array(SLOTS);
  const seen = new Float64Array(DAYS_OF_WEEK * CARD_PARTS.length);
  for (const { day, minutes, seen: seconds } of memory.days) {
    const weekday = weekdayOf(day);
    for (const [slot, count] of minutes.entries()) {
      gains[weekday * SLOTS + slot] = (gains[weekday * SLOTS + slot] ?? 0) + count;
      all[slot] = (all[slot] ?? 0) + count;
    }
    for (const [part, passed] of seconds.entries()) {
      const at = weekday * CARD_PARTS.length + part;
      seen[at] = (seen[at] ?? 0) + passed / DAY_SECONDS;
    }
  }
  const total = daysSeen(memory);
  for (let at = 0; at < gains.length; at++) {
    const slot = at % SLOTS;
    const part = Math.floor(slot / HOURS);
    const days = seen[Math.floor(at / SLOTS) * CARD_PARTS.length + part] ?? 0;
    // A few hours of a weekday would make much of what happened in them.
    gains[at] = days >= LEAST_OF_WEEKDAY ? (gains[at] ?? 0) / days : (all[slot] ?? 0) / Math.max(1, total[part] ?? 0);
  }
  return gains;
}

/** Days of which each part was seen, in parts of days. */
function daysSeen({ days }: CardMemory): readonly number[] {
  return CARD_PARTS.map((_, part) => days.reduce((sum, { seen }) => sum + (seen[part] ?? 0), 0) / DAY_SECONDS);
}

function weekdayOf(day: number): number {
  return (((day + FIRST_WEEKDAY) % DAYS_OF_WEEK) + DAYS_OF_WEEK) % DAYS_OF_WEEK;
}
