import type { App } from "../app.ts";
import type { Api } from "../domain/api/api.ts";
import { AppError } from "../domain/api/errors.ts";
import { addressProblem } from "../domain/settings/address.ts";
import { checkCamera } from "../engine/status/camera_check.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { json } from "../http/listen/respond.ts";

/** `POST /api/dashcam/check`: whether a camera is at an address; the setting stays as it is. */
export async function checkAddress(context: RequestContext, app: App): Promise<Response> {
  const { address = "" } = await context.json();
  const problem = typeof address === "string" ? addressProblem(address) : "The address must be a string";
  if (problem !== null) throw refused(problem);
  if (address === "") throw refused("Type the camera's address first");
  const options = { signal: context.request.signal, inShort: context.user?.mode === "none" };
  const check = await app.probe.alone(() => checkCamera(app, address as string, options));
  return json(check satisfies Api["POST /api/dashcam/check"]);
}

function refused(message: string): AppError {
  return new AppError("VALIDATION_ERROR", message, { field_errors: [{ path: "address", message }] });
}
