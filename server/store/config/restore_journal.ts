import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { isObject } from "../../domain/settings/settings_migrations.ts";
import { createFile, replaceFile, syncFolder } from "../atomic_file.ts";
import { KEPT_PATH, makeOwnFolder } from "../destination/own_folder.ts";
import { RESTORE_JOURNAL } from "../file_versions.ts";
import { readPlainText } from "../plain_file.ts";

/** Begins the name of a folder with what a restore will put in place. */
export const STAGE_START = ".restore-";
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

/**
 * Decides a restore and carries it out. Before the journal is written nothing is changed; from then on each start goes on
 * with it, so that a process that is killed leaves the old state or the new one.
 * @param step called before each change, for tests
 */
export async function restore(configDir: string, journal: RestoreJournal, step: () => void = () => {}): Promise<void> {
  step();
  await syncFolder(join(configDir, journal.stage));
  await replaceFile(join(configDir, RESTORE_JOURNAL), `${JSON.stringify(journal, null, 2)}\n`);
  await goOn(configDir, journal, step);
}

/** Goes on with a restore that was broken off after it was decided. @returns false when there is none */
export async function finishRestore(configDir: string): Promise<boolean> {
  const path = join(configDir, RESTORE_JOURNAL);
  if (!existsSync(path)) return false;
  await goOn(configDir, v.parse(JOURNAL, JSON.parse(await readFile(path, "utf8"))), () => {});
  return true;
}

/** Every step may have been done before. */
async function goOn(configDir: string, journal: RestoreJournal, step: () => void): Promise<void> {
  const stage = join(configDir, journal.stage);
  const before = join(configDir, journal.before);
  await mkdir(before, { recursive: true, mode: 0o700 });
  for (const { name, isNew } of journal.files) {
    const place = join(configDir, name);
    const old = join(before, name);
    const staged = join(stage, name);
    // Then the new file is at its place already.
    if (isNew && !existsSync(staged)) continue;
    await mkdir(dirname(old), { recursive: true, mode: 0o700 });
    if (isNew) await mkdir(dirname(place), { recursive: true, mode: 0o700 });
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
  for (const { name, root } of journal.marks) {
    step();
    await addMarks(join(stage, name), root, join(before, name));
  }
  await syncFolder(before);
  step();
  await rm(join(configDir, RESTORE_JOURNAL), { force: true });
  await syncFolder(configDir);
  await rm(stage, { recursive: true, force: true });
}

/** Adds marks to the list beside the recordings. None is taken off: what was kept since the backup stays kept. */
async function addMarks(staged: string, root: string, old: string): Promise<void> {
  const path = join(root, KEPT_PATH);
  await makeOwnFolder(root);
  const here = existsSync(path) ? await readPlainText(path) : null;
  if (here !== null) {
    await mkdir(dirname(old), { recursive: true, mode: 0o700 });
    await createFile(old, here);
  }
  const list: unknown = JSON.parse(await readFile(staged, "utf8"));
  const recordings = { ...marksIn(here === null ? {} : JSON.parse(here)), ...marksIn(list) };
  await replaceFile(path, `${JSON.stringify({ ...(isObject(list) ? list : {}), recordings }, null, 2)}\n`);
}

function marksIn(list: unknown): Readonly<Record<string, unknown>> {
  return isObject(list) && isObject(list["recordings"]) ? list["recordings"] : {};
}

/** Removes what restores left that were never decided. */
export async function sweepStages(configDir: string): Promise<void> {
  if (existsSync(join(configDir, RESTORE_JOURNAL))) return;
  for (const name of await readdir(configDir)) {
    if (!name.startsWith(STAGE_START)) continue;
    if ((await stat(join(configDir, name)).catch(() => null))?.isDirectory())
      await rm(join(configDir, name), { recursive: true, force: true });
  }
}
