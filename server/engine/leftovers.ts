import type { Clock } from "../clock.ts";
import type { Listing } from "../domain/listing.ts";
import { isPastRetention } from "../domain/plan.ts";
import { MOMENT_LENGTH } from "../domain/recording.ts";
import type { Log } from "../log.ts";
import type { Library } from "../store/library.ts";
import type { Markers } from "../store/markers.ts";
import { MARKER_ENDING } from "../store/name_index.ts";
import type { PartialRecords } from "../store/partial_records.ts";
import type { Recordings } from "../store/recordings.ts";
import { isOurs } from "./retention.ts";

/** What earlier runs left behind: markers of failures, and partials. */

interface LeftoverParts {
  library: Library;
  recordings: Recordings;
  records: PartialRecords;
  markers: Markers;
  log: Log;
}

/** The names of files whose failure is too recent to try them again. */
export async function blockedNames(
  parts: { markers: Markers; library: Library; clock: Clock },
  retryAfterMs: number,
): Promise<ReadonlySet<string>> {
  const blocked = new Set<string>();
  for (const { name, folder } of parts.library.markers()) {
    const file = name.slice(0, -MARKER_ENDING.length);
    if (await parts.markers.blocks(file, folder, retryAfterMs, parts.clock.now())) blocked.add(file);
  }
  return blocked;
}

/**
 * Puts away what is of no use any more: partials of recordings that are complete at home or past retention's age, notes
 * without their partial, and markers of recordings that the camera no longer lists (contract §5.11, §5.14).
 * @param cutoff the first day that is kept, when this run deletes; null otherwise
 */
export async function clearLeftovers(parts: LeftoverParts, listing: Listing, cutoff: string | null): Promise<void> {
  const { library, recordings, records, markers, log } = parts;
  const partials = new Set(library.partials());
  for (const name of partials) {
    const isOld = isPastRetention(name, cutoff);
    if (!isOld && !(await isAtHome(parts, name))) continue;
    await recordings.discardPartial(name);
    records.remove(name);
    log.info(
      "sync",
      `Removed the unfinished ${name}: ${isOld ? "it is older than recordings are kept" : "it is at home"}`,
    );
  }
  for (const name of records.names()) if (!partials.has(name)) records.remove(name);
  // An empty or damaged list is a failed answer as likely as a changed card.
  if (listing.files.length === 0 || listing.strangeCount > 0) return;
  const moments = new Set(listing.files.map((file) => file.name.slice(0, MOMENT_LENGTH)));
  for (const { name, folder } of [...library.markers()])
    if (isOurs(folder) && !moments.has(name.slice(0, MOMENT_LENGTH)))
      await markers.remove(name.slice(0, -MARKER_ENDING.length), folder);
}

/** Only what begins the file that is at home is of no use beside it: other bytes may be the only copy of another one. */
async function isAtHome({ library, recordings }: LeftoverParts, name: string): Promise<boolean> {
  const folder = library.folderOf(name);
  return folder !== null && (await recordings.isBeginningOf(name, folder));
}
