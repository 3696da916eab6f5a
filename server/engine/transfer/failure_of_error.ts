import { basename } from "node:path";
import { DashcamProblem } from "../../dashcam/problem.ts";
import { type OtherCamera, otherCameraInWords } from "../../domain/camera/other_camera.ts";
import type { FailureCause } from "../../domain/runs/failure_cause.ts";
import { type FailureReason, noFailures } from "../../domain/runs/failure_reason.ts";
import { runEnding } from "../../domain/runs/run_ending.ts";
import type { Destination } from "../../store/destination/destination.ts";
import { LockFailed, LockHeld } from "../../store/destination/destination_lock.ts";
import { DestinationProblem, FileInTheWay } from "../../store/destination/destination_problem.ts";
import { errorCode } from "../../store/error_code.ts";

/** A user asked the job to stop, or the service ends. */
export class StopRequested extends Error {
  override name = "StopRequested";
  readonly by: "user" | "service";
  constructor(by: "user" | "service" = "user") {
    super(by === "user" ? "sync stopped by user" : "the service was told to stop");
    this.by = by;
  }
}

/** The disk has no room for what comes next, by its threshold or by a file's known size. */
export class DiskFull extends Error {
  override name = "DiskFull";
  /** Room below the limit that is set, or for one file. */
  readonly lacks: "disk-limit" | "no-room" = "disk-limit";
}

/** Another camera answers at the address than the known one: nothing is fetched, and nothing deleted. */
export class AnotherCamera extends Error {
  override name = "AnotherCamera";

  /** @param remedy as a sentence without a full stop, where no page leads to it */
  constructor(address: string, other: OtherCamera, remedy?: string) {
    const { sentence, detail } = otherCameraInWords(address, other);
    const words = remedy === undefined ? detail.slice(0, -1) : `${detail} ${remedy}`;
    super(`${sentence.charAt(0).toLowerCase()}${sentence.slice(1, -1)}; ${words}`);
  }
}

/** Cause that ended a run: the camera was away, another sync has the folder, a stop, a known trouble, or a bug. */
export type FailureKind = "away" | "locked" | "stopped" | "trouble" | "unexpected";

export interface Failure {
  kind: FailureKind;
  reason: FailureReason;
  /** Finer than the reason, for what can be done about it. */
  cause: FailureCause;
  /** A sentence without a full stop, fit for a log line and a card. */
  message: string;
}

const FOLDER_MISSING = "the destination folder is gone; is its disk mounted?";
const TOO_MANY_FILES = "too many files are open at once; raise the limit of open files, or stop other programs";

/** Answers of the file system, as sentences with the remedy. Only a full disk counts as `disk` among them. */
const DISK_MESSAGES: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full; free space or lower retention",
  EDQUOT: "the disk quota is used up; free space or raise the quota",
  EROFS: "the destination folder is on a read-only file system",
  EACCES: "the destination folder is not writable for this user",
  EPERM: "the destination folder is not writable for this user",
  ENOENT: FOLDER_MISSING,
  ENOTDIR: FOLDER_MISSING,
  ESTALE: FOLDER_MISSING,
  ENOTCONN: FOLDER_MISSING,
  ENODEV: FOLDER_MISSING,
  ENXIO: FOLDER_MISSING,
  ELOOP: "a link or a folder is where a recording belongs; remove it from the destination folder",
  EISDIR: "a link or a folder is where a recording belongs; remove it from the destination folder",
  EIO: "the disk reports an input/output error; check its health",
  EFBIG: "a recording is larger than a file may be on this file system (4 GB on FAT); use another one",
  EBUSY: "the disk is busy with a file that is needed; see what else uses the destination folder",
  ETXTBSY: "the disk is busy with a file that is needed; see what else uses the destination folder",
  ETIMEDOUT: "the disk did not answer in time; check the connection to it",
  EHOSTDOWN: "the disk did not answer in time; check the connection to it",
  EMFILE: TOO_MANY_FILES,
  ENFILE: TOO_MANY_FILES,
  ENOMEM: "the machine is out of memory; stop other programs",
  ENAMETOOLONG: "the path of the destination folder is too long for its file system; use a shorter one",
  EXDEV: "the file system of the destination folder refuses to rename files; use another one",
  ENOTEMPTY: "a folder is where a recording belongs; remove it from the destination folder",
  EEXIST: "something is where a recording belongs; see what else writes to the destination folder",
  EINVAL: "the file system of the destination folder refuses what every other one does; use another one",
  ENOSYS: "the file system of the destination folder refuses what every other one does; use another one",
  ENOTSUP: "the file system of the destination folder refuses what every other one does; use another one",
  EOPNOTSUPP: "the file system of the destination folder refuses what every other one does; use another one",
};
const DISK_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

/** Causes of the file system's answers. A code that is not here is due to the disk or its file system. */
const SYSTEM_CAUSES: Readonly<Record<string, FailureCause>> = {
  ENOSPC: "disk-full",
  EDQUOT: "quota",
  EROFS: "folder",
  EACCES: "folder",
  EPERM: "folder",
  ENOENT: "folder",
  ENOTDIR: "folder",
  ESTALE: "folder",
  ENOTCONN: "folder",
  ENODEV: "folder",
  ENXIO: "folder",
  ENAMETOOLONG: "folder",
  ELOOP: "in-the-way",
  EISDIR: "in-the-way",
  ENOTEMPTY: "in-the-way",
  EEXIST: "in-the-way",
  EMFILE: "machine",
  ENFILE: "machine",
  ENOMEM: "machine",
};

function systemCause(code: string): FailureCause {
  return (Object.hasOwn(SYSTEM_CAUSES, code) ? SYSTEM_CAUSES[code] : undefined) ?? "disk-error";
}

/** Classifies any thrown thing by its type, never by its text. */
export function failureOf(error: unknown): Failure {
  if (error instanceof StopRequested)
    return {
      kind: "stopped",
      reason: "unknown",
      cause: error.by === "user" ? "stopped" : "shutdown",
      message: error.message,
    };
  if (error instanceof AnotherCamera)
    return { kind: "trouble", reason: "unknown", cause: "other-camera", message: error.message };
  if (error instanceof DiskFull) return { kind: "trouble", reason: "disk", cause: error.lacks, message: error.message };
  if (error instanceof LockHeld) return { kind: "locked", reason: "unknown", cause: "locked", message: error.message };
  if (error instanceof DestinationProblem || error instanceof FileInTheWay) {
    const cause = error instanceof FileInTheWay ? "in-the-way" : "folder";
    return { kind: "trouble", reason: error.reason, cause, message: error.message };
  }
  if (error instanceof LockFailed) return systemTrouble(error.code, error.message);
  if (error instanceof DashcamProblem) {
    const reason = problemReason(error);
    const ending = runEnding({ success: false, failures: { ...noFailures(), [reason]: 1 } });
    return { kind: ending === "away" ? "away" : "trouble", reason, cause: error.kind, message: error.message };
  }
  const code = errorCode(error);
  const words = Object.hasOwn(DISK_MESSAGES, code) ? DISK_MESSAGES[code] : refusedCall(error, code);
  return words === undefined ? UNEXPECTED : systemTrouble(code, words);
}

/** As `failureOf`, of what ended a run: that the destination is gone is said only when it is, and then whatever it led to. */
export function failureOfRun(error: unknown, recordings: Pick<Destination, "isThere" | "requireSame">): Failure {
  const failure = failureOf(error);
  if (errorCode(error) !== "")
    try {
      recordings.requireSame();
    } catch (left) {
      return failureOf(left);
    }
  if (failure.message !== FOLDER_MISSING || !recordings.isThere()) return failure;
  const path = error instanceof Error && "path" in error && typeof error.path === "string" ? basename(error.path) : "";
  const what = path === "" ? "something" : path;
  const message = `${what} went away while it was in use; see what else changes the destination folder`;
  return { ...failure, cause: "in-the-way", message };
}

function systemTrouble(code: string, message: string): Failure {
  const reason = DISK_CODES.has(code) ? "disk" : "unknown";
  return { kind: "trouble", reason, cause: systemCause(code), message };
}

/** A mistake in the program. */
export const UNEXPECTED: Failure = {
  kind: "unexpected",
  reason: "unknown",
  cause: "unexpected",
  message: "something unexpected went wrong; the log has the cause",
};

/** A system call that failed is the system's doing, also with a code that nothing better is known about. */
function refusedCall(error: unknown, code: string): string | undefined {
  if (!(error instanceof Error) || !("syscall" in error) || !/^E[A-Z0-9]+$/.test(code)) return undefined;
  return `the system refused to ${error.syscall} in the destination folder (${code}); check its disk`;
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

/** The exit code of a run that ended so: 0 done; 1 what can happen any day; 2 what has to be repaired; 3 a bug. */
export function exitCodeOf(failure: Failure | null): number {
  switch (failure?.kind) {
    case undefined:
      return 0;
    case "away":
    case "locked":
    case "stopped":
      return 1;
    case "trouble":
      return 2;
    case "unexpected":
      return 3;
  }
}

/** True when the disk has too little room, which deleting can help. */
export function lacksRoom(error: unknown): boolean {
  return FULL.has(failureOf(error).cause);
}
const FULL: ReadonlySet<FailureCause> = new Set(["disk-full", "quota", "disk-limit", "no-room"]);

/** For a file that may as well come later. @throws the error when it is not about room on the disk */
export function laterWhenFull(error: unknown): "later" {
  if (lacksRoom(error)) return "later";
  throw error;
}
