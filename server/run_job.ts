import type { Clock } from "./clock.ts";
import type { CurrentCamera } from "./current_camera.ts";
import type { Settings } from "./domain/settings/settings.ts";
import type { Snapshot } from "./domain/sync/job_progress.ts";
import { emitMetrics, targetsOf } from "./engine/metrics/metrics_text.ts";
import type { RunMetricsTotals } from "./engine/metrics/metrics_totals.ts";
import type { DeletionConsent } from "./engine/retention/deletion_consent.ts";
import type { RetentionParts } from "./engine/retention/retention.ts";
import type { KnownList } from "./engine/status/known_list.ts";
import type { Failure } from "./engine/sync/failure.ts";
import type { RunJob } from "./engine/sync/job.ts";
import type { SyncPatience } from "./engine/sync/patience.ts";
import { pruneHistory } from "./engine/sync/prune_history.ts";
import { recorded } from "./engine/sync/recorded_run.ts";
import { runSync } from "./engine/sync/sync.ts";
import { rulesOf } from "./engine/sync/sync_rules.ts";
import type { Log } from "./log.ts";
import type { RunHistory } from "./store/config/run_history.ts";
import type { SettingsFile } from "./store/config/settings_file.ts";
import type { Destination } from "./store/destination/destination.ts";
import { lockHolder } from "./store/destination/destination_lock.ts";
import type { FailureMarkers } from "./store/destination/failure_markers.ts";
import type { PartialRecords } from "./store/destination/partial_records.ts";
import type { Library } from "./store/library/library.ts";
import type { OutsideFiles } from "./store/outside_file.ts";
import type { Topic } from "./topic.ts";

interface RunJobParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: SettingsFile;
  /** The settings as they were at the start: a dry run lasts until the next one. */
  readonly boot: Settings;
  readonly camera: CurrentCamera;
  readonly recordings: Destination;
  readonly library: Library;
  readonly markers: FailureMarkers;
  readonly records: PartialRecords;
  readonly retention: RetentionParts & { readonly consent: DeletionConsent };
  readonly listed: KnownList;
  readonly outside: OutsideFiles;
  readonly patience: SyncPatience;
  readonly stores: () => { readonly history: RunHistory; readonly metrics: RunMetricsTotals };
  /** The job's, which tells how far the run has come. */
  readonly topic: () => Topic<Snapshot>;
  /** Told with which camera a run is: settings may name another one meanwhile. */
  readonly noteCamera: (address: string) => void;
  /** Told how its run with this camera has ended. */
  readonly noteEnd: (address: string, failure: Failure | null) => void;
}

/** What the service's job does: one sync, with what it leaves behind in history, in what is known of the camera, and in metrics. */
export function runJob(parts: RunJobParts): RunJob {
  const { clock, log, settings, boot, retention, listed, outside } = parts;
  const { consent } = retention;
  return async (trigger, report, signal) => {
    // A run keeps the settings it was born with.
    const now = settings.current;
    const { history, metrics } = parts.stores();
    const dashcam = parts.camera.client;
    const holder = lockHolder("serve", clock);
    parts.noteCamera(dashcam.address);
    await consent.beforeRun();
    const options = { trigger, dryRun: boot.system.dry_run, now: clock.now(), unusable: settings.unusable };
    const rules = rulesOf(now, options);
    const what = { address: dashcam.address, dryRun: rules.dryRun };
    const sync = () => runSync({ ...parts, dashcam, report, holder }, rules, signal);
    const result = await recorded({ clock, history, topic: parts.topic() }, what, sync);
    parts.noteEnd(dashcam.address, result.failure);
    await listed.save();
    await pruneHistory({ clock, log, history, consent }, now.stats.retention_days);
    await consent.afterRun();
    // The end of the job tells of what is at home by then.
    await listed.counts();
    await emitMetrics(await metrics.enter(result), { ...targetsOf(now), outside }, log, signal);
    return result;
  };
}
