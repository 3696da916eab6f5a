import { isGroupFolder } from "../domain/grouping.ts";
import { isPastRetention } from "../domain/plan.ts";
import type { Log } from "../log.ts";
import { errorCode } from "../store/error_code.ts";
import type { Library, Moment } from "../store/library.ts";
import type { Recordings } from "../store/recordings.ts";

export interface RetentionParts {
  recordings: Recordings;
  library: Library;
  log: Log;
}

/**
 * Deletes what was recorded before `cutoff` (`YYYY-MM-DD`, by file name), with companions and markers, in the root
 * and in every dated folder that some grouping makes. A folder somebody made himself is how one keeps a recording. What cannot be deleted stays and is named in the log; it never ends the run. An aborted signal ends it early.
 * @returns how many moments went
 */
export async function applyRetention(
  parts: RetentionParts,
  options: { cutoff: string | null; dryRun: boolean; signal: AbortSignal },
): Promise<number> {
  const { recordings, library, log } = parts;
  const { cutoff, dryRun, signal } = options;
  if (cutoff === null) return 0;
  const outdated = [...outdatedMoments(library, cutoff)];
  let removed = 0;
  for (const moment of outdated) {
    if (signal.aborted) break;
    const event = dryRun ? "outdated_recording_remove_dry_run" : "outdated_recording_removed";
    try {
      if (!dryRun) await recordings.removeMoment(moment);
      removed++;
      log.info("sync", `${dryRun ? "Would remove" : "Removed"} outdated ${moment.key}`, { event, moment: moment.key });
    } catch (error) {
      log.warning("sync", `Cannot remove outdated ${moment.key} (${errorCode(error) || "unknown error"}); it stays`);
    }
  }
  return removed;
}

/** What retention deletes when nothing from before `cutoff` is kept; nothing for null. */
export function* outdatedMoments(library: Library, cutoff: string | null): Generator<Moment> {
  if (cutoff === null) return;
  for (const moment of library.moments())
    if (isOurs(moment.folder) && isPastRetention(moment.key, cutoff)) yield moment;
}

/** The root, or a folder that we might have made. */
export function isOurs(folder: string): boolean {
  return folder === "" || isGroupFolder(folder);
}
