import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { type Clock, systemClock } from "../../clock.ts";
import { type Log, oneLine } from "../../log.ts";
import { errorCode } from "../error_code.ts";
import { type Flock, systemFlock } from "./flock.ts";
import { makeClaim } from "./lock_file_fallback.ts";

/** Holder of the lock, for people to read. */
export interface LockHolder {
  /** `serve`, `sync` … */
  command: string;
  /** In a container often 1: it names nothing by itself. */
  pid: number;
  host: string;
  /** ISO 8601 UTC. */
  startedAt: string;
}

/** This process as a holder, for the lines of others. @param command what it was started for */
export function lockHolder(command: string, clock: Clock): LockHolder {
  return { command, pid: process.pid, host: hostname(), startedAt: new Date(clock.now()).toISOString() };
}

export interface DestinationLock {
  /** Unlocks the folder, when a run has ended, whatever way; a second call does nothing. */
  release(): void;
}

/** Another process, perhaps in another container, is syncing into the folder. */
export class LockHeld extends Error {
  override readonly name = "LockHeld";
  /** Null when the lock file does not name it. */
  readonly holder: LockHolder | null;

  constructor(holder: LockHolder | null) {
    const who = holder
      ? `: ${holder.command} on ${holder.host}, process ${holder.pid}, since ${holder.startedAt}`
      : "; it did not say who it is";
    const what = holder?.command === "import" ? "an import" : "another sync";
    super(oneLine(`${what} is using this folder${who}`));
    this.holder = holder;
  }
}

/** The folder cannot be locked: it is missing, read-only, not ours or on a disk in trouble; `cause` is the system's error. */
export class LockFailed extends Error {
  override readonly name = "LockFailed";
  /** The system's code, such as `EROFS`. */
  readonly code: string;

  constructor(root: string, cause: unknown) {
    const code = errorCode(cause) || String(cause);
    super(`the recordings folder ${root} ${REASONS[code] ?? `cannot be locked (${code})`}`, { cause });
    this.code = code;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "is not there; is its disk mounted?",
  ENOTDIR: "is not a folder",
  EROFS: "is mounted read-only",
  EACCES: "may not be written by this user",
  EPERM: "may not be written by this user",
  ENOSPC: "is on a full disk",
  EDQUOT: "is on a disk whose quota is used up",
  EIO: "is on a disk that reports an input/output error; check its health",
  ESTALE: "is not connected any more; is its disk mounted?",
  ENOTCONN: "is not connected any more; is its disk mounted?",
  EMFILE: "cannot be locked, since too many files are open; raise the limit of open files",
  ENFILE: "cannot be locked, since too many files are open on this machine",
  ELOOP: "has a link where its lock file belongs; remove .dashdock.lock",
};

/** Longest holder line that is read; the file may hold anything. */
const LINE_BYTES = 1024;

/**
 * Takes the one lock of a destination, without waiting. The kernel gives it back when the process ends in any way. It
 * excludes other containers on the same folder as well as a second call in this process. Without such locks, a claim
 * file with a heartbeat takes their place, and a warning says so.
 * @param tools.file another lock of the destination than that of its syncs
 * @throws LockHeld when another process has it, LockFailed when it cannot be taken at all
 */
export function acquireLock(
  root: string,
  holder: LockHolder,
  tools: { log?: Log; clock?: Clock; flock?: Flock; file?: string } = {},
): DestinationLock {
  const path = join(root, tools.file ?? ".dashdock.lock");
  try {
    const lock = lockFile(path, holder, tools.flock ?? systemFlock);
    if (lock !== null) return lock;
    const log = tools.log ?? null;
    log?.warning("lock", "this system has no file locks for the recordings folder; a claim file is used instead");
    const answer = makeClaim(`${path}.claim`, holder, { clock: tools.clock ?? systemClock, log });
    if ("heldBy" in answer) throw new LockHeld(parseHolder(answer.heldBy));
    return answer;
  } catch (error) {
    throw error instanceof LockHeld ? error : new LockFailed(root, error);
  }
}

/** Null when the filesystem has no locks. */
function lockFile(path: string, holder: LockHolder, flock: Flock): DestinationLock | null {
  const { descriptor, writable } = openLockFile(path);
  let keep = false;
  try {
    const outcome = flock(descriptor);
    if (outcome === "unsupported") return null;
    if (outcome === "held") throw new LockHeld(parseHolder(readLine(descriptor)));
    if (outcome !== "locked") throw Object.assign(new Error("the lock was refused"), { code: outcome.failed });
    if (writable) writeLine(descriptor, `${JSON.stringify(holder)}\n`);
    keep = true;
  } finally {
    if (!keep) closeSync(descriptor);
  }
  let held = true;
  return {
    release() {
      if (!held) return;
      held = false;
      try {
        if (writable) writeLine(descriptor, "");
      } finally {
        closeSync(descriptor);
      }
    },
  };
}

/**
 * The file stays for ever: removing a lock file while others may be opening it lets two of them in. Its group may write
 * it, since containers sharing the folder may run as different users, and no other: who can lock it can keep every sync
 * from starting. It is never followed elsewhere.
 */
function openLockFile(path: string): { descriptor: number; writable: boolean } {
  const plain = constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    const descriptor = openSync(path, plain | constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o660);
    try {
      fchmodSync(descriptor, 0o660);
      // A command run as root must not lock the service out that runs as the folder's owner.
      const { uid, gid } = statSync(dirname(path));
      if (process.getuid?.() === 0) fchownSync(descriptor, uid, gid);
    } catch {
      // Some filesystems have neither modes nor owners; there all may write what one may.
    }
    return { descriptor, writable: true };
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  try {
    return { descriptor: openSync(path, plain | constants.O_RDWR), writable: true };
  } catch (error) {
    if (errorCode(error) !== "EACCES") throw error;
    return { descriptor: openSync(path, plain | constants.O_RDONLY), writable: false };
  }
}

function writeLine(descriptor: number, line: string): void {
  try {
    ftruncateSync(descriptor, 0);
    writeSync(descriptor, line, 0);
  } catch {
    // The line is for people; the lock holds without it, also on a full disk.
  }
}

function readLine(descriptor: number): string {
  try {
    const buffer = Buffer.alloc(LINE_BYTES);
    return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, LINE_BYTES, 0));
  } catch {
    return "";
  }
}

function parseHolder(line: string): LockHolder | null {
  try {
    const { command, pid, host, startedAt } = JSON.parse(line);
    const good = [command, host, startedAt].every((text) => typeof text === "string") && typeof pid === "number";
    return good ? { command, pid, host, startedAt } : null;
  } catch {
    return null;
  }
}
