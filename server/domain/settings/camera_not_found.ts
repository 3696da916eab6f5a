import { AppError } from "../answers/errors.ts";

/** The error of an id that no camera has. */
export function cameraNotFound(camera: string): AppError {
  return new AppError("CAMERA_NOT_FOUND", "There is no such camera.", { camera });
}
