import type { Clock } from "../../clock.ts";
import { isGroupFolder } from "../../domain/recordings/date_folders.ts";
import { baseOfMoment, dayOfMoment, dayText, hasNoAge } from "../../domain/recordings/moment_number.ts";
import {
  classOfMoment,
  contextByEvent,
  contextOf,
  deletionOrder,
  momentsOf,
  pastKeeping,
  toFree,
} from "../../domain/retention/due_recordings.ts";
import type { UnreachableLimit } from "../../domain/retention/limit_reach.ts";
import type { DiskUsage } from "../../store/destination/disk_usage.ts";
import type { KeptRecordings } from "../../store/destination/kept_recordings.ts";
import type { RestoredRecordings } from "../../store/destination/restored_recordings.ts";
import type { Trash } from "../../store/destination/trash.ts";
import type { LibraryMoment } from "../../store/destination/trash_moves.ts";
import type { Library } from "../../store/library/library.ts";
import type { LibrarySizes } from "../../store/library/library_sizes.ts";
import { eachInSlices, sortInSlices } from "../../turns.ts";
import { sparedFrom } from "./restored.ts";
import type { RetentionRules } from "./retention_rules.ts";

export interface DueParts {
  readonly library: Pick<Library, "folderContents">;
  readonly kept: Pick<KeptRecordings, "forRules">;
  readonly restored: Pick<RestoredRecordings, "all">;
  readonly clock: Pick<Clock, "now">;
  readonly sizes: Pick<LibrarySizes, "learn" | "sum" | "of">;
  readonly trash: Pick<Trash, "amount">;
  /** The disk of the destination, as it is now. */
  readonly disk: () => Promise<DiskUsage>;
  /** True when the camera has a recording of this moment, as of its last list; null while unknown. */
  readonly isOnCamera: (moment: number) => boolean | null;
}

type Kept = ReadonlyMap<number, unknown>;

/** Recordings that the rules delete now. */
export interface Due {
  /** Past their keep times. */
  readonly age: readonly LibraryMoment[];
  /** Above a limit, in the order in which they go. */
  readonly room: readonly LibraryMoment[];
  /** Bytes that have to leave the disk, out of the trash, to stay below a share of it. */
  readonly bytesToFree: number;
  /** Limits that deleting all that may go would not reach: none goes for them. */
  readonly unreachable: readonly UnreachableLimit[];
}

/**
 * Finds the recordings that the rules delete from the library as of its last refresh. Kept recordings stay, with those
 * around a kept event and those restored not long ago. Recordings in users' own folders stay, too, and those of a
 * camera whose clock was never set.
 * @throws KeptUnknown
 */
export async function findDue(parts: DueParts, rules: RetentionRules): Promise<Due> {
  const kept = await parts.kept.forRules();
  const restored = await parts.restored.all();
  const now = parts.clock.now();
  const fromAge = sparedFrom("age", restored, rules, now);
  const fromRoom = sparedFrom("room", restored, rules, now);
  const isKept = (moment: number) => kept.has(moment) || fromAge.has(moment);
  const age = pastKeeping(parts.library.folderContents, rules, { isOurs, isKept });
  const { maxBytes, maxPercent } = rules;
  if (maxBytes === null && maxPercent === null) return { age, room: [], bytesToFree: 0, unreachable: [] };
  const all = everyMoment(parts.library);
  await parts.sizes.learn(all);
  const bytes = (moments: readonly LibraryMoment[]) => parts.sizes.sum(moments) ?? 0;
  const here = bytes(all);
  const aged = bytes(age);
  const trash = (await parts.trash.amount()).bytes;
  const above = maxBytes === null ? 0 : here - aged - maxBytes;
  const disk = maxPercent === null ? null : await parts.disk();
  const overfull = disk === null || maxPercent === null ? 0 : disk.usedBytes - (disk.totalBytes * maxPercent) / 100;
  // The trash is purged first.
  const missing = overfull <= 0 ? 0 : overfull - aged - trash;
  if (above <= 0 && missing <= 0) return { age, room: [], bytesToFree: Math.max(0, overfull), unreachable: [] };
  const { order, staying } = await deletable(parts, rules, { all, age, kept, spared: fromRoom });
  const most = bytes(order);
  // Each by itself: what one of them cannot reach must not keep the other from what it can.
  const isBytesReached = above <= most;
  const isShareReached = missing <= most;
  const need = Math.max(isBytesReached ? above : 0, isShareReached ? missing : 0);
  const unreachable: UnreachableLimit[] = [];
  if (maxBytes !== null && !isBytesReached) unreachable.push({ limit: "max_gb", bytes: maxBytes, ...staying });
  if (disk !== null && maxPercent !== null && !isShareReached) {
    const others = Math.max(0, disk.usedBytes - trash - here);
    unreachable.push({ limit: "max_percent", percent: maxPercent, others, ...staying });
  }
  const room = need <= 0 ? [] : toFree(order, need, (moment) => parts.sizes.of(moment) ?? 0);
  return { age, room, bytesToFree: isShareReached ? Math.max(0, overfull) : 0, unreachable };
}

/** Finds the recordings that limits may delete beside those due by age, in their order, and the bytes of the rest. */
async function deletable(
  parts: DueParts,
  rules: RetentionRules,
  {
    all,
    age,
    kept,
    spared,
  }: { all: readonly LibraryMoment[]; age: readonly LibraryMoment[]; kept: Kept; spared: ReadonlySet<number> },
): Promise<{ order: LibraryMoment[]; staying: Pick<UnreachableLimit, "kept" | "ownFolders" | "undated"> }> {
  const going = new Map<string, Set<number>>();
  for (const { moment, folder } of age) going.set(folder, (going.get(folder) ?? new Set()).add(moment));
  const keptAround = keptWith(parts.library, kept, rules.eventContext);
  const may: LibraryMoment[] = [];
  const staying = { kept: 0, ownFolders: 0, undated: 0 };
  await eachInSlices(all, (one) => {
    const { moment, folder } = one;
    if (going.get(folder)?.has(moment)) return;
    const bytes = parts.sizes.of(one) ?? 0;
    if (!isOurs(folder)) staying.ownFolders += bytes;
    else if (kept.has(moment) || spared.has(moment) || keptAround.has(baseOfMoment(moment))) staying.kept += bytes;
    else if (hasNoAge(moment)) staying.undated += bytes;
    else may.push(one);
  });
  const isEvent = (moment: number) => classOfMoment(moment) === "event";
  const context = contextOf(momentsOf([...parts.library.folderContents]), isEvent, rules.eventContext);
  const sorted = await sortInSlices(may, deletionOrder(context));
  // Before a video goes, what is left of recordings that never came. While the camera has them they would come again,
  // and what lies beside the video in another folder belongs to it.
  const filmed = new Set(all.filter(({ set }) => set.videos > 0).map(({ moment }) => moment));
  const remains = sorted.filter(({ moment }) => !filmed.has(moment) && parts.isOnCamera(moment) === false);
  return { order: [...remains, ...sorted.filter(({ set }) => set.videos > 0)], staying };
}

/** True when recordings that go to make room leave the trash at once: then it is the disk that has no room. */
export function isFinal({ room, bytesToFree }: Due): boolean {
  return room.length > 0 && bytesToFree > 0;
}

/** Every moment with a video, wherever it lies. */
export function allMoments(library: Pick<Library, "folderContents">): LibraryMoment[] {
  return everyMoment(library).filter(({ set }) => set.videos > 0);
}

/** Every moment of which anything is here, wherever it lies. */
export function everyMoment(library: Pick<Library, "folderContents">): LibraryMoment[] {
  const all: LibraryMoment[] = [];
  for (const { path, moments } of library.folderContents)
    for (const [moment, set] of moments) all.push({ moment, folder: path, set });
  return all;
}

/** Finds these moments, each in every folder that has it. */
export function placesOf(
  library: Pick<Library, "folderContents">,
  moments: ReadonlyMap<number, unknown>,
): LibraryMoment[] {
  const places: LibraryMoment[] = [];
  if (moments.size === 0) return places;
  for (const { path, moments: here } of library.folderContents)
    for (const moment of moments.keys()) {
      const set = here.get(moment);
      if (set) places.push({ moment, folder: path, set });
    }
  return places;
}

/** The root, or a folder that we might have made. */
export function isOurs(folder: string): boolean {
  return folder === "" || isGroupFolder(folder);
}

/** Counts the videos of these moments. */
export function videosOf(moments: readonly LibraryMoment[]): number {
  let videos = 0;
  for (const { set } of moments) videos += set.videos;
  return videos;
}

/** The days of the oldest and the newest, `YYYY-MM-DD`; null of none. */
export function daysOf(moments: readonly { readonly moment: number }[]): { oldest: string; newest: string } | null {
  let oldest = Number.POSITIVE_INFINITY;
  let newest = 0;
  for (const { moment } of moments) {
    const day = dayOfMoment(moment);
    if (day < oldest) oldest = day;
    if (day > newest) newest = day;
  }
  return newest === 0 ? null : { oldest: dayText(oldest), newest: dayText(newest) };
}

/** The recordings that are kept as long as the kept events around them: by base, the event that keeps them. */
export function keptWith(
  library: Pick<Library, "folderContents">,
  kept: ReadonlyMap<number, unknown>,
  count: number,
): ReadonlyMap<number, number> {
  const events = count === 0 ? [] : [...kept.keys()].filter((moment) => classOfMoment(moment) === "event");
  return events.length === 0 ? NO_GROUPS : contextByEvent(momentsOf([...library.folderContents]), events, count);
}
const NO_GROUPS: ReadonlyMap<number, number> = new Map();
