import type { Dashcam } from "../../dashcam/camera.ts";
import { isAnotherAt } from "../../domain/runs/run_ending.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import type { CameraProbe } from "./camera_probe.ts";
import type { KnownList } from "./known_list.ts";

export interface SeenParts {
  readonly dashcam: Pick<Dashcam, "address">;
  readonly probe: Pick<CameraProbe, "lastSeenAt" | "isTransferring">;
  readonly history: Pick<RunHistory, "latest" | "latestReached">;
}

/** When the camera at the address in force last answered, in epoch seconds; null when it never did. */
export function lastSeenAt(parts: SeenParts): number | null {
  const { address } = parts.dashcam;
  const probed = isAnother(parts) ? 0 : (parts.probe.lastSeenAt(address) ?? 0);
  const seen = Math.max(probed, parts.history.latestReached(address)?.ts ?? 0);
  return seen > 0 ? seen : null;
}

/**
 * True when another device answers at the address in force, as far as is known. A probe takes any answer for the
 * camera's, and only a run reads whose it was. A run that brings files from there has shown that it is the camera.
 */
export function isAnother({ dashcam: { address }, probe, history }: SeenParts): boolean {
  return !probe.isTransferring(address) && isAnotherAt(address, history.latest());
}

/** Recordings in the last good list of the camera in force, wherever they are at home; null before there is one. */
export function listedOn(listed: Pick<KnownList, "list">, { address }: Pick<Dashcam, "address">): number | null {
  return listed.list?.owner.address === address ? listed.list.present : null;
}
