import type { Clock } from "../clock.ts";
import type { Listing } from "../domain/listing.ts";
import { MOMENT_LENGTH } from "../domain/recording.ts";
import type { Log } from "../log.ts";
import type { Library } from "../store/library.ts";
import type { Markers } from "../store/markers.ts";
import { MARKER_ENDING } from "../store/name_index.ts";
import type { Recordings } from "../store/recordings.ts";

/** What earlier runs left behind: markers of failures, and partials. */

/** A partial that the camera no longer lists is kept this long. */
const PARTIAL_KEPT_MS = 24 * 3600 * 1000;

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

/** Deletes partials that a good listing no longer names, a day after they were last written (contract §5.9). */
export async function dropOrphanedPartials(
  parts: { library: Library; recordings: Recordings; log: Log; clock: Clock },
  listing: Listing,
): Promise<void> {
  const { library, recordings, log, clock } = parts;
  const partials = library.partials();
  // An empty or damaged list is a failed answer as likely as a changed card.
  if (partials.length === 0 || listing.files.length === 0 || listing.strangeCount > 0) return;
  const listed = new Set(listing.files.map((file) => file.name));
  const moments = new Set(listing.files.map((file) => file.name.slice(0, MOMENT_LENGTH)));
  for (const name of partials) {
    if (listed.has(name) || (!name.endsWith(".mp4") && moments.has(name.slice(0, MOMENT_LENGTH)))) continue;
    const written = recordings.partialTime(name);
    if (written === null || clock.now() - written < PARTIAL_KEPT_MS) continue;
    await recordings.discardPartial(name);
    log.info("sync", `Removed the unfinished ${name}: the camera no longer has it`);
  }
}
