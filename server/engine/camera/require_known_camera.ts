import type { Dashcam } from "../../dashcam/camera.ts";
import { DashcamProblem } from "../../dashcam/problem.ts";
import { parseVersion } from "../../domain/camera/camera_version.ts";
import { parseConfig } from "../../domain/camera/config_file.ts";
import { type CameraIdentity, identityOf, isOtherCamera, type OtherCamera } from "../../domain/camera/other_camera.ts";
import { AnotherCamera } from "../transfer/failure_of_error.ts";

/** Facts that the service remembers of a camera. */
export interface RememberedCamera {
  /** The camera as it told of itself; null for one that never did. */
  readonly known: CameraIdentity | null;
  /** Another one that answered at this address, and was not accepted; null for none. */
  readonly other: OtherCamera | null;
}

const REMEDY = "Nothing is fetched. When it is the new camera, accept it on the settings page of the service";

/**
 * Asks who answers, for a run that itself remembers nothing. A camera that tells nothing of itself is believed; one that
 * cannot be asked now is what it was before.
 * @param answerMs limit for reading its settings
 * @throws AnotherCamera
 */
export async function requireKnownCamera(
  { known, other }: RememberedCamera,
  camera: Dashcam,
  answerMs: number,
  signal: AbortSignal,
): Promise<void> {
  if (known === null) return;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  try {
    const config = parseConfig(await camera.configFile("config.ini", answerMs, limit));
    const version = await camera.configFile("version.bin", answerMs, limit).catch(() => new Uint8Array());
    const found = identityOf(parseVersion(version).model, config);
    if (found !== null && isOtherCamera(known, found))
      throw new AnotherCamera(camera.address, { known, found }, REMEDY);
  } catch (error) {
    if (error instanceof AnotherCamera) throw error;
    signal.throwIfAborted();
    const isRefusal = error instanceof DashcamProblem && error.status !== null && error.status < 500;
    if (!isRefusal && other !== null) throw new AnotherCamera(camera.address, other, REMEDY);
  }
}
