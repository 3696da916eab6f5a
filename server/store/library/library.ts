import { lstat, realpath, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { Clock } from "../../clock.ts";
import type { Grouping } from "../../domain/recordings/date_folders.ts";
import { momentKey, momentNumber } from "../../domain/recordings/moment_number.ts";
import { endingOf, groupOf, nameOf } from "../../domain/recordings/recording_name.ts";
import type { Log } from "../../log.ts";
import { each, Turns } from "../../turns.ts";
import { errorCode } from "../error_code.ts";
import { Folder, type FolderScan } from "./library_folder.ts";
import { listDirectory } from "./list_directory.ts";
import { type FolderNames, NameIndex } from "./name_index.ts";
import { OddNames } from "./odd_names.ts";
import { isBorder, isSystemFolder } from "./system_folders.ts";
import { isWithin, UnreadableFolders } from "./unreadable_folders.ts";

/** One moment of the camera in one folder: `key` + each ending is a file there. */
export interface RecordingGroup {
  /** `YYYYMMDD_HHMMSS_T`, in camera wall time. */
  readonly key: string;
  /** Relative to the root, empty for the root itself. */
  readonly folder: string;
  /** `F.mp4`, `R.thm`, `.gps`, `F.mp4.failed` …, sorted. Shared between moments: never change it. */
  readonly endings: readonly string[];
}

export interface PlacedName {
  readonly name: string;
  readonly folder: string;
}

/** Cause that kept a folder from being read: `ENOENT` for one that is not there, `ENOTDIR` for a file, `EIO` … */
export interface FolderRefusal {
  readonly code: string;
}

export interface LibraryParts {
  readonly root: string;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * The folders of all cameras. One below the root is another camera's also while it carries no id, as when it was
   * restored from a backup without hidden files.
   */
  readonly homes?: () => readonly string[];
}

const FRESH_MS = 1000;
/** Requests to the disk at once. */
const WIDTH = 16;
/** A refresh that listed more entries than this leaves tens of megabytes of garbage. */
const MANY_ENTRIES = 20_000;

/**
 * The one index of what lies below the destination, at any depth and in any grouping. Nothing else walks the tree. A
 * folder below it that is a destination itself is another camera's, and is not looked into.
 * It knows names only: no file is opened, and the disk is asked only where name and directory entry do not suffice.
 */
export class Library {
  /** The destination folder. */
  readonly root: string;
  readonly #homes: () => readonly string[];
  readonly #clock: Clock;
  readonly #names = new NameIndex();
  readonly #folders = new Map<string, Folder>();
  readonly #oddNames: OddNames;
  readonly #unreadable: UnreadableFolders;
  /** Reading a folder's time is cheap, many can at once; listing one takes memory. */
  readonly #turns = new Turns();
  #scan: Promise<void> | null = null;
  #round = 0;
  #entriesListed = 0;
  /** Entries listed since the collector last ran for them. */
  #garbage = 0;
  #otherChanges = 0;
  #rootProblem: FolderRefusal | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: LibraryParts) {
    this.root = parts.root;
    this.#homes = parts.homes ?? (() => []);
    this.#clock = parts.clock;
    this.#oddNames = new OddNames(parts.log);
    this.#unreadable = new UnreadableFolders(parts);
  }

  /** False until the first refresh, and while the root is not there or cannot be read. */
  get available(): boolean {
    return this.#lookedAt !== Number.NEGATIVE_INFINITY && this.#rootProblem === null;
  }

  /** Cause that kept the last refresh from reading the root; null when it could, and before the first. */
  get rootProblem(): FolderRefusal | null {
    return this.#rootProblem;
  }

  /** Grows with every change of what it holds. */
  get version(): number {
    return this.#names.version + this.#otherChanges;
  }

  get recordingCount(): number {
    return this.#names.videos;
  }

  /**
   * Folders below the root that the last refresh could not read, sorted. Their known files stay, with those of all
   * folders below them. All other files in them are unknown, not missing. For the root itself, see `rootProblem`.
   */
  get unreadable(): readonly string[] {
    return this.#unreadable.paths;
  }

  /**
   * True when a folder that cannot be read may hold recordings of this moment (see `momentNumber`): it is then
   * unknown if they are at home. `grouping` is the one in force.
   */
  isUnknown(moment: number, grouping: Grouping): boolean {
    return this.#unreadable.mayHold(moment, grouping);
  }

  /** The folders of each moment as a number, and the changes among them, for counters. */
  get names(): Pick<NameIndex, "hasAt" | "version" | "changedSince"> {
    return this.#names;
  }

  /** Every folder with its moments as numbers, for readers of 100,000 of them. */
  get folderContents(): Iterable<FolderNames> {
    return this.#folders.values();
  }

  /** Relative paths of all folders seen, the root (empty) among them. */
  folders = (): readonly string[] => [...this.#folders.keys()];

  /** True when an artifact or a failure marker of this name lies anywhere below the root. */
  has(name: string): boolean {
    return this.folderOf(name) !== null;
  }

  /** As `has`, for the first 17 characters of `name` followed by `ending`; it makes no text. */
  hasBeside(name: string, ending: string): boolean {
    return this.#names.hasBeside(name, ending);
  }

  /** True when an artifact or a failure marker of this name lies in this folder. */
  hasIn(name: string, folder: string): boolean {
    const set = this.#folders.get(folder)?.moments.get(momentNumber(name));
    return set?.endings.includes(endingOf(name)) ?? false;
  }

  /** The relative folder ("" for the root) of an artifact or marker, of several the last by path; null for none. */
  folderOf(name: string): string | null {
    return this.#names.folderOf(name);
  }

  /** The moment with this 17-character key, of several folders the last by path; null for none. */
  group(key: string): RecordingGroup | null {
    const found = this.#names.find(key);
    return found && { key: groupOf(key), folder: found.path, endings: found.set.endings };
  }

  /** Every moment in every folder (or in one), in no particular order; also those without a video. */
  *groups(folder?: string): Generator<RecordingGroup> {
    for (const { path, moments } of this.#within(folder)) {
      for (const [moment, { endings }] of moments) yield { key: momentKey(moment), folder: path, endings };
    }
  }

  /** Every failure marker, in no particular order. `name` is the marker's own, `….failed`. */
  *markers(): Generator<PlacedName> {
    for (const { path, moments } of this.#within()) {
      for (const [moment, { markers }] of moments) {
        for (const ending of markers) yield { name: nameOf(momentKey(moment), ending), folder: path };
      }
    }
  }

  /** Artifact names with a partial (`.<name>`) in the root folder. */
  partials(): readonly string[] {
    return [...(this.#folders.get("")?.partials ?? [])];
  }

  /**
   * Notes a file just written there: artifact, marker or, in the root, `.<artifact>`. It shows at once; the folder
   * is listed again by the next refresh all the same, since others may have written too. Other names are ignored.
   */
  noteAdded(name: string, folder: string): void {
    this.#note(name, folder, true);
  }

  /** As `noteAdded`, of a file just deleted or renamed away. */
  noteRemoved(name: string, folder: string): void {
    this.#note(name, folder, false);
  }

  /** Asks the disk for every known folder once and lists those that changed. Never rejects; concurrent callers share it. */
  refresh(): Promise<void> {
    this.#scan ??= this.#walk().finally(() => {
      this.#scan = null;
      this.#lookedAt = this.#clock.elapsed();
    });
    return this.#scan;
  }

  /** As `refresh`, unless the last one is less than `maxAgeMs` old: for readers that come many times a second. */
  async refreshIfOlder(maxAgeMs = FRESH_MS): Promise<void> {
    if (this.#clock.elapsed() - this.#lookedAt >= maxAgeMs) await this.refresh();
  }

  #within(folder?: string): Iterable<Folder> {
    if (folder === undefined) return this.#folders.values();
    return [this.#folders.get(folder)].filter((found) => found !== undefined);
  }

  #note(name: string, path: string, added: boolean): void {
    const folder = this.#folders.get(path) ?? new Folder(path, this.#names);
    if (!folder.note(name, added)) return;
    this.#otherChanges++;
    if (!added) return;
    this.#folders.set(path, folder);
    // It may be younger than the listing of its parent that is under way.
    folder.round = this.#round;
  }

  async #walk(): Promise<void> {
    const round = ++this.#round;
    this.#entriesListed = 0;
    let rootProblem: FolderRefusal | null = null;
    const others = await this.#othersBelow();
    let level = [""];
    while (level.length > 0) {
      const deeper: string[] = [];
      const look = async (path: string) => {
        const found = await this.#visit(path, round);
        if (found instanceof Folder) {
          const paths = found.children.map((child) => (path === "" ? child : `${path}/${child}`));
          for (const one of paths) if (!others.has(one)) deeper.push(one);
        } else if (path === "") rootProblem = found;
      };
      await each(level, look, WIDTH);
      level = deeper;
    }
    this.#rootProblem = rootProblem;
    if (this.#unreadable.settle(round, (path) => this.#folders.get(path)?.round === round)) this.#otherChanges++;
    for (const folder of [...this.#folders.values()]) {
      if (folder.round === round) continue;
      await folder.clear();
      // We may have made it anew in the meantime.
      if (folder.round === round) continue;
      this.#folders.delete(folder.path);
      this.#otherChanges++;
    }
    // The collector would keep that memory for a busier time that never comes; it is given back when we are idle.
    if (this.#entriesListed > MANY_ENTRIES) Bun.shrink();
  }

  /** Relative paths of other cameras' folders below the root. */
  async #othersBelow(): Promise<ReadonlySet<string>> {
    const homes = this.#homes().filter((home) => home !== this.root);
    if (homes.length === 0) return NONE;
    const [root = "", ...real] = await Promise.all([this.root, ...homes].map(withoutLinks));
    return new Set(real.map((home) => relative(root, home)));
  }

  /** Lists one folder when it changed; why not when it is not there or the disk refuses to show it. */
  async #visit(path: string, round: number): Promise<Folder | FolderRefusal> {
    const place = join(this.root, path);
    try {
      // The root may be a link to the real folder; below it links are not followed.
      const found = path === "" ? await stat(place, { bigint: true }) : await lstat(place, { bigint: true });
      if (!found.isDirectory()) return { code: "ENOTDIR" };
      const known = this.#folders.get(path);
      // A change that makes a folder another camera's changes the folder, too.
      const isAsked = path !== "" && (known === undefined || !known.isCurrent(found));
      if (isAsked && (await isBorder(place))) return { code: "ENOENT" };
      const folder = known ?? this.#addFolder(path);
      if (!folder.isCurrent(found)) {
        const now = this.#clock.now();
        const elapsed = this.#clock.elapsed();
        await folder.list(found, now, elapsed, (into) => this.#turns.run(() => this.#read(folder, place, into)));
      }
      folder.round = round;
      return folder;
    } catch (error) {
      const code = errorCode(error) || String(error);
      // Unless it was removed since its parent was listed, this is the disk's trouble, not an empty folder.
      if (code !== "ENOENT" && code !== "ENOTDIR") this.#keep(path, code, round);
      return { code };
    }
  }

  async #read(folder: Folder, place: string, into: FolderScan): Promise<void> {
    const listed = await listDirectory(place, {
      wantsFile: (name) => folder.understands(name),
      wantsDirectory: (name) => !isSystemFolder(name),
      directory: (name) => {
        into.children.push(name);
      },
      file: (name) => {
        if (!folder.take(name, into)) this.#oddNames.warn(name);
      },
    });
    this.#entriesListed += listed;
    this.#garbage += listed;
    // Entries are large and short-lived and would pile up. The collector is asked to come; who runs it here has to wait.
    if (this.#garbage > MANY_ENTRIES) {
      this.#garbage = 0;
      Bun.gc(false);
    }
  }

  #addFolder(path: string): Folder {
    const folder = new Folder(path, this.#names);
    this.#folders.set(path, folder);
    this.#otherChanges++;
    return folder;
  }

  /** The disk refuses to show a folder: what is known of it and of all below it stays, until the disk shows it. */
  #keep(path: string, code: string, round: number): void {
    if (this.#unreadable.add(path, code, round)) this.#otherChanges++;
    for (const folder of this.#folders.values()) if (isWithin(folder.path, path)) folder.round = round;
  }
}

const NONE: ReadonlySet<string> = new Set();

async function withoutLinks(path: string): Promise<string> {
  return await realpath(path).catch(() => resolve(path));
}
