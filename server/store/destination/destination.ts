import { existsSync, lstatSync, mkdirSync, renameSync, type Stats } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import type { FileSum } from "../../domain/checksums/file_judgement.ts";
import { unreadable } from "../../domain/status/destination_state.ts";
import { errorCode } from "../error_code.ts";
import type { Library } from "../library/library.ts";
import { beginsAlike, inTheWay, isAnotherDisk, isFolder, mayWrite } from "../path_facts.ts";
import { makeDestination } from "./destination_folder.ts";
import type { DestinationIdentity } from "./destination_identity.ts";
import { DestinationProblem, FileGone, FileInTheWay, FolderProblem } from "./destination_problem.ts";
import { FolderOwner, ID_PATH } from "./own_folder.ts";
import { DiskPace, PartialFile } from "./partial_file.ts";
import { moveAcross, NameTaken, type Renames, removeFile, requireFree } from "./put_in_place.ts";
import { RenamedFolders } from "./renamed_folders.ts";

export interface DestinationOptions {
  readonly root: string;
  readonly library: Library;
  readonly clock: Clock;
  /** Without it any folder at that path is taken, and none is marked. */
  readonly identity?: DestinationIdentity;
  /** Learns of each video before it has its name. */
  readonly brought?: { note(name: string): Promise<void> };
  /** Learns of each file that has got its name, with its checksums where they were made on the way. */
  readonly came?: (name: string, folder: string, sums?: CameSums) => void;
  /** For an odd file system; that of `node:fs` when left out. */
  readonly renames?: Renames;
}

/** Checksums of a file that were made while it was copied; its size and time are those on the disk. */
export type CameSums = Pick<FileSum, "sha256" | "crc">;

/** The destination tree as the engine changes it. Everything it writes lies below `root`. */
export class Destination {
  readonly root: string;
  readonly library: Library;
  readonly #pace: DiskPace;
  readonly #identity: DestinationIdentity | null;
  readonly #renames: Renames;
  /** Group folders that were found to be real ones since the run began. */
  readonly #realFolders = new Set<string>();
  readonly #owner: FolderOwner;
  readonly renamed: RenamedFolders;
  readonly #brought: DestinationOptions["brought"];
  readonly #came: DestinationOptions["came"];

  constructor(options: DestinationOptions) {
    this.root = options.root;
    this.library = options.library;
    this.#owner = new FolderOwner(options.root);
    this.#identity = options.identity ?? null;
    this.#brought = options.brought;
    this.#came = options.came;
    this.#renames = options.renames ?? { renameSync, rename };
    this.#pace = new DiskPace(options.clock);
    this.renamed = new RenamedFolders(options.clock);
  }

  /**
   * Makes sure the destination is a folder that can be written, and makes and marks it when `create`. When it is not the
   * one that was used before, as when its disk is not mounted, nothing is written, not even the folder.
   * @throws DestinationProblem
   */
  async prepare(create: boolean): Promise<void> {
    this.#realFolders.clear();
    this.#owner.forget();
    const refusal = (await this.#identity?.refusal()) ?? (await makeDestination(this.root, create));
    if (refusal) throw new DestinationProblem(...refusal);
    if (!create) return;
    await this.#identity?.use();
    this.requireSame();
  }

  /** Called when the library was read: what is at home must be known before anything comes. @throws DestinationProblem */
  requireReadable(): void {
    const code = this.library.rootProblem?.code;
    if (code !== undefined) throw new DestinationProblem(...unreadable(code));
    this.requireSame();
  }

  /**
   * Makes sure that a group folder, if it is there already, is a real one: the library does not follow links, and bytes
   * never go outside the destination. The disk is asked once in a run.
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
  openPartial(name: string, size: number): PartialFile {
    this.requireSame();
    try {
      return this.#pace.measure(() => PartialFile.open(name, this.#partialPath(name), size, this.#pace, this.#owner));
    } catch (error) {
      throw this.#problemAt(`.${name}`, error);
    }
  }

  /**
   * Makes a whole partial the recording's file: on the disk first, then under its final name in one step. At any moment
   * there is so either a partial or a complete file.
   * @throws FolderProblem, FileInTheWay, and the file system's own errors; each of them keeps the partial
   */
  async finish(partial: PartialFile, folder: string, sums?: CameSums): Promise<void> {
    const isVideo = partial.name.endsWith(".mp4");
    await Promise.all([partial.flush(), isVideo && this.#brought?.note(partial.name)]);
    try {
      // Then the folder is the one it was begun in; and a disk that was away, and is back, may have another of that name.
      if (!partial.isAtItsPath()) {
        this.requireSame();
        if (this.isThere()) throw new FileGone(goneFile(partial.name));
      }
      partial.close();
      await this.#putInPlace(partial, folder);
      this.noteRenamed(partial.name, folder, sums);
    } catch (error) {
      throw this.ofFile(partial.name, this.#problemIn(folder, partial.name, error));
    }
    await this.#identity?.noteRecording();
  }

  async #putInPlace(partial: PartialFile, folder: string): Promise<void> {
    const place = join(this.root, folder);
    const from = this.#partialPath(partial.name);
    const to = join(place, partial.name);
    try {
      if (this.#pace.isSlow) {
        if (folder)
          await mkdir(place).then(
            () => this.#owner.give(place),
            (error: unknown) => this.#acceptFolder(folder, error),
          );
        requireFree(to);
        await this.#renames.rename(from, to);
      } else
        this.#pace.measure(() => {
          if (folder) this.#makeFolderNow(folder);
          requireFree(to);
          this.#renames.renameSync(from, to);
        });
    } catch (error) {
      if (errorCode(error) !== "EXDEV") throw error;
      // In the root, where union and quota file systems may answer so, the partial has the name a copy has elsewhere.
      const beside = join(place, folder === "" ? `.${partial.name}.copy` : `.${partial.name}`);
      await moveAcross({ from, to, beside, folder: place }, this.#renames);
    }
  }

  /** A file has got its name in a folder, out of its partial. */
  noteRenamed(name: string, folder: string, sums?: CameSums): void {
    this.library.noteAdded(name, folder);
    this.#came?.(name, folder, sums);
    this.renamed.add(this.root, join(this.root, folder));
  }

  /** A group folder is made one level deep only: a destination that vanished must not come back as an empty tree. */
  #makeFolderNow(folder: string): void {
    const place = join(this.root, folder);
    try {
      mkdirSync(place);
      this.#owner.give(place);
    } catch (error) {
      this.#acceptFolder(folder, error);
    }
  }

  /** Accepts the error of making a folder that is there already and a real one; throws any other. */
  #acceptFolder(folder: string, error: unknown): void {
    if (errorCode(error) !== "EEXIST") throw error;
    this.checkFolder(folder);
  }

  /** The error that names what failed: the folder, something where the file belongs, or the disk. */
  #problemIn(folder: string, name: string, error: unknown): unknown {
    if (error instanceof FileInTheWay) return error;
    // It may have become something else since it was checked.
    this.#realFolders.delete(folder);
    try {
      this.checkFolder(folder);
    } catch (problem) {
      return problem instanceof FileInTheWay ? problem : error;
    }
    const code = errorCode(error);
    const refused = REFUSALS.includes(code) && mayWrite(this.root);
    if (refused && folder !== "" && !mayWrite(join(this.root, folder)))
      return new FolderProblem(`the folder ${folder} is not writable for this user; check its owner and mode`);
    if (OWN_DISK_ERRORS.includes(code) && folder !== "" && isAnotherDisk(this.root, folder))
      return new FolderProblem(`the folder ${folder} is a disk of its own, which refuses files (${code})`, "disk");
    return this.#problemAt(folder === "" ? name : `${folder}/${name}`, error);
  }

  /** True when the destination that the run began with is at its path. */
  isThere(): boolean {
    return isFolder(this.root) && (this.#identity?.isSame ?? true);
  }

  /** Called directly before a file gets its name. @throws DestinationProblem when the run's folder is not there any more */
  requireSame(): void {
    this.#identity?.requireSame();
  }

  /** A FileGone when the error says that something is missing, but the destination is not; else the error itself. */
  ofFile(name: string, error: unknown): unknown {
    return errorCode(error) === "ENOENT" && this.isThere() ? new FileGone(goneFile(name)) : error;
  }

  /** A FileInTheWay when the error is about what lies at this path and nothing else, else the error itself. */
  #problemAt(path: string, error: unknown): unknown {
    const code = errorCode(error);
    const isTaken = error instanceof NameTaken;
    if (!isTaken && !IN_THE_WAY.includes(code) && !(REFUSALS.includes(code) && mayWrite(this.root))) return error;
    const found = lstatSync(join(this.root, path), { throwIfNoEntry: false });
    if (isTaken && (!found || found.isFile()))
      return new FileInTheWay(`${path} is there already and is never written over; the new one stays half-finished`);
    return found ? new FileInTheWay(inTheWay(path, found)) : error;
  }

  /** Deletes the partial of `name`, if there is one. @throws FileInTheWay, and the file system's own errors */
  async discardPartial(name: string): Promise<void> {
    try {
      await removeFile(this.#partialPath(name));
    } catch (error) {
      throw this.#problemAt(`.${name}`, error);
    }
  }

  /** True when the partial of `name` holds nothing but the first bytes of a file in `folder`. */
  async isBeginningOf(name: string, folder: string, file: string): Promise<boolean> {
    try {
      return await beginsAlike(this.#partialPath(name), join(this.root, folder, file));
    } catch {
      return false;
    }
  }

  /** The group folder was removed: one of that name may become something else. */
  noteFolderRemoved(folder: string): void {
    this.#realFolders.delete(folder);
  }
}

function goneFile(name: string): string {
  return `${name} was removed while it was written; it is fetched again with the next run`;
}

/** Answers of the file system when something else is where a file belongs. */
const IN_THE_WAY: readonly string[] = ["EISDIR", "ENOTEMPTY", "EEXIST", "ELOOP", "ENXIO"];
const REFUSALS: readonly string[] = ["EACCES", "EPERM"];
/** Answers that a disk mounted in a group folder may give while the destination's own disk is well. */
const OWN_DISK_ERRORS: readonly string[] = ["EIO", "EROFS", "ESTALE", "ENOTCONN", "ENXIO"];

/** False when there is no such folder below the root. @throws FolderProblem, or FileInTheWay for a plain file */
export function requireRealFolder(root: string, folder: string): boolean {
  const found = statFolder(root, folder);
  if (!found) return false;
  if (found.isDirectory()) {
    if (!existsSync(join(root, folder, ID_PATH))) return true;
    throw new FolderProblem(`the folder ${folder} is another camera's folder of recordings`);
  }
  if (found.isFile()) throw new FileInTheWay(`${folder} is a file where a folder belongs; rename or remove it`);
  const what = found.isSymbolicLink() ? "is a link" : "is not a folder";
  throw new FolderProblem(
    `the folder ${folder} ${what}; recordings are only put into real folders below the destination`,
  );
}

function statFolder(root: string, folder: string): Stats | undefined {
  try {
    return lstatSync(join(root, folder), { throwIfNoEntry: false });
  } catch (error) {
    const code = errorCode(error);
    // Trouble with the root is trouble for every file.
    if (REFUSALS.includes(code) || !isFolder(root)) throw error;
    throw new FolderProblem(`the folder ${folder} cannot be read (${code}); check its disk`, "disk");
  }
}
