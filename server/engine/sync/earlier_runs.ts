import type { Clock } from "../../clock.ts";
import type { Dashcam } from "../../dashcam/camera.ts";
import type { Listing } from "../../domain/recordings/camera_listing.ts";
import { groupOf, momentNumber, parseArtifact } from "../../domain/recordings/recording_name.ts";
import { type Cutoffs, cutoffFor, isPastRetention } from "../../domain/retention/keep_times.ts";
import type { Log } from "../../log.ts";
import { type Destination, FileInTheWay } from "../../store/destination/destination.ts";
import type { FailureMarkers } from "../../store/destination/failure_markers.ts";
import { TrashUnusable } from "../../store/destination/own_folder_guard.ts";
import type { PartialRecords } from "../../store/destination/partial_records.ts";
import type { Library } from "../../store/library/library.ts";
import { fileOfMarker } from "../../store/library/name_index.ts";
import { isOurs } from "../retention/due.ts";
import type { RetentionParts } from "../retention/retention_parts.ts";
import { missingFrom } from "./sync_rules.ts";

interface LeftoverParts {
  dashcam: Pick<Dashcam, "offers">;
  library: Library;
  recordings: Destination;
  records: PartialRecords;
  markers: FailureMarkers;
  log: Log;
}

/** The names of files whose failure is too recent to try them again. */
export async function blockedNames(
  parts: { markers: FailureMarkers; library: Library; clock: Clock },
  retryAfterMs: number,
): Promise<ReadonlySet<string>> {
  const blocked = new Set<string>();
  for (const { name, folder } of parts.library.markers()) {
    const file = fileOfMarker(name);
    if (await parts.markers.blocks(file, folder, retryAfterMs, parts.clock.now())) blocked.add(file);
  }
  return blocked;
}

/**
 * Puts away what is of no use any more: partials of recordings that are complete at home or past retention's age, notes
 * without their partial, and markers of what is at home by now or the camera no longer has: recordings it does not list,
 * and companions that the interface of other firmware does not have.
 * @param cutoffs by kind, the first day that is kept, when this run deletes; null otherwise
 */
export async function clearLeftovers(parts: LeftoverParts, listing: Listing, cutoffs: Cutoffs | null): Promise<void> {
  const { library, recordings, records, markers, log } = parts;
  const partials = new Set(library.partials());
  for (const name of partials) {
    const isOld = cutoffs !== null && isPastRetention(name, cutoffFor(name, cutoffs));
    if (!isOld && !(await isAtHome(parts, name))) continue;
    try {
      await recordings.discardPartial(name);
    } catch (error) {
      // One that is another user's must not keep all others from coming home.
      if (!(error instanceof FileInTheWay)) throw error;
      log.warning("sync", `Cannot remove the unfinished ${name}: ${error.message}`);
      continue;
    }
    records.remove(name);
    log.info(
      "sync",
      `Removed the unfinished ${name}: ${isOld ? "it is older than recordings are kept" : "it is at home"}`,
    );
  }
  for (const name of records.names()) if (!partials.has(name)) records.remove(name);
  // An empty or damaged list is a failed answer as likely as a changed card.
  if (listing.files.length === 0 || listing.strangeCount > 0) return;
  const failed = [...library.markers()];
  const isMissing = missingFrom(parts.dashcam);
  const listed = failed.length > 0 ? recordingsOf(listing) : new Set<string>();
  for (const { name, folder } of failed) {
    const file = fileOfMarker(name);
    if (!isOurs(folder)) continue;
    if (library.has(file) || !listed.has(recordingOf(file)) || isMissing(file)) await markers.remove(file, folder);
  }
}

/** What was deleted here need not be remembered when the camera does not have it any more. */
export async function forgetUnlisted(
  { deleted, guard }: Pick<RetentionParts, "deleted" | "guard">,
  listing: Listing,
): Promise<void> {
  if (deleted.latest.size === 0 || listing.files.length === 0 || listing.strangeCount > 0) return;
  const listed = new Set<number>();
  for (const { name } of listing.files) listed.add(momentNumber(name));
  if ([...deleted.latest].every((moment) => listed.has(moment))) return;
  try {
    await guard.run(() => deleted.keepOnly((moment) => listed.has(moment)));
  } catch (error) {
    // It is remembered a little longer.
    if (!(error instanceof TrashUnusable)) throw error;
  }
}

/** The recordings a list names, each also by what its directions share. */
function recordingsOf({ files }: Listing): ReadonlySet<string> {
  const listed = new Set<string>();
  for (const { name } of files) listed.add(recordingOf(name)).add(groupOf(name));
  return listed;
}

/** Of the name of a recording's file: what it is called without flag and ending, `20260607_101500_NF`. */
function recordingOf(name: string): string {
  return parseArtifact(name)?.stem ?? name;
}

/** Only what begins the file that is at home is of no use beside it: other bytes may be the only copy of another one. */
async function isAtHome({ library, recordings }: LeftoverParts, name: string): Promise<boolean> {
  const folder = library.folderOf(name);
  return folder !== null && (await recordings.isBeginningOf(name, folder));
}
