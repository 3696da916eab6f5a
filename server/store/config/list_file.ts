import type { Clock } from "../../clock.ts";
import type { RememberedFile } from "../remembered_file.ts";

interface ListFileOptions<Content> {
  readonly file: RememberedFile<Content>;
  readonly clock: Clock;
  /** Gives all entries, as they are at that moment. */
  readonly content: () => Content;
  /** Small changes (`saveSoon`) are written no more often than that. */
  readonly savedEveryMs: number;
}

/** A refused write is tried again after this time. */
const TRIED_EVERY_MS = 60_000;

/** The file of keys or links: written until the disk takes it, so that what was revoked stays revoked after a restart. */
export class ListFile<Content> {
  readonly #options: ListFileOptions<Content>;
  #saved: number;
  #isDirty = false;
  /** Goes on while the disk refuses what was changed. */
  #trying: Promise<void> | null = null;
  readonly #closing = new AbortController();

  constructor(options: ListFileOptions<Content>) {
    this.#options = options;
    this.#saved = options.clock.now();
  }

  /** Writes all at once. @returns false when the disk refused it; it is tried again until it is taken */
  async save(): Promise<boolean> {
    const { file, clock, content } = this.#options;
    this.#saved = clock.now();
    this.#isDirty = false;
    await file.write(content());
    const { isSaved } = file;
    if (!isSaved) {
      this.#isDirty = true;
      this.#trying ??= this.#saveAgain();
    }
    return isSaved;
  }

  /** Writes a small change now or with the next one, by when something was written last; a restart may forget it. */
  saveSoon(): void {
    this.#isDirty = true;
    const past = this.#options.clock.now() - this.#saved;
    // A clock that was set back must not put it off for as long.
    if (past >= this.#options.savedEveryMs || past < 0) void this.save();
  }

  /** Resolves when everything is on the disk, or was refused once more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#trying;
    if (this.#isDirty) await this.save();
    await this.#options.file.close();
  }

  async #saveAgain(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#isDirty && !signal.aborted) {
      await this.#options.clock.sleep(TRIED_EVERY_MS, signal).catch(() => {});
      if (!signal.aborted) await this.save();
    }
    this.#trying = null;
  }
}
