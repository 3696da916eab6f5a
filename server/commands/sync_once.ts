import { dirname, join } from "node:path";
import type { Clock } from "../clock.ts";
import { type Dashcam, openCamera } from "../dashcam/camera.ts";
import type { AnswerLimits } from "../dashcam/request.ts";
import type { ListedFile } from "../domain/recordings/camera_listing.ts";
import { momentNumber } from "../domain/recordings/moment_number.ts";
import { runEnding } from "../domain/runs/run_ending.ts";
import type { Snapshot } from "../domain/sync/job_progress.ts";
import { requireKnownCamera } from "../engine/camera/require_known_camera.ts";
import { Mending } from "../engine/checksums/mend.ts";
import { SizeMemory } from "../engine/listed/size_memory.ts";
import { emitMetrics, type MetricsTargets, type RunMetrics, renderMetrics } from "../engine/metrics/metrics_text.ts";
import { RunMetricsTotals } from "../engine/metrics/metrics_totals.ts";
import { openRetention } from "../engine/retention/retention_parts.ts";
import { type RunJobParts, runJob } from "../engine/run/run_job.ts";
import type { SyncResult } from "../engine/run/sync.ts";
import type { SyncRules } from "../engine/run/sync_rules.ts";
import { DiskReservations } from "../engine/transfer/disk_reservations.ts";
import { ProgressReport } from "../engine/transfer/progress_report.ts";
import { WAIT_LIMITS, type WaitLimits } from "../engine/transfer/wait_limits.ts";
import type { Log } from "../log.ts";
import { CameraSnapshotFiles } from "../store/config/camera_snapshot.ts";
import { OtherCameraFile } from "../store/config/other_camera_file.ts";
import { Destination } from "../store/destination/destination.ts";
import { DestinationIdentity } from "../store/destination/destination_identity.ts";
import { FailureMarkers } from "../store/destination/failure_markers.ts";
import { PartialRecords } from "../store/destination/partial_records.ts";
import type { LibraryMoment } from "../store/destination/trash_moves.ts";
import { Library } from "../store/library/library.ts";
import type { Topic } from "../topic.ts";
import { checksumsOfCommand, finishChecksums } from "./command_checksums.ts";

interface MetricsOptions {
  targets: MetricsTargets;
  stateFile: string;
}

export interface OnceOptions {
  address: string;
  destination: string;
  /** The first camera when left out. */
  cameraId?: string;
  /** Folders of other cameras, which are not looked into; none when left out. */
  homes?: readonly string[];
  /** Memory of the service about the camera, in its folder below the config folder; without it no one asks who answers. */
  remembered?: { readonly folder: string; readonly answerMs: number } | null;
  timeoutMs: number;
  /** The camera's silence limit in the middle of a body; 20 s when left out. */
  silenceMs?: number;
  /** A body slower than this is given up; 1 KiB/s over a minute when left out. */
  slowest?: AnswerLimits["slowest"];
  affinityKey?: string | null;
  /** Time to wait for a camera that breaks off; the usual when left out. */
  waitLimits?: WaitLimits;
  rules: SyncRules;
  metrics?: MetricsOptions | null;
  /**
   * True: causes that can happen any day, such as a camera that is away, leave the exit code 0. They are no reason for
   * a mail.
   */
  cron?: boolean;
}

/** One sync without the service: opens what it needs, runs, emits metrics, publishes the end. Never throws. */
export async function syncOnce(
  options: OnceOptions,
  tools: { clock: Clock; log: Log; topic: Topic<Snapshot>; signal: AbortSignal },
): Promise<SyncResult> {
  const { clock, log, topic, signal } = tools;
  const root = options.destination;
  const library = new Library({ root, clock, log, homes: () => options.homes ?? [] });
  const identity = DestinationIdentity.withoutMemory({ root, library, log });
  const checksums = checksumsOfCommand({ root, clock, log, library, identity, camera: options.cameraId });
  const leaving = (moments: readonly LibraryMoment[]) => checksums.noteLeaving(moments);
  const place = { root, library, identity, clock, log, command: "sync", leaving };
  const sizes = new SizeMemory({ file: null, library, camera: async () => options.address });
  const report = new ProgressReport({
    jobId: crypto.getRandomValues(new Uint8Array(16)).toHex(),
    bootId: topic.value.boot_id,
    topic,
    clock,
  });
  let onCamera: readonly ListedFile[] | null = null;
  let moments: ReadonlySet<number> | null = null;
  const isOnCamera = (moment: number) => {
    if (onCamera === null) return null;
    // Made when something is to be deleted: a full card has 50,000.
    moments ??= new Set(onCamera.map(({ name }) => momentNumber(name)));
    return moments.has(moment);
  };
  const listed: RunJobParts["listed"] = {
    async takeList(_, { files, strangeCount }) {
      // A list that is not to be trusted does not show that the camera has lost a file.
      const isWhole = files.length > 0 && strangeCount === 0;
      [onCamera, moments] = [isWhole ? files : null, null];
      return isWhole;
    },
    note() {},
    noteAsked() {},
    listOf: () => null,
  };
  const recordings = new Destination({ ...place, came: (...file) => checksums.noteCame(...file) });
  // The command line is the consent.
  const retention = openRetention(place, { consent: null, receipts: null, isOnCamera });
  const records = new PartialRecords(root, identity);
  const mending = new Mending({ clock, log, checksums, library, recordings, records, retention });
  const parts: RunJobParts = {
    clock,
    log,
    library,
    command: "sync",
    listed,
    requested: null,
    turns: null,
    reservations: new DiskReservations(),
    remembered: null,
    recordings,
    retention,
    markers: new FailureMarkers({ library, clock, log, place: identity }),
    records,
    mend: (visit) => mending.run(visit),
    sizes: async () => sizes,
    waitLimits: options.waitLimits ?? WAIT_LIMITS,
    visit: (camera, ended) => requireSameCamera(options, camera, log, ended),
  };
  const { rules, metrics = null, cron: isCron = false } = options;
  const order = {
    dashcam: openCamera(options),
    rules,
    historyDays: 0,
    isCron,
    metrics: metrics && {
      emit: (own: RunMetrics, ended: AbortSignal) => emitMetrics(renderMetrics(own), metrics.targets, log, ended),
      totals: () => totalsIn(metrics, log, dirname(metrics.stateFile) === root ? identity : null),
    },
  };
  const result = await runJob(parts, order, report, signal);
  report.finish(result.failure, runEnding(result.run));
  if (!rules.dryRun) await finishChecksums(checksums, result.run.durationSeconds, signal);
  return result;
}

/** Only reads: the service has these files, and may be running. @throws AnotherCamera */
async function requireSameCamera(options: OnceOptions, camera: Dashcam, log: Log, signal: AbortSignal): Promise<void> {
  const { remembered = null } = options;
  if (remembered === null) return;
  const { folder, answerMs } = remembered;
  const files = new CameraSnapshotFiles(folder, log);
  const other = new OtherCameraFile(join(folder, "camera", "other.json"), log);
  await Promise.all([files.open(), other.open()]);
  const { found } = other;
  const waiting = found?.address === camera.address ? found : null;
  await requireKnownCamera({ known: files.identity, other: waiting }, camera, answerMs, signal);
}

/** @param identity of the destination where the state lies in it, as it does without an option; else null */
function totalsIn({ targets, stateFile }: MetricsOptions, log: Log, identity: DestinationIdentity | null) {
  const requireSame = () => identity?.requireSame();
  return RunMetricsTotals.open({ path: () => stateFile, log, outside: targets.outside, requireSame });
}
