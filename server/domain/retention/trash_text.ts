import { clipName } from "../recordings/camera_clock.ts";
import { counted, formatCount } from "../text/format.ts";
import type { ZoneTime } from "../text/zone_time.ts";
import {
  amountInWords,
  backInWords,
  type TrashDayHead,
  type TrashedRecording,
  type TrashOverview,
} from "./deletion.ts";

/** The words of the trash. Moments are in epoch milliseconds, days are those of the zone. */

/** The moment at which a page is read, and the zone of its times. */
export interface ReadAt {
  readonly now: number;
  readonly zone: ZoneTime;
}

/** Says when something leaves: `at the next run` once its time is over, `today`, `tomorrow`, `in 6 days`. */
export function leavesInWords(at: number, { now, zone }: ReadAt): string {
  if (at <= now) return "at the next run";
  const days = zone.dayNumber(at) - zone.dayNumber(now);
  if (days === 0) return "today";
  return days === 1 ? "tomorrow" : `in ${counted(days, "day")}`;
}

/** Says when the deletions of a day leave, as a heading: `Deleted for good tomorrow`, `Deleted for good in 2 days`. */
export function headingOfDay({ purge_from: from, purge_to: to }: TrashDayHead, readAt: ReadAt): string {
  // While the first of them has time left, the day is named by it.
  const first = Date.parse(from) > readAt.now ? from : to;
  return `Deleted for good ${leavesInWords(Date.parse(first), readAt)}`;
}

/** Writes the times from which and to which they leave: `Sun 22 Nov, 08:00`, `Sun 22 Nov, 08:00 to 19:12`. */
export function spanOfDay({ purge_from, purge_to }: TrashDayHead, { now, zone }: ReadAt): string {
  const from = Date.parse(purge_from);
  const to = Date.parse(purge_to);
  const day = zone.day(from, now);
  const lastDay = zone.day(to, now);
  const clock = zone.clock(from);
  const lastClock = zone.clock(to);
  if (day !== lastDay) return `${day}, ${clock} to ${lastDay}, ${lastClock}`;
  return `${day}, ${clock === lastClock ? clock : zone.clockSpan(from, to)}`;
}

/** Totals at the top of the page. */
export type TrashTotals = Omit<TrashOverview, "by_day">;

/** Says how much waits. @param isByClip a page of thousands counts in clips, and its outlook in recordings */
export function trashSentence(totals: TrashTotals, isByClip = false): string {
  if (totals.entries === 0) return totals.days === 0 ? "Nothing waits in the trash." : "The trash is empty.";
  if (isByClip) return `${counted(totals.entries, "clip")} are in the trash.`;
  return `${amountInWords(totals)}, ${totals.recordings === 1 ? "waits" : "wait"} in the trash.`;
}

/** Says what happens to it, or what would come here. */
export function trashForecast(totals: TrashTotals, isPaused: boolean, readAt: ReadAt, isByClip = false): string {
  const { entries, days } = totals;
  if (entries === 0)
    return days === 0
      ? "Deleted recordings are gone at once. With a waiting time they could be restored from here."
      : `Deleted recordings wait here for ${counted(days, "day")}. Until then they can be restored.`;
  const amount = isByClip ? `${amountInWords(totals)}. ` : "";
  const leaving = amount + leavingInWords(totals, readAt, isByClip);
  return isPaused ? `${leaving} The schedule is paused: nothing is deleted for good until it goes on.` : leaving;
}

function leavingInWords({ recordings, days, next }: TrashTotals, readAt: ReadAt, isByClip: boolean): string {
  // All of it leaves with the next run when the trash has no time to wait.
  const when = next === null || days === 0 ? "at the next run" : leavesInWords(Date.parse(next.at), readAt);
  if (isByClip && next !== null && days > 0) {
    const at = Date.parse(next.at);
    const { now, zone } = readAt;
    const exactly = at <= now ? "" : `, ${zone.moment(at, now)} ${zone.name(at)}`;
    const what = next.recordings >= recordings ? "All of them" : `The next ${counted(next.recordings, "recording")}`;
    return `${what} are deleted for good ${when}${exactly}.`;
  }
  if (recordings === 1) return `It is deleted for good ${when}.`;
  if (next === null || days === 0 || next.recordings >= recordings) return `All of them are deleted for good ${when}.`;
  return `Each is deleted for good after ${counted(days, "day")}, the next ${formatCount(next.recordings)} ${when}.`;
}

/** Says when a recording was made, as the camera's clock had it: `Sun 1 Nov, 02:51`. */
export function madeInWords(key: string, { now, zone }: ReadAt): string {
  return clipName(key, zone.wall(now).year, zone.format);
}

/** Says why it lies here: `Older than 2 weeks`, `Deleted by admin in the viewer, yesterday 19:12`. */
export function whyInWords(recording: TrashedRecording, readAt: ReadAt): string {
  const { cause, by, why } = recording;
  if (cause !== "hand") return why;
  const who = by === null ? "" : ` by ${by}`;
  return `Deleted${who} in the viewer, ${agoInDays(Date.parse(recording.deleted_at), readAt)}`;
}

/** `today 19:12`, `yesterday 19:12`, `Fri 14 Nov, 19:12` */
function agoInDays(at: number, { now, zone }: ReadAt): string {
  const clock = zone.clock(at);
  const days = zone.dayNumber(now) - zone.dayNumber(at);
  if (days === 0) return `today ${clock}`;
  return days === 1 ? `yesterday ${clock}` : `${zone.day(at, now)}, ${clock}`;
}

/** Says what came of restoring: `3 recordings are restored. Rules leave …`, `1 recording could not be restored.` */
export function restoredInWords(back: number, failed: number): string {
  const words: string[] = [];
  if (back > 0) words.push(backInWords(back));
  if (failed > 0) words.push(`${counted(failed, "recording")} could not be restored.`);
  return words.length === 0 ? "There was nothing to restore." : words.join(" ");
}

/** Says what came of undoing that: `3 clips are in the trash again.` */
export function againInWords(clips: number, failed: number): string {
  const words = [`${counted(clips, "clip")} ${clips === 1 ? "is" : "are"} in the trash again.`];
  if (failed > 0) words.push(`${counted(failed, "clip")} could not be moved: marked as kept, or not there.`);
  return words.join(" ");
}

/** Says what came of deleting: `3 recordings, 500 MB, are deleted for good.` */
export function goneInWords(gone: { recordings: number; bytes: number }): string {
  if (gone.recordings === 0) return "There was nothing to delete.";
  return `${amountInWords(gone)}, ${gone.recordings === 1 ? "is" : "are"} deleted for good.`;
}
