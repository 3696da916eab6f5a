import { CARD_PARTS, type CardPart } from "../recordings/card_part.ts";
import { secondsOfMoment } from "../recordings/moment_number.ts";
import type { RiskBoundary } from "../sync/smart_order.ts";
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
  USUAL_DAYS,
} from "./card_memory.ts";

/** Days of which nothing can be said yet. */
const LEAST_DAYS = 3;
/** The furthest that is looked ahead. */
export const FURTHEST_SECONDS = 60 * DAY_SECONDS;
const DAYS_OF_WEEK = 7;
/** 1970-01-01 was a Thursday; 0 is Sunday. */
const FIRST_WEEKDAY = 4;

/** True when this recording is expected to be overwritten by the time that the boundary is of. */
export function isBefore(boundary: RiskBoundary, moment: number): boolean {
  return secondsOfMoment(moment) < boundary[cardPartOf(moment)];
}

/**
 * What a card gains and overwrites, as its lists of the last eight weeks have shown. All times are seconds on the
 * camera's clock.
 */
export class Turnover {
  readonly #memory: CardMemory;
  readonly #list: ListedMoments;
  readonly #holds: Minutes;
  readonly #held: Minutes;
  /** Minutes that a part gains in an hour of a weekday. */
  readonly #gains: Float64Array;

  private constructor(memory: CardMemory, list: ListedMoments, holds: Minutes) {
    this.#memory = memory;
    this.#list = list;
    this.#holds = holds;
    this.#held = minutesOf(list);
    this.#gains = gainsOf(memory);
  }

  /** Null while nothing is known: when the card was never seen to overwrite, or was seen for less than three days. */
  static of(memory: CardMemory, list: ListedMoments): Turnover | null {
    const { holds, since, until } = memory;
    if (holds === null || since === null || until - since < LEAST_DAYS * DAY_SECONDS) return null;
    return new Turnover(memory, list, holds);
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
  overwrittenBy(at: number): RiskBoundary {
    return this.#boundaryAfter(this.gained(this.#memory.until, at));
  }

  /**
   * Returns the time at which the first of these recordings is expected to be overwritten: it may have passed, when the card
   * was listed long ago. Null when that is more than two months after the list.
   * @param waiting calls back with each moment that must not be overwritten
   */
  firstOverwritten(waiting: (take: (moment: number) => void) => void): number | null {
    const oldest = new Map<CardPart, number>();
    waiting((moment) => {
      const part = cardPartOf(moment);
      if (moment < (oldest.get(part) ?? Number.POSITIVE_INFINITY)) oldest.set(part, moment);
    });
    if (oldest.size === 0) return null;
    const needed = this.#minutesUntilGone(oldest);
    const sum = { driving: 0, parking: 0, events: 0 };
    const from = this.#memory.until;
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
    for (const [part, minutes] of needed) if ((this.#memory.isByPart ? gained[part] : all) >= minutes) return true;
    return false;
  }

  /** Minutes that have to be recorded until one of these moments is overwritten, by its part. */
  #minutesUntilGone(oldest: ReadonlyMap<CardPart, number>): Map<CardPart, number> {
    const needed = new Map<CardPart, number>();
    for (const [part, moment] of oldest) {
      let older = 0;
      eachMoment(this.#list, (other) => {
        if (other >= moment) return false;
        if (!this.#memory.isByPart || cardPartOf(other) === part) older++;
        return true;
      });
      needed.set(part, older + this.#free(part) + 1);
    }
    return needed;
  }

  #free(part: CardPart): number {
    if (this.#memory.isByPart) return Math.max(0, this.#holds[part] - this.#held[part]);
    return Math.max(0, sumOf(this.#holds) - sumOf(this.#held));
  }

  #boundaryAfter(gained: Minutes): RiskBoundary {
    const never = Number.NEGATIVE_INFINITY;
    const boundary = { driving: never, parking: never, events: never };
    const { isByPart } = this.#memory;
    const left = { driving: 0, parking: 0, events: 0 };
    for (const part of CARD_PARTS) left[part] = Math.floor(gained[part] - this.#free(part));
    let all = Math.floor(sumOf(gained) - this.#free("driving"));
    eachMoment(this.#list, (moment) => {
      const part = cardPartOf(moment);
      if (!isByPart) {
        if (all-- <= 0) return false;
        for (const one of CARD_PARTS) boundary[one] = secondsOfMoment(moment) + 1;
        return true;
      }
      if (left[part]-- > 0) boundary[part] = secondsOfMoment(moment) + 1;
      return CARD_PARTS.some((one) => left[one] > 0);
    });
    return boundary;
  }
}

const SLOTS = 24 * CARD_PARTS.length;

/** The mean minutes of each weekday, hour and part. A weekday that was not seen yet is as the others are. */
function gainsOf({ days, since, until }: CardMemory): Float64Array {
  const gains = new Float64Array(DAYS_OF_WEEK * SLOTS);
  const all = new Float64Array(SLOTS);
  for (const { day, minutes } of days) {
    const weekday = weekdayOf(day);
    for (const [slot, count] of minutes.entries()) {
      gains[weekday * SLOTS + slot] = (gains[weekday * SLOTS + slot] ?? 0) + count;
      all[slot] = (all[slot] ?? 0) + count;
    }
  }
  const seen = daysSeen(since ?? until, until);
  const total = seen.reduce((sum, count) => sum + count, 0);
  for (let weekday = 0; weekday < DAYS_OF_WEEK; weekday++) {
    const count = seen[weekday] ?? 0;
    for (let slot = 0; slot < SLOTS; slot++) {
      const at = weekday * SLOTS + slot;
      gains[at] = count > 0 ? (gains[at] ?? 0) / count : (all[slot] ?? 0) / Math.max(1, total);
    }
  }
  return gains;
}

/** Days of each weekday between two times, of those that count, in parts of days at both ends. */
function daysSeen(since: number, until: number): readonly number[] {
  const counts = new Array<number>(DAYS_OF_WEEK).fill(0);
  const last = Math.floor(until / DAY_SECONDS);
  const first = Math.max(Math.floor(since / DAY_SECONDS), last - USUAL_DAYS);
  for (let day = first; day <= last; day++) {
    const from = Math.max(since, day * DAY_SECONDS);
    const to = Math.min(until, (day + 1) * DAY_SECONDS);
    const weekday = weekdayOf(day);
    counts[weekday] = (counts[weekday] ?? 0) + Math.max(0, to - from) / DAY_SECONDS;
  }
  // A few hours of a weekday would make much of what happened in them.
  return counts.map((count) => (count < 0.5 ? 0 : count));
}

function weekdayOf(day: number): number {
  return (((day + FIRST_WEEKDAY) % DAYS_OF_WEEK) + DAYS_OF_WEEK) % DAYS_OF_WEEK;
}
