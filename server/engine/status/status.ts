import type * as v from "valibot";
import type { Dashcam } from "../../dashcam/camera.ts";
import { runEnding } from "../../domain/runs/run_ending.ts";
import type { STATUS } from "../../domain/status/status_schema.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import type { Library } from "../../store/library/library.ts";
import type { CameraProbe } from "../listed/camera_probe.ts";
import type { KnownList } from "../listed/known_list.ts";
import { isAnother, lastSeenAt, listedOn } from "../listed/last_seen.ts";
import { type WaitingParts, waitingBytes } from "../listed/waiting_bytes.ts";
import type { Job } from "../run/job.ts";
import type { Scheduler } from "../run/scheduler.ts";
import type { DiskUsageCache } from "../transfer/disk_space.ts";

/** One flat, stable answer for dashboard widgets. Times are ISO 8601 UTC; null is unknown or never. */
export type Status = v.InferOutput<typeof STATUS>;

export interface StatusParts extends WaitingParts {
  job: Job;
  history: RunHistory;
  scheduler: Scheduler;
  probe: CameraProbe;
  dashcam: Dashcam;
  storage: DiskUsageCache;
  library: Pick<Library, "refreshIfOlder">;
  listed: WaitingParts["listed"] & Pick<KnownList, "list">;
}

/** Asks the camera, at most every few seconds, and the disk; never rejects for either. */
export async function status(parts: StatusParts): Promise<Status> {
  const { job, history, scheduler, probe, dashcam, storage, library, listed } = parts;
  const last = history.latest();
  const next = scheduler.next();
  const camera = await probe.health(dashcam);
  // Only now: the probe may have seen it.
  const seen = lastSeenAt(parts);
  const disk = await storage.read().catch(() => null);
  await library.refreshIfOlder();
  const counts = await listed.counts();
  const { state, eta_seconds, bytes_expected, bytes_downloaded_total } = job.snapshot;
  // A run knows more of what it brings than the list tells.
  const coming = bytes_expected === null ? null : bytes_expected - bytes_downloaded_total;
  return {
    state,
    camera_online: camera.reachable && !isAnother(parts),
    last_seen: iso(seen && seen * 1000),
    pending_files: counts?.waiting_files ?? null,
    pending_bytes: coming ?? (await waitingBytes(parts)),
    recordings_on_camera: counts?.on_camera ?? listedOn(listed, dashcam),
    recordings_chosen: counts?.chosen ?? null,
    recordings_home: counts?.home ?? null,
    recordings_waiting: counts?.waiting ?? null,
    disk_used_percent: disk && Math.round(disk.usedRatio * 1000) / 10,
    last_run_state: last && (last.success ? "completed" : runEnding(last) === "away" ? "offline" : "failed"),
    last_run_at: iso(last && last.ts * 1000),
    last_run_message: last?.message ?? null,
    next_run_at: iso(next.paused || dashcam.address === "" ? null : next.at),
    eta_seconds,
  };
}

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
