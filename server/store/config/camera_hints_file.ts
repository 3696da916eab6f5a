import * as v from "valibot";
import { HINT_IDS } from "../../domain/camera/hint_ids.ts";
import type { Log } from "../../log.ts";
import { jsonFormat, RememberedFile } from "../remembered_file.ts";

const COUNT = v.pipe(v.number(), v.integer(), v.minValue(0));

const SCHEMA = v.object({
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

/** Facts about one camera from which hints are made, and the hints that were dismissed. */
export type HintMemory = Readonly<v.InferOutput<typeof SCHEMA>>;

const NOTHING: HintMemory = { address: "", lists: [], clock: null, dismissed: [] };

/** `camera-hints.json` in the config folder. Without it nothing is known. */
export class CameraHintsFile {
  readonly #file: RememberedFile<HintMemory>;
  #memory: HintMemory = NOTHING;
  #opening: Promise<void> | null = null;

  constructor(path: string, log: Log) {
    const loss = "what is known of the camera's lists begins anew";
    this.#file = new RememberedFile({ path, log, logger: "camera", format: jsonFormat(SCHEMA), loss });
  }

  /** Reads what there is; later calls wait for the first. */
  open(): Promise<void> {
    this.#opening ??= this.#file.read().then((found) => {
      if (found !== null) this.#memory = found;
    });
    return this.#opening;
  }

  /** Returns the facts known of the camera at this address: nothing of another one. */
  of(address: string): HintMemory {
    return this.#memory.address === address ? this.#memory : { ...NOTHING, address };
  }

  /** Remembers; resolves when it is written, or was refused. */
  keep(memory: HintMemory): Promise<void> {
    this.#memory = memory;
    return this.#file.write(memory);
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#file.close();
  }
}
