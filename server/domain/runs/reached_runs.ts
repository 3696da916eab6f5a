import { isOtherDevice } from "./failure_cause.ts";
import { isInterrupted, isOffline, type Run } from "./run.ts";

/** The camera was there, and not another device; of a run that was interrupted only bytes can tell. */
export function hasReached(run: Pick<Run, "success" | "failures" | "message" | "bytes" | "cause">): boolean {
  return !isOffline(run) && !hasFoundAnother(run) && (!isInterrupted(run) || run.bytes > 0);
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
