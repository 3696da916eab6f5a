import { lstat, mkdir, rename, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../clock.ts";
import type { DeletionCause } from "../domain/deletion.ts";
import type { PlacedMoment } from "../domain/due_recordings.ts";
import { momentKey } from "../domain/recording.ts";
import type { Log } from "../log.ts";
import { each } from "./directory.ts";
import { errorCode } from "./error_code.ts";
import { Library } from "./library.ts";
import type { EndingSet } from "./name_index.ts";
import { makeFolder, makeOwnFolder, OWN_FOLDER } from "./own_folder.ts";
import { TrashUnusable } from "./own_folder_guard.ts";
import { removeFile, requireFree } from "./put_in_place.ts";
import {
  addToList,
  type BatchSizes,
  batchId,
  batchOf,
  beginList,
  type Keep,
  readList,
  type Sizes,
  type TrashBatch,
} from "./trash_batch.ts";
import * as journal from "./trash_journal.ts";

/** One moment in the trash. */
export interface TrashEntry extends Sizes {
  readonly batch: TrashBatch;
  readonly moment: number;
  readonly key: string;
  /** Where it was, relative to the destination. */
  readonly folder: string;
  /** Where it is, relative to the trash. */
  readonly place: string;
  readonly set: EndingSet;
}

/** A moment of the library that is to go. */
export type Going = PlacedMoment<EndingSet>;

/** What became of moments that were to be moved. */
export interface Moved {
  readonly batch: TrashBatch;
  readonly moved: readonly (Going & { readonly sizes: Sizes })[];
  readonly failed: readonly { readonly key: string; readonly code: string }[];
}

/** Moved between two looks at whether to stop: what was written down of them is a moment's work. */
const CHUNK = 1000;
/** Renames under way at once. */
const WIDTH = 4;

/**
 * Deleted recordings on the same disk, until they leave for good. All that changes it runs in the own folder's guard.
 * A recording is at home or here at any moment: what a killed process had begun is finished first.
 */
export class Trash {
  readonly #root: string;
  readonly #clock: Clock;
  readonly #library: Library;
  /** Of the destination, which is told what goes and comes. */
  readonly #home: Pick<Library, "noteAdded" | "noteRemoved">;
  readonly #lists = new Map<string, Promise<{ batch: TrashBatch; sizes: BatchSizes }>>();
  #entries: { readonly version: number; readonly list: readonly TrashEntry[] } | null = null;

  constructor(parts: { root: string; home: Pick<Library, "noteAdded" | "noteRemoved">; clock: Clock; log: Log }) {
    this.#root = parts.root;
    this.#clock = parts.clock;
    this.#home = parts.home;
    this.#library = new Library({ ...parts, root: join(parts.root, OWN_FOLDER, "trash") });
  }

  /** The folder itself. */
  get root(): string {
    return this.#library.root;
  }

  /** Everything in it, what was deleted last first. Null when it cannot be read. */
  async entries(): Promise<readonly TrashEntry[]> {
    await this.#library.refreshIfOlder();
    return await this.#current();
  }

  /** How much is in it. */
  async amount(): Promise<{ recordings: number; bytes: number; entries: number }> {
    const entries = await this.entries();
    let [recordings, bytes] = [0, 0];
    for (const entry of entries) {
      recordings += entry.videos;
      bytes += entry.bytes;
    }
    return { recordings, bytes, entries: entries.length };
  }

  /**
   * Makes sure that recordings can be moved here, and finishes what a killed process had begun.
   * @throws TrashUnusable
   */
  async prepare(): Promise<void> {
    try {
      await makeOwnFolder(this.#root);
      await makeFolder(join(this.#root, OWN_FOLDER), "trash");
      const [home, here] = await Promise.all([stat(this.#root), lstat(this.root)]);
      if (home.dev !== here.dev)
        throw new TrashUnusable(
          "the trash folder is on another disk than the recordings, so nothing can be moved to it",
        );
      if (await journal.finishInterrupted(this.#root, this.root)) this.#forget();
    } catch (error) {
      if (error instanceof TrashUnusable) throw error;
      const why = errorCode(error) || (error instanceof Error ? error.message : String(error));
      throw new TrashUnusable(
        `the trash folder ${join(OWN_FOLDER, "trash")} in the recordings folder cannot be used (${why})`,
      );
    }
    await this.#library.refresh();
  }

  /**
   * Moves moments here as one batch; after `prepare`. One that cannot be moved stays whole where it is.
   * @throws TrashUnusable when nothing can be moved at all
   */
  async take(
    moments: readonly Going[],
    what: { readonly cause: DeletionCause; readonly by: string | null; readonly keep: Keep },
    signal?: AbortSignal,
  ): Promise<Moved> {
    const batch = await this.#begin(what);
    const moved: (Going & { sizes: Sizes })[] = [];
    const failed: { key: string; code: string }[] = [];
    for (let at = 0; at < moments.length && !signal?.aborted; at += CHUNK) {
      const chunk: (Going & { sizes: Sizes })[] = [];
      await each(
        moments.slice(at, at + CHUNK),
        async (going) => {
          chunk.push({ ...going, sizes: await this.#sizesOf(join(this.#root, going.folder), going) });
        },
        WIDTH,
      );
      await addToList(join(this.root, batch.id), chunk).catch(acceptFullDisk);
      for (const folder of new Set(chunk.map((going) => going.folder)))
        await this.#usable(() => mkdir(join(this.root, batch.id, folder), { recursive: true }));
      const move = async (going: (typeof chunk)[number]) => {
        const code = await this.#take(batch.id, going);
        if (code === null) moved.push(going);
        else failed.push({ key: momentKey(going.moment), code });
      };
      await each(chunk, move, WIDTH);
    }
    await journal.forgetMoving(this.root, batch.id);
    this.#forget();
    await this.#library.refresh();
    if (moved.length === 0) await this.#sweep([batch.id]);
    return { batch, moved, failed };
  }

  /**
   * Puts entries back, each into the folder that is named for it; after `prepare`.
   * @param check what speaks against a folder, as a sentence; null when nothing does
   */
  async putBack(
    entries: readonly { readonly entry: TrashEntry; readonly folder: string }[],
    check: (folder: string) => string | null,
  ): Promise<{ restored: TrashEntry[]; failed: { entry: TrashEntry; reason: string }[] }> {
    const restored: TrashEntry[] = [];
    const failed: { entry: TrashEntry; reason: string }[] = [];
    const going = entries.filter(({ entry, folder }) => {
      const reason =
        check(folder) ?? (this.#isFree(entry, folder) ? null : "it is here already, and nothing is written over");
      if (reason !== null) failed.push({ entry, reason });
      return reason === null;
    });
    if (going.length > 0)
      await this.#usable(() =>
        journal.noteRestoring(
          this.root,
          going.map(({ entry, folder }) => ({ ...entry, folder })),
        ),
      );
    const put = async ({ entry, folder }: (typeof entries)[number]) => {
      const reason = await this.#putBack(entry, folder);
      if (reason === null) restored.push(entry);
      else failed.push({ entry, reason });
    };
    await each(going, put, WIDTH);
    if (going.length > 0) await journal.forgetRestoring(this.root);
    this.#forget();
    await this.#library.refresh();
    await this.#sweep(restored.map(({ batch }) => batch.id));
    return { restored, failed };
  }

  /** Removes entries for good; after `prepare`. What is the whole of a batch goes in one step. */
  async purge(entries: readonly TrashEntry[]): Promise<void> {
    const all = await this.#current();
    const wanted = new Map<string, TrashEntry[]>();
    for (const entry of entries) {
      const list = wanted.get(entry.batch.id);
      if (list) list.push(entry);
      else wanted.set(entry.batch.id, [entry]);
    }
    const counts = new Map<string, number>();
    for (const { batch } of all) counts.set(batch.id, (counts.get(batch.id) ?? 0) + 1);
    const single: TrashEntry[] = [];
    for (const [batch, list] of wanted)
      if (list.length === counts.get(batch)) await this.#usable(() => journal.removeBatch(this.root, batch));
      else single.push(...list);
    if (single.length > 0) {
      await this.#usable(() => journal.notePurging(this.root, single));
      await each(
        single,
        ({ place, key }) => this.#usable(() => journal.removeMoment(join(this.root, place), key)),
        WIDTH,
      );
      await journal.forgetPurging(this.root);
    }
    this.#forget();
    await this.#library.refresh();
    await this.#sweep(single.map(({ batch }) => batch.id));
  }

  /** Where a file of an entry is. */
  pathOf({ place, key }: Pick<TrashEntry, "place" | "key">, ending: string): string {
    return join(this.root, place, key + ending);
  }

  async #current(): Promise<readonly TrashEntry[]> {
    const { version } = this.#library;
    if (this.#entries?.version === version) return this.#entries.list;
    const list: TrashEntry[] = [];
    for (const { path, moments } of this.#library.shelves) {
      const [id = ""] = path.split("/");
      const known = batchOf(id);
      if (known === null) continue;
      const { batch, sizes } = await this.#listOf(known);
      const [folder, bySize] = [path.slice(id.length + 1), sizes.get(path)];
      for (const [moment, set] of moments) {
        const found = bySize?.get(moment) ?? (await this.#sizesOf(join(this.root, path), { moment, set }));
        list.push({
          batch,
          moment,
          key: momentKey(moment),
          folder,
          place: path,
          set,
          bytes: found.bytes,
          videos: set.videos,
        });
      }
    }
    list.sort((one, other) => other.batch.at - one.batch.at || other.moment - one.moment);
    for (const id of this.#lists.keys()) if (!list.some(({ batch }) => batch.id === id)) this.#lists.delete(id);
    this.#entries = { version, list };
    return list;
  }

  #listOf(batch: TrashBatch): Promise<{ batch: TrashBatch; sizes: BatchSizes }> {
    const known = this.#lists.get(batch.id) ?? readList(join(this.root, batch.id), batch);
    this.#lists.set(batch.id, known);
    return known;
  }

  async #begin(what: Pick<TrashBatch, "cause" | "by" | "keep">): Promise<TrashBatch> {
    const at = this.#clock.now();
    return await this.#usable(async () => {
      for (let number = 1; ; number++) {
        const id = batchId(at, what.cause, number);
        try {
          await journal.noteMoving(this.root, id);
          await mkdir(join(this.root, id));
          await beginList(join(this.root, id), what).catch(acceptFullDisk);
          return { ...what, id, at };
        } catch (error) {
          if (errorCode(error) !== "EEXIST") throw error;
        }
      }
    });
  }

  /** Moves one moment; on an error all of it stays. @returns the error's code; null when it is here */
  async #take(batch: string, { moment, folder, set }: Going): Promise<string | null> {
    const key = momentKey(moment);
    const done: string[] = [];
    const [from, to] = [join(this.#root, folder), join(this.root, batch, folder)];
    try {
      for (const ending of journal.inOrder(set.endings)) {
        const name = key + ending;
        // A note about a failed download is of no use to anybody any more.
        if (set.markers.includes(ending)) await removeFile(join(from, name));
        else if (await moveIfThere(join(from, name), join(to, name))) done.push(name);
        this.#home.noteRemoved(name, folder);
      }
      return null;
    } catch (error) {
      for (const name of done.reverse()) {
        await rename(join(to, name), join(from, name)).catch(() => {});
        this.#home.noteAdded(name, folder);
      }
      return errorCode(error) || String(error);
    }
  }

  #isFree({ key, set }: TrashEntry, folder: string): boolean {
    try {
      for (const ending of set.endings) requireFree(join(this.#root, folder, key + ending));
      return true;
    } catch {
      return false;
    }
  }

  async #putBack({ key, place, set }: TrashEntry, folder: string): Promise<string | null> {
    const done: string[] = [];
    const [from, to] = [join(this.root, place), join(this.#root, folder)];
    try {
      if (folder !== "") await mkdir(to).catch(acceptExisting);
      for (const ending of journal.inOrder(set.endings)) {
        const name = key + ending;
        requireFree(join(to, name));
        if (!(await moveIfThere(join(from, name), join(to, name)))) continue;
        done.push(name);
        this.#home.noteAdded(name, folder);
      }
      return null;
    } catch (error) {
      for (const name of done.reverse()) {
        await rename(join(to, name), join(from, name)).catch(() => {});
        this.#home.noteRemoved(name, folder);
      }
      return `it cannot be moved (${errorCode(error) || (error instanceof Error ? error.message : error)})`;
    }
  }

  async #sizesOf(folder: string, { moment, set }: Pick<Going, "moment" | "set">): Promise<Sizes> {
    let bytes = 0;
    for (const ending of set.endings)
      if (ending.endsWith(".mp4"))
        bytes += (await lstat(join(folder, momentKey(moment) + ending)).catch(() => null))?.size ?? 0;
    return { bytes, videos: set.videos };
  }

  /** Removes the folders of batches that are empty by now; the file system itself refuses all others. */
  async #sweep(batches: readonly string[]): Promise<void> {
    const left = new Set((await this.#current()).map(({ batch }) => batch.id));
    for (const id of new Set(batches)) {
      if (!left.has(id)) await journal.removeBatch(this.root, id).catch(() => {});
      else for (const path of this.#emptyFolders(id)) await rmdir(join(this.root, path)).catch(() => {});
    }
    await this.#library.refresh();
  }

  *#emptyFolders(id: string): Generator<string> {
    for (const { path, moments } of this.#library.shelves)
      if (path.startsWith(`${id}/`) && moments.size === 0 && dirname(path) !== ".") yield path;
  }

  #forget(): void {
    this.#entries = null;
    this.#lists.clear();
  }

  async #usable<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new TrashUnusable(
        `the trash cannot be written (${errorCode(error) || (error instanceof Error ? error.message : error)})`,
      );
    }
  }
}

/** False when it is not there any more. */
async function moveIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT" && (await lstat(from).catch(() => null)) === null) return false;
    throw error;
  }
}

/** The list only saves asking for sizes; a full disk is the very reason to delete. */
function acceptFullDisk(error: unknown): void {
  if (!["ENOSPC", "EDQUOT"].includes(errorCode(error))) throw error;
}

function acceptExisting(error: unknown): void {
  if (errorCode(error) !== "EEXIST") throw error;
}
