import { renameSync } from "node:fs";
import { lstat, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { groupOf, parseArtifact } from "../../domain/recordings/recording_name.ts";
import { linesInSlices } from "../../turns.ts";
import { replaceFile, syncFolders } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";
import { isRealFolder } from "../path_facts.ts";
import { readPlainText } from "../plain_file.ts";
import { makeFolder } from "./own_folder.ts";
import { removeFile, requireFree } from "./put_in_place.ts";

/**
 * Changes of the trash are noted in its own folder before they begin. A process that is killed between two renames
 * leaves a recording half here and half there, and the next call completes it. Names with a dot are no recordings to
 * any other reader.
 */
const MOVING = ".moving-";
const RESTORING = ".restoring";
const PURGING = ".purging";
/** A batch under this name is being removed for good. */
const REMOVING = ".purge-";

/** A moment in the trash, by its path there. */
export interface InTrash {
  readonly key: string;
  /** `<batch>/<folder>` */
  readonly place: string;
}

/** A moment in the trash, with the folder that it goes back to. */
export interface Restoring extends InTrash {
  readonly folder: string;
}

/** Notes that recordings are being moved into a batch, on the disk itself. */
export async function noteMoving(trash: string, batch: string): Promise<void> {
  await replaceFile(join(trash, MOVING + batch), "", { mode: 0o644 });
}

/** Removes the note: all recordings of the batch are moved, out of these folders. */
export async function forgetMoving(trash: string, batch: string, folders: Iterable<string>): Promise<void> {
  await settle(trash, batch, folders);
  await removeFile(join(trash, MOVING + batch));
}

/** The names of files in folders of a batch last through a power cut from here on, as does the batch. */
async function settle(trash: string, batch: string, folders: Iterable<string>): Promise<void> {
  const paths = new Set([trash]);
  for (const folder of folders)
    for (let path = join(trash, batch, folder); path.length > trash.length; path = dirname(path)) paths.add(path);
  await syncFolders(paths);
}

/** Notes that these are being moved back. */
export async function noteRestoring(trash: string, moments: readonly Restoring[]): Promise<void> {
  const text = await linesInSlices(moments, ({ key, place, folder }) => `${key}\t${place}\t${folder}`);
  await replaceFile(join(trash, RESTORING), text, { mode: 0o644 });
}

/** Removes the note: they are back, in these folders of the destination. */
export async function forgetRestoring(trash: string, root: string, folders: Iterable<string>): Promise<void> {
  await syncFolders([root, ...[...folders].map((folder) => join(root, folder))]);
  await removeFile(join(trash, RESTORING));
}

/** Notes that these are being removed for good. */
export async function notePurging(trash: string, moments: readonly InTrash[]): Promise<void> {
  const text = await linesInSlices(moments, ({ key, place }) => `${key}\t${place}`);
  await replaceFile(join(trash, PURGING), text, { mode: 0o644 });
}

export async function forgetPurging(trash: string): Promise<void> {
  await removeFile(join(trash, PURGING));
}

/** Removes a whole batch: in one step it is no part of the trash any more. */
export async function removeBatch(trash: string, batch: string): Promise<void> {
  const going = join(trash, REMOVING + batch);
  await rename(join(trash, batch), going);
  await rm(going, { recursive: true, force: true });
}

/** True when a batch holds files of no other moments than these, as the disk has it now. */
export async function holdsOnly(trash: string, batch: string, keys: ReadonlySet<string>): Promise<boolean> {
  for (const folder of await foldersBelow(join(trash, batch)))
    for (const name of await namesIn(join(trash, batch, folder)))
      if (parseArtifact(name) !== null && !keys.has(groupOf(name))) return false;
  return true;
}

/** Deletes everything of moments in one folder of the trash, whatever was known of them. */
export async function removeMoments(folder: string, keys: ReadonlySet<string>): Promise<void> {
  const files = await filesIn(folder);
  for (const key of keys) await removeFiles(folder, files.get(key) ?? []);
}

/** As `removeBatch`, unless a recording is in it after all: what was counted may be older than what the disk holds. */
export async function removeEmptyBatch(trash: string, batch: string): Promise<void> {
  for (const folder of await foldersBelow(join(trash, batch)))
    if ((await namesIn(join(trash, batch, folder))).some((name) => parseArtifact(name) !== null)) return;
  await removeBatch(trash, batch);
}

/** True when there is anything for `finishInterrupted`, or a move in progress. Never throws. */
export async function isInterrupted(trash: string): Promise<boolean> {
  return (await namesIn(trash).catch(() => [])).some(isNote);
}

/**
 * Brings to its end what a killed process had begun.
 * @returns whether there was anything
 * @throws the file system's own errors; what was begun then stays as it is
 */
export async function finishInterrupted(root: string, trash: string): Promise<boolean> {
  const names = (await namesIn(trash)).filter((name) => name.startsWith("."));
  for (const name of names) {
    if (name === PURGING) {
      for (const [place, moments] of Map.groupBy(await readMoments(join(trash, name)), ({ place }) => place)) {
        await removeMoments(join(trash, place), new Set(moments.map(({ key }) => key)));
      }
      await forgetPurging(trash);
    } else if (name === RESTORING) {
      const noted = await readMoments(join(trash, name));
      for (const [place, moments] of Map.groupBy(noted, ({ place }) => place)) {
        const files = await filesIn(join(trash, place));
        for (const { key, folder } of moments)
          await finishRestoring({ from: join(trash, place), root, folder }, files.get(key) ?? []);
      }
      await forgetRestoring(trash, root, new Set(noted.map(({ folder }) => folder)));
    } else if (name.startsWith(MOVING)) {
      const batch = name.slice(MOVING.length);
      await finishMoving(root, trash, batch);
      await forgetMoving(trash, batch, await foldersBelow(join(trash, batch)));
    } else if (name.startsWith(REMOVING)) await rm(join(trash, name), { recursive: true, force: true });
    else if (isNote(name)) await removeFile(join(trash, name));
  }
  return names.some(isNote);
}

/** A note, one of which only the beginning was written, or a batch that is being removed. */
function isNote(name: string): boolean {
  const about = name.endsWith(".tmp") ? name.slice(1) : name;
  return [MOVING, RESTORING, PURGING, REMOVING].some((beginning) => about.startsWith(beginning));
}

/** Deletes the files of a moment in one folder of the trash. */
async function removeFiles(folder: string, names: readonly string[]): Promise<void> {
  // The videos last: as long as one is there, what is left of the moment can be seen.
  for (const name of inOrder(names)) {
    // A folder of that name is no recording.
    if (!(await isFolderThere(join(folder, name)))) await removeFile(join(folder, name));
  }
}

/** The companions first, then the videos. */
export function inOrder(names: readonly string[]): string[] {
  return [...names].sort((one, other) => Number(one.endsWith(".mp4")) - Number(other.endsWith(".mp4")));
}

/** A moment of which anything is in the batch was being moved: the rest of it follows. */
async function finishMoving(root: string, trash: string, batch: string): Promise<void> {
  let isEmpty = true;
  for (const folder of await foldersBelow(join(trash, batch))) {
    const home = join(root, folder);
    const place = join(trash, batch, folder);
    const here = new Set((await namesIn(place)).filter((name) => parseArtifact(name)));
    if (here.size === 0) continue;
    isEmpty = false;
    const begun = new Set([...here].map(groupOf));
    const left = (await namesIn(home)).filter((name) => parseArtifact(name) && begun.has(groupOf(name)));
    // A file at both places was fetched again since: that is another one, and stays.
    const again = new Set(left.filter((name) => here.has(name)).map(groupOf));
    for (const name of inOrder(left))
      if (!again.has(groupOf(name)) && !(await isFolderThere(join(home, name))))
        await rename(join(home, name), join(place, name));
  }
  if (isEmpty) await rm(join(trash, batch), { recursive: true, force: true });
}

async function finishRestoring(
  { from, root, folder }: { from: string; root: string; folder: string },
  names: readonly string[],
): Promise<void> {
  if (names.length === 0 || !(await isFolderMade(root, folder))) return;
  for (const name of inOrder(names)) {
    const to = join(root, folder, name);
    try {
      requireFree(to);
    } catch {
      // Something else came there meanwhile; it stays, and so does this.
      continue;
    }
    // In one step with the check: a sync may be bringing a file of that name home.
    renameSync(join(from, name), to);
  }
}

/** Makes sure of a folder to restore into. One that has vanished or become something else must not stop all others. */
async function isFolderMade(root: string, folder: string): Promise<boolean> {
  if (folder === "" || isRealFolder(root, folder)) return true;
  if (folder.includes("/")) return false;
  return await makeFolder(root, folder).then(
    () => true,
    () => false,
  );
}

/** Returns the files in a folder by their moments. */
async function filesIn(folder: string): Promise<Map<string, string[]>> {
  return Map.groupBy(await namesIn(folder), groupOf);
}

async function foldersBelow(path: string, below = ""): Promise<string[]> {
  const folders = [below];
  const entries = await readdir(join(path, below), { withFileTypes: true }).catch(() => []);
  for (const entry of entries)
    if (entry.isDirectory())
      folders.push(...(await foldersBelow(path, below === "" ? entry.name : join(below, entry.name))));
  return folders;
}

async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return [];
    throw error;
  }
}

async function readMoments(path: string): Promise<Restoring[]> {
  const text = await readPlainText(path);
  return text.split("\n").flatMap((line) => {
    const [key, place, folder = ""] = line.split("\t");
    return key && place !== undefined ? [{ key, place, folder }] : [];
  });
}

async function isFolderThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() ?? false;
}
