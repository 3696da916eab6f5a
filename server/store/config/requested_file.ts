import * as v from "valibot";
import { isGroupKey, momentKey, momentNumber } from "../../domain/recordings/moment_number.ts";
import type { Log } from "../../log.ts";
import { jsonFormat, RememberedFile } from "../remembered_file.ts";

const KEYS = v.array(v.pipe(v.string(), v.check(isGroupKey)));
const SCHEMA = v.object({ first: KEYS, unwanted: KEYS, anyway: v.exactOptional(KEYS) });

/** Users' requested for recordings that are still on the camera, by moment. */
export interface Requested {
  /** These come before all others, in this order. */
  readonly first: readonly number[];
  /** These are not needed. */
  readonly unwanted: ReadonlySet<number>;
  /** These come whatever the rules say. */
  readonly anyway: ReadonlySet<number>;
}

export const NOTHING_REQUESTED: Requested = { first: [], unwanted: new Set(), anyway: new Set() };

/** `wishes.json` in the config folder. Without it all that the rules choose is wanted. */
export class RequestedFile {
  readonly #file: RememberedFile<v.InferOutput<typeof SCHEMA>>;

  constructor(path: string, log: Log) {
    const loss = "what came first and what is not needed is forgotten";
    this.#file = new RememberedFile({ path, log, logger: "sync", format: jsonFormat(SCHEMA), loss });
  }

  async read(): Promise<Requested> {
    const found = await this.#file.read();
    if (found === null) return NOTHING_REQUESTED;
    const unwanted = new Set(found.unwanted.map(momentNumber));
    const anyway = new Set(found.anyway?.map(momentNumber));
    return { first: found.first.map(momentNumber), unwanted, anyway };
  }

  /** True when the file holds the last change. */
  get isSaved(): boolean {
    return this.#file.isSaved;
  }

  /** Resolves when it is written, or was refused. */
  write({ first, unwanted, anyway }: Requested): Promise<void> {
    const keys = { first: first.map(momentKey), unwanted: [...unwanted].map(momentKey) };
    return this.#file.write({ ...keys, ...(anyway.size > 0 && { anyway: [...anyway].map(momentKey) }) });
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#file.close();
  }
}
