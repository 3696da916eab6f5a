import { AGE_UNITS, parseDuration } from "../domain/duration.ts";
import { retentionCutoff } from "../domain/plan.ts";
import { FALLBACK_SCHEDULE } from "../domain/schedule.ts";
import type { Settings } from "../domain/settings.ts";
import { ZoneTime } from "../domain/zone_time.ts";
import type { Trigger } from "./job.ts";
import type { SyncRules } from "./sync.ts";

/**
 * The rules of one run, from the settings it was born with. Only a scheduled run deletes.
 * @param now epoch milliseconds; retention counts in days of the schedule's zone
 */
export function rulesOf(settings: Settings, options: { trigger: Trigger; dryRun: boolean; now: number }): SyncRules {
  const { schedule, sync, retention } = settings;
  return {
    priority: sync.priority,
    grouping: sync.grouping,
    include: sync.include,
    exclude: sync.exclude,
    skipMetadata: sync.skip_metadata,
    cutoff: cutoffOf(retention.keep, options.now, schedule.timezone),
    retryFailedAfterMs: parseDuration(sync.retry_failed_after).ms,
    deletes: options.trigger === "schedule",
    maxUsedDiskPercent: retention.max_used_disk_percent,
    dryRun: options.dryRun,
  };
}

/**
 * The first day, `YYYY-MM-DD`, that `keep` keeps; null when it is empty and everything stays. Cameras name recordings by
 * the clock on the wall, so days are those of a zone, which should be the camera's.
 */
export function cutoffOf(keep: string, now: number, timeZone: string): string | null {
  return retentionCutoff(dayIn(timeZone, now), keep === "" ? null : parseDuration(keep, AGE_UNITS).ms);
}

/** The day at `now`, `YYYY-MM-DD`; in the scheduler's own fallback zone where this one is not known. */
export function dayIn(timeZone: string, now: number): string {
  const { year, month, day } = zoneTime(timeZone).wall(now / 1000);
  return [String(year).padStart(4, "0"), two(month), two(day)].join("-");
}

function zoneTime(timeZone: string): ZoneTime {
  try {
    return new ZoneTime(timeZone);
  } catch {
    return new ZoneTime(FALLBACK_SCHEDULE.timezone);
  }
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
