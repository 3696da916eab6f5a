import type { Clock } from "../../clock.ts";
import type { Dashcam } from "../../dashcam/camera.ts";
import { DashcamProblem } from "../../dashcam/problem.ts";
import type { Listing } from "../../domain/recordings/camera_listing.ts";
import { awaitCamera, type SyncPatience } from "./patience.ts";

/** How often the list is asked for when the camera answers, but breaks off in the middle of it. */
const MOST_LISTINGS = 4;

/** The camera's list; a camera that breaks off or is silent is waited for a little. @throws DashcamProblem */
export async function askForList(
  parts: { dashcam: Dashcam; clock: Clock; patience: SyncPatience },
  signal: AbortSignal,
): Promise<Listing> {
  for (let tries = 1; ; tries++) {
    try {
      return await parts.dashcam.list(signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DashcamProblem) || !error.isPassing || tries >= MOST_LISTINGS) throw error;
      await awaitCamera(parts, parts.patience, signal);
    }
  }
}
