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

/** Returns the times of a span in which none of these videos was recorded. */
export function gapsIn({ from, to }: WallSpan, videos: readonly TimedVideo[]): WallSpan[] {
  const gaps: WallSpan[] = [];
  let end = from;
  for (const { start, seconds } of videos.toSorted((one, other) => one.start - other.start)) {
    if (seconds === null) continue;
    if (Math.min(start, to) - end > SHORTEST_GAP_SECONDS) gaps.push({ from: end, to: Math.min(start, to) });
    end = Math.max(end, start + seconds);
  }
  if (to - end > SHORTEST_GAP_SECONDS) gaps.push({ from: end, to });
  return gaps;
}
