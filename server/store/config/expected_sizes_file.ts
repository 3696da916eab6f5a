import { readFile } from "node:fs/promises";
import * as v from "valibot";
import type { LearnedSizes } from "../../domain/sync/expected_sizes.ts";
import { type Log, messageOf } from "../../log.ts";
import { replaceFile } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";

const LOGGER = "sync";
/** Cameras that are remembered; the one that was used longest ago goes first. */
const MOST_CAMERAS = 8;

const POSITIVE = v.pipe(v.number(), v.finite(), v.minValue(0));
const FILE = v.array(
  v.object({
    camera: v.string(),
    sizes: v.record(v.string(), v.object({ bytes: POSITIVE, files: v.pipe(v.number(), v.integer(), v.minValue(1)) })),
    pace: v.nullable(v.object({ bytesPerSecond: POSITIVE, companionSeconds: v.nullable(POSITIVE) })),
  }),
);

/** What was learned of a camera's files. `camera`: its model, or its address where that is not known. */
export interface CameraSizes extends LearnedSizes {
  readonly camera: string;
}

/**
 * `expected-sizes.json` in the config folder, the camera that was used last first. Without it, or when it cannot be used,
 * nothing is known; what cannot be written holds until the restart.
 */
export class ExpectedSizesFile {
  readonly #path: string;
  readonly #log: Log;
  #queue: Promise<void> = Promise.resolve();

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  async read(): Promise<readonly CameraSizes[]> {
    try {
      const found = v.safeParse(v.pipe(v.string(), v.parseJson(), FILE), await readFile(this.#path, "utf8"));
      if (found.success) return found.output.slice(0, MOST_CAMERAS);
      this.#log.warning(LOGGER, `${this.#path} is damaged; what is known of the sizes of files begins anew`);
    } catch (error) {
      if (errorCode(error) !== "ENOENT")
        this.#log.warning(LOGGER, `${this.#path} cannot be read (${errorCode(error) || messageOf(error)})`);
    }
    return [];
  }

  /** Resolves when it is written, or was refused. */
  write(cameras: readonly CameraSizes[]): Promise<void> {
    const text = `${JSON.stringify(cameras.slice(0, MOST_CAMERAS))}\n`;
    this.#queue = this.#queue.then(async () => {
      try {
        await replaceFile(this.#path, text);
      } catch (error) {
        this.#log.warning(LOGGER, `${this.#path} could not be written (${errorCode(error) || messageOf(error)})`);
      }
    });
    return this.#queue;
  }
}
