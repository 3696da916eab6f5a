import type { Clock } from "../../clock.ts";
import { syncFolders } from "../atomic_file.ts";

/** For how long names are gathered whose folders are then written to the disk together. */
const BATCH_MS = 1000;

/**
 * Folders with new names of files that are not on the disk yet. A power cut may take a name away, and with it the only
 * way to bytes that are on the disk. Each folder is written once for all names of a second, and at the end.
 */
export class RenamedFolders {
  readonly #clock: Clock;
  readonly #folders = new Set<string>();
  #waiting: AbortController | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A file in these folders has got its name. */
  add(...folders: string[]): void {
    for (const folder of folders) this.#folders.add(folder);
    if (this.#waiting !== null) return;
    this.#waiting = new AbortController();
    this.#clock.sleep(BATCH_MS, this.#waiting.signal).then(
      () => this.settle(),
      () => {},
    );
  }

  /** Resolves when all names there are last through a power cut. */
  async settle(): Promise<void> {
    this.#waiting?.abort();
    this.#waiting = null;
    const folders = [...this.#folders];
    this.#folders.clear();
    await syncFolders(folders);
  }
}
