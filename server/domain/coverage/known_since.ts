import { dayOfMoment, dayText, hasNoAge } from "../recordings/moment_number.ts";
import { classOfMoment } from "../retention/due_recordings.ts";
import type { CameraList } from "../sync/camera_list.ts";

/**
 * Returns the first day of which it is known what the camera recorded, by its first list: that of the oldest drive on its
 * card, since a camera records over the oldest first. Events are no measure: cameras keep them longer. Null when nothing
 * is on the card.
 */
export function knownSince(list: Pick<CameraList, "size" | "momentAt">): string | null {
  let first: number | null = null;
  for (let at = 0; at < list.size; at++) {
    const moment = list.momentAt(at);
    if (hasNoAge(moment)) continue;
    if (classOfMoment(moment) === "normal") return dayText(dayOfMoment(moment));
    first ??= moment;
  }
  return first === null ? null : dayText(dayOfMoment(first));
}
