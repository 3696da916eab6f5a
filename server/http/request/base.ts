import { isBasePath } from "../../domain/settings/base_path.ts";

/** The path below which a client reaches the service. */
export interface Base {
  /** Such as `/dashcam`; empty where it has a host of its own. */
  readonly path: string;
  /** True when a proxy in front has named the path, and may have taken it away. */
  readonly isTold: boolean;
  /** True when Home Assistant shows the pages in a frame. */
  readonly isFrame: boolean;
}

const PREFIX = "x-forwarded-prefix";
const INGRESS = "x-ingress-path";

/**
 * The base of a request: what a trusted proxy says, else the setting's. A header that names no path counts as none.
 * @param isTrusted asked only for a request that has such a header
 */
export function baseOf({ headers }: Request, own: Base, isTrusted: () => boolean): Base {
  const prefix = headers.get(PREFIX);
  const ingress = headers.get(INGRESS);
  if ((prefix === null && ingress === null) || !isTrusted()) return own;
  if (prefix !== null && isBasePath(prefix)) return { path: prefix, isTold: true, isFrame: false };
  if (ingress !== null && isBasePath(ingress)) return { path: ingress, isTold: true, isFrame: true };
  return own;
}
