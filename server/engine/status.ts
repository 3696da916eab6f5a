import type { Dashcam } from "../dashcam/camera.ts";
import { isOffline } from "../domain/run.ts";
import type { RunHistory } from "../store/run_history.ts";
import type { CameraProbe, DiskLook } from "./health.ts";
import type { Job } from "./job.ts";
import { lastSeenAt } from "./last_seen.ts";
import type { Scheduler } from "./scheduler.ts";

/** One flat, stable answer for dashboard widgets. Times are ISO 8601 UTC; null is unknown or never. */
export interface Status {
  state: string;
  camera_online: boolean;
  last_seen: string | null;
  pending_files: number;
  pending_bytes: number | null;
  disk_used_percent: number | null;
  last_run_state: "completed" | "failed" | "offline" | null;
  last_run_at: string | null;
  /** Why the last run failed, as a sentence without a full stop. */
  last_run_message: string | null;
  next_run_at: string | null;
  eta_seconds: number | null;
}

export interface StatusParts {
  job: Job;
  history: RunHistory;
  scheduler: Scheduler;
  probe: CameraProbe;
  dashcam: Dashcam;
  storage: DiskLook;
}

export async function status(parts: StatusParts): Promise<Status> {
  const { job, history, scheduler, probe, dashcam, storage } = parts;
  const { state, eta_seconds, bytes_per_second } = job.snapshot;
  const last = history.latest();
  const next = scheduler.next();
  const camera = await probe.health(dashcam);
  // Only now: the probe may have seen it.
  const seen = lastSeenAt(parts);
  const disk = await storage.read().catch(() => null);
  return {
    state,
    camera_online: camera.reachable,
    last_seen: iso(seen && seen * 1000),
    pending_files: job.pendingFiles,
    pending_bytes: eta_seconds === null ? (job.pendingFiles === 0 ? 0 : null) : eta_seconds * bytes_per_second,
    disk_used_percent: disk && Math.round(disk.usedRatio * 1000) / 10,
    last_run_state: last && (last.success ? "completed" : isOffline(last) ? "offline" : "failed"),
    last_run_at: iso(last && last.ts * 1000),
    last_run_message: last?.message ?? null,
    next_run_at: iso(next.paused || dashcam.address === "" ? null : next.at),
    eta_seconds,
  };
}

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
