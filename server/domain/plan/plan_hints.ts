import { cardPartOf, DAY_SECONDS } from "./card_memory.ts";
import { CARD_PARTS, type CardPart } from "../recordings/card_part.ts";
import type { Turnover } from "./turnover.ts";
import type { Span } from "./usual_visits.ts";
import type { Visit } from "./visit.ts";

export interface SlowWifi {
  /** Bytes per second. */
  readonly rate: number;
  readonly bestRate: number;
  /** When the best rate was seen, in epoch milliseconds. */
  readonly bestAt: number;
}

/** Bytes in a day. */
export interface Backlog {
  readonly recordedPerDay: number;
  readonly homePerDay: number;
  readonly parkingPerDay: number;
}

/** Bytes per second that 2.4 GHz hardly ever exceeds; with 5 GHz the same cameras reach two to six times as much. */
const MOST_AT_2_4_GHZ = 8e6;
const LEAST_TIMES_BETTER = 1.8;
const DAYS_OF_WEEK = 7;

/** Tells that the Wi-Fi is much slower than it was with the same camera, and no faster than 2.4 GHz; null when it is not. */
export function slowWifiOf(rate: number | null, visits: readonly Visit[]): SlowWifi | null {
  if (rate === null || rate > MOST_AT_2_4_GHZ) return null;
  let best: Visit | null = null;
  for (const visit of visits) if ((visit.rate ?? 0) > (best?.rate ?? 0)) best = visit;
  if (best?.rate == null || best.rate < rate * LEAST_TIMES_BETTER) return null;
  return { rate, bestRate: best.rate, bestAt: best.from };
}

/** Mean bytes of a recorded minute in all its directions, by part of the card; only what is wanted counts. */
export type BytesPerMinute = Readonly<Record<CardPart, number>>;

/**
 * Returns the mean bytes of a minute.
 * @param eachVideo calls back with every video of a list, oldest first: its moment and its bytes, 0 for what is not wanted
 */
export function bytesPerMinuteOf(eachVideo: (take: (moment: number, bytes: number) => void) => void): BytesPerMinute {
  const bytes = { driving: 0, parking: 0, events: 0 };
  const minutes = { driving: 0, parking: 0, events: 0 };
  let before = -1;
  eachVideo((moment, size) => {
    const part = cardPartOf(moment);
    if (moment !== before) minutes[part]++;
    before = moment;
    bytes[part] += size;
  });
  for (const part of CARD_PARTS) bytes[part] /= Math.max(1, minutes[part]);
  return bytes;
}

/** Tells that more is recorded in a usual week than its visits have time for; null when it is not. */
export function backlogOf(
  turnover: Pick<Turnover, "gained">,
  nextVisits: readonly Span[],
  { rate, bytesPerMinute }: { readonly rate: number; readonly bytesPerMinute: BytesPerMinute },
): Backlog | null {
  const [first] = nextVisits;
  if (first === undefined) return null;
  const until = first.from + DAYS_OF_WEEK * DAY_SECONDS;
  const week = turnover.gained(first.from, until);
  const perDay = (part: CardPart) => (week[part] * bytesPerMinute[part]) / DAYS_OF_WEEK;
  const seconds = nextVisits.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, until) - from), 0);
  const recordedPerDay = Math.round(perDay("driving") + perDay("parking") + perDay("events"));
  const homePerDay = Math.round((seconds * rate) / DAYS_OF_WEEK);
  return recordedPerDay > homePerDay
    ? { recordedPerDay, homePerDay, parkingPerDay: Math.round(perDay("parking")) }
    : null;
}
