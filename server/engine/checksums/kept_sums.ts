import type { Clock } from "../../clock.ts";
import { momentKey } from "../../domain/recordings/moment_number.ts";
import { nameOf } from "../../domain/recordings/recording_name.ts";
import { type SumsFile, SumsUnusable } from "../../store/destination/sums.ts";
import {
  type CheckedFile,
  type FileId,
  type Place,
  pathOfFile,
  type SumRow,
  type SumRows,
} from "../../store/destination/sums_rows.ts";
import type { Library } from "../../store/library/library.ts";

/** Rows written together: each time the disk is waited for. */
const MOST_PENDING = 256;
const WRITTEN_AFTER_MS = 10_000;
/** Rows that are kept in memory while the disk refuses them; more are taken anew another time. */
const MOST_REFUSED = 4096;

export interface KeptSumsParts {
  readonly clock: Clock;
  readonly file: SumsFile;
  readonly library: Pick<Library, "hasIn">;
}

/** The checksums on the disk, and those that are to be written there. */
export class KeptSums {
  readonly #parts: KeptSumsParts;
  readonly #pending = new Map<string, SumRow>();
  /** Moments that have left, where that could not be written down at once. */
  readonly #leaving: { readonly places: readonly Place[]; readonly at: number }[] = [];
  #writtenAt: number;
  #isRefused = false;
  #version = 0;

  constructor(parts: KeptSumsParts) {
    this.#parts = parts;
    this.#writtenAt = parts.clock.elapsed();
  }

  /**
   * The checksums of a file; of one that a user has moved to another folder those it had there. Null for a file of which
   * none were taken.
   * @throws SumsUnusable while they cannot be read: a damaged file would pass as a new one
   */
  find(id: FileId): SumRow | null {
    const pending = this.#pending.get(pathOfFile(id));
    if (pending) return pending;
    return this.#parts.file.read((rows) => {
      const own = rows.find(id);
      if (own !== null) return own;
      const [moved] = this.#leftPlaces(rows, id);
      return moved === undefined ? null : { ...moved, folder: id.folder };
    }, null);
  }

  /**
   * Those of some files in one folder of which none were taken, or that were in the trash since.
   * @param files in the order of their moments
   * @throws SumsUnusable
   */
  lacking(files: readonly FileId[]): FileId[] {
    const [first] = files;
    const last = files.at(-1);
    if (!first || !last) return [];
    const taken = this.#parts.file.read((rows) => rows.takenIn(first.folder, first.moment, last.moment), []);
    const known = Map.groupBy(taken, ({ moment }) => moment);
    const isKnown = (file: FileId) =>
      known.get(file.moment)?.some(({ ending }) => ending === file.ending) || this.#pending.has(pathOfFile(file));
    return files.filter((file) => !isKnown(file));
  }

  /** Reads what is on the disk. @returns `none` also while that cannot be read */
  read<T>(work: (rows: SumRows) => T, none: T): T {
    try {
      return this.#parts.file.read(work, none);
    } catch (error) {
      if (error instanceof SumsUnusable) return none;
      throw error;
    }
  }

  /** True when checksums of a file of this name at home were taken, and it is not known to be damaged. */
  isTaken(moment: number, ending: string): boolean {
    const name = nameOf(momentKey(moment), ending);
    const isGood = (row: SumRow) => row.damage === null && this.#parts.library.hasIn(name, row.folder);
    for (const row of this.#pending.values())
      if (row.moment === moment && row.ending === ending && isGood(row)) return true;
    return this.read((rows) => rows.ofName(moment, ending).some(isGood), false);
  }

  /** Files that are known to be damaged, by time; null while that cannot be read. */
  damaged(): SumRow[] | null {
    const saved = this.#parts.file.exists ? this.read<SumRow[] | null>((rows) => rows.damaged(), null) : [];
    const pending = [...this.#pending.values()].filter(({ damage }) => damage !== null);
    const others = saved?.filter((row) => !this.#pending.has(pathOfFile(row)));
    return others ? [...others, ...pending].sort(byTime) : null;
  }

  /** True while the disk refuses what is to be written. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Files from one moment to another, both included, of which checksums were taken; none of the trash. */
  between(from: number, to: number): CheckedFile[] {
    const pending = [...this.#pending.values()].filter(({ moment }) => moment >= from && moment <= to);
    const saved = this.read((rows) => rows.between(from, to), []);
    return [
      ...saved.filter((file) => !this.#pending.has(pathOfFile(file))),
      ...pending.map(({ moment, ending, folder, size, damage }) => {
        return { moment, ending, folder, size, isDamaged: damage !== null };
      }),
    ];
  }

  /** Another number when checksums were taken since. */
  get version(): number {
    return this.#version;
  }

  put(row: SumRow): void {
    this.#pending.set(pathOfFile(row), row);
    this.#version++;
  }

  /** Notes, now or with what is written next, that moments are about to be moved to the trash. */
  leave(places: readonly Place[]): void {
    const { file, clock } = this.#parts;
    const at = clock.now();
    this.#version++;
    try {
      if (file.exists) file.change((rows) => rows.setAway(places, at));
      else if (this.#pending.size > 0) this.#leaving.push({ places, at });
    } catch (error) {
      if (!(error instanceof SumsUnusable)) throw error;
      if (this.#leaving.length < MOST_REFUSED) this.#leaving.push({ places, at });
    }
  }

  /** Forgets what waits: it is of files in another folder. */
  forget(): void {
    this.#pending.clear();
    this.#leaving.length = 0;
    this.#version++;
  }

  /** Writes what waits when it is much, or has waited for long. */
  async writeSome(): Promise<void> {
    const isDue = this.#parts.clock.elapsed() - this.#writtenAt >= WRITTEN_AFTER_MS;
    if (this.#pending.size >= MOST_PENDING || (isDue && this.#pending.size > 0)) await this.write();
  }

  /** Writes what waits. What the disk refuses waits for another time. @returns false when it was refused */
  async write(): Promise<boolean> {
    const { file, clock } = this.#parts;
    if (this.#pending.size + this.#leaving.length === 0) return true;
    this.#writtenAt = clock.elapsed();
    const saved = [...this.#pending];
    const left = [...this.#leaving];
    try {
      await file.prepare();
      file.change((rows) => {
        for (const [, row] of saved) {
          rows.remove(this.#leftPlaces(rows, row));
          rows.save([row]);
        }
        for (const { places, at } of left) rows.setAway(places, at);
      });
    } catch (error) {
      if (!(error instanceof SumsUnusable)) throw error;
      if (this.#pending.size > MOST_REFUSED) this.#pending.clear();
      this.#isRefused = true;
      return false;
    }
    this.#isRefused = false;
    this.#leaving.splice(0, left.length);
    for (const [path, row] of saved) if (this.#pending.get(path) === row) this.#pending.delete(path);
    return true;
  }

  /** Places where a file of this name was, and is not any more. */
  #leftPlaces(rows: SumRows, { moment, ending, folder }: FileId): SumRow[] {
    const name = nameOf(momentKey(moment), ending);
    const isLeft = (row: SumRow) => row.folder !== folder && !this.#parts.library.hasIn(name, row.folder);
    return rows.ofName(moment, ending).filter(isLeft);
  }
}

function byTime(one: SumRow, other: SumRow): number {
  return one.moment - other.moment || (pathOfFile(one) < pathOfFile(other) ? -1 : 1);
}
