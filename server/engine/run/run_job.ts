import type { Dashcam } from "../../dashcam/camera.ts";
import type { RunTrigger } from "../../domain/runs/run.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import { lockHolder } from "../../store/destination/destination_lock.ts";
import type { CameraProbe } from "../listed/camera_probe.ts";
import type { KnownList } from "../listed/known_list.ts";
import type { RunMetrics } from "../metrics/metrics_text.ts";
import type { RunMetricsTotals } from "../metrics/metrics_totals.ts";
import type { ProgressReport } from "../transfer/progress_report.ts";
import { pruneHistory } from "./prune_history.ts";
import { recorded } from "./recorded_run.ts";
import type { SyncParts, SyncResult } from "./sync.ts";
import type { SyncRules } from "./sync_rules.ts";

/** Parts that runs are carried out with, one after the other. */
export interface RunJobParts extends Omit<SyncParts, "dashcam" | "report" | "holder"> {
  /** Name of this process, for the log of another one. */
  readonly command: "serve" | "sync";
  /** Memory between runs; null where this is the only one. */
  readonly remembered: {
    readonly probe: Pick<CameraProbe, "noteStart" | "noteEnd">;
    readonly listed: Pick<KnownList, "save" | "counts">;
    readonly history: RunHistory;
  } | null;
}

/** Start values of one run. */
export interface RunOrder {
  readonly dashcam: Dashcam;
  readonly rules: SyncRules;
  /** Older runs leave the history, 0 keeps all. */
  readonly historyDays: number;
  /** Totals that it enters, and the way to tell of its metrics; null for none. */
  readonly metrics: {
    readonly totals: () => RunMetricsTotals | Promise<RunMetricsTotals>;
    readonly emit: (own: RunMetrics, signal: AbortSignal) => Promise<void>;
  } | null;
  /** Cause of its start; left out where no history is kept. */
  readonly trigger?: RunTrigger;
  /** True: causes that can happen any day, such as a camera that is away, leave the exit code 0. */
  readonly isCron?: boolean;
}

/**
 * One sync, then its row in the history, what is known of the camera, and metrics: for the service and for the command
 * line. The terminal state is left to the caller.
 */
export async function runJob(
  parts: RunJobParts,
  { dashcam, rules, historyDays, metrics, trigger, isCron = false }: RunOrder,
  report: ProgressReport,
  signal: AbortSignal,
): Promise<SyncResult> {
  const { clock, log, remembered: kept } = parts;
  const { consent } = parts.retention;
  const { address } = dashcam;
  const holder = lockHolder(parts.command, clock);
  kept?.probe.noteStart(address);
  await consent?.beforeRun();
  const sync = async () => {
    // A service that waits for its first run does without it.
    const { runSync } = await import("./sync.ts");
    const result = await runSync({ ...parts, dashcam, report, holder }, rules, signal);
    if (trigger) result.run.trigger = trigger;
    // Before it is recorded: the process ends with this code.
    if (isCron && result.run.exitCode === 1) result.run.exitCode = 0;
    return result;
  };
  const history = kept?.history;
  const recording = history && { clock, history, report };
  const result = await (recording ? recorded(recording, { address, dryRun: rules.dryRun }, sync) : sync());
  kept?.probe.noteEnd(address, result.failure);
  await kept?.listed.save();
  await (await parts.sizes()).save(report.progress.pace);
  if (history) await pruneHistory({ clock, log, history, consent }, historyDays);
  await consent?.afterRun();
  // The end of the job is published with these counts.
  await kept?.listed.counts();
  if (metrics) await metrics.emit(await (await metrics.totals()).enter(result), signal);
  return result;
}
