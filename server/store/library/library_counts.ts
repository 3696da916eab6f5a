import { dayText, letterOfMoment, TYPE_LETTERS } from "../../domain/recordings/moment_number.ts";
import { isEvent } from "../../domain/retention/keep_times.ts";
import { drivingSeconds } from "../../domain/viewer/driving_time.ts";

/** Contents of a day, in figures. */
export interface DayFigures {
  /** `YYYY-MM-DD`, camera time. */
  readonly date: string;
  readonly clips: number;
  readonly events: number;
  readonly drivingSeconds: number;
}

/** Everything there is, counted. */
export interface LibraryFigures {
  /** Newest first. */
  readonly days: readonly DayFigures[];
  /** Clips by type letter. */
  readonly types: Readonly<Record<string, number>>;
  /** Clips by the letter of each camera they have. */
  readonly cameras: Readonly<Record<string, number>>;
}

interface DrivingTime {
  readonly clips: number;
  readonly sum: number;
  readonly seconds: number;
}

const EVENTS: readonly boolean[] = [...TYPE_LETTERS].map(isEvent);
/** Sums of moments stay exact below this. */
const MODULUS = 1_000_000_007;

/**
 * Driving times of days, remembered while a day has the same clips: an index that is built anew for one more file does
 * not work them all out again.
 */
export class DrivingTimes {
  readonly #known = new Map<number, DrivingTime>();
  readonly #lengthOf: (moment: number) => number | null;

  constructor(lengthOf: (moment: number) => number | null) {
    this.#lengthOf = lengthOf;
  }

  /** Lengths of clips of these days have come to be known. */
  forget(days: Iterable<number>): void {
    for (const day of days) this.#known.delete(day);
  }

  /** @param moments the day's, in any order */
  of(day: number, moments: readonly number[]): number {
    let sum = 0;
    for (const moment of moments) sum = (sum + moment) % MODULUS;
    const known = this.#known.get(day);
    if (known?.sum === sum && known.clips === moments.length) return known.seconds;
    const seconds = Math.round(drivingSeconds(Float64Array.from(moments).sort(), this.#lengthOf));
    this.#known.set(day, { clips: moments.length, sum, seconds });
    return seconds;
  }
}

/** Counts clips as an index is built of them. */
export class LibraryCounter {
  readonly #days = new Map<number, number[]>();
  readonly #types = new Uint32Array(TYPE_LETTERS.length);
  readonly #cameras = new Map<string, number>();

  /** @param cameras the letters of its cameras */
  add(day: number, moment: number, cameras: string): void {
    const moments = this.#days.get(day);
    if (moments) moments.push(moment);
    else this.#days.set(day, [moment]);
    const letter = letterOfMoment(moment);
    this.#types[letter] = (this.#types[letter] ?? 0) + 1;
    this.#cameras.set(cameras, (this.#cameras.get(cameras) ?? 0) + 1);
  }

  /** The moments of a day, in the order in which they were added. */
  momentsOf(day: number): readonly number[] {
    return this.#days.get(day) ?? [];
  }

  /** @param dates in the order of the answer */
  figures(dates: readonly number[], driving: DrivingTimes): LibraryFigures {
    const cameras: Record<string, number> = {};
    for (const [letters, count] of this.#cameras)
      for (const letter of letters) cameras[letter] = (cameras[letter] ?? 0) + count;
    const types: Record<string, number> = {};
    for (const [at, count] of this.#types.entries()) if (count > 0) types[TYPE_LETTERS[at] ?? ""] = count;
    const days = dates.map((day) => {
      const moments = this.momentsOf(day);
      let events = 0;
      for (const moment of moments) if (EVENTS[letterOfMoment(moment)]) events++;
      return { date: dayText(day), clips: moments.length, events, drivingSeconds: driving.of(day, moments) };
    });
    return { days, types, cameras };
  }
}
