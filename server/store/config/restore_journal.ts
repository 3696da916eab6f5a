import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { isObject } from "../../domain/settings/settings_migrations.ts";
import { createFile, replaceFile, syncFolder } from "../atomic_file.ts";
import { systemFlock } from "../destination/flock.ts";
import { giveToOwnerOf, KEPT_PATH, makeOwnFolder } from "../destination/own_folder.ts";
import { errorCode } from "../error_code.ts";
import { RESTORE_JOURNAL, RESTORE_STAGE } from "../file_versions.ts";
import { readPlainText } from "../plain_file.ts";

/** A database's own files, which belong to its old content. */
const BESIDE = ["-wal", "-shm", "-journal"];

const JOURNAL = v.object({
  /** Folders within the config folder: of the new files, and of those that were there. */
  stage: v.string(),
  before: v.string(),
  /** Paths within the config folder of all that gives way, and whether there is a new file for it. */
  files: v.array(v.object({ name: v.string(), isNew: v.boolean() })),
  /** Lists of kept recordings, each a name in the stage and the folder of its recordings. */
  marks: v.array(v.object({ name: v.string(), root: v.string() })),
});
export type RestoreJournal = v.InferOutput<typeof JOURNAL>;

/** Another process restores a backup into the folder. */
export class RestoreHeld extends Error {
  override name = "RestoreHeld";
}

/** A restore that came to its end. */
export interface RestoreEnd {
  /** Folder within the config folder with the files that were there before. */
  readonly before: string;
  /** Null when all of it is in place; else the cause for which nothing was changed. */
  readonly problem: string | null;
}

/** Time between two looks at the lock of another process, and how many there are. */
const LOOK_MS = 100;
const LOOKS = 100;

/**
 * Decides a restore and carries it out. Before the journal is written nothing is changed; from then on each start goes on
 * with it, so that a process that is killed leaves the old state or the new one.
 * @param step called before each change, for tests
 * @throws RestoreHeld, or the error of the file system that kept it from its end: nothing is changed then
 */
export async function restore(configDir: string, journal: RestoreJournal, step: () => void = () => {}): Promise<void> {
  step();
  await alone(configDir, async () => {
    await write(configDir, journal);
    await goOn(configDir, journal, step);
  });
}

/** Decides a restore that the next start carries out. @throws RestoreHeld, or the error of the file system */
export async function decideRestore(configDir: string, journal: RestoreJournal): Promise<void> {
  await alone(configDir, () => write(configDir, journal));
}

/**
 * Goes on with a restore that was decided. One that fails is taken back, and nothing is changed.
 * @returns null when there is none
 */
export async function finishRestore(configDir: string): Promise<RestoreEnd | null> {
  const path = join(configDir, RESTORE_JOURNAL);
  if (!existsSync(path)) return null;
  return await alone(configDir, async () => {
    // Another process has brought it to its end meanwhile.
    if (!existsSync(path)) return null;
    const journal = v.parse(JOURNAL, JSON.parse(await readFile(path, "utf8")));
    const { before } = journal;
    try {
      await goOn(configDir, journal, () => {});
    } catch (error) {
      // Not taken back either: the next start tries again.
      if (existsSync(path)) throw error;
      return { before, problem: errorCode(error) || String(error) };
    }
    return { before, problem: null };
  });
}

/** Does something while no other process restores. @throws RestoreHeld when another one takes too long */
async function alone<T>(configDir: string, work: () => Promise<T>): Promise<T> {
  await using folder = await open(configDir, "r");
  for (let looks = 0; systemFlock(folder.fd) === "held"; looks++) {
    if (looks === LOOKS) throw new RestoreHeld(`Another process restores a backup into ${configDir}.`);
    await sleep(LOOK_MS);
  }
  return await work();
}

async function write(configDir: string, journal: RestoreJournal): Promise<void> {
  const path = join(configDir, RESTORE_JOURNAL);
  if (existsSync(path) || existsSync(join(configDir, journal.before)))
    throw new RestoreHeld(`Another backup was just restored into ${configDir}.`);
  await syncFolder(join(configDir, journal.stage));
  await replaceFile(path, `${JSON.stringify(journal, null, 2)}\n`);
}

/** Puts all of it in place or, when the file system refuses something, nothing. */
export async function goOn(configDir: string, journal: RestoreJournal, step: () => void): Promise<void> {
  try {
    await putInPlace(configDir, journal, step);
  } catch (error) {
    await putBack(configDir, journal);
    throw error;
  }
}

/** Every step may have been done before. Marks come first: only they need room on a disk. */
async function putInPlace(configDir: string, journal: RestoreJournal, step: () => void): Promise<void> {
  const stage = join(configDir, journal.stage);
  const before = join(configDir, journal.before);
  step();
  await mkdir(before, { recursive: true, mode: 0o700 });
  giveToOwnerOf(configDir, before);
  for (const { name, isNew } of journal.files)
    for (const folder of isNew ? [before, configDir] : [before])
      await mkdir(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
  for (const { name } of journal.marks) await mkdir(dirname(join(before, name)), { recursive: true, mode: 0o700 });
  for (const { name, root } of journal.marks) {
    step();
    await addMarks(join(stage, name), root, join(before, name));
  }
  for (const { name, isNew } of journal.files) {
    const place = join(configDir, name);
    const old = join(before, name);
    const staged = join(stage, name);
    // Then the new file is at its place already.
    if (isNew && !existsSync(staged)) continue;
    // Until the new file is there, all that is at its place is old.
    for (const end of [...BESIDE, ""]) {
      step();
      if (existsSync(place + end)) await rename(place + end, old + end);
    }
    step();
    if (isNew) await rename(staged, place);
    await syncFolder(dirname(old));
    await syncFolder(dirname(place));
  }
  for (const { name } of journal.marks) await rm(join(before, name + NONE), { force: true });
  await syncFolder(before);
  step();
  await leave(configDir, journal);
}

/**
 * Puts everything back that was there. Killed in between, the next start puts the backup in place from here, as from any
 * other step.
 */
async function putBack(configDir: string, journal: RestoreJournal): Promise<void> {
  const stage = join(configDir, journal.stage);
  const before = join(configDir, journal.before);
  for (const { name, isNew } of journal.files.toReversed()) {
    const place = join(configDir, name);
    const old = join(before, name);
    const staged = join(stage, name);
    if (isNew && !existsSync(staged)) await rename(place, staged);
    for (const end of ["", ...BESIDE]) if (existsSync(old + end)) await rename(old + end, place + end);
    await syncFolder(dirname(place));
  }
  for (const { name, root } of journal.marks) {
    const path = join(root, KEPT_PATH);
    const old = join(before, name);
    if (existsSync(old + NONE)) await rm(path, { force: true });
    else if (existsSync(old)) await replaceFile(path, await readPlainText(old));
  }
  await leave(configDir, journal);
  await rm(before, { recursive: true, force: true });
}

async function leave(configDir: string, { stage }: RestoreJournal): Promise<void> {
  await rm(join(configDir, RESTORE_JOURNAL), { force: true });
  await syncFolder(configDir);
  // Leftovers are removed before the next one.
  await rm(join(configDir, stage), { recursive: true, force: true }).catch(() => {});
}

/** Ends the name of a file that says that there was no list of kept recordings. */
const NONE = ".none";

/** Adds marks to the list beside the recordings. None is taken off: what was kept since the backup stays kept. */
async function addMarks(staged: string, root: string, old: string): Promise<void> {
  const path = join(root, KEPT_PATH);
  await makeOwnFolder(root);
  const here = existsSync(path) ? await readPlainText(path) : null;
  // Once it was added to, the list is no longer the one that was there.
  if (!existsSync(old) && !existsSync(old + NONE)) await createFile(here === null ? old + NONE : old, here ?? "");
  const list: unknown = JSON.parse(await readFile(staged, "utf8"));
  const recordings = { ...marksIn(here === null ? {} : JSON.parse(here)), ...marksIn(list) };
  await replaceFile(path, `${JSON.stringify({ ...(isObject(list) ? list : {}), recordings }, null, 2)}\n`);
}

function marksIn(list: unknown): Readonly<Record<string, unknown>> {
  return isObject(list) && isObject(list["recordings"]) ? list["recordings"] : {};
}

/** Removes what restores left that were killed before they were decided, which has passwords in it. */
export async function sweepAtStart(configDir: string): Promise<void> {
  // Another process that decides one now, or a folder that cannot be written: the next restore removes them.
  await alone(configDir, () => sweepStages(configDir)).catch(() => {});
}

/** Removes what restores left that were never decided. */
export async function sweepStages(configDir: string): Promise<void> {
  if (existsSync(join(configDir, RESTORE_JOURNAL))) return;
  for (const name of await readdir(configDir)) {
    if (!name.startsWith(RESTORE_STAGE)) continue;
    if ((await stat(join(configDir, name)).catch(() => null))?.isDirectory())
      await rm(join(configDir, name), { recursive: true, force: true });
  }
}
