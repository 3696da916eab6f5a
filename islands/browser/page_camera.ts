import { options } from "preact";
import { withCamera } from "../../server/domain/settings/camera_address.ts";
import { ALL_CAMERAS } from "../../server/domain/settings/camera_key.ts";

/** The camera that a page is about: an id, `all`, or null where there is one camera only. */
export function cameraOfPage(page: Document): string | null {
  return page.documentElement.dataset["camera"] ?? null;
}

/** An address of the service as a page asks for it: with the camera that the page is about. */
export function asked(address: string, page: Document): string {
  return withCamera(address, cameraOfPage(page));
}

/** Lets links that islands draw lead to pages of the page's camera, as those that the server has drawn. */
export function startLinks(page: Document): void {
  const camera = cameraOfPage(page);
  if (camera === null || camera === ALL_CAMERAS) return;
  const before = options.vnode;
  options.vnode = (node) => {
    const props = node.props as { href?: unknown };
    if (node.type === "a" && typeof props.href === "string") props.href = withCamera(props.href, camera);
    before?.(node);
  };
}
