import { clipName } from "../recordings/camera_clock.ts";
import { counted, formatBytes } from "../text/format.ts";
import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import type { ZoneTime } from "../text/zone_time.ts";
import type { Only } from "../viewer/list_filter.ts";
import type { Amount, RecordingFailure } from "./deletion.ts";
import { keepClassOf } from "./keep_times.ts";

/** Texts of the viewer about keeping and deleting, and the names of clips in them. */

/** A note is one line of at most so many characters. */
export const MOST_NOTE = 500;

/**
 * Says what the mark protects, with the recordings around an event.
 * @param eventContext `retention.event_context`: recordings before and after, which are a minute long
 */
export function neverDeleted(type: string, eventContext: number): string {
  if (keepClassOf(type) !== "event" || eventContext === 0) return "never deleted";
  const around = eventContext === 1 ? "the minute" : `the ${counted(eventContext, "minute")}`;
  return `never deleted, with ${around} before and after`;
}

/** Facts for writing the day on which a clip is gone. */
export interface Calendar {
  readonly thisYear: number;
  readonly zone: ZoneTime;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Says what became of clips that were deleted by hand.
 * @param purgeAt ISO 8601 UTC; null when they are gone
 */
export function deletedInWords(keys: readonly string[], purgeAt: string | null, calendar: Calendar): string {
  const [only = ""] = keys;
  const [what, is] =
    keys.length === 1 ? [clipName(only, calendar.thisYear, calendar.zone.format), "is"] : [clips(keys.length), "are"];
  if (purgeAt === null) return `${what} ${is} deleted for good.`;
  return `${what} ${is} in the trash until ${calendar.zone.day(Date.parse(purgeAt), calendar.now)}.`;
}

/** Names the clips that were not deleted because they are kept; empty when there are none. */
export function leftInWords(kept: readonly string[], thisYear: number, format: TimeFormat = USUAL_FORMAT): string {
  if (kept.length === 0) return "";
  const named = kept.slice(0, 3).map((key) => clipName(key, thisYear, format));
  const more = kept.length - named.length;
  const names = more > 0 ? `${named.join("; ")} and ${more} more` : named.join("; ");
  return kept.length === 1 ? `${names} is kept and stays.` : `${clips(kept.length)} are kept and stay: ${names}.`;
}

/** Names the clips that could not be deleted, with the first reason; empty when all could. */
export function failedInWords(
  failed: readonly RecordingFailure[],
  thisYear: number,
  format: TimeFormat = USUAL_FORMAT,
): string {
  const [first] = failed;
  if (!first) return "";
  const name = clipName(first.key, thisYear, format);
  return failed.length === 1 ? `${name}: ${first.reason}` : `${clips(failed.length)} failed. ${name}: ${first.reason}`;
}

/** Above a list that does not hold everything: what it holds, and how much that is as far as it is known. */
export function onlyInWords(
  only: Only,
  amount: Amount | null,
  clipCount: number,
): { readonly what: string; readonly amount: string } {
  const what = only === "kept" ? "Only what is kept" : "Only what the next run would delete";
  const bytes = amount?.bytes ?? null;
  const count = amount === null ? clips(clipCount) : counted(amount.recordings, "recording");
  return { what, amount: bytes === null || bytes === 0 ? count : `${count}, ${formatBytes(bytes)}` };
}

/** `3 clips`. */
export function clips(count: number): string {
  return counted(count, "clip");
}
