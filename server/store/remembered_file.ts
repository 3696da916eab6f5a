import { readFile, stat } from "node:fs/promises";
import * as v from "valibot";
import { type Log, messageOf } from "../log.ts";
import { replaceFile } from "./atomic_file.ts";
import { errorCode } from "./error_code.ts";

/** Turns a value into the text of its file, and back. */
export interface FileFormat<T> {
  /** Returns null for a text that cannot be used. */
  parse(text: string): T | null | Promise<T | null>;
  format(value: T): string | Promise<string>;
}

/** JSON in one line; a text that is not of this schema cannot be used. */
export function jsonFormat<T>(schema: v.GenericSchema<unknown, T>): FileFormat<T> {
  const json = v.pipe(v.string(), v.parseJson(), schema);
  return {
    parse: (text) => {
      const found = v.safeParse(json, text);
      return found.success ? found.output : null;
    },
    format: (value) => `${JSON.stringify(value)}\n`,
  };
}

export interface RememberedFileParts<T> {
  readonly path: string;
  readonly log: Log;
  readonly logger: string;
  /** Level of what the log says about the file. */
  readonly level?: "debug" | "warning";
  readonly format: FileFormat<T>;
  /** A longer file is damaged. */
  readonly mostBytes?: number;
  /** Consequence of a file that cannot be used, as the end of a sentence. */
  readonly loss: string;
  /** Consequence of a file that could not be written, as the end of a sentence. */
  readonly unwritten?: string;
}

/**
 * A file that the service can do without: one that is missing or cannot be used counts as none, and what cannot be
 * written holds until the restart. The log says so, of writing only the first time in a row.
 */
export class RememberedFile<T> {
  readonly #parts: RememberedFileParts<T>;
  #queue: Promise<void> = Promise.resolve();
  /** Written next, when the write that is under way has ended: later values take its place until then. */
  #next: { readonly value: T } | null = null;
  #isSaved = true;

  constructor(parts: RememberedFileParts<T>) {
    this.#parts = parts;
  }

  /** Returns null without a file, and `unusable` for one that is damaged or cannot be read. */
  async read(unusable: T | null = null): Promise<T | null> {
    const { path, mostBytes = Number.POSITIVE_INFINITY, format, loss } = this.#parts;
    try {
      const isTooLong = (await stat(path)).size > mostBytes;
      const value = isTooLong ? null : await format.parse(await readFile(path, "utf8"));
      if (value !== null) return value;
      this.#say(`is damaged; ${loss}`);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return null;
      this.#say(`cannot be read (${causeOf(error)}); ${loss}`);
    }
    return unusable;
  }

  /** Resolves when it is written, or was refused. */
  write(value: T): Promise<void> {
    if (this.#next === null) this.#queue = this.#queue.then(() => this.#writeNext());
    this.#next = { value };
    return this.#queue;
  }

  /** Returns false when what was written last is not in the file: a restart forgets it. */
  get isSaved(): boolean {
    return this.#isSaved;
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#queue;
  }

  async #writeNext(): Promise<void> {
    const { path, format, unwritten } = this.#parts;
    const next = this.#next;
    this.#next = null;
    if (next === null) return;
    try {
      await replaceFile(path, await format.format(next.value));
      this.#isSaved = true;
    } catch (error) {
      const end = unwritten === undefined ? "" : `; ${unwritten}`;
      if (this.#isSaved) this.#say(`could not be written (${causeOf(error)})${end}`);
      this.#isSaved = false;
    }
  }

  #say(what: string): void {
    const { path, log, logger, level = "warning" } = this.#parts;
    log[level](logger, `${path} ${what}`);
  }
}

function causeOf(error: unknown): string {
  return errorCode(error) || messageOf(error);
}
