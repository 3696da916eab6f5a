import { minuteOfDay } from "../settings/time_of_day.ts";

const DAY = 24 * 60;

/** Minutes until sending may begin; 0 while it may. Hours may go over midnight; equal or empty ones are all day. */
export function minutesUntilSending(from: string, to: string, minute: number): number {
  const begin = minuteOfDay(from);
  const end = minuteOfDay(to);
  if (begin === null || end === null || begin === end) return 0;
  const isWithin = begin < end ? minute >= begin && minute < end : minute >= begin || minute < end;
  return isWithin ? 0 : (begin - minute + DAY) % DAY;
}
