import { runEnding } from "../../domain/runs/run_ending.ts";
import type { ConfiguredCamera, NamedCamera } from "../../domain/settings/more_cameras.ts";
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
  readonly cameraSettings: Pick<CameraSettings, "known" | "otherAt">;
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
    state: stateOfCamera(known, {
      isRunning: parts.job.snapshot.state === "running",
      isOther: cameraSettings.otherAt(known.address) !== null,
    }),
    sentence: known.sentence,
    detail: known.detail,
    waiting: known.waiting,
    last_run: last && {
      state: last.success ? "completed" : runEnding(last) === "away" ? "offline" : "failed",
      at: new Date(last.ts * 1000).toISOString(),
      message: last.message ?? null,
    },
  };
}

/** The cameras as the list has them: those that are open, then those that cannot be opened. */
export async function allCameraStates(
  open: readonly CameraStateParts[],
  { refused }: { readonly refused: readonly { readonly configured: ConfiguredCamera; readonly problem: string }[] },
): Promise<CameraAnswer[]> {
  const states = await Promise.all(open.map(cameraState));
  return [...states, ...refused.map(({ configured, problem }) => refusedCameraState(configured, problem))];
}

/** A camera of the settings that cannot be opened, as the list of cameras has it. */
export function refusedCameraState({ id, name, letter, settings }: ConfiguredCamera, problem: string): CameraAnswer {
  return {
    id,
    name,
    letter,
    address: settings.connection.address,
    destination: settings.system.destination,
    model: null,
    state: "failed",
    sentence: `The camera cannot be used: ${problem.replace(/\.$/, "")}.`,
    detail: "",
    waiting: null,
    last_run: null,
    refused: true,
  };
}
