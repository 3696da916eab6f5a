import type { LeftOut } from "../runs/run.ts";
import type { Drive } from "./drive_text.ts";

/**
 * Counts of the recordings in the camera's last good list. A recording is one moment of one direction; it is at home
 * when its video is. Every page and answer has these numbers and counts nothing by itself.
 */
export interface RecordingCounts {
  /** Recordings the camera has. */
  on_camera: number;
  /** Recordings that are to come home. */
  chosen: number;
  /** Chosen recordings whose video is at home. */
  home: number;
  /** Chosen recordings that are only on the camera. */
  waiting: number;
  /** Chosen recordings that are still being recorded. */
  growing: number;
  /** Files that are to come: videos and companions. */
  waiting_files: number;
  /** Recordings that no rule lets through, and of the chosen those of which it is unknown whether they are at home. */
  left_out: LeftOut;
}

/** The counts in a job's snapshot. */
export type JobCounts = Pick<RecordingCounts, "on_camera" | "chosen" | "home" | "waiting"> & {
  readonly drive?: Drive | null;
};

/** The counts for a job's snapshot, with the latest drive on the camera; null while unknown. */
export function jobCountsOf(counts: RecordingCounts | null, drive: Drive | null): JobCounts | null {
  if (counts === null) return null;
  const { on_camera, chosen, home, waiting } = counts;
  return { on_camera, chosen, home, waiting, drive };
}

/** Share of the chosen recordings that are at home, 0 to 100. */
export function shareHome({ chosen, home }: Pick<RecordingCounts, "chosen" | "home">): number {
  return chosen === 0 ? 100 : (100 * home) / chosen;
}
