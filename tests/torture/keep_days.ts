import { DAY_MS, FIRST_DAY } from "./deleting_plan.ts";

/** Number of days to keep so that the round's day `cut` is the first one. */
export function keepDays(cut: number): number {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return Math.round((today - FIRST_DAY) / DAY_MS) - cut;
}
