import { groupFolder, isGroupFolder } from "../../domain/recordings/date_folders.ts";
import { typeOf } from "../../domain/recordings/recording_name.ts";
import type {
  DeletionReceipt,
  RecordingFailure,
  TrashDay,
  TrashDayHead,
  TrashedRecording,
  TrashOverview,
} from "../../domain/retention/deletion.ts";
import type { Restored } from "../../domain/retention/deletion_schema.ts";
import { keepClassOf, tooOld } from "../../domain/retention/keep_times.ts";
import { type RecordedDay, recordedDayHeads } from "../../domain/retention/trash_days.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { asSentence, counted } from "../../domain/text/format.ts";
import { messageOf } from "../../log.ts";
import { requireRealFolder } from "../../store/destination/destination.ts";
import { TrashUnusable } from "../../store/destination/own_folder_guard.ts";
import { amountIn, newestOfEach, type TrashEntry } from "../../store/destination/trash_index.ts";
import { partsOf } from "../../store/library/recording_files.ts";
import { isRealFolder } from "../../store/path_facts.ts";
import type { DeletionConsent } from "./deletion_consent.ts";
import { removeForGood } from "./removed_for_good.ts";
import { noteRestored } from "./restored.ts";
import type { RetentionParts } from "./retention_parts.ts";
import { dayIn, retentionRulesOf } from "./retention_rules.ts";
import { logPurge } from "./trash_purge.ts";

const DAY_MS = 86_400_000;

export interface TrashParts {
  readonly retention: RetentionParts & { readonly consent: DeletionConsent };
  readonly settings: { readonly current: Settings };
  readonly history: { readonly deletions: { undo(id: string): void } };
}

/** The trash as its page shows it first: every day of deletion with its first few entries. */
export async function trashOverview(parts: TrashParts, entriesPerDay = 3): Promise<TrashOverview> {
  const { retention, settings } = parts;
  const all = newestOfEach(await retention.trash.entries());
  const entries = all.filter(hasVideo);
  const days = settings.current.retention.trash_days;
  // The newest deletion stands first, so the last entries leave next.
  const first = entries.at(-1)?.batch.at ?? null;
  const leaving = amountIn(entries.filter(({ batch }) => batch.at === first));
  const next = first === null ? null : { at: isoOf(first + days * DAY_MS), recordings: leaving.recordings };
  const by_day = byDay(entries, settings.current).map((day) => headOf(day, settings.current, entriesPerDay));
  return { ...amountIn(all), days, entries: entries.length, by_day, next };
}

/** Thumbnails and GPS alone are no recording that a user could miss: they take room in the trash, and no row. */
function hasVideo({ videos }: TrashEntry): boolean {
  return videos > 0;
}

/** The part of the trash that is asked for; all when empty. */
export interface TrashQuery {
  readonly date?: string | undefined;
  /** The key of an entry of that day: what follows it. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** Lists the contents of the trash by day of deletion, newest first. */
export async function trashDays(
  parts: TrashParts,
  { date, after, limit = Number.POSITIVE_INFINITY }: TrashQuery,
): Promise<TrashDay[]> {
  const { retention, settings } = parts;
  const days: TrashDay[] = [];
  let left = limit;
  for (const day of byDay(newestOfEach(await retention.trash.entries()).filter(hasVideo), settings.current)) {
    if (date !== undefined && day.date !== date) continue;
    const at = after === undefined ? 0 : day.entries.findLastIndex(({ key }) => key === after) + 1;
    const entries = day.entries.slice(at, Math.min(day.entries.length, at + left));
    left -= entries.length;
    if (entries.length > 0)
      days.push({ date: day.date, recordings: entries.map((entry) => trashedOf(entry, settings.current)) });
  }
  return days;
}

/** The days on which what lies in the trash was recorded, earliest first, without the clips. */
export async function trashByRecordedDay({ retention, settings }: TrashParts): Promise<RecordedDay[]> {
  const clips = newestOfEach(await retention.trash.entries()).filter(hasVideo);
  return recordedDayHeads(clips, settings.current.retention.trash_days * DAY_MS);
}

/** Recordings to restore: keys, all there are, or those of one receipt. */
export type Restorable =
  | { readonly keys: readonly string[] }
  | { readonly all: true }
  | { readonly deletion: DeletionReceipt["id"] };

/**
 * Puts recordings back to where they were, or where the grouping puts them when that folder is missing. The rule that took
 * them leaves them alone from then on, see `sparedFrom`; marks they had are there still.
 * @throws TrashUnusable, KeptUnknown
 */
export async function restore(parts: TrashParts, what: Restorable): Promise<Restored> {
  const { guard, trash, library, kept, deleted, restored, consent, clock, log } = parts.retention;
  return await guard.run(async () => {
    await trash.prepare();
    // While it is unknown what is kept, nothing is moved.
    await kept.all();
    await library.refresh();
    const all = await trash.entries();
    const keys = "keys" in what ? new Set(what.keys) : null;
    const isWanted = ({ key, batch }: TrashEntry) =>
      keys === null ? "all" in what || ("deletion" in what && batch.id === what.deletion) : keys.has(key);
    const wanted = all.filter(isWanted);
    const there = new Set(wanted.map(({ key }) => key));
    const failed: RecordingFailure[] = [...(keys ?? [])]
      .filter((key) => !there.has(key))
      .map((key) => ({ key, reason: "It is not in the trash." }));
    // A recording may have been deleted more than once: its last deletion comes back.
    const newest = new Set(newestOfEach(wanted));
    const free = wanted.filter((entry) => {
      const isLast = newest.has(entry);
      if (!isLast && keys === null)
        failed.push({ key: entry.key, reason: "A later one of that name comes back first." });
      return isLast;
    });
    // An entry without a video needs no rule to spare it.
    const { current } = parts.settings;
    const rules = retentionRulesOf({ current, unusable: [] }, clock.now());
    await noteRestored(restored, free.filter(hasVideo), rules, clock.now());
    const { grouping } = current.sync;
    const back = free.map((entry) => ({ entry, folder: folderFor(library.root, entry, grouping) }));
    const put = () => trash.putBack(back, (folder) => problemOf(library.root, folder));
    const done = await consent.changing(put);
    for (const { entry, reason } of done.failed)
      if (hasVideo(entry)) failed.push({ key: entry.key, reason: asSentence(reason) });
    // A full disk keeps it from being written down; what is at home is forgotten with the next list.
    await deleted.change({ forget: done.restored.map(({ moment }) => moment) }).catch(acceptUnwritten);
    const { recordings } = amountIn(done.restored);
    if (recordings > 0) log.info("retention", `Restored ${counted(recordings, "recording")} from the trash`);
    const left = new Set((await trash.entries()).map(({ batch }) => batch.id));
    for (const { batch } of done.restored) if (!left.has(batch.id)) parts.history.deletions.undo(batch.id);
    return { restored: done.restored.length, recordings, failed };
  });
}

/** Removes entries from the trash for good, all for null. @throws TrashUnusable */
export async function emptyTrash({ retention }: Pick<TrashParts, "retention">, keys: readonly string[] | null) {
  const { guard, trash, log } = retention;
  return await guard.run(async () => {
    await trash.prepare();
    const wanted = keys && new Set(keys);
    const all = await trash.entries();
    const asked = wanted === null ? all : newestOfEach(all).filter(({ key }) => wanted.has(key));
    // Remains of an earlier deletion without a video have no row of their own. They go with their recording.
    const remains = all.filter((entry) => wanted?.has(entry.key) && !hasVideo(entry));
    const going = [...new Set([...asked, ...remains])];
    await removeForGood(retention, going);
    if (going.length > 0) logPurge(log, going, "was removed by hand");
    return { deleted: asked.length, bytes: amountIn(going).bytes };
  });
}

function acceptUnwritten(error: unknown): void {
  if (!(error instanceof TrashUnusable)) throw error;
}

function folderFor(root: string, { folder, key }: TrashEntry, grouping: Settings["sync"]["grouping"]): string {
  // A dated folder was removed when it became empty; one of one's own was removed by its owner.
  return folder === "" || isGroupFolder(folder) || isThere(root, folder) ? folder : groupFolder(key, grouping);
}

function isThere(root: string, folder: string): boolean {
  try {
    return isRealFolder(root, folder);
  } catch {
    return false;
  }
}

function problemOf(root: string, folder: string): string | null {
  try {
    if (folder !== "") requireRealFolder(root, folder);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

interface Day {
  readonly date: string;
  readonly entries: TrashEntry[];
}

function byDay(entries: readonly TrashEntry[], { schedule }: Settings): Day[] {
  const days: Day[] = [];
  const dates = new Map<number, string>();
  for (const entry of entries) {
    const date = dates.get(entry.batch.at) ?? dayIn(schedule.timezone, entry.batch.at);
    dates.set(entry.batch.at, date);
    const last = days.at(-1);
    if (last?.date === date) last.entries.push(entry);
    else days.push({ date, entries: [entry] });
  }
  return days;
}

function headOf({ date, entries }: Day, settings: Settings, shown: number): TrashDayHead {
  const lifetime = settings.retention.trash_days * DAY_MS;
  return {
    date,
    recordings: entries.slice(0, shown).map((entry) => trashedOf(entry, settings)),
    entries: entries.length,
    amount: amountIn(entries),
    purge_from: isoOf((entries.at(-1)?.batch.at ?? 0) + lifetime),
    purge_to: isoOf((entries[0]?.batch.at ?? 0) + lifetime),
  };
}

function trashedOf({ batch, key, bytes, videos, set }: TrashEntry, { retention }: Settings): TrashedRecording {
  const { cause, by, at } = batch;
  return {
    key,
    deleted_at: isoOf(at),
    purge_at: isoOf(at + retention.trash_days * DAY_MS),
    bytes,
    cause,
    by,
    why: whyOf(batch, key),
    recordings: videos,
    thumb: partsOf(set.endings)?.thumbnail ? `/api/trash/${key}/thumbnail` : null,
  };
}

function whyOf({ cause, by, keep }: TrashEntry["batch"], key: string): string {
  if (cause === "room") return "Made room";
  if (cause === "damaged") return "Damaged, and downloaded again";
  if (cause === "hand") return by === null ? "Deleted by hand" : `Deleted by ${by}`;
  const time = keep[keepClassOf(typeOf(key))];
  try {
    return time === undefined ? "Past its keep time" : tooOld(time);
  } catch {
    return "Past its keep time";
  }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
