import { hasNoAge } from "../recordings/moment_number.ts";

/** A time by the wall clock, in epoch milliseconds, and by one that nobody sets. */
export interface Instant {
  readonly at: number;
  readonly steady: number;
}

/** The last list that was believed, since the start of this process. */
export interface TakenList {
  /** Address of the camera that sent it. */
  readonly address: string;
  /** Time at which it was asked for. */
  readonly asked: Instant;
  /** It was read to its end, and lacks nothing that should be in it. */
  readonly isWhole: boolean;
  /** Time, by the steady clock, of the last list with something that may have been recorded just then; null for none. */
  readonly newsAt: number | null;
  /** A recording that began so many seconds before a list may go on, or be followed by one that the list lacks. */
  readonly recordingSeconds: number;
  /** Number of names in it that are no recording's, or have a date that never was: these are not fetched. */
  readonly strangers: number;
}

/** Facts about a list that takes the place of the one before. */
export interface ReceivedFacts extends Omit<TakenList, "newsAt"> {
  /** Moments that the list before lacked. */
  readonly news: readonly number[];
  /** The last moment of the list by name; null for an empty one. */
  readonly newest: number | null;
  /** Seconds of the camera's wall clock at which it was asked for, as far as the zone in the settings is right. */
  readonly wallSeconds: number;
  /** Seconds of a moment on the same scale. */
  readonly secondsOf: (moment: number) => number;
}

/** Usual seconds from one recording to the next, where a list does not tell; and the longest that cameras make them. */
const USUAL_STEP = 60;
const LONGEST_STEP = 300;
/** A camera takes some seconds to close a recording, and its clock is a little off. */
const CLOSING_SECONDS = 15;
/** Steps that tell the usual one. */
const TELLING_STEPS = 40;
/** A camera whose zone is another one is off by so many seconds, or several times as many. */
const ZONE_STEP = 1800;
/** Zones are at most so far apart, in seconds. */
const ZONES_SPAN = 26 * 3600;

/** @param before the list before, of the same camera; null when this process has taken none */
export function takenList(before: TakenList | null, facts: ReceivedFacts): TakenList {
  const { address, asked, isWhole, recordingSeconds, strangers } = facts;
  const since = before?.address === address ? before : null;
  const passed = since === null ? null : (asked.steady - since.asked.steady) / 1000;
  const isNews = facts.news.some((moment) => mayBeRecording(moment, passed, facts));
  const newsAt = isNews ? asked.steady : (since?.newsAt ?? null);
  return { address, asked, isWhole, recordingSeconds, strangers, newsAt };
}

/** True when a camera may have been recording when it sent the list: the next recording is in no list then. */
export function wasRecording({ asked, newsAt, recordingSeconds }: TakenList): boolean {
  return newsAt !== null && asked.steady - newsAt < recordingSeconds * 1000;
}

/**
 * Seconds in which a camera makes a recording and closes it, by the recordings that it lists.
 * @param newestFirst seconds at which they began
 */
export function recordingSecondsOf(newestFirst: Iterable<number>): number {
  const steps: number[] = [];
  let after: number | null = null;
  for (const at of newestFirst) {
    const step = after === null ? 0 : after - at;
    after = at;
    if (step > 0 && step <= LONGEST_STEP && steps.push(step) >= TELLING_STEPS) break;
  }
  const usual = steps.sort((one, other) => one - other)[steps.length >> 1] ?? USUAL_STEP;
  return Math.max(USUAL_STEP, usual) + CLOSING_SECONDS;
}

/**
 * The age of a list in seconds, by the clock that says more: wall clocks are set back, others stop while a machine sleeps.
 * It is negative when the wall clock was set back behind the time of the list.
 */
export function ageOf({ asked }: Pick<TakenList, "asked">, now: Instant): number {
  const wall = (now.at - asked.at) / 1000;
  return wall < 0 ? wall : Math.max(wall, (now.steady - asked.steady) / 1000);
}

/**
 * True for a recording that may go on, or that may be followed by one. Clocks of cameras may be set to another zone, or
 * not at all: such a name tells no age, unless the recording was listed before.
 * @param passed seconds since the list before, which lacked it; null when that is not known
 */
function mayBeRecording(
  moment: number,
  passed: number | null,
  { newest, wallSeconds, secondsOf, recordingSeconds }: ReceivedFacts,
): boolean {
  if (hasNoAge(moment)) return passed !== null;
  const age = wallSeconds - secondsOf(moment);
  if (Math.abs(age) > ZONES_SPAN) return false;
  if (passed !== null && passed < recordingSeconds) return true;
  // A clock that is ahead by less than a zone tells nothing of the minutes.
  if (age > -ZONE_STEP && age < recordingSeconds) return true;
  // It is younger than the list before it, so by a right clock its age is no more than this.
  const isRight = age >= 0 && passed !== null && age <= passed + recordingSeconds;
  const beside = ((age % ZONE_STEP) + ZONE_STEP) % ZONE_STEP;
  return moment === newest && !isRight && beside < recordingSeconds;
}
