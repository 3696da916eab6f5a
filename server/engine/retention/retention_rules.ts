import type { DueRules } from "../../domain/retention/due_recordings.ts";
import { cutoffsOf, KEEP_CLASSES, KEEP_FIELDS, keepOf, sameCutoff } from "../../domain/retention/keep_times.ts";
import { FALLBACK_SCHEDULE } from "../../domain/settings/schedule.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Unusable } from "../../domain/settings/stored_settings.ts";
import { ZoneTime } from "../../domain/text/zone_time.ts";
import type { Keep } from "../../store/destination/trash_batch.ts";

/** Rules that decide which recordings are deleted, and when they leave the trash. */
export interface RetentionRules extends DueRules {
  /** Keep time of each kind, for the sentence that tells why one was deleted. */
  readonly keep: Keep;
  /** Limit for all recordings together; null for no limit. */
  readonly maxBytes: number | null;
  /** Limit for the use of the disk, 0..100; null for no limit. */
  readonly maxPercent: number | null;
  readonly trashMs: number;
}

/** The settings that decide what is deleted, and whether the file holds something unusable for one of them. */
export interface RetentionSettings {
  readonly current: Pick<Settings, "retention" | "schedule">;
  readonly unusable: readonly Pick<Unusable, "section" | "key">[];
}

const KEEP_TIMES: readonly string[] = Object.values(KEEP_FIELDS);
const GB = 1e9;
const DAY_MS = 86_400_000;

/** Makes the deletion rules of these settings at `now`, epoch milliseconds. */
export function retentionRulesOf({ current, unusable }: RetentionSettings, now: number): RetentionRules {
  const { retention, schedule } = current;
  // An unusable keep time leaves it unknown which recordings were to be kept: nothing goes by age.
  const isKept = unusable.some(({ section, key }) => section === "retention" && KEEP_TIMES.includes(key));
  const keep = KEEP_CLASSES.flatMap((kind) => {
    const text = keepOf(kind, retention);
    return text === null ? [] : [[kind, text] as const];
  });
  return {
    cutoffs: isKept ? sameCutoff(null) : cutoffsOf(retention, dayIn(schedule.timezone, now)),
    eventContext: retention.event_context,
    keep: Object.fromEntries(keep),
    maxBytes: retention.max_gb === null ? null : retention.max_gb * GB,
    maxPercent: retention.max_percent,
    trashMs: retention.trash_days * DAY_MS,
  };
}

/**
 * Returns the day at `now`, `YYYY-MM-DD`. Cameras name recordings by the clock on the wall, so days are those of a
 * zone, which should be the camera's. An unknown zone is replaced by the scheduler's own fallback.
 */
export function dayIn(timeZone: string, now: number): string {
  try {
    return new ZoneTime(timeZone).isoDay(now);
  } catch {
    return new ZoneTime(FALLBACK_SCHEDULE.timezone).isoDay(now);
  }
}
