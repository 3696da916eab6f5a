import { secondsOf } from "../recordings/recording_name.ts";
import { USUAL_SEGMENT_SECONDS } from "./journey.ts";

/** A shorter pause between two clips is the camera changing files, not a time in which nothing was recorded. */
export const SHORTEST_GAP_SECONDS = 2;

/** One clip of a trip, as the clock is made of it. */
export interface TimedClip {
  /** `YYYYMMDD_HHMMSS_T`, camera wall time. */
  readonly key: string;
  /** Of its video; null while unknown. */
  readonly duration_seconds: number | null;
}

/** A clip's place on the time line. */
export interface ClockSegment {
  readonly key: string;
  /** Seconds from the trip's beginning to this clip's. */
  readonly offset: number;
  /** Seconds; a guess where `isGuess`. */
  readonly length: number;
  /** The video does not tell its length, or not yet. */
  readonly isGuess: boolean;
}

/** A place in a trip: a clip and the seconds into it. */
export interface ClipTime {
  readonly index: number;
  readonly key: string;
  readonly seconds: number;
}

/**
 * The one clock of a trip. Its time is in seconds since the trip's beginning and runs as the camera's wall clock does, so
 * that times without recordings are gaps. Where a clip is longer than its distance to the next one, all of it has its place
 * and the next one begins behind it: nothing that was filmed is left out.
 */
export class JourneyClock {
  readonly segments: readonly ClockSegment[];
  /** Seconds from the beginning of the first clip to the end of the last. */
  readonly length: number;

  /** @param clips by time, at least one; of two with one key the first counts */
  constructor(clips: readonly TimedClip[]) {
    const segments: ClockSegment[] = [];
    const [first] = clips;
    let end = 0;
    for (const [index, { key, duration_seconds: known }] of clips.entries()) {
      if (segments.at(-1)?.key === key) continue;
      const wall = secondsOf(key) - secondsOf(first?.key ?? key);
      const next = clips[index + 1];
      const room = next === undefined ? USUAL_SEGMENT_SECONDS : secondsOf(next.key) - secondsOf(key);
      const isGuess = known === null || !(known > 0);
      const length = isGuess ? Math.max(1, Math.min(USUAL_SEGMENT_SECONDS, room)) : known;
      const offset = thousandths(wall - end < SHORTEST_GAP_SECONDS ? end : wall);
      segments.push({ key, offset, length, isGuess });
      end = thousandths(offset + length);
    }
    this.segments = segments;
    this.length = end;
  }

  /** Where this clip begins; null when it is not of this trip. */
  offsetOf(key: string): number | null {
    return this.segments.find((segment) => segment.key === key)?.offset ?? null;
  }

  /** The time of a moment in a clip: not behind the clip's end, as far as that is known. Null for a clip of another trip. */
  timeOf(key: string, seconds: number): number | null {
    const segment = this.segments.find((one) => one.key === key);
    if (segment === undefined) return null;
    return thousandths(segment.offset + Math.max(0, segment.isGuess ? seconds : Math.min(seconds, segment.length)));
  }

  /** The clip at a time; in a gap the one behind it, from its beginning; null for a trip without clips. */
  at(time: number): ClipTime | null {
    const index = this.segments.findLastIndex(({ offset }) => offset <= time);
    const here = this.segments[Math.max(0, index)];
    if (here === undefined) return null;
    const next = this.segments[index + 1];
    const seconds = Math.max(0, thousandths(time - here.offset));
    if (index >= 0 && seconds >= here.length && next) return { index: index + 1, key: next.key, seconds: 0 };
    return { index: Math.max(0, index), key: here.key, seconds: Math.min(seconds, here.length) };
  }

  /** Times in which nothing was recorded, `[from, to)`. */
  gaps(): (readonly [from: number, to: number])[] {
    return this.segments.flatMap(({ offset }, index) => {
      const before = this.segments[index - 1];
      const end = before ? thousandths(before.offset + before.length) : 0;
      return offset > end ? [[end, offset] as const] : [];
    });
  }

  /** Seconds of the camera's own clock since 1970, as if that were UTC, at a time of the trip. */
  wallAt(time: number): number {
    const index = this.segments.findLastIndex(({ offset }) => offset <= time);
    const here = this.segments[Math.max(0, index)];
    return here === undefined ? 0 : secondsOf(here.key) + (time - here.offset);
  }

  /** The time at a moment of the camera's own clock; before and behind the trip its ends. */
  timeAtWall(wall: number): number {
    const here = this.segments.findLast(({ key }) => secondsOf(key) <= wall);
    if (here === undefined) return 0;
    const next = this.segments[this.segments.indexOf(here) + 1];
    return thousandths(Math.min(here.offset + (wall - secondsOf(here.key)), next?.offset ?? this.length));
  }
}

/** Lengths are known in thousandths; further digits of their sums would be noise. */
function thousandths(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
