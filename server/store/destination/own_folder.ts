import { fchownSync, lchownSync, statSync } from "node:fs";
import { chmod, lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";

/** The folder in a destination for Dashdock's own files, the trash among them. */
export const OWN_FOLDER = ".dashdock";

/** Path of the kept recordings, relative to the destination. */
export const KEPT_PATH = join(OWN_FOLDER, "kept.json");

/** Path of a destination's id, relative to it. A folder that has one is a border for the libraries around it. */
export const ID_PATH = join(OWN_FOLDER, "id");

/** Path of a destination's format, relative to it. */
export const FORMAT_PATH = join(OWN_FOLDER, "format");

/** Makes our folder in a destination when it is not there yet. Errors are the file system's own, or say what it is. */
export async function makeOwnFolder(root: string): Promise<void> {
  await makeFolder(root, OWN_FOLDER);
}

/**
 * Makes one folder in another, readable for all users. An existing one is fine when it is a real one.
 * @param parent has to be there
 */
export async function makeFolder(parent: string, name: string): Promise<void> {
  const path = join(parent, name);
  try {
    await mkdir(path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    // Not through a link: what is written goes into the destination only.
    if (!(await lstat(path)).isDirectory()) throw new Error(`${name} is not a folder`);
    return;
  }
  // The mode given to mkdir is only what the process's umask lets through.
  await chmod(path, 0o755);
  giveToOwnerOf(parent, path);
  await syncFolder(parent);
}

/**
 * Gives new files in a folder to its owner: a command run as root must not take the folder away from the service that
 * runs as another user. Does nothing for other users, and where the file system has no owners.
 */
export class FolderOwner {
  readonly #folder: string;
  /** Null where nothing has to be given; undefined until the disk has told, which it is asked once. */
  #owner: { uid: number; gid: number } | null | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param made its path, or its descriptor */
  give(made: string | number): void {
    try {
      if (this.#owner === undefined) this.#owner = otherOwnerOf(this.#folder);
      if (this.#owner === null) return;
      const { uid, gid } = this.#owner;
      if (typeof made === "number") fchownSync(made, uid, gid);
      else lchownSync(made, uid, gid);
    } catch {
      // It stays root's, and is as complete as it is otherwise. The next one is tried anew.
    }
  }

  /** Another folder may be at its path by now, as when a disk is mounted there. */
  forget(): void {
    this.#owner = undefined;
  }
}

/** Gives what was just made in a folder to the folder's owner. */
export function giveToOwnerOf(folder: string, made: string): void {
  new FolderOwner(folder).give(made);
}

/** Null for other users than root, and for a folder that is root's own. Errors are the file system's own. */
function otherOwnerOf(folder: string): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = statSync(folder);
  return uid === 0 && gid === process.getegid?.() ? null : { uid, gid };
}
