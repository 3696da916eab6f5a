import { open, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { FAILURE_REASONS, type FailureReason, type Failures, type Run } from "../domain/run.ts";
import type { Log } from "../log.ts";
import { errorCode } from "../store/recordings.ts";

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
}

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The run in Prometheus text exposition format 0.0.4: gauges, no timestamps, no names of recordings. */
export function renderMetrics(metrics: RunMetrics): string {
  const { run } = metrics;
  const byReason = (values: (reason: FailureReason) => number) =>
    [...FAILURE_REASONS].sort().map((reason) => [`{reason="${reason}"}`, values(reason)] as const);
  const one = (value: number | null | boolean) => [["", Number(value ?? 0)] as const];
  const families: [name: string, help: string, samples: readonly (readonly [string, number])[]][] = [
    ["last_run_timestamp_seconds", "End of the latest run", one(run.ts)],
    ["last_run_success", "1 when the latest run went through", one(run.success)],
    ["last_run_exit_code", "Exit code of the latest run", one(run.exitCode)],
    ["last_run_failure", "1 for the reason that ended the latest run", byReason((r) => Number(r === metrics.reason))],
    ["last_successful_file_pull_timestamp_seconds", "Latest file that came home", one(metrics.lastPullAt)],
    ["file_download_failures_last_run", "Failed files of the latest run", byReason((r) => metrics.fileFailures[r])],
    ["files_downloaded_last_run", "Files that came home in the latest run", one(run.files)],
    ["run_duration_seconds", "Duration of the latest run", one(run.durationSeconds)],
    ["dashcam_recordings_seen", "Recordings on the camera's list", one(run.recordingsSeen)],
    ["recordings_selected", "Recordings that the rules let through", one(run.recordingsSelected)],
    ["bytes_downloaded_last_run", "Bytes transferred in the latest run", one(run.bytes)],
    ["destination_disk_used_ratio", "Use of the destination's disk, 0 to 1", one(run.diskUsedRatio)],
    ["failed_marker_files", "Failure markers below the destination", one(run.failedMarkers)],
  ];
  return families
    .map(([name, help, samples]) => {
      const head = `# HELP dashdock_${name} ${help}.\n# TYPE dashdock_${name} gauge\n`;
      return head + samples.map(([labels, value]) => `dashdock_${name}${labels} ${value}\n`).join("");
    })
    .join("");
}

/** Writes and pushes what is asked for. Trouble is a warning and never changes the run. */
export async function emitMetrics(metrics: RunMetrics, targets: MetricsTargets, log: Log): Promise<void> {
  const text = renderMetrics(metrics);
  if (targets.file) {
    try {
      await writeWhole(targets.file, text);
    } catch (error) {
      log.warning("cron", `Cannot write the metrics file (${errorCode(error) || "unknown error"}); check its folder`);
    }
  }
  if (targets.pushgatewayUrl) {
    try {
      await push(text, targets.pushgatewayUrl, targets);
    } catch (error) {
      log.warning("cron", `Cannot push metrics: ${error instanceof PushRefused ? error.message : "no answer"}`);
    }
  }
}

class PushRefused extends Error {}

/** The address of a push: job and instance each percent-encoded, slashes included. */
export function pushAddress(url: string, job: string, instance: string): string {
  return `${url.replace(/\/+$/, "")}/metrics/job/${encodeURIComponent(job)}/instance/${encodeURIComponent(instance)}`;
}

async function push(text: string, url: string, targets: MetricsTargets): Promise<void> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new PushRefused("the address must begin with http:// or https://");
  const answer = await fetch(pushAddress(url, targets.job, targets.instance), {
    method: "PUT",
    headers: { "Content-Type": CONTENT_TYPE },
    body: text,
    redirect: "manual",
    signal: AbortSignal.timeout(targets.timeoutMs),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new PushRefused(`the push gateway answered with status ${answer.status}`);
}

/** A scraper of text files must never see half a file. */
async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.tmp`);
  const file = await open(temporary, "w", 0o644);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}
