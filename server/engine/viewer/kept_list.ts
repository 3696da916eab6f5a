import { baseOfMoment, momentKey, momentNumber } from "../../domain/recordings/moment_number.ts";
import { nameOf } from "../../domain/recordings/recording_name.ts";
import type { Amount, Kept, KeptList, KeptRecording } from "../../domain/retention/deletion.ts";
import type { PlacedMoment } from "../../domain/retention/due_recordings.ts";
import { mediaFolder } from "../../domain/viewer/media_folder.ts";
import { TrashUnusable } from "../../store/destination/own_folder_guard.ts";
import type { EndingSet } from "../../store/library/name_index.ts";
import { partsOf } from "../../store/library/recording_files.ts";
import { placesOf } from "../retention/due.ts";
import type { PendingDeletions } from "../retention/pending_deletions.ts";
import type { RetentionParts } from "../retention/retention_parts.ts";

interface Parts {
  readonly retention: RetentionParts;
  readonly deletions: Pick<PendingDeletions, "amountOf" | "keptAround">;
}

/** Lists the kept recordings, newest first: the first few, and the amount of all. */
export async function keptList({ retention, deletions }: Parts, most = 5): Promise<KeptList> {
  const { library, kept } = retention;
  await library.refreshIfOlder();
  const marks = await kept.shown();
  const spared = await deletions.keptAround();
  const companions = new Map<number, PlacedMoment<EndingSet>[]>();
  if (spared.size > 0)
    for (const { path, moments } of library.folderContents)
      for (const [moment, set] of moments) {
        const event = spared.get(baseOfMoment(moment));
        if (event !== undefined && !marks.has(moment))
          companions.set(event, [...(companions.get(event) ?? []), { moment, folder: path, set }]);
      }
  const places = placesOf(library, marks).filter(({ set }) => set.videos > 0);
  const here = new Map(places.map((place) => [place.moment, place]));
  const newest = [...here.values()].sort((one, other) => other.moment - one.moment).slice(0, most);
  const entries: KeptRecording[] = [];
  for (const place of newest) {
    const mark = marks.get(place.moment);
    if (mark === undefined) continue;
    const amount = await deletions.amountOf([place, ...(companions.get(place.moment) ?? [])]);
    const thumb = partsOf(place.set.endings)?.thumbnail ?? null;
    entries.push({
      key: mark.key,
      kept: mark.kept,
      ...amount,
      thumb: thumb && mediaFolder(place.folder) + nameOf(momentKey(place.moment), thumb),
    });
  }
  const amount: Amount = await deletions.amountOf([...places, ...[...companions.values()].flat()]);
  return { entries, count: here.size, amount };
}

interface Mark {
  readonly key: string;
  readonly kept: Kept;
}

/** Takes all marks off. @returns what they were @throws KeptUnknown, and the file system's own errors */
export async function keepNone({ guard, kept }: RetentionParts): Promise<Mark[]> {
  return await guard.run(async () => {
    const marks = [...(await kept.all()).values()];
    await kept.change(new Map(marks.map(({ key }) => [key, null])));
    return marks.map(({ key, kept: mark }) => ({ key, kept: mark }));
  });
}

/** Sets marks again that were taken off; those that are set by now stay as they are. @returns how many */
export async function keepAgain({ guard, kept }: RetentionParts, marks: readonly Mark[]): Promise<number> {
  return await guard.run(async () => {
    const known = await kept.all();
    const missing = marks.filter(({ key }) => !known.has(momentNumber(key)));
    await kept.change(new Map(missing.map(({ key, kept: mark }) => [key, mark])));
    return missing.length;
  });
}

/** Marks a recording as kept, with a note, or takes the mark off. False when there is no such recording. */
export async function keep({ retention }: Pick<Parts, "retention">, key: string, kept: Kept | null): Promise<boolean> {
  const { guard, library } = retention;
  return await guard.run(async () => {
    await prepare(retention);
    // A mark whose recording is missing may still be taken off.
    const isMarked = (await retention.kept.all()).has(momentNumber(key));
    const isHere = withVideos(library, [key]).size > 0;
    if (!isHere && !(kept === null && isMarked)) return false;
    await retention.kept.change(new Map([[key, kept]]));
    return true;
  });
}

/** Marks several recordings at once; those that are kept stay as they are. @returns the keys of those marked now */
export async function keepSeveral(
  { retention }: Pick<Parts, "retention">,
  keys: readonly string[],
  kept: Kept,
): Promise<string[]> {
  const { guard, library } = retention;
  return await guard.run(async () => {
    await prepare(retention);
    const known = await retention.kept.all();
    const here = withVideos(library, keys);
    const wanted = keys.filter((key) => here.has(momentNumber(key)) && !known.has(momentNumber(key)));
    if (wanted.length > 0) await retention.kept.change(new Map(wanted.map((key) => [key, kept])));
    return wanted;
  });
}

/** A killed process may have deleted half of a recording. The rest must not be deleted after it was marked. */
async function prepare({ trash, library }: RetentionParts): Promise<void> {
  await trash.prepare(false).catch((error: unknown) => {
    if (!(error instanceof TrashUnusable)) throw error;
  });
  await library.refresh();
}

/** The moments of these with a video: a thumbnail that came ahead of its video is nothing to keep. */
function withVideos(library: RetentionParts["library"], keys: readonly string[]): Set<number> {
  const places = placesOf(library, new Map(keys.map((key) => [momentNumber(key), key])));
  return new Set(places.filter(({ set }) => set.videos > 0).map(({ moment }) => moment));
}
