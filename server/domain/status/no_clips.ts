import { otherCameraInWords } from "../camera/other_camera.ts";
import type { NamedCamera } from "../settings/more_cameras.ts";
import { aheadInWords } from "../text/format.ts";
import { wasThere } from "./last_known.ts";
import { isAwaited, looksSentence } from "./looks_text.ts";
import type { OverviewFacts } from "./overview.ts";

type Facts = Pick<
  OverviewFacts,
  "address" | "other_camera" | "paused" | "next_at" | "looks" | "now" | "zone" | "last_known"
>;

/** A camera of several, with its place among them from 0 on. */
export interface PlacedCamera extends NamedCamera {
  readonly place: number;
}

/** Cameras that have no clips for the same reason. */
export interface CamerasWithoutClips {
  readonly cameras: readonly PlacedCamera[];
  readonly sentence: string;
}

/**
 * Tells why a camera has no clips here, and what comes next.
 * @param isUnknown its recordings folder is not available
 * @param isOneOfSeveral the sentence stands beside its name
 */
export function whyNoClips(facts: Facts, isUnknown: boolean, isOneOfSeveral: boolean): string {
  const { address, other_camera: other, paused, next_at: next, looks, now, zone, last_known: known } = facts;
  if (isUnknown) {
    const before = known === null ? "" : ` There were ${wasThere(known, facts)}.`;
    return `The recordings folder is not available, so its clips are not known.${before} They appear here when the folder is back.`;
  }
  if (address === "")
    return isOneOfSeveral
      ? "No address is set yet. Set it in the camera’s settings."
      : "Dashdock does not know your camera yet. Give it the camera's address on the dashboard.";
  if (other !== null)
    return `${otherCameraInWords(address, other).sentence} Nothing is fetched until you decide which camera it is.`;
  if (isAwaited(looks)) return `${looksSentence(looks)} As soon as the first clips are home they appear here.`;
  if (paused || next === null)
    return "The schedule is paused. Start a sync on the dashboard, and the first clips appear here.";
  const at = `${zone.clock(next)} ${zone.name(next)}, ${aheadInWords((next - now) / 1000)}`;
  return `The next sync comes at ${at}. As soon as the first clips are home they appear here.`;
}

/** Reasons of several cameras, each once with the cameras that it is true for. */
export function byReason(
  reasons: readonly { readonly camera: PlacedCamera; readonly sentence: string }[],
): CamerasWithoutClips[] {
  return [...Map.groupBy(reasons, ({ sentence }) => sentence)].map(([sentence, of]) => ({
    cameras: of.map(({ camera: { id, name, letter, place } }) => ({ id, name, letter, place })),
    sentence,
  }));
}
