import { readFile } from "node:fs/promises";
import * as v from "valibot";
import { isGroupKey, momentKey, momentNumber } from "../../domain/recordings/recording_name.ts";
import { type Log, messageOf } from "../../log.ts";
import { replaceFile } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";

const LOGGER = "sync";
const KEYS = v.array(v.pipe(v.string(), v.check(isGroupKey)));
const FILE = v.pipe(v.string(), v.parseJson(), v.object({ first: KEYS, unwanted: KEYS }));

/** What users want of recordings that are still on the camera, by moment. */
export interface Wishes {
  /** These come before all others, in this order. */
  readonly first: readonly number[];
  /** These are not needed. */
  readonly unwanted: ReadonlySet<number>;
}

export const NO_WISHES: Wishes = { first: [], unwanted: new Set() };

/**
 * `wishes.json` in the config folder. Without it, or when it cannot be used, all that the rules choose is wanted; what
 * cannot be written holds until the restart.
 */
export class WishesFile {
  readonly #path: string;
  readonly #log: Log;
  #queue: Promise<void> = Promise.resolve();

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  async read(): Promise<Wishes> {
    try {
      const found = v.safeParse(FILE, await readFile(this.#path, "utf8"));
      if (found.success) {
        const { first, unwanted } = found.output;
        return { first: first.map(momentNumber), unwanted: new Set(unwanted.map(momentNumber)) };
      }
      this.#log.warning(LOGGER, `${this.#path} is damaged; what came first and what is not needed is forgotten`);
    } catch (error) {
      if (errorCode(error) !== "ENOENT")
        this.#log.warning(LOGGER, `${this.#path} cannot be read (${errorCode(error) || messageOf(error)})`);
    }
    return NO_WISHES;
  }

  /** Resolves when it is written, or was refused. */
  write({ first, unwanted }: Wishes): Promise<void> {
    const keys = { first: first.map(momentKey), unwanted: [...unwanted].map(momentKey) };
    this.#queue = this.#queue.then(async () => {
      try {
        await replaceFile(this.#path, `${JSON.stringify(keys)}\n`);
      } catch (error) {
        this.#log.warning(LOGGER, `${this.#path} could not be written (${errorCode(error) || messageOf(error)})`);
      }
    });
    return this.#queue;
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#queue;
  }
}
