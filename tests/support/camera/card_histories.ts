import { SimulatedLife } from "../../../server/dashcam/simulator/simulated_life.ts";
import type { LifeName } from "../../../server/dashcam/simulator/simulated_life_patterns.ts";
import { baseOf, type Moment } from "../../../server/dashcam/simulator/simulated_moments.ts";
import { fraction, seedOf } from "../../../server/dashcam/simulator/simulated_noise.ts";

/** Signs of a dying card, as `GET /api/card` names them. */
export type CardSign = "empty_files" | "read_errors" | "holes" | "short_clips" | "falling_rate" | "clock_resets";

/** One video as it stood on the card, and what became of it when it was fetched. */
export interface HistoryRecording {
  readonly name: string;
  /**
   * Time at which it really began, in the camera's wall time as if it were UTC; a name of an unset clock tells another.
   */
  readonly at: number;
  /** Length of the video; 0 when it is empty. */
  readonly seconds: number;
  readonly bytes: number;
  /** `empty`: answered with 204 or no byte; `error`: with 500. */
  readonly answer: "whole" | "empty" | "error";
  /** Bytes per second at which it came; null when nothing came. */
  readonly rate: number | null;
  /** Time at which it was fetched. */
  readonly fetchedAt: number;
}

export interface CardHistory {
  /** Its life in a few words. */
  readonly name: string;
  /** The sign that must be found; null: none. */
  readonly sign: CardSign | null;
  /** Oldest first, by the time at which each really began. */
  readonly recordings: readonly HistoryRecording[];
  /** Time of the last visit. */
  readonly now: number;
}

/** Faults of a card or its camera, from the middle of the history on. All of it is nothing when left out. */
interface Trouble {
  /** Parts of the videos that are empty, or answered with an error. */
  readonly empty?: number;
  readonly errors?: number;
  /** Part of the minutes of drives that were not written; `together` in blocks instead of one by one. */
  readonly missing?: number;
  readonly together?: boolean;
  /** Part of the driving recordings that break off after some seconds. */
  readonly short?: number;
  /** Part of the first rate that is left at the end, reached evenly. */
  readonly rateLeft?: number;
  /** Part of the drives that begin with a clock that was not set, and the year it then has. */
  readonly resets?: number;
  readonly year?: number;
  /** Minutes until it is set by the satellites; it never is when left out. */
  readonly unsetMinutes?: number;
  /** Part of the visits that come at a fourth of the usual rate. */
  readonly slowVisits?: number;
  /** Trouble begins with this part of the history; half of it when left out. */
  readonly from?: number;
}

interface Story extends Trouble {
  readonly name: string;
  readonly life: LifeName;
  readonly weeks?: number;
  /** Bytes per second at best: 2.4 or 5 GHz. */
  readonly rate?: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** A Monday. */
const BEGIN = Date.UTC(2026, 8, 7);
const SLOW = 3_500_000;
const FAST = 20_000_000;
/** Bytes of a minute of each direction. */
const MINUTE_BYTES: Readonly<Record<string, number>> = { F: 180_000_000, R: 75_000_000 };

/** Faults that happen with a card that is well, too, now and then. */
const HEALTHY: readonly Story[] = [
  { name: "to work and back, 5 GHz", life: "weekday" },
  { name: "to work and back, 2.4 GHz", life: "weekday", rate: SLOW },
  { name: "weekends only", life: "weekend", weeks: 10 },
  { name: "parked all day", life: "nights" },
  { name: "a taxi", life: "taxi", weeks: 3 },
  { name: "one video of a hundred empty or unreadable", life: "weekday", empty: 0.006, errors: 0.004, from: 0 },
  { name: "one minute of fifty missing, as after restarts", life: "weekday", missing: 0.02, from: 0 },
  { name: "a slow Wi-Fi on every fifth visit", life: "nights", slowVisits: 0.2, from: 0 },
  { name: "a clock that was reset in one drive of forty", life: "weekday", resets: 0.025, unsetMinutes: 3, from: 0 },
  { name: "one driving video of forty broken off", life: "taxi", weeks: 3, short: 0.025, from: 0 },
];

const SICK: readonly (Story & { readonly sign: CardSign })[] = [
  { sign: "empty_files", name: "a fifth empty", life: "weekday", empty: 0.22 },
  { sign: "empty_files", name: "a third empty, parked all day", life: "nights", empty: 0.33, from: 0.8 },
  {
    sign: "empty_files",
    name: "half of a taxi's empty, for three days",
    life: "taxi",
    weeks: 3,
    empty: 0.5,
    from: 0.85,
  },
  { sign: "empty_files", name: "a quarter empty from the first day", life: "weekend", weeks: 8, empty: 0.25, from: 0 },
  { sign: "read_errors", name: "a fifth unreadable", life: "weekday", errors: 0.22 },
  { sign: "read_errors", name: "a third unreadable, 2.4 GHz", life: "weekday", rate: SLOW, errors: 0.33, from: 0.8 },
  { sign: "read_errors", name: "a quarter of a taxi's unreadable", life: "taxi", weeks: 3, errors: 0.3 },
  { sign: "read_errors", name: "half unreadable after weekends", life: "weekend", weeks: 8, errors: 0.5 },
  { sign: "holes", name: "a quarter of the minutes missing", life: "weekday", missing: 0.27 },
  { sign: "holes", name: "half missing in blocks", life: "taxi", weeks: 3, missing: 0.5, together: true },
  { sign: "holes", name: "half missing on weekends", life: "weekend", weeks: 8, missing: 0.5 },
  { sign: "holes", name: "a third missing on the way to the night shift", life: "nights", missing: 0.35 },
  { sign: "short_clips", name: "a quarter broken off", life: "weekday", short: 0.3 },
  { sign: "short_clips", name: "half of a taxi's broken off", life: "taxi", weeks: 3, short: 0.5 },
  { sign: "short_clips", name: "a third broken off on weekends", life: "weekend", weeks: 8, short: 0.35, from: 0.3 },
  { sign: "falling_rate", name: "a third of the rate left", life: "weekday", rateLeft: 0.33 },
  { sign: "falling_rate", name: "a quarter of the rate left, parked all day", life: "nights", rateLeft: 0.25 },
  {
    sign: "falling_rate",
    name: "a fifth of the rate left, 2.4 GHz",
    life: "taxi",
    weeks: 4,
    rate: SLOW,
    rateLeft: 0.2,
  },
  { sign: "clock_resets", name: "1970 in every drive", life: "weekday", resets: 1 },
  {
    sign: "clock_resets",
    name: "2000 at the beginning of every drive of a taxi",
    life: "taxi",
    weeks: 3,
    resets: 1,
    year: 2000,
    unsetMinutes: 4,
  },
];

/** Ten histories without a sign of a dying card, though none is without a flaw. */
export function healthyHistories(): CardHistory[] {
  return HEALTHY.map((story) => historyOf(story, null));
}

/** Twenty histories, each with one sign. */
export function sickHistories(): CardHistory[] {
  return SICK.map((story) => historyOf(story, story.sign));
}

/** Twelve weeks of a life, unless told otherwise, as far as they were fetched; the same story always gives the same. */
function historyOf(story: Story, sign: CardSign | null): CardHistory {
  const life = new SimulatedLife(story.life, story.name);
  const seed = seedOf(story.name);
  let thrown = 0;
  const dice = () => fraction(seed, thrown++);
  const end = BEGIN + (story.weeks ?? 12) * 7 * DAY;
  const ill = BEGIN + (story.from ?? 0.5) * (end - BEGIN);
  const recordings: HistoryRecording[] = [];
  /** Recordings that wait for the next visit. */
  let waiting: Moment[] = [];
  let now = BEGIN;
  /** For each drive the time of its unset clock; null when the clock is right. */
  const clocks = new Map<number, number | null>();
  const clockOf = ({ drive }: Moment) => {
    let clock = clocks.get(drive);
    if (clock === undefined) {
      // It goes on from where it was when the camera was switched off.
      clock = dice() < (story.resets ?? 0) ? Date.UTC(story.year ?? 1970, 0, 1) + clocks.size * 3 * 60 * MINUTE : null;
      clocks.set(drive, clock);
    }
    return clock;
  };
  const isUnset = ({ at, minute, minutes }: Moment) =>
    at >= ill && minutes > 0 && minute < (story.unsetMinutes ?? Number.POSITIVE_INFINITY);
  let blockUntil = -1;
  const isMissing = (moment: Moment) => {
    if (moment.minutes === 0 || moment.minute === 0 || moment.minute === moment.minutes - 1) return false;
    const missing = story.missing ?? 0;
    if (story.together !== true) return dice() < missing;
    if (moment.at < blockUntil) return true;
    if (dice() >= missing / (1 + 2 * (1 - missing))) return false;
    blockUntil = moment.at + 3 * MINUTE;
    return true;
  };
  for (const event of life.events(BEGIN)) {
    if (event.at > end) break;
    if (event.kind === "recorded") {
      if (event.moment.at < ill || !isMissing(event.moment)) waiting.push(event.moment);
      continue;
    }
    if (event.kind === "leaves") continue;
    now = event.at;
    const fallen = now < ill ? 1 : 1 - (1 - (story.rateLeft ?? 1)) * ((now - ill) / (end - ill));
    const slow = dice() < (story.slowVisits ?? 0) ? 0.25 : 1;
    const rate = (story.rate ?? FAST) * event.rateShare * fallen * slow;
    for (const moment of waiting) {
      const isIll = moment.at >= ill;
      for (const direction of moment.directions) {
        const fate = isIll ? dice() : 1;
        const answer =
          fate < (story.empty ?? 0) ? "empty" : fate < (story.empty ?? 0) + (story.errors ?? 0) ? "error" : "whole";
        const seconds = answer === "empty" ? 0 : secondsOf(moment, direction, isIll ? (story.short ?? 0) : 0);
        recordings.push({
          name: nameOf(moment, direction, isUnset(moment) ? clockOf(moment) : null),
          at: moment.at,
          seconds,
          bytes: Math.round(((MINUTE_BYTES[direction] ?? 0) * seconds) / 60),
          answer,
          // No two files come at quite the same rate.
          rate: answer === "whole" ? Math.round(rate * (0.9 + 0.2 * dice())) : null,
          fetchedAt: now,
        });
      }
    }
    waiting = [];
  }
  return { name: `${sign ?? "healthy"}: ${story.name}`, sign, recordings, now };

  function secondsOf(moment: Moment, direction: string, short: number): number {
    const shared = seedOf(`${story.name} ${moment.base}`);
    // A drive ends within its last minute, and what moved near a parked car is soon gone.
    if (moment.minutes === 0) return 20 + Math.floor(40 * fraction(shared, 0));
    if (moment.minute === moment.minutes - 1) return 5 + Math.floor(55 * fraction(shared, 0));
    if (fraction(seedOf(`${story.name} ${moment.base}`), 1) < short) return 4 + Math.floor(26 * fraction(shared, 2));
    return direction === "R" ? 59 : 60;
  }
}

/** Name of a video; `clock`: time of a clock that was not set when its drive began. */
function nameOf(moment: Moment, direction: string, clock: number | null): string {
  const base = clock === null ? moment.base : baseOf(clock + moment.minute * MINUTE);
  return `${base}_${moment.type}${direction}${moment.flag}.mp4`;
}
