import { withCamera } from "../../server/domain/settings/camera_address.ts";
import { reached } from "./address.ts";

/** The camera that a page is about: an id, `all`, or null where there is one camera only. */
export function cameraOfPage(page: Document): string | null {
  return page.documentElement.dataset["camera"] ?? null;
}

/** An address of the service as a page asks for it: with the camera that the page is about, and as it is reached. */
export function asked(address: string, page: Document): string {
  return reached(withCamera(address, cameraOfPage(page)), page);
}
