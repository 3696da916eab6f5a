import { readFile } from "node:fs/promises";
import * as v from "valibot";
import { type Log, messageOf } from "../../log.ts";
import { replaceFile } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";

export interface RememberedFileParts<T> {
  readonly path: string;
  readonly log: Log;
  readonly logger: string;
  /** Of what stands in the file, as JSON. */
  readonly schema: v.GenericSchema<unknown, T>;
  /** What a damaged file means, as the end of a sentence. */
  readonly loss: string;
}

/**
 * A JSON file in the config folder that the service can do without: one that is missing or cannot be used counts as none,
 * and what cannot be written holds until the restart. The log says so.
 */
export class RememberedFile<T> {
  readonly #parts: RememberedFileParts<T>;
  #queue: Promise<void> = Promise.resolve();
  #isSaved = true;

  constructor(parts: RememberedFileParts<T>) {
    this.#parts = parts;
  }

  /** @returns null when there is nothing to go by */
  async read(): Promise<T | null> {
    const { path, schema, loss } = this.#parts;
    try {
      const found = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), await readFile(path, "utf8"));
      if (found.success) return found.output;
      this.#warn(`is damaged; ${loss}`);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") this.#warn(`cannot be read (${causeOf(error)})`);
    }
    return null;
  }

  /** Resolves when it is written, or was refused. */
  write(value: T): Promise<void> {
    const text = `${JSON.stringify(value)}\n`;
    this.#queue = this.#queue.then(async () => {
      try {
        await replaceFile(this.#parts.path, text);
        this.#isSaved = true;
      } catch (error) {
        this.#isSaved = false;
        this.#warn(`could not be written (${causeOf(error)})`);
      }
    });
    return this.#queue;
  }

  /** Whether what was written last is in the file: else a restart forgets it. */
  get isSaved(): boolean {
    return this.#isSaved;
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#queue;
  }

  #warn(what: string): void {
    const { path, log, logger } = this.#parts;
    log.warning(logger, `${path} ${what}`);
  }
}

function causeOf(error: unknown): string {
  return errorCode(error) || messageOf(error);
}
