import * as v from "valibot";
import type { OtherCamera } from "../../domain/camera/other_camera.ts";
import type { Log } from "../../log.ts";
import { jsonFormat, RememberedFile } from "../remembered_file.ts";
import type { CameraSnapshot } from "./camera_snapshot.ts";

const IDENTITY = v.object({ model: v.string(), hotspot: v.string() });

const SCHEMA = v.object({
  other: v.nullable(
    v.object({
      address: v.string(),
      known: IDENTITY,
      found: IDENTITY,
      read_at: v.number(),
      model: v.nullable(v.string()),
      firmware: v.nullable(v.string()),
      config: v.pipe(v.string(), v.base64()),
    }),
  ),
});

/** Another camera that answers at an address, and its settings. */
export interface FoundCamera extends OtherCamera {
  readonly address: string;
  readonly snapshot: CameraSnapshot;
}

/** `other.json` beside the camera's settings: another camera that answers, until a user decides. Not there before the first. */
export class OtherCameraFile {
  readonly #file: RememberedFile<v.InferOutput<typeof SCHEMA>>;
  #found: FoundCamera | null = null;

  constructor(path: string, log: Log) {
    const loss = "the next run finds out which camera answers";
    this.#file = new RememberedFile({ path, log, logger: "camera", format: jsonFormat(SCHEMA), loss });
  }

  async open(): Promise<void> {
    const other = (await this.#file.read())?.other ?? null;
    if (other === null) return;
    const { address, known, found, read_at: readAt, model, firmware } = other;
    const config = new Uint8Array(Buffer.from(other.config, "base64"));
    this.#found = { address, known, found, snapshot: { readAt, model, firmware, config } };
  }

  /** Null while the known camera answers, or none. */
  get found(): FoundCamera | null {
    return this.#found;
  }

  /** Resolves when it is written, or was refused. */
  async keep(camera: FoundCamera | null): Promise<void> {
    if (camera === null && this.#found === null) return;
    this.#found = camera;
    if (camera === null) return await this.#file.write({ other: null });
    const { snapshot, ...identities } = camera;
    const { readAt: read_at, config, ...version } = snapshot;
    const text = Buffer.from(config).toString("base64");
    await this.#file.write({ other: { ...identities, ...version, read_at, config: text } });
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#file.close();
  }
}
