import type { Clock } from "../../clock.ts";
import type { Dashcam } from "../../dashcam/camera.ts";
import type { Listing } from "../../domain/recordings/camera_listing.ts";
import { baseOfMoment, momentNumber } from "../../domain/recordings/moment_number.ts";
import {
  checkRecordingName,
  endingOf,
  groupOf,
  MOST_NAMESAKES,
  parseArtifact,
  withOrdinal,
} from "../../domain/recordings/recording_name.ts";
import type { Cutoffs } from "../../domain/retention/keep_times.ts";
import { pastKeepTime } from "../../domain/retention/past_keep_time.ts";
import type { Log } from "../../log.ts";
import type { Destination } from "../../store/destination/destination.ts";
import { FileInTheWay } from "../../store/destination/destination_problem.ts";
import type { FailureMarkers } from "../../store/destination/failure_markers.ts";
import { TrashUnusable } from "../../store/destination/own_folder_guard.ts";
import type { PartialRecords } from "../../store/destination/partial_records.ts";
import type { Library } from "../../store/library/library.ts";
import { fileOfMarker } from "../../store/library/name_index.ts";
import type { Absences } from "../listed/absences.ts";
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
  retention: Pick<RetentionParts, "kept" | "consent">;
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
 * Removes files that have no more use. Partials: of recordings that are complete at home or past retention's age.
 * Notes: those without their partial. Markers: of files that are at home by now, or that the camera does not have. It
 * does not have recordings that it does not list, companions of other firmware, and those it is not asked for.
 * @param past by kind, the first day that is kept, and the bases of what an event spares, when this run deletes; null
 * otherwise
 */
export async function clearLeftovers(
  parts: LeftoverParts,
  listing: Listing,
  past: { readonly cutoffs: Cutoffs; readonly spared: ReadonlySet<number> } | null,
  absences: Pick<Absences, "has">,
): Promise<void> {
  const { library, recordings, records, markers, log, retention } = parts;
  const partials = new Set(library.partials());
  const isGoing = past !== null && partials.size > 0 && (await mayDiscard(retention));
  const kept = await retention.kept.spared();
  const isPast = past === null ? () => false : pastKeepTime(past.cutoffs);
  for (const name of partials) {
    const moment = momentNumber(name);
    const isSpared = kept.has(moment) || past?.spared.has(baseOfMoment(moment));
    const isOld = isGoing && !isSpared && isPast(moment);
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
    if (library.has(file) || !listed.has(recordingOf(file)) || isMissing(file) || absences.has(file))
      await markers.remove(file, folder);
  }
}

/**
 * True when this run may discard partials for their age. A list that cannot be read leaves it unknown which ones are
 * kept.
 */
async function mayDiscard({ kept, consent }: Pick<RetentionParts, "kept" | "consent">): Promise<boolean> {
  return (await kept.problem()) === null && (await consent?.mayDiscard()) !== false;
}

/**
 * Reads what was deleted here. It forgets recordings that the camera does not have. It forgets those that are at home
 * all the same, as after a restore that was killed or from a backup: their missing parts may come again.
 * @param mayForget false in a dry run
 */
export async function recallDeleted(parts: RecallParts, listing: Listing, mayForget: boolean): Promise<void> {
  const { deleted, guard, library, trash } = parts;
  await deleted.all();
  if (!mayForget || deleted.latest.size === 0 || listing.files.length === 0 || listing.strangeCount > 0) return;
  if (toRemember(parts, listing, true).size === deleted.latest.size) return;
  try {
    await guard.run(async () => {
      // No deletion is under way now; one that was killed has still to take what it left at home.
      await library.refresh();
      await deleted.all();
      const remembered = toRemember(parts, listing, !(await trash.isInterrupted()));
      await deleted.keepOnly((moment) => remembered.has(moment));
    });
  } catch (error) {
    // It is remembered a little longer.
    if (!(error instanceof TrashUnusable)) throw error;
  }
}

type RecallParts = Pick<RetentionParts, "deleted" | "guard" | "library" | "trash">;

/**
 * Returns recordings that were deleted, are listed, and are not all at home. @param forgetsHome false: those at home
 * are among them
 */
function toRemember(
  { deleted, library }: Pick<RecallParts, "deleted" | "library">,
  listing: Listing,
  forgetsHome: boolean,
): ReadonlySet<number> {
  const isHomeKnown = forgetsHome && library.available && library.unreadable.length === 0;
  // A file in a user's own folder may be the copy that was not deleted.
  const folders = library.folders().filter(isOurs);
  const listed = new Set<number>();
  const filmed = new Set<number>();
  const missing = new Set<number>();
  for (const { name } of listing.files) {
    const moment = momentNumber(name);
    if (!deleted.latest.has(moment)) continue;
    listed.add(moment);
    if (checkRecordingName(name) !== "recording") continue;
    filmed.add(moment);
    const isHome = library.hasBeside(name, endingOf(name)) && folders.some((folder) => library.hasIn(name, folder));
    if (!isHomeKnown || !isHome) missing.add(moment);
  }
  return new Set([...listed].filter((moment) => missing.has(moment) || !filmed.has(moment)));
}

/** The recordings a list names, each also by what its directions share. */
function recordingsOf({ files }: Listing): ReadonlySet<string> {
  const listed = new Set<string>();
  for (const { name } of files) listed.add(recordingOf(name)).add(groupOf(name));
  return listed;
}

/** Returns the name of a recording's file without flag and ending, `20260607_101500_NF`. */
function recordingOf(name: string): string {
  return parseArtifact(name)?.stem ?? name;
}

/**
 * Only the beginning of a file that is at home is of no use beside it: other bytes may be the only copy of another one.
 * A file that was taken for another recording of that name may have shown since that it is the same.
 */
async function isAtHome({ library, recordings }: LeftoverParts, name: string): Promise<boolean> {
  for (let ordinal = 1; ordinal <= MOST_NAMESAKES; ordinal++) {
    const file = withOrdinal(name, ordinal);
    const folder = library.folderOf(file);
    if (folder !== null && (await recordings.isBeginningOf(name, folder, file))) return true;
  }
  return false;
}
