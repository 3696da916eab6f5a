/** The schedules that most people want, as a menu offers them. */
export const USUAL_SCHEDULES: readonly (readonly [cron: string, words: string])[] = [
  ["*/5 * * * *", "Every 5 minutes"],
  ["*/10 * * * *", "Every 10 minutes"],
  ["*/15 * * * *", "Every 15 minutes"],
  ["*/30 * * * *", "Every 30 minutes"],
  ["0 * * * *", "Every hour"],
];

/** Returns a schedule's name in the menu; null for one of the user's own. */
export function usualSchedule(cron: string): string | null {
  return USUAL_SCHEDULES.find(([expression]) => expression === cron)?.[1] ?? null;
}
