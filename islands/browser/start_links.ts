import { options } from "preact";
import { withBase } from "../../server/domain/settings/base_address.ts";
import { withCamera } from "../../server/domain/settings/camera_address.ts";
import { ALL_CAMERAS } from "../../server/domain/settings/camera_key.ts";
import { baseOf } from "./address.ts";
import { cameraOfPage } from "./page_camera.ts";

/** Attributes that hold an address. */
const ADDRESSES = ["href", "src", "action", "formAction", "poster"] as const;

/**
 * Lets what islands draw lead where the server's own markup leads: links to pages of the page's camera, and all addresses
 * below the path below which the service is reached.
 */
export function startLinks(page: Document): void {
  const ofPage = cameraOfPage(page);
  const camera = ofPage === ALL_CAMERAS ? null : ofPage;
  const base = baseOf(page);
  if (camera === null && base === "") return;
  const before = options.vnode;
  options.vnode = (node) => {
    const { type } = node;
    const props = node.props as Partial<Record<string, unknown>>;
    for (const name of typeof type === "string" ? ADDRESSES : []) {
      const address = props[name];
      if (typeof address === "string")
        props[name] = withBase(type === "a" ? withCamera(address, camera) : address, base);
    }
    before?.(node);
  };
}
