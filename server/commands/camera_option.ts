import { join } from "node:path";
import { MAIN_CAMERA } from "../domain/settings/camera_key.ts";
import { type CameraReading, type ConfiguredCamera, readCameras } from "../domain/settings/more_cameras.ts";
import { initialSettings } from "../domain/settings/settings.ts";
import { shown } from "../domain/text/shown.ts";
import { messageOf } from "../log.ts";
import { folderOfCamera } from "../store/config/left_camera.ts";
import { parseSettings, readSettings } from "../store/config/settings_text.ts";
import type { CommandIO } from "./command_io.ts";
import { configDirOf } from "./paths.ts";
import { refusePendingRestore } from "./pending_restore.ts";
import { readText, UsageProblem } from "./usage.ts";

/** Options that name a camera of the service. */
export const CAMERA_OPTIONS = {
  camera: { type: "string" },
  config: { type: "string" },
} as const;

interface CameraValues {
  readonly camera?: string | undefined;
  readonly config?: string | undefined;
}

/**
 * Reads the settings of the camera that `--camera` names from the config folder, and writes nothing there; null without
 * that option. In a folder without settings there is the first camera alone, with the defaults.
 * @throws UsageProblem for a camera that is not there, for settings that cannot be used, and while a backup is restored
 */
export async function cameraNamed(values: CameraValues, { env }: CommandIO): Promise<ConfiguredCamera | null> {
  const id = readText(values.camera, "--camera");
  if (id === undefined) {
    if (values.config === undefined) return null;
    throw new UsageProblem("--config says where the settings of --camera are: name a camera, too");
  }
  const configDir = configDirOf(values.config, env);
  refusePendingRestore(configDir);
  const { cameras, warnings } = await camerasOf(join(configDir, "settings.json"));
  const found = cameras.find((camera) => camera.id === id);
  if (found !== undefined) return found;
  const why = warnings.find((warning) => warning.startsWith(`Camera ${shown(id)} is left out: `));
  throw new UsageProblem(
    `${why ?? `There is no camera ${shown(id)}`}. The cameras are: ${cameras.map((camera) => camera.id).join(", ")}`,
  );
}

/** The cameras beside that of `--camera`; none without that option. @throws UsageProblem for settings that cannot be used */
export async function camerasBeside(values: CameraValues, { env }: CommandIO): Promise<readonly ConfiguredCamera[]> {
  const id = readText(values.camera, "--camera");
  if (id === undefined) return [];
  const { cameras } = await camerasOf(join(configDirOf(values.config, env), "settings.json"));
  return cameras.filter((camera) => camera.id !== id);
}

/** The folder in which the service has its own files of a camera. */
export function ownFolderOf({ id }: ConfiguredCamera, values: CameraValues, { env }: CommandIO): string {
  const configDir = configDirOf(values.config, env);
  return id === MAIN_CAMERA ? configDir : folderOfCamera(configDir, id);
}

/** All cameras of a settings file. @throws UsageProblem for settings that cannot be used */
export async function camerasOf(path: string): Promise<CameraReading> {
  try {
    const found = await readSettings(path);
    if (found === null) return readCameras({}, initialSettings(), []);
    const { unknown, settings, unusable } = await parseSettings({ path }, found.text);
    return readCameras(unknown.root, settings, unusable);
  } catch (error) {
    throw new UsageProblem(messageOf(error));
  }
}
