import { lstat, open } from "node:fs/promises";
import { join } from "node:path";
import { nameOf } from "../../domain/recordings/recording_name.ts";
import { nextTurn } from "../../turns.ts";
import type { Library } from "../library/library.ts";
import type { EndingSet } from "../library/name_index.ts";
import type { TrashEntry } from "./trash_index.ts";

/** Recordings checked before others have a turn. */
const CHECKS = 100;
/** Bytes compared at once. */
const PART = 1 << 20;

/** Finds the folders at home that hold files of a name. */
export type CopiesAtHome = Pick<Library, "folders" | "folderOf" | "hasIn">;

/** An entry that is put back into a folder of the destination. */
export interface Back {
  readonly entry: TrashEntry;
  readonly folder: string;
}

interface Ways {
  readonly from: string;
  readonly to: string;
  /** The destination. */
  readonly root: string;
  /** Null where of other folders nothing is known. */
  readonly copies: CopiesAtHome | null;
}

/**
 * Chooses the entries that go back, with the files of each, and tells why the others do not. A file has its own place,
 * and only another file there is in its way.
 * @param check why a folder cannot be used, as a sentence; null when it can
 */
export async function chooseBack(
  entries: readonly Back[],
  waysOf: (back: Back) => Ways,
  check: (folder: string) => string | null,
): Promise<{
  readonly going: (Back & { readonly set: { readonly endings: readonly string[] } })[];
  readonly failed: { readonly entry: TrashEntry; readonly reason: string }[];
}> {
  const going: (Back & { readonly set: { readonly endings: readonly string[] } })[] = [];
  const failed: { entry: TrashEntry; reason: string }[] = [];
  const batches = new Map<string, string>();
  for (const [at, back] of entries.entries()) {
    if (at % CHECKS === 0) await nextTurn();
    const { entry, folder } = back;
    // A recording that was deleted twice comes back once.
    const batch = batches.get(entry.key) ?? entry.batch.id;
    const problem = check(folder);
    const endings = problem === null && batch === entry.batch.id ? await leftToRestore(entry, waysOf(back)) : null;
    if (endings === null) failed.push({ entry, reason: problem ?? "it is here already, and nothing is written over" });
    else {
      batches.set(entry.key, batch);
      going.push({ ...back, set: { endings } });
    }
  }
  return { going, failed };
}

/**
 * Returns the endings of a moment's files that are missing at home. A file that is already there with the same content,
 * in any folder, gets no copy beside it. A file elsewhere with other content, as a beginning of it, is another file.
 * @returns null when its own place has another file of such a name, or none of its videos is missing
 */
async function leftToRestore(
  { key, set }: { readonly key: string; readonly set: EndingSet },
  { from, to, root, copies }: Ways,
): Promise<string[] | null> {
  const left: string[] = [];
  for (const ending of set.endings) {
    const name = nameOf(key, ending);
    const file = join(from, name);
    if (await isThere(join(to, name))) {
      if (!(await isSameFile(file, join(to, name)))) return null;
    } else if (!(await hasCopy(file, name, root, copies))) left.push(ending);
  }
  const isVideo = (ending: string) => ending.endsWith(".mp4");
  return left.length === 0 || (set.videos > 0 && !left.some(isVideo)) ? null : left;
}

async function hasCopy(file: string, name: string, root: string, copies: CopiesAtHome | null): Promise<boolean> {
  // The usual case asks no folder.
  if (copies === null || copies.folderOf(name) === null) return false;
  for (const folder of copies.folders())
    if (copies.hasIn(name, folder) && (await isSameFile(file, join(root, folder, name)))) return true;
  return false;
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

/** True when two paths are regular files of the same bytes; false when that cannot be read. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => lstat(path).catch(() => null)));
  if (!(first?.isFile() && second?.isFile()) || first.size !== second.size) return false;
  try {
    await using file = await open(one, "r");
    await using copy = await open(other, "r");
    for (let at = 0; at < first.size; at += PART) {
      const parts = [file, copy].map((handle) => handle.read(Buffer.alloc(PART), 0, PART, at));
      const [a, b] = await Promise.all(parts);
      if (!a || !b || a.bytesRead === 0 || !a.buffer.subarray(0, a.bytesRead).equals(b.buffer.subarray(0, b.bytesRead)))
        return false;
    }
    return true;
  } catch {
    return false;
  }
}
