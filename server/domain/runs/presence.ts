import type { Run } from "./run.ts";
import { runEnding } from "./run_ending.ts";

/** Place of the camera, as far as looks at its port and runs have shown. Nothing known counts as away. */
export type CameraPlace = "here" | "away" | "unknown";

export interface Presence {
  readonly camera: CameraPlace;
  /** Looks in a row that failed. */
  readonly misses: number;
  /** Runs in a row that got nothing from a camera whose port had just accepted a connection. */
  readonly unanswered: number;
}

export const UNKNOWN_PRESENCE: Presence = { camera: "unknown", misses: 0, unanswered: 0 };

/** A camera that is here may miss a look or two while it is busy. */
const MISSES_UNTIL_AWAY = 3;
const LONGEST_WAIT_SECONDS = 600;

/**
 * The presence after a look, and whether the camera has arrived with it.
 * @param accepted its port took the connection
 */
export function afterLook(before: Presence, accepted: boolean): { presence: Presence; arrived: boolean } {
  if (accepted) return { presence: { ...before, camera: "here", misses: 0 }, arrived: before.camera !== "here" };
  const misses = before.misses + 1;
  const isGone = misses >= MISSES_UNTIL_AWAY;
  const camera = before.camera === "here" && !isGone ? "here" : "away";
  // Whoever accepts next has come anew.
  return { presence: { camera, misses, unanswered: isGone ? 0 : before.unanswered }, arrived: false };
}

/** The presence after a run with the camera. A run that ended before it asked the camera anything shows nothing. */
export function afterRun(before: Presence, run: Run): Presence {
  switch (runEnding(run)) {
    case "away": {
      const isSilent = run.trigger === "arrival" && run.bytes === 0;
      const unanswered = run.bytes > 0 ? 0 : before.unanswered + (isSilent ? 1 : 0);
      return { camera: "away", misses: 0, unanswered };
    }
    // A person who has stopped a run does not want the next one to begin within seconds.
    case "stopped":
      return { ...before, camera: "here", misses: 0 };
    default:
      return hasAnswered(run) ? { camera: "here", misses: 0, unanswered: 0 } : before;
  }
}

/** True after a run in which the camera has answered something. */
export function hasAnswered({ success, bytes, recordingsSeen, failures }: Run): boolean {
  return success || bytes > 0 || recordingsSeen > 0 || failures.http > 0;
}

/**
 * Seconds until the next look. A port that accepts and then never answers a run doubles them each time, up to ten
 * minutes; a look that fails is followed by the next one at the usual time.
 */
export function secondsToLook({ misses, unanswered }: Presence, every: number): number {
  if (misses > 0 || unanswered === 0) return every;
  return Math.max(every, Math.min(LONGEST_WAIT_SECONDS, every * 2 ** Math.min(unanswered, 10)));
}
