import { runEnding } from "../../domain/runs/run_ending.ts";
import type { NamedCamera } from "../../domain/settings/more_cameras.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { stateOfCamera } from "../../domain/status/camera_state.ts";
import type { CameraAnswer } from "../../domain/status/cameras_schema.ts";
import type { Overview } from "../../domain/status/overview.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import type { Destination } from "../../store/destination/destination.ts";
import type { CameraSettings } from "../camera/camera_settings.ts";
import type { Job } from "../run/job.ts";
import { overview } from "./overview.ts";

export type CameraStateParts = Parameters<typeof overview>[0] & StateParts;

interface StateParts {
  readonly settings: { readonly current: Settings };
  readonly camera: NamedCamera;
  readonly cameraSettings: Pick<CameraSettings, "known">;
  readonly recordings: Pick<Destination, "root">;
  readonly history: Pick<RunHistory, "latest">;
  readonly job: Pick<Job, "snapshot">;
}

/** A camera as the list of cameras has it. Asks the camera nothing. */
export async function cameraState(parts: CameraStateParts): Promise<CameraAnswer> {
  return await cameraStateFrom(parts, await overview(parts));
}

/** As `cameraState`, from the overview of the same moment. */
export async function cameraStateFrom(parts: StateParts, known: Overview): Promise<CameraAnswer> {
  const { camera, cameraSettings, recordings, history, settings } = parts;
  const last = history.latest();
  return {
    ...camera,
    address: settings.current.connection.address,
    destination: recordings.root,
    model: (await cameraSettings.known())?.model ?? null,
    state: stateOfCamera(known, parts.job.snapshot.state === "running"),
    sentence: known.sentence,
    waiting: known.waiting,
    last_run: last && {
      state: last.success ? "completed" : runEnding(last) === "away" ? "offline" : "failed",
      at: new Date(last.ts * 1000).toISOString(),
      message: last.message ?? null,
    },
  };
}
