import * as v from "valibot";
import { AppError } from "../domain/answers/errors.ts";
import { DASHCAM_INFO } from "../domain/camera/camera_schema.ts";
import { CAMERA_CHECK } from "../domain/camera/check_schema.ts";
import { addressProblem } from "../domain/settings/address.ts";
import { DASHCAM_HEALTH } from "../domain/status/status_schema.ts";
import { checkCamera } from "../engine/camera/camera_check.ts";
import { dashcamInfo as infoOf } from "../engine/camera/dashcam_info.ts";
import { endpoint } from "./endpoint.ts";

export const dashcamHealth = endpoint({
  summary: "Whether the camera answers within two seconds",
  shape: DASHCAM_HEALTH,
  returns: "Also when it does not",
  answer: (_context, app) => app.probe.health(app.dashcam),
});

export const dashcamInfo = endpoint({
  summary: "What the camera tells of itself: model, firmware and settings, with passwords masked",
  description: "Each of its two files is waited for two seconds. While a sync runs the camera is not asked.",
  shape: DASHCAM_INFO,
  returns: "Also when it cannot be reached",
  answer: (_context, app) => infoOf(app),
});

export const checkAddress = endpoint({
  summary: "Whether a camera is at an address, and how much it holds; nothing is saved",
  body: v.object({ address: v.string() }),
  shape: CAMERA_CHECK,
  returns: "Also when no camera is there: then it says why, in short where no sign-in is asked for",
  errors: ["INVALID_BODY", "RATE_LIMITED", "SYNC_ALREADY_RUNNING", "VALIDATION_ERROR"],
  async answer(context, app) {
    const { address = "" } = await context.json();
    const problem = typeof address === "string" ? addressProblem(address) : "The address must be a string";
    if (problem !== null) throw refused(problem);
    if (address === "") throw refused("Type the camera's address first");
    const options = { signal: context.request.signal, inShort: context.user?.mode === "none" };
    return await app.probe.alone(() => checkCamera(app, address as string, options));
  },
});

function refused(message: string): AppError {
  return new AppError("VALIDATION_ERROR", message, { field_errors: [{ path: "address", message }] });
}
