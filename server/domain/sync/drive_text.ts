import type * as v from "valibot";
import { shortClock } from "../recordings/camera_clock.ts";
import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import type { DRIVE } from "./job_schema.ts";

/** The drive that the car was on last, and how much of it is at home. */
export type Drive = v.InferOutput<typeof DRIVE>;

/** `The drive of 17:32 is home.`, `The drive of 5:32 pm: 3 of 8 home.` */
export function driveInWords(
  { key, chosen, home }: Pick<Drive, "key" | "chosen" | "home">,
  format: TimeFormat = USUAL_FORMAT,
): string {
  const began = shortClock(key, format);
  if (home === chosen) return `The drive of ${began} is home.`;
  return `The drive of ${began}: ${home} of ${chosen} home.`;
}
