import { counted, formatCount, formatRate, formatSeconds } from "../text/format.ts";
import type { Snapshot } from "./job_progress.ts";

/** Says in one sentence what the job does or did. */
export function sentenceOf(snapshot: Snapshot): string {
  const { state, phase, message, ending } = snapshot;
  switch (state) {
    case "idle":
      return "No sync is running.";
    case "completed": {
      const { done, failed, words } = workOf(snapshot);
      if (done === 0) return failed === 0 ? "Nothing new to download." : `${words(failed)} could not be downloaded.`;
      return failed === 0 ? `${words(done)} downloaded.` : `${words(done)} downloaded, ${formatCount(failed)} failed.`;
    }
    case "failed":
      if (ending === "stopped") return "The sync was stopped.";
      return ending === "away" ? "Camera away." : `Sync failed: ${message ?? "the log has the cause"}.`;
    case "running":
      if (phase === "listing") return "Asking the camera what it has.";
      if (phase === "retention") return "Deleting what is older than you keep.";
      return downloading(snapshot);
  }
}

/** Work of a run, and the part that is done: headline, bar and percentage are all made of it. */
export interface Work {
  readonly done: number;
  readonly failed: number;
  readonly total: number;
  /** Says so many of them with their noun. */
  readonly words: (count: number) => string;
}

/** The run by its recordings; by the small files beside them where no recording is to come. */
export function workOf(snapshot: Snapshot): Work {
  const { recordings_total: total, recordings_completed: done, recordings_failed: failed } = snapshot;
  if (total > 0 || snapshot.files_total === 0)
    return { done, failed, total, words: (count) => counted(count, "recording") };
  const { files_total, files_completed, files_failed } = snapshot;
  return {
    done: files_completed,
    failed: files_failed,
    total: files_total,
    words: (count) => counted(count, "small file"),
  };
}

/** `18 of 64 recordings` */
export function doneOf({ done, total, words }: Work): string {
  return `${formatCount(done)} of ${words(total)}`;
}

/** Counts a run by files, which only its details tell; never empty, so that nothing moves when they are counted. */
export function filesInWords({
  files_total,
  files_completed,
  files_failed,
  files_absent: absent,
  ...rest
}: Snapshot): string {
  if (files_total === 0) return "No files to download, as far as is known.";
  const failed = files_failed === 0 ? "" : `, ${formatCount(files_failed)} failed`;
  const sentences = [`${formatCount(files_completed)} of ${counted(files_total, "file")}${failed}.`];
  if (rest.files_here > 0)
    sentences.push(`${counted(rest.files_here, "file")} ${rest.files_here === 1 ? "was" : "were"} here already.`);
  if (absent > 0) sentences.push(`The camera had no GPS or thumbnail for ${formatCount(absent)}.`);
  return sentences.join(" ");
}

function downloading(snapshot: Snapshot): string {
  const { recordings, bytes_per_second: rate, eta_seconds: left } = snapshot;
  const work = workOf(snapshot);
  // Files that failed lately wait, and are not tried in every run.
  if (work.total === 0 && recordings !== null && recordings.waiting > 0) return "Nothing new to download.";
  if (work.total === 0) return "Everything on the camera is safe here.";
  const count = work.done === 0 ? work.words(work.total) : doneOf(work);
  const lost = work.failed === 0 ? "" : `, ${formatCount(work.failed)} failed so far`;
  const pace = rate > 0 ? `, ${formatRate(rate)}` : "";
  return `Downloading ${count}${lost}${pace}${left === null || left === 0 ? "" : `, about ${formatSeconds(left)}`}.`;
}
