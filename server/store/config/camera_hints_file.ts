import { readFile } from "node:fs/promises";
import * as v from "valibot";
import { HINT_IDS } from "../../domain/api/hint_schema.ts";
import { type Log, messageOf } from "../../log.ts";
import { replaceFile } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";

const LOGGER = "camera";
const COUNT = v.pipe(v.number(), v.integer(), v.minValue(0));

const FILE = v.object({
  address: v.string(),
  lists: v.array(v.object({ at: v.number(), recordings: COUNT, gone: COUNT })),
  clock: v.nullable(
    v.object({
      at: v.number(),
      name: v.pipe(v.string(), v.regex(/^[0-9]{8}_[0-9]{6}_[A-Z]/)),
      how: v.picklist(["listed", "recording", "satellites"]),
    }),
  ),
  dismissed: v.array(v.picklist(HINT_IDS)),
});

/** What is remembered of one camera so that hints can be made, and which of them were dismissed. */
export type HintMemory = Readonly<v.InferOutput<typeof FILE>>;

const NOTHING: HintMemory = { address: "", lists: [], clock: null, dismissed: [] };

/**
 * `camera-hints.json` in the config folder. Without it, or when it cannot be used, nothing is known; what cannot be
 * written holds until the restart.
 */
export class CameraHintsFile {
  readonly #path: string;
  readonly #log: Log;
  #memory: HintMemory = NOTHING;
  #opening: Promise<void> | null = null;
  #queue: Promise<void> = Promise.resolve();

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  /** Reads what there is; later calls wait for the first. */
  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** What is known of the camera at this address: nothing of another one. */
  of(address: string): HintMemory {
    return this.#memory.address === address ? this.#memory : { ...NOTHING, address };
  }

  /** Remembers; resolves when it is written, or was refused. */
  keep(memory: HintMemory): Promise<void> {
    this.#memory = memory;
    const text = `${JSON.stringify(memory)}\n`;
    this.#queue = this.#queue.then(async () => {
      try {
        await replaceFile(this.#path, text);
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

  async #open(): Promise<void> {
    try {
      const found = v.safeParse(v.pipe(v.string(), v.parseJson(), FILE), await readFile(this.#path, "utf8"));
      if (found.success) this.#memory = found.output;
      else this.#log.warning(LOGGER, `${this.#path} is damaged; what is known of the camera's lists begins anew`);
    } catch (error) {
      if (errorCode(error) !== "ENOENT")
        this.#log.warning(LOGGER, `${this.#path} cannot be read (${errorCode(error) || messageOf(error)})`);
    }
  }
}
