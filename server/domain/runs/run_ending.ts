import { isOtherDevice } from "./failure_cause.ts";
import type { Run } from "./run.ts";

/**
 * Endings of a run: it went through; the camera was not there; it was stopped by hand; its process was killed or lost
 * its power; another cause made it fail.
 */
export const RUN_ENDINGS = ["completed", "away", "stopped", "interrupted", "failed"] as const;
export type RunEnding = (typeof RUN_ENDINGS)[number];

/** The camera was away when every reason that occurred is network or timeout. */
export function runEnding({
  success,
  stopped,
  cause,
  failures,
}: Pick<Run, "success" | "failures" | "stopped" | "cause">): RunEnding {
  if (success) return "completed";
  if (stopped) return "stopped";
  if (cause === "interrupted") return "interrupted";
  const { http, network, timeout, disk, unknown } = failures;
  return network + timeout > 0 && http + disk + unknown === 0 ? "away" : "failed";
}

/** The camera was there, and not another device; of a run that was interrupted only bytes prove it. */
export function hasReached(run: Pick<Run, "success" | "failures" | "stopped" | "bytes" | "cause">): boolean {
  const ending = runEnding(run);
  return ending !== "away" && !hasFoundAnother(run) && (ending !== "interrupted" || run.bytes > 0);
}

/** This run, which ended last, has looked in vain for the camera at this address since a moment in epoch milliseconds. */
export function hasMissed(run: Run | null, address: string, since: number): boolean {
  return run !== null && runEnding(run) === "away" && (run.address ?? address) === address && since < run.ts * 1000;
}

/**
 * True when the last run found another device at this address. Whatever has answered there since was not the camera
 * either.
 */
export function isAnotherAt(address: string, run: Run | null): boolean {
  return run !== null && hasFoundAnother(run) && (run.address ?? address) === address;
}

/** True when the device that answered this run is not the camera. */
function hasFoundAnother({ success, cause }: Pick<Run, "success" | "cause">): boolean {
  return !success && isOtherDevice(cause);
}
