import { DashcamProblem } from "../dashcam/problem.ts";
import { STOP_MESSAGE } from "../domain/job_words.ts";
import type { FailureReason } from "../domain/run.ts";
import { errorCode } from "../store/error_code.ts";
import { LockFailed, LockHeld } from "../store/lock.ts";
import { DestinationProblem, FileInTheWay } from "../store/recordings.ts";

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

const GONE = "the destination folder is gone; is its disk mounted?";
const TOO_MANY_FILES = "too many files are open at once; raise the limit of open files, or stop other programs";

/** What the file system answers, in words that say what to do. Only a full disk counts as `disk` among them. */
const DISK_WORDS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full; free space or lower retention",
  EDQUOT: "the disk quota is used up; free space or raise the quota",
  EROFS: "the destination folder is on a read-only file system",
  EACCES: "the destination folder is not writable for this user",
  EPERM: "the destination folder is not writable for this user",
  ENOENT: GONE,
  ENOTDIR: GONE,
  ESTALE: GONE,
  ENOTCONN: GONE,
  ENODEV: GONE,
  ENXIO: GONE,
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

/** Classifies any thrown thing by its type, never by its text. */
export function failureOf(error: unknown): Failure {
  if (error instanceof StopRequested) return { kind: "stopped", reason: "unknown", message: error.message };
  if (error instanceof DiskFull) return { kind: "trouble", reason: "disk", message: error.message };
  if (error instanceof LockHeld) return { kind: "locked", reason: "unknown", message: error.message };
  if (error instanceof DestinationProblem || error instanceof FileInTheWay)
    return { kind: "trouble", reason: error.reason, message: error.message };
  if (error instanceof LockFailed)
    return { kind: "trouble", reason: DISK_CODES.has(error.code) ? "disk" : "unknown", message: error.message };
  if (error instanceof DashcamProblem) {
    const reason = problemReason(error);
    // As runs are told: network and timeouts alone mean that the camera was not there.
    const isAway = reason === "network" || reason === "timeout";
    return { kind: isAway ? "offline" : "trouble", reason, message: error.message };
  }
  const code = errorCode(error);
  const words = Object.hasOwn(DISK_WORDS, code) ? DISK_WORDS[code] : refusedCall(error, code);
  if (words !== undefined)
    return { kind: "trouble", reason: DISK_CODES.has(code) ? "disk" : "unknown", message: words };
  return { kind: "unexpected", reason: "unknown", message: "something unexpected went wrong; the log has the cause" };
}

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
