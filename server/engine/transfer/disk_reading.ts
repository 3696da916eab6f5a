import type { Clock } from "../../clock.ts";
import type { Run } from "../../domain/runs/run.ts";
import type { Trash } from "../../store/destination/trash.ts";
import type { Library } from "../../store/library/library.ts";
import { abortable } from "./abortable.ts";
import { DiskBudget } from "./disk_budget.ts";
import type { DiskReservations } from "./disk_reservations.ts";

/**
 * Use of the disk before and after a run, and the share of the trash in it. Both are read together. A trash from before
 * it was emptied must not be subtracted from a disk from after.
 */
export class DiskReading {
  readonly budget: DiskBudget;
  readonly #trash: Pick<Trash, "amount">;
  readonly #library: Pick<Library, "available">;
  #ratios: Pick<Run, "diskUsedRatio" | "trashRatio"> | null = null;

  constructor(parts: {
    root: string;
    clock: Clock;
    trash: Pick<Trash, "amount">;
    library: Pick<Library, "available">;
    /** Bytes the run has written so far. */
    written: () => number;
    reservations: DiskReservations;
  }) {
    this.budget = new DiskBudget(parts);
    this.#trash = parts.trash;
    this.#library = parts.library;
  }

  /** Reads both, or keeps what was found before. Errors are the file system's own about the disk, or the abort. */
  async read(signal: AbortSignal): Promise<void> {
    const bytes = await abortable(this.#bytes(), signal);
    await abortable(this.budget.read(), signal);
    this.#ratios = { diskUsedRatio: this.budget.lastUsedRatio, trashRatio: this.budget.ratioOf(bytes) };
  }

  /**
   * For the run's row, after which it reserves no room any more. A disk that was never read stays unknown; after a stop, or when the folder is missing, what was
   * found before stays, with what came home since.
   */
  async atEnd(signal: AbortSignal): Promise<Pick<Run, "diskUsedRatio" | "trashRatio">> {
    if (this.#ratios !== null && this.#library.available) await this.read(signal).catch(() => {});
    this.budget.end();
    const { lastUsedRatio } = this.budget;
    return {
      diskUsedRatio: lastUsedRatio,
      trashRatio: lastUsedRatio === null ? null : (this.#ratios?.trashRatio ?? null),
    };
  }

  /** Null while unknown. */
  async #bytes(): Promise<number | null> {
    try {
      return (await this.#trash.amount()).bytes;
    } catch {
      return null;
    }
  }
}
