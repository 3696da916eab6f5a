import { constants, lstatSync, mkdirSync, renameSync } from "node:fs";
import { access, copyFile, mkdir, open, rename, rmdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../clock.ts";
import { isGroupFolder } from "../domain/grouping.ts";
import type { Library, Moment } from "./library.ts";
import { DiskPace, Partial } from "./partial.ts";

/** The destination cannot be used; the sentence says why and what to do. */
export class DestinationProblem extends Error {
  override name = "DestinationProblem";
}

export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** The destination tree as the engine changes it. Everything it writes lies below `root`. */
export class Recordings {
  readonly root: string;
  readonly library: Library;
  readonly #pace: DiskPace;

  constructor(options: { root: string; library: Library; clock: Clock }) {
    this.root = options.root;
    this.library = options.library;
    this.#pace = new DiskPace(options.clock);
  }

  /** Makes sure the destination is a folder that can be written, and makes it when `create`. @throws DestinationProblem */
  async prepare(create: boolean): Promise<void> {
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

  #partialPath(name: string): string {
    return `${this.root}/.${name}`;
  }

  /** Bytes an earlier run left of this file; 0 when there is no partial. */
  partialSize(name: string): number {
    const found = lstatSync(this.#partialPath(name), { throwIfNoEntry: false });
    return found?.isFile() ? found.size : 0;
  }

  /** Opens the partial of `name` to go on at `size`. Errors are the file system's own. */
  openPartial(name: string, size: number): Partial {
    return this.#pace.measure(() => Partial.open(name, this.#partialPath(name), size, this.#pace));
  }

  /**
   * Makes a whole partial the recording's file: on the disk first, then under its final name in one step, so that at
   * any moment there is either a partial or a complete file.
   */
  async finish(partial: Partial, folder: string): Promise<void> {
    await partial.flush();
    partial.close();
    const from = this.#partialPath(partial.name);
    const to = join(this.root, folder, partial.name);
    try {
      if (this.#pace.isSlow) {
        if (folder) await makeFolder(join(this.root, folder));
        await rename(from, to);
      } else
        this.#pace.measure(() => {
          if (folder) makeFolderNow(join(this.root, folder));
          renameSync(from, to);
        });
    } catch (error) {
      if (errorCode(error) !== "EXDEV") throw error;
      await moveAcross(from, to, join(this.root, folder, `.${partial.name}`));
    }
    this.library.noteAdded(partial.name, folder);
  }

  /** Deletes the partial of `name`, if there is one. */
  async discardPartial(name: string): Promise<void> {
    await removeFile(this.#partialPath(name));
  }

  /** When the partial was last written, epoch milliseconds; null when there is none. */
  partialTime(name: string): number | null {
    return lstatSync(this.#partialPath(name), { throwIfNoEntry: false })?.mtimeMs ?? null;
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
        removed.push(folder);
      } catch (error) {
        if (!["ENOTEMPTY", "EEXIST", "ENOENT", "EACCES", "EPERM", "EBUSY", "EROFS"].includes(errorCode(error)))
          throw error;
      }
    }
    return removed;
  }
}

/** A group folder is made one level deep only: a destination that vanished must not come back as an empty tree. */
function makeFolderNow(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/** The group folder is another file system: copy beside the final name, then rename there. */
async function moveAcross(from: string, to: string, beside: string): Promise<void> {
  try {
    await copyFile(from, beside);
    await using file = await open(beside, "r");
    await file.sync();
    await rename(beside, to);
  } catch (error) {
    await unlink(beside).catch(() => {});
    throw error;
  }
  await unlink(from);
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
