import { parseDuration } from "../settings/duration.ts";
import type { Settings } from "../settings/settings.ts";
import { KEEP_CLASSES, type KeepSettings, keepOf } from "./keep_times.ts";

/** Everything of `retention` that decides what the next run deletes; the preview takes each by its name. */
export const RULE_FIELDS = [
  "keep",
  "keep_event",
  "keep_parking",
  "keep_manual",
  "event_context",
  "max_gb",
  "max_percent",
] as const satisfies readonly (keyof Settings["retention"])[];

export type Rules = Pick<Settings["retention"], (typeof RULE_FIELDS)[number]>;

/** True when some recording may go earlier by these rules than by those before. */
export function isStricter(before: Rules, after: Rules): boolean {
  if (KEEP_CLASSES.some((kind) => length(kind, after) < length(kind, before))) return true;
  if (after.event_context < before.event_context) return true;
  return limit(after.max_gb) < limit(before.max_gb) || limit(after.max_percent) < limit(before.max_percent);
}

function length(kind: (typeof KEEP_CLASSES)[number], rules: KeepSettings): number {
  const keep = keepOf(kind, rules);
  return keep === null ? Number.POSITIVE_INFINITY : parseDuration(keep).ms;
}

function limit(most: number | null): number {
  return most ?? Number.POSITIVE_INFINITY;
}
