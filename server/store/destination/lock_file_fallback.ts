import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { errorCode } from "../error_code.ts";

/** A claim that was not renewed for this long is stale. */
const STALE_MS = 120_000;
const HEARTBEAT_MS = 30_000;

/** A claim that was made, or the content of the one in the way. */
export type ClaimAnswer = { release(): void } | { heldBy: string };

/**
 * A lock for filesystems without locks: a file that only one can create, rewritten every half minute for as long as it
 * counts. Times are compared as the filesystem sets them, since machines sharing a folder disagree about the time.
 * `facts` goes into the file. @throws what the filesystem answers
 */
export function makeClaim(path: string, facts: object, parts: { clock: Clock; log: Log | null }): ClaimAnswer {
  const id = crypto.randomUUID();
  const content = `${JSON.stringify({ ...facts, id })}\n`;
  if (!create(path, content)) {
    const other = readClaim(path);
    if (other !== null) {
      const age = filesystemTime(`${path}.${id}`) - other.mtimeMs;
      if (Math.abs(age) < STALE_MS) return { heldBy: other.content };
      if (!clearAway(path, `${path}.${id}`, other.content)) return { heldBy: other.content };
    }
    if (!create(path, content)) return { heldBy: readClaim(path)?.content ?? "" };
  }
  const stop = new AbortController();
  void renew(path, content, stop.signal, parts);
  return {
    release() {
      if (stop.signal.aborted) return;
      stop.abort();
      try {
        if (readClaim(path)?.content === content) rmSync(path, { force: true });
      } catch {
        // Without its heartbeat it counts for two more minutes at most.
      }
    },
  };
}

async function renew(path: string, content: string, signal: AbortSignal, parts: { clock: Clock; log: Log | null }) {
  while (!signal.aborted) {
    try {
      await parts.clock.sleep(HEARTBEAT_MS, signal);
    } catch {
      return;
    }
    try {
      if (readClaim(path)?.content !== content) {
        parts.log?.warning("lock", "the claim on the recordings folder was taken away; another sync may be using it");
        return;
      }
      rewrite(path, content);
    } catch (error) {
      parts.log?.warning("lock", `the claim on the recordings folder could not be renewed: ${String(error)}`);
    }
  }
}

function create(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: "wx", mode: 0o666 });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Only an existing file: a renewal must not bring back a claim that was cleared away. */
function rewrite(path: string, content: string): void {
  const file = openSync(path, "r+");
  try {
    writeFileSync(file, content);
  } finally {
    closeSync(file);
  }
}

function readClaim(path: string): { content: string; mtimeMs: number } | null {
  try {
    return { mtimeMs: statSync(path).mtimeMs, content: readFileSync(path, "utf8") };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** The time as the filesystem holding `scratch` has it, epoch milliseconds. */
function filesystemTime(scratch: string): number {
  try {
    writeFileSync(scratch, "");
    return statSync(scratch).mtimeMs;
  } finally {
    rmSync(scratch, { force: true });
  }
}

/** Moves a stale claim out of the way; false when another process was quicker and what was moved is its own: it goes back. */
function clearAway(path: string, aside: string, expected: string): boolean {
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return true;
    throw error;
  }
  const moved = readClaim(aside)?.content;
  if (moved !== expected && moved !== undefined) {
    renameSync(aside, path);
    return false;
  }
  rmSync(aside, { force: true });
  return true;
}
