import type { Dashcam } from "../../dashcam/camera.ts";
import { ARTIFACT_KINDS, type ArtifactKind } from "../../domain/recordings/recording_name.ts";
import { sameCutoff } from "../../domain/retention/keep_times.ts";
import { parseDuration } from "../../domain/settings/duration.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { PlanRules } from "../../domain/sync/download_plan.ts";
import type { RiskBoundary } from "../../domain/sync/smart_order.ts";
import { lettersOf } from "../../domain/sync/wanted_files.ts";
import type { RequestedRecordings } from "../listed/requested_recordings.ts";
import type { RetentionParts } from "../retention/retention_parts.ts";
import { type RetentionRules, type RetentionSettings, retentionRulesOf } from "../retention/retention_rules.ts";

/**
 * Cause of a run of the service: a person, the schedule, a camera that came, the first start with an address, or a
 * retry.
 */
export type Trigger = "manual" | "schedule" | "arrival" | "first" | "retry";

export interface SyncRules extends PlanRules, RetentionRules {
  /** Thumbnails and GPS come ahead of the videos. */
  metadataFirst: boolean;
  retryFailedAfterMs: number;
  /** This run deletes what is past the cutoff: runs of the schedule and of an arrival do, a manual one never. */
  deletes: boolean;
  /** At this percentage of disk use and above nothing more is fetched. */
  maxUsedDiskPercent: number;
  /** A video that is longer is given up. */
  maxVideoBytes: number;
  dryRun: boolean;
}

/**
 * The rules of one run, from the settings it begins with. Only a run that the schedule or an arrival started deletes.
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
    deletes: options.trigger === "schedule" || options.trigger === "arrival",
    maxUsedDiskPercent: retention.max_used_disk_percent,
    maxVideoBytes: sync.max_video_gb * 1e9,
    dryRun: options.dryRun,
  };
}

interface PlanningParts {
  /** Recordings from before this are expected to be overwritten; left out where it is never known. */
  readonly atRiskBefore?: () => RiskBoundary | null;
  readonly dashcam: Pick<Dashcam, "offers" | "generation">;
  readonly retention: Pick<RetentionParts, "consent" | "kept">;
  readonly requested: Pick<RequestedRecordings, "anyway"> | null;
}

/**
 * Makes the rules that a run plans by. With a clock that is not to be trusted, ages are unknown: every recording comes
 * home.
 */
export async function planRules(
  { dashcam, retention, requested, atRiskBefore }: PlanningParts,
  rules: SyncRules,
): Promise<PlanRules> {
  const planned = {
    ...forCamera(rules, dashcam),
    ...(requested && { anyway: requested.anyway }),
    ...(atRiskBefore && { atRiskBefore: atRiskBefore() }),
  };
  return await withMarks(retention, planned);
}

/** The rules with the recordings that users keep, and without ages while the clock is not to be trusted. */
export async function withMarks<Rules extends PlanRules>(
  { consent, kept: marks }: Pick<RetentionParts, "consent" | "kept">,
  rules: Rules,
): Promise<Rules> {
  const doubt = (await consent?.clockDoubt()) ?? null;
  const kept = new Set((await marks.spared()).keys());
  return { ...rules, kept, ...(doubt !== null && { cutoffs: sameCutoff(null) }) };
}

/** The rules for this camera: what its interface does not have is neither wanted nor waited for. */
export function forCamera(rules: SyncRules, camera: Pick<Dashcam, "offers" | "generation">): SyncRules {
  const skipMetadata = [...rules.skipMetadata, ...lettersOf(notOffered(camera))];
  return { ...rules, skipMetadata, metadataOfSkipped: camera.generation === "v1009" };
}

/** Makes the test for names at home of companions that this camera's interface does not have. */
export function missingFrom(camera: Pick<Dashcam, "offers">): (name: string) => boolean {
  const endings = notOffered(camera).map((kind) => `.${kind}`);
  return (name) => endings.some((ending) => name.endsWith(ending));
}

function notOffered(camera: Pick<Dashcam, "offers">): ArtifactKind[] {
  return ARTIFACT_KINDS.filter((kind) => !camera.offers(kind));
}
