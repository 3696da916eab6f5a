import { parseDuration } from "../../domain/settings/duration.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { PlanRules } from "../../domain/sync/download_plan.ts";
import { type RetentionRules, type RetentionSettings, retentionRulesOf } from "../retention/retention_rules.ts";

/** What a run was started by. */
export type Trigger = "manual" | "schedule";

export interface SyncRules extends PlanRules, RetentionRules {
  /** Whether thumbnails and GPS come ahead of the videos. */
  metadataFirst: boolean;
  retryFailedAfterMs: number;
  /** Whether this run deletes what is past the cutoff: scheduled runs do, a manual one never. */
  deletes: boolean;
  /** At this percentage of disk use and above nothing more is fetched. */
  maxUsedDiskPercent: number;
  dryRun: boolean;
}

/**
 * The rules of one run, from the settings it begins with. Only a scheduled run deletes.
 * @param now epoch milliseconds; retention counts in days of the schedule's zone
 */
export function rulesOf(
  settings: Settings,
  options: { trigger: Trigger; dryRun: boolean; now: number; unusable: RetentionSettings["unusable"] },
): SyncRules {
  const { sync, retention } = settings;
  return {
    priority: sync.priority,
    grouping: sync.grouping,
    include: sync.include,
    exclude: sync.exclude,
    skipMetadata: sync.skip_metadata,
    metadataFirst: sync.metadata_first,
    ...retentionRulesOf({ current: settings, unusable: options.unusable }, options.now),
    retryFailedAfterMs: parseDuration(sync.retry_failed_after).ms,
    deletes: options.trigger === "schedule",
    maxUsedDiskPercent: retention.max_used_disk_percent,
    dryRun: options.dryRun,
  };
}
