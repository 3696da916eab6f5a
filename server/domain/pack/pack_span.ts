export const PURPOSES = ["police", "insurer", "all"] as const;

/** Receiver of a pack. */
export type Purpose = (typeof PURPOSES)[number];

/** A time on the camera's clock: seconds since 1970, as if it were UTC. */
export interface WallSpan {
  readonly from: number;
  readonly to: number;
}

/** Police ask for so much before and after the moment. */
const AROUND_SECONDS = 60;
/** Longer films are refused by most police. */
const MOST_POLICE_SECONDS = 600;
const DAY_SECONDS = 86_400;

/** Returns the time that a pack covers. */
export function packSpan({ from, to }: WallSpan, purpose: Purpose): WallSpan {
  const around = purpose === "police" ? AROUND_SECONDS : 0;
  return { from: from - around, to: to + around };
}

/** True when a pack for the police covers more than most of them take. */
export function isTooLong({ from, to }: WallSpan, purpose: Purpose): boolean {
  return purpose === "police" && to - from > MOST_POLICE_SECONDS;
}

/** Returns the last day to hand it in, as a time on the camera's clock. @param days after that of the moment */
export function lastDay({ from }: WallSpan, days: number): number {
  return (Math.floor(from / DAY_SECONDS) + days) * DAY_SECONDS;
}

/** A video of one camera on the camera's clock; without a length where that cannot be read. */
export interface TimedVideo {
  readonly start: number;
  readonly seconds: number | null;
}

/** Cameras need so long to change from one file to the next. */
const SHORTEST_GAP_SECONDS = 2;

/** A time of a span in which nothing was recorded. */
export interface PackGap extends WallSpan {
  /** Its real length: clocks may have changed meanwhile. */
  readonly seconds: number;
}

/**
 * Returns the times of a span in which none of these videos was recorded.
 * @param passed the seconds that passed between two times on the camera's clock
 */
export function gapsIn(
  { from, to }: WallSpan,
  videos: readonly TimedVideo[],
  passed: (from: number, to: number) => number,
): PackGap[] {
  const gaps: PackGap[] = [];
  // The time that is covered, from the beginning of the video that goes furthest: its end may be at no time of the
  // clock.
  let covered = { start: from, seconds: 0 };
  const reach = (until: number) => {
    const seconds = passed(covered.start, until) - covered.seconds;
    if (!(seconds > SHORTEST_GAP_SECONDS)) return;
    const end = covered.start + covered.seconds;
    const isOnClock = Math.abs(passed(end, until) - seconds) <= SHORTEST_GAP_SECONDS;
    gaps.push({ from: isOnClock ? end : Math.max(end, until - seconds), to: until, seconds });
  };
  for (const { start, seconds } of videos.toSorted((one, other) => one.start - other.start)) {
    if (seconds === null) continue;
    reach(Math.min(start, to));
    if (passed(covered.start, start) + seconds > covered.seconds) covered = { start, seconds };
  }
  reach(to);
  return gaps;
}
