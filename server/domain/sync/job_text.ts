import { counted, formatCount, formatRate, formatSeconds } from "../text/format.ts";
import type { Snapshot } from "./job_progress.ts";

/** What the job does or did, in one sentence. */
export function sentenceOf(snapshot: Snapshot): string {
  const { state, phase, message, ending, files_completed, files_failed } = snapshot;
  switch (state) {
    case "idle":
      return "No sync is running.";
    case "completed": {
      if (files_completed === 0)
        return files_failed === 0
          ? "Nothing new to bring home."
          : `${counted(files_failed, "file")} could not be brought home.`;
      const brought = `Brought ${counted(files_completed, "file")} home`;
      return files_failed === 0 ? `${brought}.` : `${brought}, ${formatCount(files_failed)} could not be.`;
    }
    case "failed":
      if (ending === "stopped") return "The sync was stopped.";
      return ending === "away" ? "Camera away." : `Sync failed: ${message ?? "the log has the cause"}.`;
    case "running":
      if (phase === "listing") return "Asking the camera what it has.";
      if (phase === "retention") return "Deleting what is older than you keep.";
      return bringing(snapshot);
  }
}

function bringing(snapshot: Snapshot): string {
  const { files_total: total, files_completed: home, files_failed: failed, recordings } = snapshot;
  const { bytes_per_second: rate, eta_seconds: left } = snapshot;
  // What failed lately waits, and is not tried in every run.
  if (total === 0 && recordings !== null && recordings.waiting > 0) return "Nothing new to bring home.";
  if (total === 0) return "Everything on the camera is safe here.";
  const count = home === 0 ? counted(total, "file") : `${formatCount(home)} of ${counted(total, "file")}`;
  const lost = failed === 0 ? "" : `, ${formatCount(failed)} failed so far`;
  const pace = rate > 0 ? `, ${formatRate(rate)}` : "";
  return `Bringing ${count} home${lost}${pace}${left === null || left === 0 ? "" : `, about ${formatSeconds(left)}`}.`;
}
