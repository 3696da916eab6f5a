/** Files and bytes that may be on their way to the disk while the next ones are fetched. */
const MOST_FILES = 16;
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Files that are whole and only have to be flushed and given their names: done in the background, a few at a time, while
 * the camera sends the next ones. A disk needs milliseconds for each flush, in which nothing would come.
 */
export class Finishing {
  readonly #pending = new Set<Promise<void>>();
  #bytes = 0;
  #trouble: { error: unknown } | null = null;

  /**
   * Starts `work` for a file of so many bytes as soon as there is room for it among the others.
   * @throws what an earlier work threw: it ends the run
   */
  async add(bytes: number, work: () => Promise<void>): Promise<void> {
    while (this.#pending.size >= MOST_FILES || (this.#pending.size > 0 && this.#bytes + bytes > MOST_BYTES))
      await Promise.race(this.#pending);
    this.#throwTrouble();
    this.#bytes += bytes;
    // Not before the next file is asked for: its answer is on its way while this one's name is made.
    const one = new Promise(setImmediate)
      .then(work)
      .catch((error: unknown) => {
        this.#trouble ??= { error };
      })
      .finally(() => {
        this.#pending.delete(one);
        this.#bytes -= bytes;
      });
    this.#pending.add(one);
  }

  /** Waits until all that was begun has ended. @throws what a work threw */
  async drain(): Promise<void> {
    while (this.#pending.size > 0) await Promise.race(this.#pending);
    this.#throwTrouble();
  }

  #throwTrouble(): void {
    if (this.#trouble) throw this.#trouble.error;
  }
}
