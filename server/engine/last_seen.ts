import type { Dashcam } from "../dashcam/camera.ts";
import type { RunHistory } from "../store/run_history.ts";
import type { CameraProbe } from "./health.ts";

/** When the camera at the address in force was last heard of, in epoch seconds; null when it never was. */
export function lastSeenAt(parts: {
  readonly dashcam: Pick<Dashcam, "address">;
  readonly probe: Pick<CameraProbe, "lastSeenAt">;
  readonly history: Pick<RunHistory, "latestReached">;
}): number | null {
  const { address } = parts.dashcam;
  const seen = Math.max(parts.probe.lastSeenAt(address) ?? 0, parts.history.latestReached(address)?.ts ?? 0);
  return seen > 0 ? seen : null;
}
