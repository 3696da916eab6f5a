import type { Clock } from "../../clock.ts";
import type { DiskSpace } from "../../domain/runs/disk_space.ts";
import { type DiskUsage, readDisk, readDiskAbove } from "../../store/destination/disk_usage.ts";

const DISK_FRESH_MS = 1000;

/** The destination's disk, read at most once a second for all callers, or when what is on it is known to have changed. */
export class DiskUsageCache {
  readonly #root: string;
  readonly #clock: Clock;
  #at = Number.NEGATIVE_INFINITY;
  #disk: Promise<DiskUsage> | null = null;
  #usedRatio: number | null = null;

  readonly #isOurs: () => boolean;

  /** @param parts.isOurs false while another folder is at the path: its disk is not the one to tell of */
  constructor(parts: { root: string; clock: Clock; isOurs?: () => boolean }) {
    this.#root = parts.root;
    this.#clock = parts.clock;
    this.#isOurs = parts.isOurs ?? (() => true);
  }

  /** Errors are the file system's own, or that another folder is in the place of the recordings'. */
  read(): Promise<DiskUsage> {
    if (!this.#isOurs()) return Promise.reject(new Error("another folder is at the path of the recordings folder"));
    if (this.#disk === null || this.#clock.elapsed() - this.#at > DISK_FRESH_MS) {
      this.#at = this.#clock.elapsed();
      const disk = readDisk(this.#root);
      this.#disk = disk;
      // Callers get the rejection; this handler keeps it from counting as unhandled.
      disk.then(
        ({ usedRatio }) => {
          this.#usedRatio = usedRatio;
        },
        () => {
          this.#usedRatio = null;
          if (this.#disk === disk) this.#disk = null;
        },
      );
    }
    return this.#disk;
  }

  /** The share in use at the last reading, 0..1; null before the first, and while it cannot be read. */
  get latest(): number | null {
    return this.#isOurs() ? this.#usedRatio : null;
  }

  /** The next read asks the disk anew: cards must not show what was there before the change they are published for. */
  drop(): void {
    this.#disk = null;
  }
}

/** The space where a folder will be that is not there yet; null while the disk cannot be read. */
export async function roomOfNewFolder(path: string): Promise<(DiskSpace & { used_percent: number }) | null> {
  const disk = await readDiskAbove(path).catch(() => null);
  return disk && { ...spaceOf(disk), used_percent: percentOf(disk) };
}

/** Returns the share in use, 0..100, to a tenth. */
export function percentOf({ usedRatio }: DiskUsage): number {
  return Math.round(usedRatio * 1000) / 10;
}

/** The space on a disk, as answers have it. */
export function spaceOf({ totalBytes, freeBytes, availableBytes }: DiskUsage): DiskSpace {
  return {
    total_bytes: totalBytes,
    free_bytes: freeBytes,
    available_bytes: totalBytes === 0 ? null : Math.min(availableBytes, freeBytes),
  };
}
