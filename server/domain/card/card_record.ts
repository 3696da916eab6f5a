import { hasNoAge, letterOfMoment, secondsOfMoment, TYPE_LETTERS } from "../recordings/moment_number.ts";
import { PARKED } from "../viewer/trips.ts";

/** Answer of the camera to the last request for a video: all of it, nothing, or an error in every try. */
export const CARD_ANSWERS_TO_FETCH = ["whole", "empty", "error"] as const;
export type FetchAnswer = (typeof CARD_ANSWERS_TO_FETCH)[number];

/** A video as the camera listed it first, and what became of the requests for it. */
export interface SeenVideo {
  /** See `momentNumber`. */
  readonly moment: number;
  /** Part of the name behind the moment, such as `F.mp4`. */
  readonly ending: string;
  /** Epoch milliseconds of the list that had it first. */
  readonly seenAt: number;
  /** Recordings beside it were already overwritten by then: gaps around it are no holes. */
  readonly isOld: boolean;
  /** Null when it was not fetched yet. */
  readonly answer: FetchAnswer | null;
  /** Number of runs in which the camera answered with an error. */
  readonly errors: number;
}

/** Speed of the videos that one run brought. */
export interface RunRate {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Bytes per second, the median of its videos. */
  readonly rate: number;
}

/** All that is remembered of a card. */
export interface CardRecord {
  /** In the order in which they were seen, those of one list by name. */
  readonly videos: readonly SeenVideo[];
  /** By time. */
  readonly rates: readonly RunRate[];
}

/** A moment in which the car was driven, as one or more videos. */
export interface DrivenClip {
  readonly moment: number;
  /** Seconds of the camera's clock. */
  readonly from: number;
  readonly seenAt: number;
  readonly isOld: boolean;
}

/** True for what was recorded while the car was driven. */
export function isDriven(moment: number): boolean {
  return !PARKED.includes(TYPE_LETTERS[letterOfMoment(moment)] ?? "");
}

/** The latest driven clips with a clock that was set, by time. @param most how many */
export function latestDriven(videos: readonly SeenVideo[], most: number): DrivenClip[] {
  const clips = new Map<number, DrivenClip>();
  for (let at = videos.length - 1; at >= 0 && clips.size < most; at--) {
    const video = videos[at];
    if (video === undefined || hasNoAge(video.moment) || !isDriven(video.moment)) continue;
    const { moment, seenAt, isOld } = video;
    clips.set(moment, { moment, from: secondsOfMoment(moment), seenAt, isOld });
  }
  return [...clips.values()].sort((one, other) => one.moment - other.moment);
}
