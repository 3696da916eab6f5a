import { secondsOf } from "../recordings/recording_name.ts";
import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import { exactClockOf, wallOf } from "../text/zone_time.ts";

/** Why a film does not reach the end of what was wanted. */
export interface FilmLack {
  /** The key of the recording that is the cause. */
  readonly key: string;
  /** Goes on behind "The recording at 08:00:00". */
  readonly words: string;
  /** Where the film ends; null when there is none. */
  readonly ends: "before" | "after" | null;
}

/** `The recording at 08:00:02 is damaged. The film ends before it.` */
export function lackInWords({ key, words, ends }: FilmLack, format: TimeFormat = USUAL_FORMAT): string {
  const time = exactClockOf(wallOf(secondsOf(key) * 1000), format);
  return `The recording at ${time} ${words}.${ends === null ? "" : ` The film ends ${ends} it.`}`;
}
