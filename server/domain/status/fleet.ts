import type { NamedCamera } from "../settings/more_cameras.ts";
import type { Snapshot } from "../sync/job_progress.ts";
import type { CameraAnswer } from "./cameras_schema.ts";
import type { Overview } from "./overview.ts";

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

/** Answer of `GET /api/overview?camera=all`. */
export interface OverviewOfAll {
  readonly mood: Overview["mood"];
  readonly sentence: string;
  readonly detail: string;
  readonly cameras: readonly (Overview &
    Pick<CameraAnswer, "name" | "letter" | "model" | "state"> & { readonly camera: string })[];
}
