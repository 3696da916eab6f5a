import type { Clock } from "../../clock.ts";
import { type DiskUsage, deviceOf, readDisk } from "../../store/destination/disk_usage.ts";
import type { DiskReservations, Reservation, RunReservations } from "./disk_reservations.ts";
import { DiskFull } from "./failure_of_error.ts";

/** Longest use of a reading, corrected by the bytes that this process writes. */
const FRESH_MS = 1000;

/** Answer to a wish for room. */
export interface Reserved {
  /** Bytes that could be written before. */
  readonly room: number;
  /** Null when there is too little room: then nothing is reserved. */
  readonly reservation: Reservation | null;
}

/**
 * The room on the destination's disk, asked before every file. Asking the system each time would cost more than a
 * small file itself, so between two readings it is computed from the bytes written since. Room that other runs have
 * reserved on the same disk is none of it.
 */
export class DiskBudget {
  readonly #root: string;
  readonly #clock: Clock;
  /** Bytes this run has written so far. */
  readonly #written: () => number;
  readonly #reservations: RunReservations;
  #disk: DiskUsage | null = null;
  #lookedAt = 0;
  #writtenThen = 0;

  constructor(options: { root: string; clock: Clock; written: () => number; reservations: DiskReservations }) {
    this.#root = options.root;
    this.#clock = options.clock;
    this.#written = options.written;
    this.#reservations = options.reservations.begin();
  }

  /** Reads the disk itself. Errors are the file system's own. */
  async read(): Promise<void> {
    this.#reservations.beginReading(await deviceOf(this.#root));
    // Before the reading: bytes that are written during it may not be in it.
    const written = this.#written();
    this.#disk = await readDisk(this.#root);
    this.#lookedAt = this.#clock.elapsed();
    this.#writtenThen = written;
  }

  /** Bytes that were written are gone again: the next figure is read anew. */
  forget(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  /** 0..1, of the last reading and what was written since; null when the disk was never read. */
  get lastUsedRatio(): number | null {
    if (!this.#disk) return null;
    const { usedBytes, totalBytes, usedRatio } = this.#disk;
    return totalBytes > 0 ? Math.min(1, (usedBytes + this.#since) / totalBytes) : usedRatio;
  }

  /** Returns bytes as a share of the whole disk; null when its size is not known. */
  ratioOf(bytes: number | null): number | null {
    const total = this.#disk?.totalBytes ?? 0;
    return bytes === null || total === 0 ? null : Math.min(1, bytes / total);
  }

  /** True when the disk is used to `limit` percent or more, as far as is known within a second. */
  isOver(limit: number): Promise<boolean> {
    return this.#fresh(() => (this.lastUsedRatio ?? 0) * 100 >= limit);
  }

  /** Bytes by which the disk is used to more than `limit` percent, and one more; 0 when it is not. */
  bytesOver(limit: number): number {
    if (!this.#disk) return 0;
    const over = this.#disk.usedBytes + this.#since - (this.#disk.totalBytes * limit) / 100;
    return over < 0 ? 0 : Math.floor(over) + 1;
  }

  /** The error of a disk that is over `limit` percent. */
  full(limit: number): DiskFull {
    // As the storage card rounds it.
    const used = Math.round((this.lastUsedRatio ?? 0) * 1000) / 10;
    return new DiskFull(
      `the disk is ${used} % full and the limit is ${limit} %; free space, lower retention or raise the limit`,
    );
  }

  /**
   * Reserves room until the disk is used to `limit` percent: `most` bytes, or as many as there are, and none at all when
   * there are fewer than `least`. Nothing comes between the look and the reservation. Who takes as many as there are is
   * answered by the disk itself: small files fill whole blocks, which the count of their bytes does not know.
   */
  async reserve(limit: number, least: number, most: number = least): Promise<Reserved> {
    if (most > least) this.forget();
    return await this.#fresh(() => {
      const room = this.#left(limit);
      const bytes = Math.max(0, Math.min(most, Math.max(least, room)));
      return { room, reservation: least > room ? null : this.#reservations.reserve(bytes) };
    });
  }

  /** Gives back what is reserved: the run is over. */
  end(): void {
    this.#reservations.end();
  }

  #left(limit: number): number {
    if (!this.#disk) return Number.POSITIVE_INFINITY;
    const { availableBytes, totalBytes, usedBytes } = this.#disk;
    const below = totalBytes > 0 ? Math.floor((totalBytes * limit) / 100) - usedBytes : availableBytes;
    return Math.min(availableBytes, below) - this.#since - this.#reservations.ofOthers;
  }

  get #since(): number {
    return this.#written() - this.#writtenThen;
  }

  /** A figure of now. Each file asks for two: the disk is read for it only when that was a while ago. */
  async #fresh<T>(figure: () => T): Promise<T> {
    if (this.#disk === null || this.#clock.elapsed() - this.#lookedAt > FRESH_MS) await this.read();
    return figure();
  }
}
