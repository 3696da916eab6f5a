import { DashcamProblem } from "../../dashcam/problem.ts";
import type { Listing } from "../../domain/recordings/camera_listing.ts";
import type { Plan, PlannedFile } from "../../domain/sync/download_plan.ts";
import { counted, formatBytes, formatRate, withinInWords } from "../../domain/text/format.ts";
import type { Log } from "../../log.ts";
import type { Failure } from "../transfer/failure_of_error.ts";
import type { SyncCounts } from "../transfer/sync_counts.ts";
import type { Outcome } from "../transfer/transfer_outcome.ts";

/** A sync in the log is a start line, a summary line, and a line for each file that came home or failed. */
export function logStart(log: Log, address: string, dryRun: boolean): void {
  log.info("sync", `Sync started${dryRun ? " (dry run)" : ""}: camera ${address || "not set"}`, {
    event: "sync_started",
  });
}

/** Logs strange parts of the listing, once for each kind. */
export function logOddities(log: Log, listing: Listing, plan: Plan): void {
  if (plan.impossibleCount > 0)
    log.warning(
      "sync",
      `Skipped ${plan.impossibleCount} listed names with an impossible date, such as ${plan.impossible.join(", ")}`,
    );
  const { recordingsSeen: seen, recordingsSelected: selected, leftOut, unknownName } = plan;
  if (leftOut.unknown > 0)
    log.warning(
      "sync",
      `Left out ${counted(leftOut.unknown, "listed name")} of an unknown form, such as ${unknownName}`,
    );
  if (seen > 0 && selected === 0 && leftOut.retention > 0)
    log.warning(
      "sync",
      `Every recording on the camera that could come home is older than recordings are kept; is the camera's clock set right?`,
    );
  if (leftOut.unreadable > 0)
    log.warning(
      "sync",
      `Left out ${counted(leftOut.unreadable, "recording")}: the folders they belong into cannot be read`,
    );
  if (listing.strangeCount > 0)
    log.warning("sync", `Ignored ${listing.strangeCount} lines of the camera's list that are no recordings`);
}

/** The logger `cron` is what a cron mail is made of: what came home, and what did not. */
export function logFile(log: Log, file: PlannedFile, outcome: Outcome, took: { bytes: number; seconds: number }): void {
  const name = outcome.kind === "received" ? outcome.name : file.names[0];
  const facts = { filename: name };
  switch (outcome.kind) {
    case "received":
      logReceived(log, file, outcome, took);
      break;
    case "listed":
      log.info("download", `Would download ${name}`, { ...facts, event: "file_download_dry_run" });
      break;
    case "failed":
      log.warning("download", `Failed ${name}: ${outcome.problem.message}`, {
        ...facts,
        event: "file_download_failed",
        error_type: outcome.problem instanceof DashcamProblem ? outcome.problem.kind : "file",
      });
      break;
    case "absent":
      log.debug("sync", `The camera does not have ${name}`, { ...facts, event: "file_absent" });
      break;
    case "empty":
      log.debug("sync", `${name} is empty on the camera`, { ...facts, event: "file_empty" });
      break;
    case "growing":
      log.debug("sync", `${name} is still being recorded`, { ...facts, event: "file_growing" });
      break;
    case "deleted":
      log.debug("sync", `${name} was deleted here meanwhile`, { ...facts, event: "file_deleted" });
      break;
  }
}

function logReceived(
  log: Log,
  file: PlannedFile,
  outcome: Extract<Outcome, { kind: "received" }>,
  took: { bytes: number; seconds: number },
): void {
  const facts = { filename: outcome.name };
  const rate = took.seconds > 0 ? took.bytes / took.seconds : 0;
  const text = () => `Downloaded ${outcome.name}: ${formatBytes(outcome.size)} at ${formatRate(rate)}`;
  const fields = { ...facts, bytes: took.bytes, speed_bps: Math.round(rate * 8) };
  if (file.kind === "mp4") log.info("download", text, { ...fields, event: "recording_downloaded" });
  else log.debug("sync", text, { ...fields, event: "file_downloaded" });
}

export function logSummary(
  log: Log,
  end: { failure: Failure | null; counts: SyncCounts; durationSeconds: number; dryRun: boolean },
): void {
  const { failure, counts, durationSeconds } = end;
  const fields = {
    event: "sync_finished",
    files: counts.completed,
    bytes: counts.bytes,
    failed: counts.failed,
    duration_seconds: Math.round(durationSeconds * 1000) / 1000,
  };
  const summary = summaryOf(counts, durationSeconds, end.dryRun);
  if (failure === null) {
    log.info("sync", `Sync finished: ${summary}`, fields);
    return;
  }
  const reason = { ...fields, reason: failure.reason };
  const sofar = counts.completed + counts.failed > 0 ? `; until then ${summary}` : "";
  switch (failure.kind) {
    case "stopped":
      log.info(
        "sync",
        `Sync ${failure.cause === "shutdown" ? "ended with the service" : "stopped by user"}${sofar}`,
        reason,
      );
      break;
    case "away":
      log.info("sync", `Camera not reachable: ${failure.message}${sofar}`, reason);
      break;
    case "locked":
      log.warning("sync", `Sync not started: ${failure.message}`, reason);
      break;
    case "trouble":
    case "unexpected":
      log.error("sync", `Sync failed: ${failure.message}${sofar}`, reason);
  }
}

/** `12 files (48 MB) came home in 9 s, 1204 already here, 2 failed`. */
export function summaryOf(counts: SyncCounts, seconds: number, dryRun: boolean): string {
  const home = counted(counts.completed, "file");
  const parts = [
    counts.completed === 0
      ? counts.failed > 0
        ? "nothing came home"
        : "nothing new"
      : dryRun
        ? `${home} would come home`
        : `${home} (${formatBytes(counts.bytes)}) came home ${withinInWords(seconds)}`,
  ];
  const add = (count: number, words: string) => {
    if (count > 0) parts.push(`${count} ${words}`);
  };
  add(counts.present, "already here");
  add(counts.blocked, "waiting after a failure");
  add(counts.leftOut.retention, "left out as older than kept");
  add(counts.leftOut.selection, "left out by include and exclude");
  add(counts.leftOut.deleted, "left out as deleted here");
  add(counts.leftOut.unreadable, "left out as their folder cannot be read");
  add(counts.leftOut.unknown, "left out with an unknown name");
  add(counts.failed, "failed");
  if (counts.absent > 0) parts.push(`the camera had no GPS or thumbnail for ${counts.absent}`);
  add(counts.empty.length, `empty on the camera (${some(counts.empty)})`);
  add(counts.vanished.length, `overwritten on the camera meanwhile (${some(counts.vanished)})`);
  add(counts.growing.length, `still being recorded (${some(counts.growing)})`);
  if (counts.deleted.recordings > 0) parts.push(`${counted(counts.deleted.recordings, "recording")} deleted here`);
  return parts.join(", ");
}

function some(names: readonly string[]): string {
  return names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")}, …`;
}
