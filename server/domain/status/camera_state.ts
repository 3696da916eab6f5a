import type { CameraAnswer } from "./cameras_schema.ts";
import type { Overview } from "./overview.ts";

/** The state of one of several cameras, as its overview tells it. @param now that its sync runs, and that another camera answers */
export function stateOfCamera(
  { address, mood, paused, waiting }: Pick<Overview, "address" | "mood" | "paused" | "waiting">,
  { isRunning, isOther }: { readonly isRunning: boolean; readonly isOther: boolean },
): CameraAnswer["state"] {
  if (isRunning) return "syncing";
  if (isOther) return "other_camera";
  if (mood === "failed") return "failed";
  if (address === "") return "no_address";
  // A schedule that is paused is told as something to look at, too.
  if (paused) return "paused";
  if (mood === "attention") return "attention";
  return (waiting ?? 0) > 0 || mood === "waiting" ? "waiting" : "safe";
}
