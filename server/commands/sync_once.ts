import { randomBytes } from "node:crypto";
import type { Clock } from "../clock.ts";
import { openCamera } from "../dashcam/camera.ts";
import type { Patience } from "../dashcam/request.ts";
import { idleSnapshot, type Snapshot } from "../domain/sync/job_progress.ts";
import { emitMetrics, type MetricsTargets } from "../engine/metrics/metrics_text.ts";
import { RunMetricsTotals } from "../engine/metrics/metrics_totals.ts";
import { PATIENCE, type SyncPatience } from "../engine/sync/patience.ts";
import { ProgressReport } from "../engine/sync/progress_report.ts";
import { runSync, type SyncResult } from "../engine/sync/sync.ts";
import type { SyncRules } from "../engine/sync/sync_rules.ts";
import type { Log } from "../log.ts";
import { openRetention } from "../retention_parts.ts";
import { Destination } from "../store/destination/destination.ts";
import { DestinationIdentity } from "../store/destination/destination_identity.ts";
import { lockHolder } from "../store/destination/destination_lock.ts";
import { FailureMarkers } from "../store/destination/failure_markers.ts";
import { PartialRecords } from "../store/destination/partial_records.ts";
import { Library } from "../store/library/library.ts";
import { Topic } from "../topic.ts";

export interface OnceOptions {
  address: string;
  destination: string;
  timeoutMs: number;
  /** The camera's silence limit in the middle of a body; 20 s when left out. */
  silenceMs?: number;
  /** A body slower than this is given up; 1 KiB/s over a minute when left out. */
  slowest?: Patience["slowest"];
  affinityKey?: string | null;
  /** How long it bears with a camera that breaks off; the usual when left out. */
  patience?: SyncPatience;
  rules: SyncRules;
  metrics?: { targets: MetricsTargets; stateFile: string } | null;
  /** What can happen any day, such as a camera that is away, leaves the exit code 0: no reason for a mail. */
  cron?: boolean;
}

/** The topic on which `syncOnce` publishes; made by the caller, so that a display can follow from the start. */
export function progressTopic(): Topic<Snapshot> {
  return new Topic(idleSnapshot(randomBytes(16).toString("hex")));
}

/** One sync without the service: opens what it needs, runs, emits metrics, publishes the end. Never throws. */
export async function syncOnce(
  options: OnceOptions,
  tools: { clock: Clock; log: Log; topic: Topic<Snapshot>; signal: AbortSignal },
): Promise<SyncResult> {
  const { clock, log, topic, signal } = tools;
  const root = options.destination;
  const library = new Library({ root, clock, log });
  const identity = DestinationIdentity.forgetful({ root, library, log });
  const place = { root, library, identity, clock, log, command: "sync" };
  const report = new ProgressReport({
    jobId: randomBytes(16).toString("hex"),
    bootId: topic.value.boot_id,
    topic,
    clock,
  });
  const result = await runSync(
    {
      dashcam: openCamera(options),
      recordings: new Destination(place),
      library,
      // What is given on the command line is the consent.
      retention: openRetention(place, { consent: null, receipts: null }),
      markers: new FailureMarkers({ library, clock, log }),
      clock,
      log,
      report,
      records: new PartialRecords(options.destination),
      patience: options.patience ?? PATIENCE,
      listed: null,
      holder: lockHolder("sync", clock),
    },
    options.rules,
    signal,
  );
  // Before metrics tell of it: theirs is the code the process ends with.
  if (options.cron && result.run.exitCode === 1) result.run.exitCode = 0;
  if (options.metrics) await emit(options.metrics, result, { log, signal });
  report.finish(result.failure);
  return result;
}

async function emit(
  { targets, stateFile }: { targets: MetricsTargets; stateFile: string },
  result: SyncResult,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> {
  const totals = await RunMetricsTotals.open({ path: () => stateFile, log, outside: targets.outside });
  await emitMetrics(await totals.enter(result), targets, log, signal);
}
