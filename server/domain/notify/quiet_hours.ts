import type { Settings } from "../settings/settings.ts";
import { minuteOfDay } from "../settings/time_of_day.ts";

type QuietSettings = Pick<Settings["notify"], "quiet_from" | "quiet_to">;

/** True when a minute of the day lies in the quiet hours, which may reach over midnight. Equal times are none. */
export function isQuiet({ quiet_from, quiet_to }: QuietSettings, minute: number): boolean {
  const from = minuteOfDay(quiet_from);
  const to = minuteOfDay(quiet_to);
  if (from === null || to === null || from === to) return false;
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** Minutes from a minute of the day until the quiet hours end. */
export function minutesOfQuiet({ quiet_to }: QuietSettings, minute: number): number {
  const to = minuteOfDay(quiet_to) ?? minute;
  return (to - minute + 1440) % 1440 || 1440;
}
