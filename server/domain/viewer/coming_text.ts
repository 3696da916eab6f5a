import { formatCount, formatSeconds } from "../text/format.ts";
import type { ComingVideos, ViewerRecording } from "./viewer_schema.ts";

/** Progress of the recording that is downloaded now, as the stream of progress tells it. */
export interface Arrival {
  /** 0..100; null while it is unknown how much there is to come. */
  readonly percent: number | null;
  /** Estimated seconds until it is here; null while unknown. */
  readonly seconds: number | null;
}

/** True when a video of the recording is here to play, to keep and to save. */
export function isHere({ videos }: Pick<ViewerRecording, "videos">): boolean {
  return Object.keys(videos).length > 0;
}

/** True while a user may ask for it sooner, or say that it is not needed. */
export function isWaiting({ coming }: Pick<ViewerRecording, "coming">): boolean {
  return coming?.state === "waiting";
}

/** Part of a trip that is here: `12 of 30 here`. */
export function hereInWords(here: number, all: number): string {
  return `${formatCount(here)} of ${formatCount(all)} here`;
}

/** Words for the line of a list: `3rd, about 4 min`, `64 %, about 30 s`, `Not needed`. */
export function comingInWords(coming: ComingVideos, arrival: Arrival | null): string {
  const { state, position, seconds } = coming;
  if (state === "unwanted") return "Not needed";
  if (state === "now") return arrivalInWords(coming, arrival, "Coming now");
  return position === null ? "Still on the camera" : joined(ordinal(position), aboutIn(seconds));
}

/** Words under the picture: the reason, and the time at which it comes as a sentence. */
export function comingSentence(
  coming: ComingVideos,
  arrival: Arrival | null,
): { readonly what: string; readonly more: string } {
  const { state, position, seconds } = coming;
  if (state === "unwanted") return { what: "Not needed.", more: "It is left on the camera." };
  if (state === "now") {
    const more = arrivalInWords(coming, arrival, "");
    return { what: "Coming now.", more: more && `${more}.` };
  }
  const more = position === null ? "" : `${joined(`${ordinal(position)} in the queue`, aboutIn(seconds))}.`;
  return { what: "Still on the camera.", more };
}

/** Places in a queue: `Next`, `2nd`, `3rd`, `11th`, `21st`. */
export function ordinal(position: number): string {
  if (position <= 1) return "Next";
  const ending = Math.floor(position / 10) % 10 === 1 ? "th" : (["th", "st", "nd", "rd"][position % 10] ?? "th");
  return `${position}${ending}`;
}

/** @param unknown stands for the percent while that is not known */
function arrivalInWords({ seconds }: ComingVideos, arrival: Arrival | null, unknown: string): string {
  const percent = arrival?.percent ?? null;
  return joined(percent === null ? unknown : `${Math.floor(percent)}\u00a0%`, aboutIn(arrival?.seconds ?? seconds));
}

function aboutIn(seconds: number | null): string {
  return seconds === null ? "" : `about ${formatSeconds(Math.max(1, seconds))}`;
}

function joined(...parts: readonly string[]): string {
  const [first = "", ...others] = parts.filter((part) => part !== "");
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(", ");
}
