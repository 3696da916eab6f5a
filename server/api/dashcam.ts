import * as v from "valibot";
import { DASHCAM_INFO } from "../domain/camera/camera_schema.ts";
import { CAMERA_CHECK } from "../domain/camera/check_schema.ts";
import { DASHCAM_HEALTH } from "../domain/status/status_schema.ts";
import { checkCamera } from "../engine/camera/camera_check.ts";
import { dashcamInfo as infoOf } from "../engine/camera/dashcam_info.ts";
import { refusedAs } from "../http/request/read_request.ts";
import { ADDRESS } from "./camera_check.ts";
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
  body: v.pipe(v.object({ address: v.optional(ADDRESS, "") }), refusedAs("VALIDATION_ERROR")),
  shape: CAMERA_CHECK,
  returns: "Also when no camera is there: then it says why, in short where no sign-in is asked for",
  errors: ["RATE_LIMITED", "SYNC_ALREADY_RUNNING"],
  async answer({ context, body: { address } }, app) {
    const options = { signal: context.request.signal, inShort: context.user?.mode === "none" };
    return await app.probe.alone(() => checkCamera(app, address, options));
  },
});
