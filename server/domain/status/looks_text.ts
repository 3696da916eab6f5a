import { formatSeconds } from "../text/format.ts";
import type { Looks } from "./overview.ts";

/** True while a run starts as soon as the camera comes. */
export function isAwaited(looks: Looks | null): looks is Looks {
  return looks !== null && looks.camera !== "here";
}

/** `every 30 s`, `every 90 s`, `every 2 min`. */
export function everyInWords({ seconds }: Pick<Looks, "seconds">): string {
  return `every ${seconds % 60 === 0 ? formatSeconds(seconds) : `${seconds}\u00a0s`}`;
}

export function looksSentence(looks: Pick<Looks, "seconds">): string {
  return `Dashdock looks for the camera ${everyInWords(looks)}.`;
}
