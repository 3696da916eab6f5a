import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import { momentKey } from "../../domain/recordings/moment_number.ts";
import type { Log } from "../../log.ts";
import { isSliceEnd, nextTurn, sortInSlices, Turns } from "../../turns.ts";
import { Library } from "../library/library.ts";
import type { EndingSet } from "../library/name_index.ts";
import { type BatchSizes, batchOf, readList, type Sizes, type TrashBatch } from "./trash_batch.ts";
import { sizesIn } from "./trash_moves.ts";

/** One moment in the trash. */
export interface TrashEntry extends Sizes {
  readonly batch: TrashBatch;
  readonly moment: number;
  readonly key: string;
  /** The folder that it was in, relative to the destination. */
  readonly folder: string;
  /** The folder that it is in, relative to the trash. */
  readonly place: string;
  readonly set: EndingSet;
}

/** Time that a reading is fresh to pages. */
const FRESH_MS = 1000;

/** Contents of the trash, in memory while its folders stay as they are. */
export class TrashIndex {
  readonly #library: Library;
  readonly #clock: Clock;
  readonly #lists = new Map<string, Promise<{ batch: TrashBatch; sizes: BatchSizes }>>();
  /** One reading after the other, each from its own beginning. */
  readonly #turns = new Turns(1);
  /** That of readers while files move. */
  #shared: Promise<void> | null = null;
  /** Grows with each change. */
  #round = 0;
  #readAt = Number.NEGATIVE_INFINITY;
  /** Files have moved since it was read last. */
  #isOld = false;
  #entries: { readonly version: number; readonly list: readonly TrashEntry[] } | null = null;

  constructor(parts: { root: string; clock: Clock; log: Log }) {
    this.#library = new Library(parts);
    this.#clock = parts.clock;
  }

  get root(): string {
    return this.#library.root;
  }

  /**
   * Tells why the contents cannot be known, without a full stop; null when they are known, or nothing was ever deleted.
   */
  get problem(): string | null {
    const code = this.#library.rootProblem?.code ?? "ENOENT";
    return code === "ENOENT" ? null : `the trash folder in the recordings folder cannot be read (${code})`;
  }

  /** From here on files move: what was read counts as old until `refresh`. */
  outdate(): void {
    this.#isOld = true;
  }

  /**
   * Reads the folders that changed, while nothing moves; what was written down about batches is read again after a
   * `change`. Never shared with a reading that began earlier, which may have passed by what has just changed.
   */
  async refresh(change = false): Promise<void> {
    if (change) {
      this.#round++;
      this.#entries = null;
      this.#lists.clear();
    }
    await this.#read();
    this.#isOld = false;
  }

  /** As `refresh`, unless the last one is less than a second old and nothing has moved since. */
  async refreshIfOlder(): Promise<void> {
    if (!this.#isOld && this.#clock.elapsed() - this.#readAt < FRESH_MS) return;
    this.#shared ??= this.#read().finally(() => {
      this.#shared = null;
    });
    await this.#shared;
  }

  /** Everything, what was deleted last first, as of the last refresh. */
  async entries(): Promise<readonly TrashEntry[]> {
    const { version } = this.#library;
    const round = this.#round;
    if (this.#entries?.version === version) return this.#entries.list;
    const list: TrashEntry[] = [];
    let handled = 0;
    for (const { path, moments } of this.#library.folderContents) {
      const [id = ""] = path.split("/");
      const known = batchOf(id);
      if (known === null) continue;
      const { batch, sizes } = await this.#listOf(known);
      const folder = path.slice(id.length + 1);
      const bySize = sizes.get(path);
      for (const [moment, set] of moments) {
        if (isSliceEnd(++handled)) await nextTurn();
        const { bytes } = bySize?.get(moment) ?? (await sizesIn(join(this.root, path), { moment, set }));
        list.push({ batch, moment, key: momentKey(moment), folder, place: path, set, bytes, videos: set.videos });
        if (isSliceEnd(list.length)) await nextTurn();
      }
    }
    const sorted = await sortInSlices(list, (one, other) => other.batch.at - one.batch.at || other.moment - one.moment);
    // The lists of batches may have been read before a change.
    if (round === this.#round) this.#entries = { version, list: sorted };
    return sorted;
  }

  /** Batches that hold nothing any more: who emptied them was killed before they were removed. */
  emptyBatches(): string[] {
    const full = new Map<string, boolean>();
    for (const { path, moments } of this.#library.folderContents) {
      const [id = ""] = path.split("/");
      if (batchOf(id) !== null) full.set(id, full.get(id) || moments.size > 0);
    }
    return [...full].flatMap(([id, isFull]) => (isFull ? [] : [id]));
  }

  /** Folders of a batch that hold nothing any more. */
  *emptyFolders(batch: string): Generator<string> {
    for (const { path, moments } of this.#library.folderContents)
      if (path.startsWith(`${batch}/`) && moments.size === 0) yield path;
  }

  /** Reads the library, which no other reader has. */
  #read(): Promise<void> {
    return this.#turns.run(async () => {
      await this.#library.refresh();
      this.#readAt = this.#clock.elapsed();
    });
  }

  #listOf(batch: TrashBatch): Promise<{ batch: TrashBatch; sizes: BatchSizes }> {
    const known = this.#lists.get(batch.id) ?? readList(join(this.root, batch.id), batch);
    this.#lists.set(batch.id, known);
    return known;
  }
}

/**
 * Returns the last deletion of each recording that was deleted more than once. A key means that one, and the ones
 * before it show when it has been removed.
 * @param entries last deletion first
 */
export function newestOfEach(entries: readonly TrashEntry[]): readonly TrashEntry[] {
  const last = new Map<number, string>();
  // A thumbnail that was deleted later hides no video.
  for (const { moment, batch, videos } of entries) if (videos > 0 && !last.has(moment)) last.set(moment, batch.id);
  for (const { moment, batch } of entries) if (!last.has(moment)) last.set(moment, batch.id);
  const newest = entries.filter(({ moment, batch }) => last.get(moment) === batch.id);
  return newest.length === entries.length ? entries : newest;
}

/** Counts the recordings of some entries, and their bytes. */
export function amountIn(entries: readonly Sizes[]): { recordings: number; bytes: number } {
  let recordings = 0;
  let bytes = 0;
  for (const entry of entries) {
    recordings += entry.videos;
    bytes += entry.bytes;
  }
  return { recordings, bytes };
}
