import { baseOfMoment, letterOfMoment, TYPE_LETTERS } from "../recordings/moment_number.ts";
import type { CoverageCounts, CoverageOfDay } from "./coverage_schema.ts";
import { LOSS_CAUSES, type LossCause, type RecordingState, type StateCause } from "./recording_state.ts";

/** A recording as its day counts it. */
export interface CountedRecording {
  readonly moment: number;
  /** Another number for each direction, and for copies of lower resolution. */
  readonly ending: number;
  readonly state: RecordingState;
  readonly cause: StateCause | null;
}

/** Longer pauses between two recordings are no part of the first one. */
const LONGEST_SECONDS = 200;
/** As long as cameras usually make them. */
const USUAL_SECONDS = 60;
/** Types of recordings while the car was parked: Parking, and Parking impact. */
const PARKED: ReadonlySet<string> = new Set(["P", "I"]);

/**
 * Returns how long recordings are, about, in seconds: a camera begins the next one when one ends. The last one of a
 * drive is as long as the others are.
 * @param recordings of one day or more, by time
 */
export function secondsOfEach(recordings: readonly Pick<CountedRecording, "moment" | "ending">[]): number[] {
  const seconds = new Array<number>(recordings.length).fill(0);
  const last = new Map<number, number>();
  const gaps: number[] = [];
  const open: number[] = [];
  for (const [at, { moment, ending }] of recordings.entries()) {
    const before = last.get(ending);
    last.set(ending, at);
    if (before === undefined) continue;
    const gap = baseOfMoment(moment) - baseOfMoment(recordings[before]?.moment ?? 0);
    if (gap === 0 || gap > LONGEST_SECONDS) open.push(before);
    else {
      seconds[before] = gap;
      gaps.push(gap);
    }
  }
  const usual = gaps.length === 0 ? USUAL_SECONDS : (gaps.sort((one, other) => one - other)[gaps.length >> 1] ?? 0);
  for (const at of [...open, ...last.values()]) seconds[at] = usual;
  return seconds;
}

/** Counts without any recording. */
export function noCounts(): CoverageCounts {
  return {
    recorded: 0,
    home: 0,
    coming: 0,
    left_out: 0,
    lost: 0,
    deleted: 0,
    damaged: 0,
    unknown: 0,
    unreadable: 0,
    minutes: 0,
    driven_minutes: 0,
    lost_minutes: 0,
  };
}

/** Counts the recordings of one day. @param recordings by time */
export function countsOf(date: string, recordings: readonly CountedRecording[]): CoverageOfDay {
  const counts = noCounts();
  const seconds = secondsOfEach(recordings);
  const causes = new Map<LossCause, number>();
  const moments = new Minutes();
  for (const [at, { moment, state, cause }] of recordings.entries()) {
    counts.recorded++;
    counts[state === "trash" ? "deleted" : state]++;
    if (cause === "failing") counts.unreadable++;
    const lost = state === "lost" ? (LOSS_CAUSES.find((one) => one === cause) ?? "unknown") : null;
    if (lost !== null) causes.set(lost, (causes.get(lost) ?? 0) + 1);
    const isParked = PARKED.has(TYPE_LETTERS[letterOfMoment(moment)] ?? "");
    moments.add(baseOfMoment(moment), seconds[at] ?? 0, !isParked, lost !== null);
  }
  return { date, ...counts, ...moments.counts(), cause: mostOf(causes) };
}

/** Adds counts up. */
export function countsTogether(all: readonly CoverageCounts[]): CoverageCounts {
  const sum = noCounts();
  for (const one of all) for (const name of NAMES) sum[name] += one[name];
  for (const name of ["minutes", "driven_minutes", "lost_minutes"] as const) sum[name] = rounded(sum[name]);
  return sum;
}

/** Counts while the recordings folder is not available: what was at home is unknown. */
export function withoutFolder<C extends CoverageCounts>(counts: C): C {
  const { home, damaged, unknown } = counts;
  return { ...counts, home: 0, damaged: 0, unknown: unknown + home + damaged };
}

const NAMES = Object.keys(noCounts()) as readonly (keyof CoverageCounts)[];

/** Minutes of a day, of which those of front and rear count once. */
class Minutes {
  #base = -1;
  #seconds = 0;
  #isDriven = false;
  #isLost = false;
  readonly #sums = { minutes: 0, driven_minutes: 0, lost_minutes: 0 };

  add(base: number, seconds: number, isDriven: boolean, isLost: boolean): void {
    if (base !== this.#base) this.#end();
    this.#base = base;
    this.#seconds = Math.max(this.#seconds, seconds);
    this.#isDriven ||= isDriven;
    this.#isLost ||= isLost;
  }

  counts() {
    this.#end();
    const { minutes, driven_minutes, lost_minutes } = this.#sums;
    return {
      minutes: rounded(minutes / 60),
      driven_minutes: rounded(driven_minutes / 60),
      lost_minutes: rounded(lost_minutes / 60),
    };
  }

  #end(): void {
    this.#sums.minutes += this.#seconds;
    if (this.#isDriven) this.#sums.driven_minutes += this.#seconds;
    if (this.#isLost) this.#sums.lost_minutes += this.#seconds;
    [this.#seconds, this.#isDriven, this.#isLost] = [0, false, false];
  }
}

function mostOf(causes: ReadonlyMap<LossCause, number>): LossCause | null {
  let most: LossCause | null = null;
  for (const cause of LOSS_CAUSES)
    if ((causes.get(cause) ?? 0) > (most === null ? 0 : (causes.get(most) ?? 0))) most = cause;
  return most;
}

function rounded(minutes: number): number {
  return Math.round(minutes * 10) / 10;
}
