import type { Settings } from "../settings/settings.ts";

/** Event, parking impact, hard braking, overspeed, hard acceleration, hard cornering. */
const EVENTS = "EIBOAT";

/** Order of what is sent: kept recordings, events, all others. */
export type Rank = 0 | 1 | 2;

/** Returns a moment's rank; null when it is not sent. */
export function rankOf(
  { type, isKept }: { readonly type: string; readonly isKept: boolean },
  what: Settings["offsite"]["what"],
): Rank | null {
  if (isKept) return 0;
  if (EVENTS.includes(type)) return what === "kept" ? null : 1;
  return what === "all" ? 2 : null;
}

/** True for what need not wait for the hours, where a user wishes so. */
export function isUrgent(rank: Rank): boolean {
  return rank < 2;
}
