import type { Clock } from "../../clock.ts";
import type { Dashcam } from "../../dashcam/camera.ts";
import { DashcamProblem } from "../../dashcam/problem.ts";
import type { Listing } from "../../domain/recordings/camera_listing.ts";

/** Times that a run bears with a camera that breaks off or falls silent, in milliseconds. */
export interface WaitLimits {
  /** Before each further try of a file that brought nothing. */
  retryMs: readonly number[];
  /** For a camera that answers nothing at all to answer again. */
  silentCameraMs: number;
  /** Between two questions to a silent camera. */
  probeEveryMs: number;
}

export const WAIT_LIMITS: WaitLimits = {
  retryMs: [0, 1000, 2000, 5000, 10_000],
  silentCameraMs: 15_000,
  probeEveryMs: 1000,
};

/** Further tries that may bring nothing before a file has to wait at the end of the queue. */
const FIRST_RETRIES = 2;
/** Most times that one file is taken up again after the camera was away in the middle of it. */
export const MOST_ABSENCES = 20;
/** After a try that brings so many bytes a file is taken up again at once: that is more than a pause would cost. */
export const PROGRESS_BYTES = 10 * 1024;

/** Number of further tries in this turn for a file that brings nothing, after so many files that brought nothing. */
export function retriesOf(
  problem: DashcamProblem,
  turn: "first" | "last",
  fruitlessFiles: number,
  { retryMs }: WaitLimits,
): number {
  // Each such try costs the whole time limit, in which other files could come.
  if (problem.kind === "timeout" || problem.kind === "silence") return turn === "first" ? 0 : 1;
  if (fruitlessFiles > 0) return 1;
  return turn === "first" ? FIRST_RETRIES : retryMs.length;
}

/**
 * Asks a camera that broke off until it answers: Wi-Fi is lost for seconds at the edge of its range, and a camera that
 * starts up needs some. Returns whether it had been silent.
 * @throws DashcamProblem when it stays silent, or the signal's reason
 */
export async function awaitCamera(
  parts: { dashcam: Dashcam; clock: Clock },
  { silentCameraMs, probeEveryMs }: WaitLimits,
  signal: AbortSignal,
): Promise<"answers" | "answers again"> {
  const { dashcam, clock } = parts;
  const until = clock.elapsed() + silentCameraMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      await dashcam.probe(signal);
      return isFirst ? "answers" : "answers again";
    } catch (error) {
      if (!(error instanceof DashcamProblem) || !error.isConnection) throw error;
      if (clock.elapsed() + probeEveryMs >= until) throw error;
      await clock.sleep(probeEveryMs, signal);
    }
  }
}

/** Most tries for the list when the camera answers, but breaks off in the middle of it. */
const MOST_LISTINGS = 4;

/** The camera's list; a camera that breaks off or is silent is waited for a little. @throws DashcamProblem */
export async function askForList(
  parts: { dashcam: Dashcam; clock: Clock; waitLimits: WaitLimits },
  signal: AbortSignal,
): Promise<Listing> {
  for (let tries = 1; ; tries++) {
    try {
      return await parts.dashcam.list(signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DashcamProblem) || !error.isPassing || tries >= MOST_LISTINGS) throw error;
      await awaitCamera(parts, parts.waitLimits, signal);
    }
  }
}
