import { type BigIntStats, constants } from "node:fs";
import { copyFile, link, lstat, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode } from "./error_code.ts";

/** Changes whenever the file is written, replaced or given other permissions. */
export function stampFrom(stats: BigIntStats): string {
  return [stats.dev, stats.ino, stats.mode, stats.size, stats.mtimeNs].join(":");
}

/** The stamp of the file at a path, null when there is none. */
export async function stampOf(path: string): Promise<string | null> {
  try {
    return stampFrom(await stat(path, { bigint: true }));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

export interface ReplaceOptions {
  /** Permissions of the file. Readable for its owner only when left out. */
  readonly mode?: number;
  /** Called directly before the rename; when it returns false, nothing is changed. */
  readonly mayReplace?: () => Promise<boolean>;
}

/**
 * Puts `text` in the place of the file, as a whole or not at all: a reader sees the old or the new one. Returns the new
 * stamp, or null when `mayReplace` returned false. Rejects when the disk refuses; the old file is then as it was.
 */
export async function replaceFile(
  path: string,
  text: string | Uint8Array,
  options: ReplaceOptions = {},
): Promise<string | null> {
  const { mode = 0o600, mayReplace } = options;
  const temporary = temporaryOf(path);
  try {
    const stamp = await writeNew(temporary, text, mode, await ownerOf(path));
    if (mayReplace && !(await mayReplace())) {
      await rm(temporary, { force: true });
      return null;
    }
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return stamp;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/** Answers of a file system without hard links: FAT, many of SMB and FUSE. */
const NO_LINKS: readonly string[] = ["EPERM", "EXDEV", "EMLINK", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

/**
 * Makes a file of `text`, as a whole or not at all, where there is none.
 * @returns false when something of that name is there already: it stays as it is
 */
export async function createFile(
  path: string,
  text: string | Uint8Array,
  { mode = 0o600 }: { mode?: number } = {},
): Promise<boolean> {
  const temporary = temporaryOf(path);
  try {
    await writeNew(temporary, text, mode, await ownerOf(path));
    if (!(await putWhereNothingIs(temporary, path))) return false;
    await syncFolder(dirname(path));
    return true;
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

/**
 * Gives a file its name when nothing has that name.
 * @returns false when something of that name is there already: it stays as it is
 */
export async function putWhereNothingIs(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    if (!NO_LINKS.includes(errorCode(error))) throw error;
    if (await lstat(to).catch(() => null)) return false;
    await rename(from, to);
  }
  return true;
}

/** A name of its own, never opened if it is there: two writers cannot mix, and no link can lead elsewhere. */
function temporaryOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${crypto.getRandomValues(new Uint8Array(8)).toHex()}.tmp`);
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Whose the file at this path is or, before there is one, whose folder it goes into. */
async function ownerOf(path: string): Promise<Owner> {
  return await stat(path).catch(() => stat(dirname(path)));
}

async function writeNew(path: string, text: string | Uint8Array, mode: number, owner: Owner): Promise<string> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  await using file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  // A command run as root must not take the file away from the service that runs as another user.
  if (process.getuid?.() === 0) await file.chown(owner.uid, owner.gid);
  // The mode given to open is only what the process's umask lets through.
  await file.chmod(mode);
  await file.writeFile(text);
  await file.sync();
  return stampFrom(await file.stat({ bigint: true }));
}

/** Makes a rename last through a power cut. It does nothing if folders cannot be synced. */
export async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path, "r");
    await folder.sync();
  } catch {
    // Some network file systems refuse; the new file is in place already.
  }
}

/** As `syncFolder`, each once. */
export async function syncFolders(paths: Iterable<string>): Promise<void> {
  for (const path of new Set(paths)) await syncFolder(path);
}

/** Removes what a crash left of earlier writes of this file, if it is from before `before` (epoch milliseconds). */
export async function sweepTemporaries(path: string, before: number): Promise<void> {
  const start = `.${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(start) || !/^[0-9a-f]{16}\.tmp$/.test(name.slice(start.length))) continue;
    const file = join(dirname(path), name);
    const stats = await stat(file).catch(() => null);
    if (stats && stats.mtimeMs < before) await rm(file, { force: true });
  }
}

/** Copies a file, permissions included; false when something of the copy's name is there already. */
export async function copyOnce(path: string, copy: string): Promise<boolean> {
  try {
    await copyFile(path, copy, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}
