import { type Dashcam, openCamera } from "./dashcam/camera.ts";
import type { Settings } from "./domain/settings/settings.ts";

/** The camera client follows the address: somebody who has just typed it in expects it to be used. */
export class CurrentCamera {
  readonly #settings: { readonly current: Settings };
  #key = "";
  #client: Dashcam | null = null;

  constructor(settings: { readonly current: Settings }) {
    this.#settings = settings;
  }

  get client(): Dashcam {
    const { connection, sync } = this.#settings.current;
    const options = {
      address: connection.address,
      timeoutMs: connection.timeout_seconds * 1000,
      affinityKey: sync.affinity_key,
    };
    const key = JSON.stringify(options);
    if (this.#client === null || key !== this.#key) {
      this.#client = openCamera(options);
      this.#key = key;
    }
    return this.#client;
  }
}
