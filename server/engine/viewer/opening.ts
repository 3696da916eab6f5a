import { isStillWanted, type LastPlace } from "../../domain/viewer/last_place.ts";
import type { Segment } from "../../store/library/recording_files.ts";
import type { ViewedRecordings } from "./viewed_recordings.ts";

/**
 * Returns the clip that the viewer opens when none was asked for: where the browser left it, else the newest trip at
 * its start. Null when none of the newest day's trips has anything to see.
 * @param gapMinutes `viewer.trip_gap_minutes`
 */
export async function openingClip(
  viewed: Pick<ViewedRecordings, "trips" | "find">,
  gapMinutes: number,
  place: LastPlace | null,
): Promise<{ readonly key: string; readonly start: number } | null> {
  const found = await viewed.trips(null, gapMinutes);
  const trips = found === null ? [] : [...(found.before ? [found.before] : []), ...found.trips];
  const newest = trips.findLast(({ clips }) => clips.some(hasPicture))?.clips ?? [];
  if (place !== null && isStillWanted(place, newest) && (await viewed.find(place.key)) !== null)
    return { key: place.key, start: place.seconds };
  const first = newest.find(hasVideo) ?? newest.find(hasPicture);
  return first === undefined ? null : { key: first.key, start: 0 };
}

function hasVideo({ parts }: Segment): boolean {
  return parts.videos.length > 0;
}

/** A recording that is still on the camera may have its picture here. */
function hasPicture(segment: Segment): boolean {
  return hasVideo(segment) || segment.parts.thumbnail !== null;
}
