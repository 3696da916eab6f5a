import type { DrivePlan } from "./simulated_drive.ts";
import {
  LIFE_PATTERNS,
  type LifeName,
  type LifePattern,
  LONGEST_OUTING,
  type Range,
} from "./simulated_life_patterns.ts";
import { baseOf, type Moment } from "./simulated_moments.ts";
import { fraction, seedOf } from "./simulated_noise.ts";

/**
 * Something that happens to the car. All times are the camera's wall time in epoch milliseconds, as if it were UTC: it
 * knows no daylight saving.
 */
export type LifeEvent =
  /** A recording has ended, in all directions. */
  | { readonly at: number; readonly kind: "recorded"; readonly moment: Moment }
  /** The camera can be reached from home, at this part of the rate that its Wi-Fi has at best. */
  | { readonly at: number; readonly kind: "arrives"; readonly rateShare: number }
  | { readonly at: number; readonly kind: "leaves" };

/** One drive. */
export interface LifeDrive {
  readonly from: number;
  readonly to: number;
  /** The type of each minute's recording. */
  readonly letters: string;
  /** The car is at home after it. */
  readonly endsAtHome: boolean;
  /** Number of the drive: that of an earlier one is smaller, and every fourth after it is one at dusk. */
  readonly session: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 4;

/** The shortest stop between two drives. */
const SHORTEST_STOP = 4 * MINUTE;
/** Minutes of driving of which one is an event, and of which one was kept by hand. */
const EVENT_EVERY = 70;
const MANUAL_EVERY = 160;
/** Parking recordings of which one is an impact, and recordings of which one carries the upload flag. */
const IMPACT_EVERY = 15;
const UPLOADED_EVERY = 7;
const LEAST_RATE_SHARE = 0.75;
/** Sessions of a day; drives have every other one, so that twenty a day are told apart with room. */
const SESSIONS_OF_DAY = 200;

/** Days that are remembered: those around the moment at which life is followed. */
const DAYS_KEPT = 12;

/**
 * The life of a simulated car, by a pattern of weeks: its drives, stays, recordings and visits at home. The same pattern
 * and seed always give the same life, from whichever day it is looked at.
 */
export class SimulatedLife implements DrivePlan {
  readonly #seed: string;
  readonly #pattern: LifePattern;
  readonly #days = new Map<number, readonly LifeDrive[]>();

  constructor(pattern: LifeName | LifePattern, seed = "") {
    this.#seed = typeof pattern === "string" ? `${seed}/${pattern}` : seed;
    this.#pattern = typeof pattern === "string" ? LIFE_PATTERNS[pattern] : pattern;
  }

  /** Events from this moment on, in order and without end. */
  *events(from: number): Generator<LifeEvent, never> {
    // The stay that is going on then began with a drive some days before, at the most.
    for (let drive = this.#driveBefore(from); ; ) {
      const next = this.#driveAfter(drive);
      for (const event of this.#eventsOf(drive, next)) if (event.at >= from) yield event;
      drive = next;
    }
  }

  /** True while the camera can be reached from home. */
  isHere(at: number): boolean {
    const drive = this.#driveBefore(at);
    const visit = this.#visitAfter(drive, this.#driveAfter(drive));
    return visit !== null && visit.from <= at && at < visit.to;
  }

  /** The part of the Wi-Fi's best rate that the visit of this moment has; 1 when there is none. */
  rateShareAt(at: number): number {
    const drive = this.#driveBefore(at);
    return this.#visitAfter(drive, this.#driveAfter(drive))?.rateShare ?? 1;
  }

  turnOf(session: number): number {
    return Math.floor(session / SESSIONS_OF_DAY);
  }

  /** Drives that begin on this day since 1970, oldest first. */
  drivesOf(day: number): readonly LifeDrive[] {
    const known = this.#days.get(day);
    if (known) return known;
    const drives = this.#planned(day);
    this.#days.set(day, drives);
    for (const other of this.#days.keys()) {
      if (this.#days.size <= DAYS_KEPT) break;
      this.#days.delete(other);
    }
    return drives;
  }

  #planned(day: number): LifeDrive[] {
    const legs: { from: number; minutes: number; endsAtHome: boolean }[] = [];
    for (let begun = day - LONGEST_OUTING; begun <= day; begun++) {
      for (const [number, outing] of this.#pattern.outings.entries()) {
        if (!outing.days.includes(weekdayOf(begun))) continue;
        const dice = this.#dice(begun, `outing ${number}`);
        if (dice() >= outing.chance) continue;
        for (const [index, { hour, spread, minutes }] of outing.legs.entries()) {
          const from = begun * DAY + hour * HOUR + (2 * dice() - 1) * spread * MINUTE;
          const lasts = Math.round(within(minutes, dice()));
          if (Math.floor(from / DAY) === day)
            legs.push({ from, minutes: lasts, endsAtHome: index === outing.legs.length - 1 });
        }
      }
    }
    legs.sort((one, other) => one.from - other.from);
    const drives: LifeDrive[] = [];
    let free = 0;
    for (const [index, leg] of legs.entries()) {
      const dice = this.#dice(day, `drive ${index}`);
      const from = Math.round(Math.max(leg.from, free) / 1000) * 1000;
      const to = from + leg.minutes * MINUTE;
      free = to + SHORTEST_STOP;
      const letters = Array.from({ length: leg.minutes }, () => letterOf(dice())).join("");
      const isAtDusk = new Date(from).getUTCHours() >= 17 || new Date(from).getUTCHours() < 6;
      const session = day * SESSIONS_OF_DAY + index * 4 + (isAtDusk ? 2 : 0);
      drives.push({ from, to, letters, endsAtHome: leg.endsAtHome, session });
    }
    return drives;
  }

  /** Recordings of a drive and of the stay behind it, and the visit, when that stay is at home. */
  #eventsOf(drive: LifeDrive, next: LifeDrive): LifeEvent[] {
    const events: LifeEvent[] = [];
    const dice = this.#dice(drive.session, "moments");
    for (const [minute, type] of [...drive.letters].entries()) {
      const at = drive.from + minute * MINUTE;
      events.push(recorded(at, type, dice(), { drive: drive.session, minute, minutes: drive.letters.length }));
    }
    const { every } = drive.endsAtHome ? this.#pattern.home : this.#pattern.away;
    const asleep = this.#asleepAfter(drive, next);
    for (let at = drive.to; ; ) {
      // Movement comes at random, and two recordings are never closer than one lasts.
      at += Math.round(MINUTE - Math.log(1 - dice()) * (every - 1) * MINUTE);
      at = Math.round(at / 1000) * 1000;
      if (at + MINUTE > asleep) break;
      const type = dice() < 1 / IMPACT_EVERY ? "I" : "P";
      events.push(recorded(at, type, dice(), { drive: drive.session, minute: 0, minutes: 0 }));
    }
    const visit = this.#visitAfter(drive, next);
    if (visit !== null) {
      events.push({ at: visit.from, kind: "arrives", rateShare: visit.rateShare }, { at: visit.to, kind: "leaves" });
    }
    return events.sort((one, other) => one.at - other.at);
  }

  /** Time at which the camera is switched off after a drive, or the next drive begins. */
  #asleepAfter(drive: LifeDrive, next: LifeDrive): number {
    const { awake } = drive.endsAtHome ? this.#pattern.home : this.#pattern.away;
    const off = drive.to + within(awake, this.#dice(drive.session, "awake")()) * MINUTE;
    return Math.round(Math.min(off, next.from) / 1000) * 1000;
  }

  #visitAfter(drive: LifeDrive, next: LifeDrive): { from: number; to: number; rateShare: number } | null {
    if (!drive.endsAtHome) return null;
    const dice = this.#dice(drive.session, "visit");
    // The camera joins the network some time after the car has come into its range.
    const from = drive.to + Math.round(20 + 60 * dice()) * 1000;
    const to = this.#asleepAfter(drive, next);
    return from < to ? { from, to, rateShare: LEAST_RATE_SHARE + (1 - LEAST_RATE_SHARE) * dice() } : null;
  }

  /** The last drive that has begun by then. */
  #driveBefore(at: number): LifeDrive {
    for (let day = Math.floor(at / DAY); ; day--) {
      const found = this.drivesOf(day).findLast(({ from }) => from <= at);
      if (found) return found;
    }
  }

  #driveAfter(drive: LifeDrive): LifeDrive {
    for (let day = Math.floor(drive.from / DAY); ; day++) {
      const found = this.drivesOf(day).find(({ from }) => from > drive.from);
      if (found) return found;
    }
  }

  /** Throws of a die that depend on the life, a number and a word alone. */
  #dice(number: number, what: string): () => number {
    const seed = seedOf(`${this.#seed}/${number}/${what}`);
    let index = 0;
    return () => fraction(seed, index++);
  }
}

function recorded(
  at: number,
  type: string,
  chance: number,
  drive: Pick<Moment, "drive" | "minute" | "minutes">,
): LifeEvent {
  const flag = chance < 1 / UPLOADED_EVERY ? "L" : "";
  const moment: Moment = { base: baseOf(at), at, type, flag, directions: ["F", "R"], ...drive };
  return { at: at + MINUTE, kind: "recorded", moment };
}

function letterOf(chance: number): string {
  if (chance < 1 / EVENT_EVERY) return "E";
  return chance < 1 / EVENT_EVERY + 1 / MANUAL_EVERY ? "M" : "N";
}

function within([least, most]: Range, chance: number): number {
  return least + (most - least) * chance;
}

/** 0 is Sunday. */
function weekdayOf(day: number): number {
  return (((day + FIRST_WEEKDAY) % 7) + 7) % 7;
}
