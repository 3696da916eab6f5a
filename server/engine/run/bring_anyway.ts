import type { Clock } from "../../clock.ts";
import { momentNumber } from "../../domain/recordings/moment_number.ts";
import { groupOf } from "../../domain/recordings/recording_name.ts";
import type { Log } from "../../log.ts";
import type { RecordingIndex } from "../../store/clips/recording_index.ts";
import type { ComingRecordings } from "../listed/coming_recordings.ts";
import type { KnownList } from "../listed/known_list.ts";
import type { RequestedRecordings } from "../listed/requested_recordings.ts";
import type { RetentionParts } from "../retention/retention_parts.ts";

export interface BringAnywayParts {
  readonly retention: Pick<RetentionParts, "guard" | "kept" | "deleted">;
  readonly requested: Pick<RequestedRecordings, "bringAnyway">;
  readonly listed: Pick<KnownList, "counts" | "counter">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

/**
 * Has recordings come with the next run that a rule leaves out. A pass that deletes by age or for room would take them at
 * once: they are marked as kept.
 * @throws what the marks or their file do
 */
export async function bringAnyway(
  { retention, requested, listed, clock, log }: BringAnywayParts,
  keys: readonly string[],
): Promise<void> {
  const moments = keys.map(momentNumber);
  const at = new Date(clock.now()).toISOString();
  await retention.guard.run(async () => {
    const marked = await retention.kept.all();
    const fresh = keys.filter((key) => !marked.has(momentNumber(key)));
    await retention.kept.change(new Map(fresh.map((key) => [key, { at, note: null }])));
    await retention.deleted.change({ forget: moments });
  });
  await requested.bringAnyway(moments);
  await listed.counts();
  const told = keys.length === 1 ? "A recording is" : `${keys.length} recordings are`;
  log.info("sync", `${told} brought although a rule leaves them out, and kept`);
}

export interface LeftOutParts {
  readonly coming: Pick<ComingRecordings, "of">;
  readonly segments: Pick<RecordingIndex, "find">;
  readonly listed: Pick<KnownList, "counts" | "counter">;
}

/**
 * Returns the keys of those videos that the camera still has and the settings leave out: they can come all the same.
 */
export async function leftOutKeys(
  { coming, segments, listed }: LeftOutParts,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (names.length === 0) return found;
  await listed.counts();
  for (const key of new Set(names.map(groupOf))) {
    const rule = listed.counter?.leftOutBy(momentNumber(key)) ?? null;
    if (rule !== "retention" && rule !== "selection") continue;
    if (coming.of(key) === null && (await segments.find(key)) === null) found.add(key);
  }
  return found;
}
