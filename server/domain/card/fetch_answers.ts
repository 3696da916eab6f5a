import type { FetchAnswer } from "./card_record.ts";

/** One request for a video: its answer, and the bytes that came with it in how many seconds. */
export interface FetchedVideo {
  readonly name: string;
  readonly answer: FetchAnswer;
  readonly bytes: number;
  readonly seconds: number;
}

/** Bytes from which on the time of a file tells how fast the card is read. */
const TELLING_BYTES = 1_000_000;
/** Videos of a run from which on errors alone show a camera in trouble, and not a card. */
const SEVERAL = 3;

/** The answers of a run about its videos. When every video failed, the camera is in trouble as a whole. */
export function answersOf(fetched: readonly FetchedVideo[]): FetchedVideo[] {
  const isInTrouble = fetched.length >= SEVERAL && fetched.every(({ answer }) => answer === "error");
  return isInTrouble ? [] : [...fetched];
}

/** Bytes per second of a run, the median of its videos; null when none tells. */
export function rateOfRun(fetched: readonly FetchedVideo[]): number | null {
  const rates = fetched
    .filter(({ answer, bytes, seconds }) => answer === "whole" && bytes >= TELLING_BYTES && seconds > 0)
    .map(({ bytes, seconds }) => bytes / seconds)
    .sort((one, other) => one - other);
  return rates[rates.length >> 1] ?? null;
}
