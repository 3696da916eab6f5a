import { type ClockZone, LEAST_CHANGE_SECONDS, secondsBetween } from "../recordings/clock_change.ts";
import { secondsOf } from "../recordings/recording_name.ts";
import { USUAL_SEGMENT_SECONDS } from "./journey.ts";

/**
 * A shorter pause between two clips is the camera changing files, not a time in which nothing was recorded; and what
 * overlaps by less was not filmed twice.
 */
export const SHORTEST_GAP_SECONDS = 2;

/** One clip of a trip, as the clock is made of it. */
export interface TimedClip {
  /** `YYYYMMDD_HHMMSS_T`, camera wall time. */
  readonly key: string;
  /** Length of its video; null while unknown. */
  readonly duration_seconds: number | null;
  /** Seconds from the trip's beginning to this clip's, where the service has told them: it knows when clocks change. */
  readonly offset_seconds?: number;
}

/** A clip's place on the time line. */
export interface ClockSegment {
  readonly key: string;
  /** Seconds from the trip's beginning to this clip's. */
  readonly offset: number;
  /** Seconds; a guess where `isGuess`. */
  readonly length: number;
  /** Seconds into the clip: the time before it was filmed by earlier clips, too. Its length when all was. */
  readonly from: number;
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
 * The one clock of a trip, in seconds since the trip's beginning. It runs as the camera's wall clock does, so times
 * without recordings are gaps; an hour that clocks leave out is none. When clips overlap, the earlier one plays to its end and the later one from there on.
 * Each moment counts and plays once.
 */
export class JourneyClock {
  readonly segments: readonly ClockSegment[];
  /** Seconds from the beginning of the first clip to the end of the last. */
  readonly length: number;

  /**
   * @param clips by time, at least one; of two with one key the first counts
   * @param zone of the camera's clock; null where the clips tell their offsets, or it is not known
   */
  constructor(clips: readonly TimedClip[], zone: ClockZone | null = null) {
    const segments: ClockSegment[] = [];
    // Ends of the clips so far: on this clock, and on the camera's.
    let end = 0;
    let wallEnd = 0;
    /** The camera's clock at the beginning of a clip, without hours that it left out. */
    let wall = 0;
    for (const [index, { key, duration_seconds: known, offset_seconds: told }] of clips.entries()) {
      const before = segments.at(-1);
      if (before?.key === key) continue;
      if (before !== undefined) wall += secondsBetween(secondsOf(before.key), secondsOf(key), zone);
      if (told !== undefined && wall - told >= LEAST_CHANGE_SECONDS) wall = told;
      const next = clips[index + 1];
      const room = next === undefined ? USUAL_SEGMENT_SECONDS : secondsOf(next.key) - secondsOf(key);
      const isGuess = known === null || !(known > 0);
      const length = isGuess ? Math.max(1, Math.min(USUAL_SEGMENT_SECONDS, room)) : known;
      const over = wallEnd - wall;
      const isTwice = over >= SHORTEST_GAP_SECONDS && segments.length > 0;
      const offset = thousandths(isTwice ? end - over : wall - end < SHORTEST_GAP_SECONDS ? end : wall);
      segments.push({ key, offset, length, isGuess, from: isTwice ? thousandths(Math.min(over, length)) : 0 });
      end = Math.max(end, thousandths(offset + length));
      wallEnd = Math.max(wallEnd, wall + length);
    }
    this.segments = segments;
    this.length = end;
  }

  /** Returns the beginning of this clip; null when it is not of this trip. */
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
    const index = this.#indexAt(time);
    const here = this.segments[Math.max(0, index)];
    if (here === undefined) return null;
    const seconds = Math.max(0, thousandths(time - here.offset));
    if (index >= 0 && seconds >= here.length) {
      const after = this.segments.findIndex((one, place) => place > index && one.from < one.length);
      const next = this.segments[after];
      if (next) return { index: after, key: next.key, seconds: next.from };
    }
    return { index: Math.max(0, index), key: here.key, seconds: Math.min(seconds, here.length) };
  }

  /** Returns the part that plays after a clip, without the time that both share. Null at the trip's end. */
  after(key: string): ClipTime | null {
    const segment = this.segments.find((one) => one.key === key);
    const end = segment === undefined ? this.length : thousandths(segment.offset + segment.length);
    return end < this.length ? this.at(end) : null;
  }

  /** Times in which nothing was recorded, `[from, to)`. */
  gaps(): (readonly [from: number, to: number])[] {
    const gaps: (readonly [from: number, to: number])[] = [];
    let end = 0;
    for (const { offset, length } of this.segments) {
      if (offset > end) gaps.push([end, offset]);
      end = Math.max(end, thousandths(offset + length));
    }
    return gaps;
  }

  /** Seconds of the camera's own clock since 1970, as if that were UTC, at a time of the trip. */
  wallAt(time: number): number {
    const here = this.segments[Math.max(0, this.#indexAt(time))];
    return here === undefined ? 0 : secondsOf(here.key) + (time - here.offset);
  }

  /** The time at a moment of the camera's own clock; before and behind the trip its ends. */
  timeAtWall(wall: number): number {
    const here = this.segments.findLast(({ key }) => secondsOf(key) <= wall);
    if (here === undefined) return 0;
    const next = this.segments[this.segments.indexOf(here) + 1];
    return thousandths(Math.min(here.offset + (wall - secondsOf(here.key)), next?.offset ?? this.length));
  }

  /** The last clip that is followed from this time or an earlier one on; -1 before the first. */
  #indexAt(time: number): number {
    return this.segments.findLastIndex(({ offset, from, length }) => from < length && offset + from <= time);
  }
}

/** Lengths are known in thousandths; further digits of their sums would be noise. */
function thousandths(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
