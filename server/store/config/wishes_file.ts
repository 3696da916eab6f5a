import * as v from "valibot";
import { isGroupKey, momentKey, momentNumber } from "../../domain/recordings/recording_name.ts";
import type { Log } from "../../log.ts";
import { RememberedFile } from "./remembered_file.ts";

const KEYS = v.array(v.pipe(v.string(), v.check(isGroupKey)));
const SCHEMA = v.object({ first: KEYS, unwanted: KEYS });

/** What users want of recordings that are still on the camera, by moment. */
export interface Wishes {
  /** These come before all others, in this order. */
  readonly first: readonly number[];
  /** These are not needed. */
  readonly unwanted: ReadonlySet<number>;
}

export const NO_WISHES: Wishes = { first: [], unwanted: new Set() };

/** `wishes.json` in the config folder. Without it all that the rules choose is wanted. */
export class WishesFile {
  readonly #file: RememberedFile<v.InferOutput<typeof SCHEMA>>;

  constructor(path: string, log: Log) {
    const loss = "what came first and what is not needed is forgotten";
    this.#file = new RememberedFile({ path, log, logger: "sync", schema: SCHEMA, loss });
  }

  async read(): Promise<Wishes> {
    const found = await this.#file.read();
    if (found === null) return NO_WISHES;
    return { first: found.first.map(momentNumber), unwanted: new Set(found.unwanted.map(momentNumber)) };
  }

  /** Resolves when it is written, or was refused. */
  write({ first, unwanted }: Wishes): Promise<void> {
    return this.#file.write({ first: first.map(momentKey), unwanted: [...unwanted].map(momentKey) });
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#file.close();
  }
}
