import type { SchedulePreview } from "../settings/schedule_preview.ts";
import { formatCount } from "../text/format.ts";
import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import { ZoneTime } from "../text/zone_time.ts";
import { type Amount, amountInWords, withBytes } from "./deletion.ts";
import type { RetentionPreview } from "./deletion_schema.ts";
import { KEEP_CLASSES, type KeepClass } from "./keep_times.ts";

/** Texts about keeping and deleting. */

export type ValidPreview = Extract<RetentionPreview, { valid: true }>;

/** Names of the kinds, as the settings have them. */
export const KIND_NAMES: Readonly<Record<KeepClass, string>> = {
  normal: "Normal",
  event: "Event",
  parking: "Parking",
  manual: "Manual",
};

/** `3 402 here, 506 GB` */
export function hereInWords({ recordings, bytes }: Amount): string {
  return recordings === 0 ? "none here" : withBytes(`${formatCount(recordings)} here`, bytes);
}

/** Adds up the recordings of all kinds; null while the folder cannot be read. */
export function allHere({ forecast }: ValidPreview): Amount | null {
  if (forecast === null) return null;
  const here = KEEP_CLASSES.map((kind) => forecast.kinds[kind].here);
  return {
    recordings: here.reduce((sum, { recordings }) => sum + recordings, 0),
    bytes: here.reduce<number | null>((sum, { bytes }) => (sum === null || bytes === null ? null : sum + bytes), 0),
  };
}

/** Says when the next run is: `08:00`, `Sun 22 Nov, 03:00` when that is not today; null when none is known to come. */
export function nextRunInWords(
  runs: SchedulePreview,
  isPaused: boolean,
  format: TimeFormat = USUAL_FORMAT,
): string | null {
  if (!runs.valid || isPaused) return null;
  const { next: coming, now, time_zone } = runs;
  const zone = new ZoneTime(time_zone, format);
  const [next] = coming;
  if (next === undefined) return null;
  const [day, today] = [next, now].map((at) => zone.day(at, now));
  const clock = zone.clock(next);
  return day === today ? clock : `${day}, ${clock}`;
}

/** Says how recordings go: by way of the trash, or at once. */
export function goingInWords(recordings: number, trashDays: number): string {
  if (trashDays === 0) return recordings === 1 ? "is deleted for good" : "are deleted for good";
  return recordings === 1 ? "goes to the trash" : "go to the trash";
}

/** `at 08:00`, `on Sun 22 Nov, 03:00`, `at the next run`. */
export function whenInWords(nextRun: string | null): string {
  if (nextRun === null) return "at the next run";
  return /^[0-9]/.test(nextRun) ? `at ${nextRun}` : `on ${nextRun}`;
}

/** Says for the toast what a saved change deletes, by the service's answer. Empty when that is nothing. */
export function wouldDeleteInWords(would: Amount | null, trashDays: number, at: string | null): string {
  if (would === null || would.recordings === 0) return "";
  const bytes = would.bytes === null ? "" : ",";
  return `${amountInWords(would)}${bytes} ${goingInWords(would.recordings, trashDays)} ${whenInWords(at)}.`;
}
