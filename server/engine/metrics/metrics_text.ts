import { FAILURE_REASONS, type FailureReason, type Failures } from "../../domain/runs/failure_reason.ts";
import type { Run } from "../../domain/runs/run.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Log } from "../../log.ts";
import { replaceFile } from "../../store/atomic_file.ts";
import type { OutsideFiles } from "../../store/config/outside_file.ts";
import { errorCode } from "../../store/error_code.ts";

export interface RunMetrics {
  run: Run;
  /** The reason that ended the run; null when it went through. */
  reason: FailureReason | null;
  fileFailures: Failures;
  /** Epoch seconds of the last file that ever came home; null when there was none. */
  lastPullAt: number | null;
}

export interface MetricsTargets {
  /** A text file in exposition format; null for none. Its folder must exist. */
  file: string | null;
  /** Base address of a push gateway; null for none. */
  pushgatewayUrl: string | null;
  job: string;
  instance: string;
  timeoutMs: number;
  /** Files that must not be written over. When left out, the metrics file is written anywhere. */
  outside?: Pick<OutsideFiles, "problem">;
}

/** Returns the targets of the service's metrics. */
export function targetsOf({ metrics, connection }: Pick<Settings, "metrics" | "connection">): MetricsTargets {
  return {
    file: metrics.file,
    pushgatewayUrl: metrics.pushgateway_url,
    job: metrics.job || "dashdock",
    instance: metrics.instance || connection.address,
    timeoutMs: connection.timeout_seconds * 1000,
  };
}

/** A gateway is near; one that takes longer must not hold up the end of a run. */
const PUSH_MS = 5000;
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** One metric with its samples: labels in braces (or nothing) and a value. */
export interface Family {
  name: string;
  help: string;
  type: "gauge" | "counter";
  samples: readonly (readonly [labels: string, value: number])[];
  /** True: it belongs to the process, not to a camera. */
  isOfProcess?: true;
}

/** A counter without labels. */
export function counter(name: string, help: string, value: number): Family {
  return { name, help, type: "counter", samples: [["", value]] };
}

/** Families in Prometheus text exposition format 0.0.4, without time stamps. */
export function renderFamilies(families: readonly Family[]): string {
  return families
    .map(({ name, help, type, samples }) => {
      const head = `# HELP dashdock_${name} ${help}.\n# TYPE dashdock_${name} ${type}\n`;
      return head + samples.map(([labels, value]) => `dashdock_${name}${labels} ${value}\n`).join("");
    })
    .join("");
}

/**
 * The families of all cameras, each once. As soon as there are two cameras, every sample that belongs to one has the
 * label `camera`.
 */
export function familiesOfCameras(
  cameras: readonly { readonly camera: string; readonly families: readonly Family[] }[],
): readonly Family[] {
  if (cameras.length < 2) return cameras[0]?.families ?? [];
  const all = new Map<string, Family>();
  for (const { camera, families } of cameras)
    for (const family of families) {
      const known = all.get(family.name);
      if (family.isOfProcess) {
        if (!known) all.set(family.name, family);
        continue;
      }
      const samples = family.samples.map(([labels, value]) => [withCamera(labels, camera), value] as const);
      all.set(family.name, { ...family, samples: [...(known?.samples ?? []), ...samples] });
    }
  return [...all.values()];
}

/** An id has no character that would have to be escaped. */
function withCamera(labels: string, camera: string): string {
  return labels === "" ? `{camera="${camera}"}` : `{camera="${camera}",${labels.slice(1)}`;
}

/** The latest run in text exposition format; no names of recordings. */
export function renderMetrics(metrics: RunMetrics): string {
  return renderFamilies(runFamilies(metrics));
}

/** The latest run as gauges. */
export function runFamilies(metrics: RunMetrics): readonly Family[] {
  const { run } = metrics;
  const gauge = (name: string, help: string, samples: Family["samples"]): Family => {
    return { name, help, type: "gauge", samples };
  };
  const byReason = (values: (reason: FailureReason) => number) =>
    [...FAILURE_REASONS].sort().map((reason) => [`{reason="${reason}"}`, values(reason)] as const);
  const one = (value: number | null | boolean) => [["", Number(value ?? 0)] as const];
  return [
    gauge("last_run_timestamp_seconds", "End of the latest run", one(run.ts)),
    gauge("last_run_success", "1 when the latest run went through", one(run.success)),
    gauge("last_run_exit_code", "Exit code of the latest run", one(run.exitCode)),
    gauge(
      "last_run_failure",
      "1 for the reason that ended the latest run",
      byReason((reason) => Number(reason === metrics.reason)),
    ),
    gauge("last_successful_file_pull_timestamp_seconds", "Latest file that came home", one(metrics.lastPullAt)),
    gauge(
      "file_download_failures_last_run",
      "Failed files of the latest run",
      byReason((reason) => metrics.fileFailures[reason]),
    ),
    gauge("files_downloaded_last_run", "Files that came home in the latest run", one(run.files)),
    gauge("run_duration_seconds", "Duration of the latest run", one(run.durationSeconds)),
    gauge("dashcam_recordings_seen", "Recordings on the camera's list", one(run.recordingsSeen)),
    gauge("recordings_selected", "Recordings that the rules let through", one(run.recordingsSelected)),
    gauge("bytes_downloaded_last_run", "Bytes transferred in the latest run", one(run.bytes)),
    gauge("destination_disk_used_ratio", "Use of the destination's disk, 0 to 1", one(run.diskUsedRatio)),
    gauge("failed_marker_files", "Failure markers below the destination", one(run.failedMarkers)),
  ];
}

/**
 * Writes a text of metrics into the file and pushes it, each where the targets name it. A failure is a warning and never
 * changes the run.
 */
export async function emitMetrics(text: string, targets: MetricsTargets, log: Log, signal: AbortSignal): Promise<void> {
  const problem = targets.file && (await targets.outside?.problem(targets.file, "metrics"));
  if (problem) log.warning("metrics", `Cannot write the metrics file: its path ${problem}`);
  else if (targets.file) {
    try {
      // A scraper of text files must never see half a file.
      await replaceFile(targets.file, text, { mode: 0o644 });
    } catch (error) {
      log.warning(
        "metrics",
        `Cannot write the metrics file (${errorCode(error) || "unknown error"}); check its folder`,
      );
    }
  }
  if (targets.pushgatewayUrl && !signal.aborted) {
    try {
      await push(text, targets.pushgatewayUrl, targets, signal);
    } catch (error) {
      log.warning("metrics", `Cannot push metrics: ${error instanceof PushRefused ? error.message : "no answer"}`);
    }
  }
}

class PushRefused extends Error {}

/** The address of a push: job and instance each percent-encoded, slashes included. */
export function pushAddress(url: string, job: string, instance: string): string {
  return `${url.replace(/\/+$/, "")}/metrics/job/${encodeURIComponent(job)}/instance/${encodeURIComponent(instance)}`;
}

async function push(text: string, url: string, targets: MetricsTargets, signal: AbortSignal): Promise<void> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new PushRefused("the address must begin with http:// or https://");
  const answer = await fetch(pushAddress(url, targets.job, targets.instance), {
    method: "PUT",
    headers: { "Content-Type": METRICS_TYPE },
    body: text,
    redirect: "manual",
    signal: AbortSignal.any([signal, AbortSignal.timeout(Math.min(targets.timeoutMs, PUSH_MS))]),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new PushRefused(`the push gateway answered with status ${answer.status}`);
}
