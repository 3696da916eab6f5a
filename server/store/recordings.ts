import { accessSync, constants, lstatSync, mkdirSync, renameSync } from "node:fs";
import { access, copyFile, mkdir, open, rename, rmdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../clock.ts";
import { isGroupFolder } from "../domain/grouping.ts";
import { errorCode } from "./error_code.ts";
import type { Library, Moment } from "./library.ts";
import { DiskPace, Partial } from "./partial.ts";

/** The destination cannot be used; the sentence says why and what to do. */
export class DestinationProblem extends Error {
  override name = "DestinationProblem";
}

/** A group folder cannot be used; the sentence names it. Nothing that belongs into it can come home. */
export class FolderProblem extends Error {
  override name = "FolderProblem";
}

/** Something of just one name is where one file belongs; the sentence names it and says what to do. */
export class FileInTheWay extends Error {
  override name = "FileInTheWay";
}

/** The destination tree as the engine changes it. Everything it writes lies below `root`. */
export class Recordings {
  readonly root: string;
  readonly library: Library;
  readonly #pace: DiskPace;
  /** Group folders that were found to be real ones since the run began. */
  readonly #realFolders = new Set<string>();

  constructor(options: { root: string; library: Library; clock: Clock }) {
    this.root = options.root;
    this.library = options.library;
    this.#pace = new DiskPace(options.clock);
  }

  /** Makes sure the destination is a folder that can be written, and makes it when `create`. @throws DestinationProblem */
  async prepare(create: boolean): Promise<void> {
    this.#realFolders.clear();
    try {
      if (create) await mkdir(this.root, { recursive: true });
      if (!(await stat(this.root)).isDirectory()) throw new DestinationProblem("the destination is not a folder");
      if (create) await access(this.root, constants.W_OK | constants.X_OK);
    } catch (error) {
      if (error instanceof DestinationProblem) throw error;
      switch (errorCode(error)) {
        case "ENOENT":
          if (!create) return; // a dry run against a destination that is still to be made
          throw new DestinationProblem("the destination folder does not exist and cannot be made");
        case "EEXIST":
        case "ENOTDIR":
          throw new DestinationProblem("the destination is not a folder");
        case "EACCES":
        case "EPERM":
          throw new DestinationProblem(
            "the destination folder is not writable for this user; check its owner and mode",
          );
        case "EROFS":
          throw new DestinationProblem("the destination folder is on a read-only file system");
      }
      throw error;
    }
  }

  /**
   * Makes sure that a group folder, if it is there already, is a real one: the library does not look through links, and
   * bytes never go outside the destination. It is looked at once in a run.
   * @throws FolderProblem, or FileInTheWay for a plain file of that name
   */
  checkFolder(folder: string): void {
    if (folder === "" || this.#realFolders.has(folder)) return;
    if (requireRealFolder(this.root, folder)) this.#realFolders.add(folder);
  }

  #partialPath(name: string): string {
    return `${this.root}/.${name}`;
  }

  /** Bytes an earlier run left of this file; 0 when there is no partial. */
  partialSize(name: string): number {
    const found = lstatSync(this.#partialPath(name), { throwIfNoEntry: false });
    return found?.isFile() ? found.size : 0;
  }

  /** Opens the partial of `name` to go on at `size`. @throws FileInTheWay, and the file system's own errors */
  openPartial(name: string, size: number): Partial {
    try {
      return this.#pace.measure(() => Partial.open(name, this.#partialPath(name), size, this.#pace));
    } catch (error) {
      throw this.#troubleAt(`.${name}`, error);
    }
  }

  /**
   * Makes a whole partial the recording's file: on the disk first, then under its final name in one step, so that at
   * any moment there is either a partial or a complete file.
   * @throws FolderProblem, FileInTheWay, and the file system's own errors; each of them keeps the partial
   */
  async finish(partial: Partial, folder: string): Promise<void> {
    await partial.flush();
    partial.close();
    try {
      await this.#putInPlace(partial, folder);
    } catch (error) {
      throw this.#troubleIn(folder, partial.name, error);
    }
    this.library.noteAdded(partial.name, folder);
  }

  async #putInPlace(partial: Partial, folder: string): Promise<void> {
    const from = this.#partialPath(partial.name);
    const to = join(this.root, folder, partial.name);
    try {
      if (this.#pace.isSlow) {
        if (folder) await mkdir(join(this.root, folder)).catch((error: unknown) => this.#acceptFolder(folder, error));
        await rename(from, to);
      } else
        this.#pace.measure(() => {
          if (folder) this.#makeFolderNow(folder);
          renameSync(from, to);
        });
    } catch (error) {
      if (errorCode(error) !== "EXDEV") throw error;
      await moveAcross(from, to, join(this.root, folder, `.${partial.name}`));
    }
  }

  /** A group folder is made one level deep only: a destination that vanished must not come back as an empty tree. */
  #makeFolderNow(folder: string): void {
    try {
      mkdirSync(join(this.root, folder));
    } catch (error) {
      this.#acceptFolder(folder, error);
    }
  }

  /** What making a folder answered is fine when it is there already and a real one. */
  #acceptFolder(folder: string, error: unknown): void {
    if (errorCode(error) !== "EEXIST") throw error;
    this.checkFolder(folder);
  }

  /** What really failed in putting a file into a folder: the folder, something where the file belongs, or the disk. */
  #troubleIn(folder: string, name: string, error: unknown): unknown {
    if (error instanceof FolderProblem || error instanceof FileInTheWay) return error;
    // It may have become something else since it was looked at.
    this.#realFolders.delete(folder);
    try {
      this.checkFolder(folder);
    } catch (problem) {
      return problem instanceof FolderProblem || problem instanceof FileInTheWay ? problem : error;
    }
    const refused = REFUSALS.includes(errorCode(error)) && mayWrite(this.root);
    if (refused && folder !== "" && !mayWrite(join(this.root, folder)))
      return new FolderProblem(`the folder ${folder} is not writable for this user; check its owner and mode`);
    return this.#troubleAt(folder === "" ? name : `${folder}/${name}`, error);
  }

  /** A FileInTheWay when the error is about what lies at this path and nothing else, else the error itself. */
  #troubleAt(path: string, error: unknown): unknown {
    const code = errorCode(error);
    if (!IN_THE_WAY.includes(code) && !(REFUSALS.includes(code) && mayWrite(this.root))) return error;
    const found = lstatSync(join(this.root, path), { throwIfNoEntry: false });
    if (!found) return error;
    if (found.isSymbolicLink()) return new FileInTheWay(`${path} is a link, which is not followed; remove it`);
    if (found.isDirectory())
      return new FileInTheWay(`${path} is a folder where a recording's file belongs; rename or remove it`);
    return found.isFile()
      ? new FileInTheWay(`${path} may not be changed by this user; change its owner and mode, or remove it`)
      : new FileInTheWay(`${path} is not a file; remove it`);
  }

  /** Deletes the partial of `name`, if there is one. @throws FileInTheWay, and the file system's own errors */
  async discardPartial(name: string): Promise<void> {
    try {
      await removeFile(this.#partialPath(name));
    } catch (error) {
      throw this.#troubleAt(`.${name}`, error);
    }
  }

  /** Whether the partial of `name` holds nothing but the first bytes of the file of that name in `folder`. */
  async isBeginningOf(name: string, folder: string): Promise<boolean> {
    try {
      return await beginsAlike(this.#partialPath(name), join(this.root, folder, name));
    } catch {
      return false;
    }
  }

  /** Deletes every file of a moment, markers included, and nothing else. Returns how many there were. */
  async removeMoment(moment: Moment): Promise<number> {
    let removed = 0;
    for (const ending of [...moment.endings]) {
      const name = moment.key + ending;
      if (await removeFile(join(this.root, moment.folder, name))) removed++;
      this.library.noteRemoved(name, moment.folder);
    }
    return removed;
  }

  /** Removes dated folders that are empty. The file system itself refuses all others. Returns their names. */
  async sweepGroupFolders(): Promise<string[]> {
    const removed: string[] = [];
    for (const folder of this.library.folders()) {
      if (!isGroupFolder(folder) || !this.library.moments(folder).next().done) continue;
      try {
        await rmdir(join(this.root, folder));
        this.#realFolders.delete(folder);
        removed.push(folder);
      } catch (error) {
        if (
          !["ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR", "EACCES", "EPERM", "EBUSY", "EROFS"].includes(errorCode(error))
        )
          throw error;
      }
    }
    return removed;
  }
}

const COMPARED_AT_ONCE = 1024 * 1024;

/** What the file system says when something else is where a file belongs. */
const IN_THE_WAY: readonly string[] = ["EISDIR", "ENOTEMPTY", "EEXIST", "ELOOP", "ENXIO"];
const REFUSALS: readonly string[] = ["EACCES", "EPERM"];

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** False when there is no such folder below the root. @throws FolderProblem, or FileInTheWay for a plain file */
export function requireRealFolder(root: string, folder: string): boolean {
  const found = lstatSync(join(root, folder), { throwIfNoEntry: false });
  if (!found) return false;
  if (found.isDirectory()) return true;
  if (found.isFile()) throw new FileInTheWay(`${folder} is a file where a folder belongs; rename or remove it`);
  const what = found.isSymbolicLink() ? "is a link" : "is not a folder";
  throw new FolderProblem(
    `the folder ${folder} ${what}; recordings are only put into real folders below the destination`,
  );
}

/** The group folder is another file system: copy beside the final name, then rename there. */
async function moveAcross(from: string, to: string, beside: string): Promise<void> {
  try {
    // What a crash left there goes first, a link with it: copying would follow it.
    await removeFile(beside);
    await copyFile(from, beside, constants.COPYFILE_EXCL);
    await using file = await open(beside, "r");
    await file.sync();
    await rename(beside, to);
  } catch (error) {
    await unlink(beside).catch(() => {});
    throw error;
  }
  await unlink(from);
}

/** Whether the shorter file's bytes are the first ones of the other. */
async function beginsAlike(shorter: string, longer: string): Promise<boolean> {
  await using one = await open(shorter, constants.O_RDONLY | constants.O_NOFOLLOW);
  await using other = await open(longer, constants.O_RDONLY | constants.O_NOFOLLOW);
  const [ours, theirs] = [Buffer.alloc(COMPARED_AT_ONCE), Buffer.alloc(COMPARED_AT_ONCE)];
  for (let at = 0; ; ) {
    const { bytesRead: length } = await one.read(ours, 0, COMPARED_AT_ONCE, at);
    if (length === 0) return true;
    const { bytesRead } = await other.read(theirs, 0, length, at);
    if (bytesRead < length || ours.compare(theirs, 0, length, 0, length) !== 0) return false;
    at += length;
  }
}

async function removeFile(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}
