import { lstat, mkdir, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../../clock.ts";
import { momentKey } from "../../domain/recordings/moment_number.ts";
import { nameOf } from "../../domain/recordings/recording_name.ts";
import type { DeletionCause } from "../../domain/retention/deletion_cause.ts";
import { type Log, messageOf } from "../../log.ts";
import { each } from "../../turns.ts";
import { errorCode } from "../error_code.ts";
import { readOwnFile } from "../library/opened_file.ts";
import { isFolder } from "../path_facts.ts";
import { ANY_FOLDER, type SameFolder } from "./destination_place.ts";
import { DestinationProblem } from "./destination_problem.ts";
import { type Back, type CopiesAtHome, chooseBack } from "./left_to_restore.ts";
import { giveToOwnerOf, makeFolder, makeOwnFolder, OWN_FOLDER } from "./own_folder.ts";
import { TrashUnusable } from "./own_folder_guard.ts";
import { addToList, batchId, beginList, type Keep, type Sizes, type TrashBatch } from "./trash_batch.ts";
import { amountIn, newestOfEach, type TrashEntry, TrashIndex } from "./trash_index.ts";
import * as journal from "./trash_journal.ts";
import { type LibraryMoment, moveBack, moveOut, type NotedLibrary, sizesIn } from "./trash_moves.ts";

/** Outcome for moments that were to be moved. */
export interface Moved {
  readonly batch: TrashBatch;
  readonly moved: readonly (LibraryMoment & { readonly sizes: Sizes })[];
  readonly failed: readonly { readonly key: string; readonly code: string }[];
}

interface TakeOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with every moment that was moved. */
  readonly onMoved?: (moment: number) => void;
}

/** Moments that are written down together before they are moved: some hundredths of a second's work. */
const CHUNK = 1000;
/** Renames under way at once. */
const WIDTH = 4;

/**
 * Deleted recordings on the same disk, until they are removed for good. All that changes it runs in the own folder's guard.
 * A recording is at home or here at any moment: what a killed process had begun is finished first.
 */
export class Trash {
  readonly #root: string;
  readonly #clock: Clock;
  readonly #index: TrashIndex;
  readonly #home: NotedLibrary;
  readonly #copies: CopiesAtHome | null;
  readonly #place: SameFolder;
  readonly #leaving: (moments: readonly LibraryMoment[]) => void;

  /** @param parts.leaving called with moments before they are moved here
   * @param parts without `copies`, of the same content elsewhere nothing is known */
  constructor(parts: {
    root: string;
    home: NotedLibrary;
    copies?: CopiesAtHome;
    clock: Clock;
    log: Log;
    place?: SameFolder;
    leaving?: (moments: readonly LibraryMoment[]) => void;
  }) {
    this.#root = parts.root;
    this.#clock = parts.clock;
    this.#home = parts.home;
    this.#copies = parts.copies ?? null;
    this.#place = parts.place ?? ANY_FOLDER;
    this.#leaving = parts.leaving ?? (() => {});
    this.#index = new TrashIndex({ ...parts, root: join(parts.root, OWN_FOLDER, "trash") });
  }

  get root(): string {
    return this.#index.root;
  }

  /** Sentence without a full stop that tells why the contents cannot be known; null when they are known. */
  get problem(): string | null {
    return this.#index.problem;
  }

  /** Everything in it, what was deleted last first. */
  async entries(): Promise<readonly TrashEntry[]> {
    await this.#index.refreshIfOlder();
    return await this.#index.entries();
  }

  /** Counts the recordings, bytes and entries in it. */
  async amount(): Promise<{ recordings: number; bytes: number; entries: number }> {
    const entries = newestOfEach(await this.entries());
    return { ...amountIn(entries), entries: entries.filter(({ videos }) => videos > 0).length };
  }

  /** The first bytes of a file of an entry; null when it is gone, or a link, which leads anywhere. */
  async read({ place, key }: Pick<TrashEntry, "place" | "key">, ending: string, most: number) {
    return await readOwnFile(this.#root, join(OWN_FOLDER, "trash"), `${place}/${nameOf(key, ending)}`, most);
  }

  /** True when a process was killed in the middle of its work here, or is still at it. */
  isInterrupted(): Promise<boolean> {
    return journal.isInterrupted(this.root);
  }

  /**
   * Makes sure that recordings can be moved here, and finishes what a killed process had begun.
   * @param isWanted whether the folder is made when it is not there
   * @throws TrashUnusable
   */
  async prepare(isWanted = true): Promise<void> {
    let isChanged = false;
    try {
      if (isWanted) {
        await makeOwnFolder(this.#root);
        await makeFolder(join(this.#root, OWN_FOLDER), "trash");
      } else if (!isFolder(this.root)) return await this.#index.refresh();
      const [home, here] = await Promise.all([stat(this.#root), lstat(this.root)]);
      // Through a link, what is not ours would be removed.
      if (!here.isDirectory()) throw new Error("it is not a folder");
      if (home.dev !== here.dev) throw new TrashUnusable("the trash folder is on another disk than the recordings");
      isChanged = await journal.finishInterrupted(this.#root, this.root);
    } catch (error) {
      if (error instanceof TrashUnusable) throw error;
      const folder = join(OWN_FOLDER, "trash");
      throw new TrashUnusable(`the trash folder ${folder} in the recordings folder cannot be used (${codeOf(error)})`, {
        cause: error,
      });
    }
    await this.#index.refresh(isChanged);
    await this.#sweep(this.#index.emptyBatches());
  }

  /**
   * Moves moments here as one batch; after `prepare`. One that cannot be moved stays whole where it is.
   * @throws TrashUnusable when nothing can be moved at all
   */
  async take(
    moments: readonly LibraryMoment[],
    what: {
      readonly cause: DeletionCause;
      readonly by: string | null;
      readonly keep: Keep;
      readonly at?: number | null;
    },
    { signal, onMoved }: TakeOptions = {},
  ): Promise<Moved> {
    const batch = await this.#begin(what);
    const path = join(this.root, batch.id);
    const moved: (LibraryMoment & { sizes: Sizes })[] = [];
    const failed: { key: string; code: string }[] = [];
    for (let at = 0; at < moments.length && !signal?.aborted; at += CHUNK) {
      const chunk = moments.slice(at, at + CHUNK);
      let sized: (LibraryMoment & { sizes: Sizes })[] = [];
      try {
        sized = await this.#usable(() => this.#note(path, chunk));
        this.#leaving(chunk);
      } catch (error) {
        // Moments that were moved before are in the trash, and the caller has to know of them.
        if (moved.length === 0) throw error;
        const code = messageOf(error);
        for (const { moment } of moments.slice(at)) failed.push({ key: momentKey(moment), code });
        break;
      }
      const move = async (going: LibraryMoment & { sizes: Sizes }) => {
        if (signal?.aborted) return;
        const ways = { from: join(this.#root, going.folder), to: join(path, going.folder), home: this.#home };
        const code = await moveOut(going, { ...ways, place: this.#place });
        if (code !== null) failed.push({ key: momentKey(going.moment), code });
        else {
          moved.push(going);
          onMoved?.(going.moment);
        }
      };
      await each(sized, move, WIDTH);
    }
    // A note that stays does no harm: all of its recordings are here.
    await journal.forgetMoving(this.root, batch.id, new Set(moved.map(({ folder }) => folder))).catch(() => {});
    await this.#index.refresh(true);
    if (moved.length === 0) await this.#sweep([batch.id]);
    return { batch, moved, failed };
  }

  /**
   * Puts entries back, each into the folder that is named for it; after `prepare`.
   * @param check why a folder cannot be used, as a sentence; null when it can
   */
  async putBack(
    entries: readonly Back[],
    check: (folder: string) => string | null,
  ): Promise<{ restored: TrashEntry[]; failed: { entry: TrashEntry; reason: string }[] }> {
    const restored: TrashEntry[] = [];
    const ways = (one: Back) => ({ ...this.#waysBack(one), root: this.#root, copies: this.#copies });
    const { going, failed } = await chooseBack(entries, ways, check);
    if (going.length === 0) return { restored, failed };
    const noted = going.map(({ entry: { key, place }, folder }) => ({ key, place, folder }));
    await this.#usable(() => journal.noteRestoring(this.root, noted));
    this.#index.outdate();
    const put = async ({ set, ...back }: (typeof going)[number]) => {
      const { entry, folder } = back;
      const reason = await moveBack({ key: entry.key, set, folder }, this.#waysBack(back));
      if (reason === null) restored.push(entry);
      else failed.push({ entry, reason });
    };
    await each(going, put, WIDTH);
    const into = restored.length === 0 ? [] : going.map(({ folder }) => folder);
    await journal.forgetRestoring(this.root, this.#root, new Set(into));
    await this.#index.refresh(true);
    await this.#sweep(restored.map(({ batch }) => batch.id));
    return { restored, failed };
  }

  /** Removes entries for good; after `prepare`. A whole batch goes in one step. */
  async purge(entries: readonly TrashEntry[]): Promise<void> {
    if (entries.length === 0) return;
    this.#index.outdate();
    const counts = new Map<string, number>();
    for (const { batch } of await this.#index.entries()) counts.set(batch.id, (counts.get(batch.id) ?? 0) + 1);
    const single: TrashEntry[] = [];
    for (const [batch, list] of Map.groupBy(entries, (entry) => entry.batch.id)) {
      const keys = new Set(list.map(({ key }) => key));
      if (list.length === counts.get(batch) && (await journal.holdsOnly(this.root, batch, keys)))
        await this.#usable(() => journal.removeBatch(this.root, batch));
      else single.push(...list);
    }
    if (single.length > 0) {
      // Without the note a kill leaves the rest of one here, for the next purge; a full disk must not keep all of them here.
      await this.#usable(() => journal.notePurging(this.root, single).catch(acceptFullDisk));
      const remove = ([place, list]: readonly [string, TrashEntry[]]) =>
        this.#usable(() => journal.removeMoments(join(this.root, place), new Set(list.map(({ key }) => key))));
      await each([...Map.groupBy(single, ({ place }) => place)], remove, WIDTH);
      await journal.forgetPurging(this.root);
    }
    await this.#index.refresh(true);
    await this.#sweep(single.map(({ batch }) => batch.id));
  }

  #waysBack({ entry, folder }: Back) {
    const from = join(this.root, entry.place);
    const to = join(this.#root, folder);
    return { from, to, home: this.#home, place: this.#place };
  }

  async #begin({ at: dated, ...what }: Parameters<Trash["take"]>[1]): Promise<TrashBatch> {
    const at = dated ?? this.#clock.now();
    this.#index.outdate();
    return await this.#usable(async () => {
      for (let number = 1; ; number++) {
        const id = batchId(at, what.cause, number);
        // Never a note about a batch that is there already: what came home of it since would be taken, too.
        if ((await lstat(join(this.root, id)).catch(() => null)) !== null) continue;
        await journal.noteMoving(this.root, id);
        const path = join(this.root, id);
        await mkdir(path);
        giveToOwnerOf(this.root, path);
        await beginList(path, what).catch(acceptFullDisk);
        return { ...what, id, at };
      }
    });
  }

  /** Writes down what moves next into the batch at `path`, and makes its folders there. */
  async #note(path: string, moments: readonly LibraryMoment[]): Promise<(LibraryMoment & { sizes: Sizes })[]> {
    const sized: (LibraryMoment & { sizes: Sizes })[] = [];
    const measure = async (going: LibraryMoment) => {
      sized.push({ ...going, sizes: await sizesIn(join(this.#root, going.folder), going) });
    };
    await each(moments, measure, WIDTH);
    await addToList(path, sized).catch(acceptFullDisk);
    for (const folder of new Set(sized.map((going) => going.folder))) {
      const first = await mkdir(join(path, folder), { recursive: true });
      for (let made = join(path, folder); first !== undefined && made.startsWith(first); made = dirname(made))
        giveToOwnerOf(this.root, made);
    }
    return sized;
  }

  /** @throws TrashUnusable in place of the file system's own error, and when the disk has left */
  async #usable<T>(work: () => Promise<T>): Promise<T> {
    try {
      this.#place.requireSame();
      return await work();
    } catch (error) {
      if (error instanceof DestinationProblem) throw new TrashUnusable(error.message);
      throw new TrashUnusable(`the trash cannot be written (${codeOf(error)})`, { cause: error });
    }
  }

  /** Removes the folders of batches that are empty by now; the file system itself refuses all others. */
  async #sweep(batches: readonly string[]): Promise<void> {
    if (batches.length === 0) return;
    const left = new Set((await this.#index.entries()).map(({ batch }) => batch.id));
    for (const id of new Set(batches)) {
      if (!left.has(id)) await journal.removeEmptyBatch(this.root, id).catch(() => {});
      else for (const path of this.#index.emptyFolders(id)) await rmdir(join(this.root, path)).catch(() => {});
    }
    await this.#index.refresh(true);
  }
}

function codeOf(error: unknown): string {
  return errorCode(error) || messageOf(error);
}

/** The list only saves asking for sizes; a full disk is the very reason to delete. */
function acceptFullDisk(error: unknown): void {
  if (!["ENOSPC", "EDQUOT"].includes(errorCode(error))) throw error;
}
