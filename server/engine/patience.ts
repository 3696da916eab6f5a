import type { Clock } from "../clock.ts";
import type { Dashcam } from "../dashcam/camera.ts";
import { DashcamProblem } from "../dashcam/problem.ts";

/** How long a run bears with a camera that breaks off or falls silent, in milliseconds. */
export interface SyncPatience {
  /** Before each further try of a file that brought nothing. */
  retryMs: readonly number[];
  /** For a camera that answers nothing at all to answer again. */
  silentCameraMs: number;
  /** Between two questions to a silent camera. */
  probeEveryMs: number;
}

/** Contract §5.15. */
export const PATIENCE: SyncPatience = {
  retryMs: [0, 1000, 2000, 5000, 10_000],
  silentCameraMs: 15_000,
  probeEveryMs: 1000,
};

/**
 * Asks a camera that broke off until it answers: Wi-Fi is lost for seconds at the edge of its range, and a camera that
 * starts up needs some. Answers whether it had been silent.
 * @throws DashcamProblem when it stays silent, or the signal's reason
 */
export async function awaitCamera(
  parts: { dashcam: Dashcam; clock: Clock },
  { silentCameraMs, probeEveryMs }: SyncPatience,
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
