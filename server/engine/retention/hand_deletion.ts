import { momentNumber } from "../../domain/recordings/moment_number.ts";
import type { RecordingFailure } from "../../domain/retention/deletion.ts";
import type { DeletionConsent } from "./deletion_consent.ts";
import { isOurs, placesOf } from "./due.ts";
import { removeForGood } from "./removed_for_good.ts";
import { moveToTrash } from "./retention.ts";
import type { RetentionParts } from "./retention_parts.ts";
import type { RetentionRules } from "./retention_rules.ts";

interface Parts {
  readonly retention: RetentionParts & { readonly consent: DeletionConsent };
  readonly deletions: { readonly rules: RetentionRules };
  /** Recordings that are still on the camera. */
  readonly coming: { of(key: string): unknown };
}

/** A recording that was not deleted, with the cause. */
export interface HandFailure extends RecordingFailure {
  readonly why: "gone" | "kept" | "disk";
}

export interface HandDeletion {
  readonly deleted: string[];
  readonly failed: HandFailure[];
  /** ISO 8601 UTC; null when nothing waits in the trash. */
  readonly purge_at: string | null;
}

const STILL_ON_CAMERA = "It is still on the camera. Say that it is not needed instead.";

/**
 * Moves recordings to the trash at the request of a user, as one deletion. They are not fetched again while the camera
 * has them.
 * @throws TrashUnusable, KeptUnknown
 */
export async function deleteByHand(
  { retention, deletions, coming }: Parts,
  keys: readonly string[],
  by: string | null,
): Promise<HandDeletion> {
  const { guard, trash, library, kept, deleted, consent } = retention;
  const { rules } = deletions;
  return await guard.run(async () => {
    await trash.prepare();
    await library.refresh();
    const marked = await kept.all();
    const failed: HandFailure[] = [];
    const wanted = new Map<number, string>();
    const asked = placesOf(library, new Map(keys.map((key) => [momentNumber(key), key])));
    const filmed = new Set(asked.filter(({ set }) => set.videos > 0).map(({ moment }) => moment));
    for (const key of keys) {
      const moment = momentNumber(key);
      if (marked.has(moment))
        failed.push({ key, why: "kept", reason: "It is marked as kept. Take the mark off first." });
      // A thumbnail that came ahead is no recording yet: noted as deleted, its video would never come.
      else if (!filmed.has(moment))
        failed.push({ key, why: "gone", reason: coming.of(key) === null ? "There is no such clip." : STILL_ON_CAMERA });
      else wanted.set(moment, key);
    }
    const places = asked.filter(({ moment }) => wanted.has(moment));
    // A copy in a folder of one's own is left alone, unless it is the only one: then the user means it.
    const ours = new Set(
      places.filter(({ folder, set }) => isOurs(folder) && set.videos > 0).map(({ moment }) => moment),
    );
    const going = places.filter(({ moment, folder }) => isOurs(folder) || !ours.has(moment));
    if (going.length === 0) return { deleted: [], failed, purge_at: null };
    // Before it is moved: a sync that runs would fetch what is missing of it.
    await deleted.change({ add: wanted.keys() });
    const move = () => moveToTrash(retention, rules, going, { cause: "hand", by });
    const done = await consent.changing(move).catch(async (error: unknown) => {
      // It is here still, and what is missing of it may come.
      await deleted.change({ forget: wanted.keys() });
      throw error;
    });
    for (const { key, code } of done.failed) failed.push({ key, why: "disk", reason: `It cannot be moved (${code}).` });
    const stays = new Set(done.failed.map(({ key }) => momentNumber(key)));
    if (stays.size > 0) await deleted.change({ forget: stays });
    if (rules.trashMs === 0)
      await removeForGood(
        retention,
        (await trash.entries()).filter(({ batch }) => batch.id === done.batch.id),
      );
    return {
      deleted: [...wanted].filter(([moment]) => !stays.has(moment)).map(([, key]) => key),
      failed,
      purge_at: rules.trashMs === 0 ? null : new Date(done.batch.at + rules.trashMs).toISOString(),
    };
  });
}
