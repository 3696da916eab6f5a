import * as v from "valibot";
import type { LearnedSizes } from "../../domain/sync/expected_sizes.ts";
import type { Log } from "../../log.ts";
import { jsonFormat, RememberedFile } from "../remembered_file.ts";

/** Cameras that are remembered; the one that was used longest ago goes first. */
const MOST_CAMERAS = 8;

const POSITIVE = v.pipe(v.number(), v.finite(), v.minValue(0));
const SCHEMA = v.array(
  v.object({
    camera: v.string(),
    sizes: v.record(v.string(), v.object({ bytes: POSITIVE, files: v.pipe(v.number(), v.integer(), v.minValue(1)) })),
    pace: v.nullable(v.object({ bytesPerSecond: POSITIVE, companionSeconds: v.nullable(POSITIVE) })),
  }),
);

/** Sizes that were learned of a camera's files. `camera`: its model, or its address where that is not known. */
export interface CameraSizes extends LearnedSizes {
  readonly camera: string;
}

/** `expected-sizes.json` in the config folder, the camera that was used last first. Without it nothing is known. */
export class ExpectedSizesFile {
  readonly #file: RememberedFile<CameraSizes[]>;

  constructor(path: string, log: Log) {
    const loss = "what is known of the sizes of files begins anew";
    this.#file = new RememberedFile({ path, log, logger: "sync", format: jsonFormat(SCHEMA), loss });
  }

  async read(): Promise<readonly CameraSizes[]> {
    return (await this.#file.read())?.slice(0, MOST_CAMERAS) ?? [];
  }

  /** Resolves when it is written, or was refused. */
  write(cameras: readonly CameraSizes[]): Promise<void> {
    return this.#file.write(cameras.slice(0, MOST_CAMERAS));
  }
}
