import { isOtherDevice } from "./failure_cause.ts";
import { endingOf, type Run } from "./run.ts";

/** The camera was there, and not another device; of a run that was interrupted only bytes prove it. */
export function hasReached(run: Pick<Run, "success" | "failures" | "stopped" | "bytes" | "cause">): boolean {
  const ending = endingOf(run);
  return ending !== "away" && !hasFoundAnother(run) && (ending !== "interrupted" || run.bytes > 0);
}

/** This run, which ended last, has looked in vain for the camera at this address since a moment in epoch milliseconds. */
export function hasMissed(run: Run | null, address: string, since: number): boolean {
  return run !== null && endingOf(run) === "away" && (run.address ?? address) === address && since < run.ts * 1000;
}

/**
 * By this run, which ended last, something else than the camera is at this address: what has answered there since was
 * not the camera either.
 */
export function isAnotherAt(address: string, run: Run | null): boolean {
  return run !== null && hasFoundAnother(run) && (run.address ?? address) === address;
}

/** What answered this run is not the camera. */
function hasFoundAnother({ success, cause }: Pick<Run, "success" | "cause">): boolean {
  return !success && isOtherDevice(cause);
}
