import { DashcamProblem } from "../dashcam/problem.ts";
import { STOP_MESSAGE } from "../domain/job_words.ts";
import type { FailureReason } from "../domain/run.ts";
import { errorCode } from "../store/error_code.ts";
import { LockFailed, LockHeld } from "../store/lock.ts";
import { DestinationProblem, FileInTheWay, FolderProblem } from "../store/recordings.ts";

/** Somebody asked the job to stop. */
export class StopRequested extends Error {
  override name = "StopRequested";
  constructor() {
    super(STOP_MESSAGE);
  }
}

/** The disk has no room for what comes next, by its threshold or by a file's known size. */
export class DiskFull extends Error {
  override name = "DiskFull";
}

/** What ended a run: the camera was away, another sync has the folder, a stop, a known trouble, or a bug. */
export type FailureKind = "offline" | "locked" | "stopped" | "trouble" | "unexpected";

export interface Failure {
  kind: FailureKind;
  reason: FailureReason;
  /** A sentence without a full stop, fit for a log line and a card. */
  message: string;
}

const DISK_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

/** Classifies any thrown thing by its type, never by its text (contract §5.14). */
export function failureOf(error: unknown): Failure {
  if (error instanceof StopRequested) return { kind: "stopped", reason: "unknown", message: error.message };
  if (error instanceof DiskFull) return { kind: "trouble", reason: "disk", message: error.message };
  if (error instanceof LockHeld) return { kind: "locked", reason: "unknown", message: error.message };
  if (error instanceof DestinationProblem || error instanceof FolderProblem || error instanceof FileInTheWay)
    return { kind: "trouble", reason: "unknown", message: error.message };
  if (error instanceof LockFailed)
    return { kind: "trouble", reason: DISK_CODES.has(error.code) ? "disk" : "unknown", message: error.message };
  if (error instanceof DashcamProblem) {
    const reason = problemReason(error);
    // As runs are told: network and timeouts alone mean that the camera was not there.
    const isAway = reason === "network" || reason === "timeout";
    return { kind: isAway ? "offline" : "trouble", reason, message: error.message };
  }
  switch (errorCode(error)) {
    case "ENOSPC":
      return { kind: "trouble", reason: "disk", message: "the disk is full; free space or lower retention" };
    case "EDQUOT":
      return { kind: "trouble", reason: "disk", message: "the disk quota is used up; free space or raise the quota" };
    case "EROFS":
      return { kind: "trouble", reason: "unknown", message: "the destination folder is on a read-only file system" };
    case "EACCES":
    case "EPERM":
      return { kind: "trouble", reason: "unknown", message: "the destination folder is not writable for this user" };
    case "ENOENT":
    case "ESTALE":
    case "ENOTDIR":
      return { kind: "trouble", reason: "unknown", message: "the destination folder is gone; is its disk mounted?" };
    case "ELOOP":
    case "EISDIR":
      return {
        kind: "trouble",
        reason: "unknown",
        message: "a link or a folder is where a recording belongs; remove it from the destination folder",
      };
    case "EIO":
      return {
        kind: "trouble",
        reason: "unknown",
        message: "the disk reports an input/output error; check its health",
      };
  }
  return { kind: "unexpected", reason: "unknown", message: "something unexpected went wrong; the log has the cause" };
}

function problemReason(problem: DashcamProblem): FailureReason {
  switch (problem.kind) {
    case "refused":
    case "unreachable":
    case "dns":
    case "reset":
    case "closed":
    case "cut":
      return "network";
    case "timeout":
    case "silence":
    case "too-slow":
      return "timeout";
    case "http":
    case "redirect":
      return "http";
    case "not-a-listing":
    case "too-long":
    case "no-address":
      return "unknown";
  }
}

/** The exit code of a run that ended so: 0 done; 1 what can happen any day; 2 what has to be mended; 3 a bug. */
export function exitCodeOf(failure: Failure | null): number {
  switch (failure?.kind) {
    case undefined:
      return 0;
    case "offline":
    case "locked":
    case "stopped":
      return 1;
    case "trouble":
      return 2;
    case "unexpected":
      return 3;
  }
}

/** Where an error came from, for the log. */
export function causeOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
