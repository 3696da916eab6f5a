import type * as v from "valibot";
import type { CAMERA_CHECK } from "./check_schema.ts";

export type CameraCheck = v.InferOutput<typeof CAMERA_CHECK>;

/** Seconds that an address may take to begin its answer, and again to go on with it. */
export const CHECK_SECONDS = 5;

/** Says why no camera was found at an address, and what to do about it. */
export function checkMessage(reason: string, status: number | null = null): string {
  switch (reason) {
    case "no-camera":
      return "No camera answers there. Check the address, and that the camera is on and in Wi-Fi range. After a sign-in the check tells more.";
    case "dns":
      return "This name is not known in the network. Check the spelling, or use the number from the router’s list of devices.";
    case "unreachable":
      return "This machine cannot reach that address. Check that both are in the same network.";
    case "refused":
      return "A device is there, but it accepts no requests. Check that it is the camera, that its Wi-Fi mode is on, and the port if you typed one.";
    case "timeout":
      return `Nothing answered within ${CHECK_SECONDS}\u00a0s. Check that the camera is on and in Wi-Fi range, and that the address is still the same.`;
    case "closed":
    case "reset":
      return "The camera did not answer. It closed the connection. Wait half a minute and check again.";
    case "silence":
      return "The camera began to answer and then stopped. The Wi-Fi may be weak there. Check again.";
    case "not-a-listing":
    case "redirect":
    case "too-long":
      return "Another device answers there, such as a router or a printer. Look for the camera in the router’s list of devices.";
    case "http":
      return status !== null && status >= 500
        ? `The camera answered with an error (status ${status}). This can happen when the camera cannot read its card. Turn the camera off and on, then check again.`
        : `This is not the answer of a camera (status ${status ?? "unknown"}). The address may belong to another device.`;
    default:
      return "The check failed. The log says why.";
  }
}
