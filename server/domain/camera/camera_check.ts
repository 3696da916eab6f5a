import type * as v from "valibot";
import type { CAMERA_CHECK } from "./check_schema.ts";

export type CameraCheck = v.InferOutput<typeof CAMERA_CHECK>;

/** Seconds that an address may take to begin its answer, and again to go on with it. */
export const CHECK_SECONDS = 5;

/** Says why no camera was found at an address, and what to do about it. */
export function checkMessage(reason: string, status: number | null = null): string {
  switch (reason) {
    case "no-camera":
      return "No camera answers there. Check the address, and that it is on and in Wi-Fi range. Where a password is asked for, more is told.";
    case "dns":
      return "This name is not known in the network. Check the spelling, or use the number from the router’s list of devices.";
    case "unreachable":
      return "There is no way from this machine to that address. Check that both are in the same network.";
    case "refused":
      return "A device is there, but it takes no requests. Check that it is the camera, that its Wi-Fi mode is on, and the port if you typed one.";
    case "timeout":
      return `Nothing answered within ${CHECK_SECONDS}\u00a0s. Check that the camera is on and in Wi-Fi range, and that the address is still the same.`;
    case "closed":
    case "reset":
      return "It hung up without an answer. Cameras do that while they start or fall asleep: wait half a minute and check again.";
    case "silence":
      return "It began to answer and then fell silent. The Wi-Fi may be weak where the camera is: check again.";
    case "not-a-listing":
    case "redirect":
    case "too-long":
      return "Something else answers there, such as a router or a printer. Look for the camera in the router’s list of devices.";
    case "http":
      return status !== null && status >= 500
        ? `It answered with an error (status ${status}). This can happen when the camera cannot read its card. Turn the camera off and on, then check again.`
        : `It answered, but not as a camera does (status ${status ?? "unknown"}). The address may belong to another device.`;
    default:
      return "It could not be asked. The log has the cause.";
  }
}
