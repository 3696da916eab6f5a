import type { NamedCamera } from "../settings/more_cameras.ts";
import type { Snapshot } from "../sync/job_progress.ts";
import type { CameraAnswer } from "./cameras_schema.ts";
import type { Overview } from "./overview.ts";

/** More cameras than these are shown in a line each, with figures of all of them above. */
export const MOST_LARGE = 4;

/** A camera as the dashboard of several shows it. */
export interface FleetCamera extends NamedCamera {
  /** Its place among the cameras, from 0 on. */
  readonly place: number;
  readonly model: string | null;
  readonly destination: string;
  readonly state: CameraAnswer["state"];
  readonly overview: Overview;
  readonly snapshot: Snapshot;
}

/** Figures of all cameras that are not in the overview of each. */
export interface FleetFigures {
  /** Recordings that came home today. */
  readonly home_today: number;
  /** Room on all disks, each counted once; null where none tells. */
  readonly space: { readonly free_bytes: number; readonly total_bytes: number } | null;
}

/** Answer of `GET /api/overview?camera=all`. */
export interface OverviewOfAll {
  readonly mood: Overview["mood"];
  readonly sentence: string;
  readonly detail: string;
  readonly figures: FleetFigures;
  readonly cameras: readonly (Overview &
    Pick<CameraAnswer, "name" | "letter" | "model" | "state"> & { readonly camera: string })[];
}
