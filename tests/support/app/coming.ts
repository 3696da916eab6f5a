import type { Coming } from "../../../server/domain/viewer/viewer_schema.ts";
import type { ComingSource } from "../../../server/engine/viewer/viewed_recordings.ts";

/** Recordings that are still on a camera, as a test lists them. */
export class ListedOnCamera implements ComingSource {
  version = 0;
  readonly #listed = new Map<string, Coming>();

  /** Puts recordings on the list, or changes what is known of them. */
  put(...changed: readonly (Pick<Coming, "key"> & Partial<Coming>)[]): void {
    for (const { key, ...known } of changed) {
      const usual: Omit<Coming, "key"> = { directions: ["F", "R"], state: "waiting", position: null, seconds: null };
      this.#listed.set(key, { key, ...usual, ...this.#listed.get(key), ...known });
    }
    this.version++;
  }

  /** Takes them off the list: they came, or are gone. */
  remove(...keys: readonly string[]): void {
    for (const key of keys) this.#listed.delete(key);
    this.version++;
  }

  all(): readonly Coming[] {
    return [...this.#listed.values()];
  }

  of(key: string): Coming | null {
    return this.#listed.get(key) ?? null;
  }
}
