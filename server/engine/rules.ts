import { AGE_UNITS, parseDuration } from "../domain/duration.ts";
import { retentionCutoff } from "../domain/plan.ts";
import type { Settings } from "../domain/settings.ts";
import type { Trigger } from "./job.ts";
import type { SyncRules } from "./sync.ts";

/**
 * The rules of one run, from the settings it was born with. Only a scheduled run deletes.
 * @param now epoch milliseconds; retention counts in days of the process's own zone
 */
export function rulesOf(settings: Settings, options: { trigger: Trigger; dryRun: boolean; now: number }): SyncRules {
  const { sync, retention } = settings;
  return {
    priority: sync.priority,
    grouping: sync.grouping,
    include: sync.include,
    exclude: sync.exclude,
    skipMetadata: sync.skip_metadata,
    cutoff: cutoffOf(retention.keep, options.now),
    retryFailedAfterMs: parseDuration(sync.retry_failed_after).ms,
    deletes: options.trigger === "schedule",
    maxUsedDiskPercent: retention.max_used_disk_percent,
    dryRun: options.dryRun,
  };
}

/** The first day, `YYYY-MM-DD`, that `keep` keeps; null when it is empty and everything stays. */
export function cutoffOf(keep: string, now: number): string | null {
  return retentionCutoff(localDay(now), keep === "" ? null : parseDuration(keep, AGE_UNITS).ms);
}

/** `YYYY-MM-DD` in the process's zone, which should be the camera's. */
export function localDay(now: number): string {
  const at = new Date(now);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
