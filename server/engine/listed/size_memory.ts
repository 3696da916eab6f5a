import { ExpectedSizes, type Pace } from "../../domain/sync/expected_sizes.ts";
import type { CameraSizes, ExpectedSizesFile } from "../../store/config/expected_sizes_file.ts";
import type { Library } from "../../store/library/library.ts";
import { newestSizes } from "../../store/library/newest_sizes.ts";

export interface SizeMemoryParts {
  /** The file that keeps the sizes between runs; null where this is the only run. */
  readonly file: ExpectedSizesFile | null;
  readonly library: Pick<Library, "root" | "folderContents" | "available">;
  /** The camera's model where it is known, else its address. */
  readonly camera: () => Promise<string>;
}

/**
 * Sizes of the camera's files as far as they are known: learned from run to run, and at first from what is at home.
 * Runs and pages share it. A page so uses the sizes that a run in progress has learned.
 */
export class SizeMemory {
  readonly #parts: SizeMemoryParts;
  readonly #sizes = new Map<string, ExpectedSizes>();
  #stored: Promise<readonly CameraSizes[]> | null = null;
  /** Its recordings at home are looked at once. */
  readonly #lookedAt = new Map<string, Promise<void>>();
  readonly #saved = new Map<ExpectedSizes, number>();

  constructor(parts: SizeMemoryParts) {
    this.#parts = parts;
  }

  /** Returns the sizes known of the camera in use. */
  async current(): Promise<ExpectedSizes> {
    const { file, library, camera: cameraOf } = this.#parts;
    this.#stored ??= file?.read() ?? Promise.resolve([]);
    const stored = await this.#stored;
    const camera = await cameraOf();
    const sizes = this.#sizes.get(camera) ?? expectedOf(camera, stored);
    this.#sizes.set(camera, sizes);
    if (sizes.isEmpty && library.available) {
      const look = this.#lookedAt.get(camera) ?? this.#learnFromHome(sizes);
      this.#lookedAt.set(camera, look);
      await look;
    }
    return sizes;
  }

  /** Keeps what a run has taught. @param pace of that run */
  async save(pace: Pace | null): Promise<void> {
    const { file, camera: cameraOf } = this.#parts;
    // With nothing to come nothing was looked up, and nothing was learned.
    if (file === null || this.#sizes.size === 0) return;
    const sizes = await this.current();
    sizes.learnPace(pace);
    if (sizes.version === (this.#saved.get(sizes) ?? 0)) return;
    this.#saved.set(sizes, sizes.version);
    const camera = await cameraOf();
    const others = ((await this.#stored) ?? []).filter((one) => one.camera !== camera);
    const all = [{ camera, ...sizes.learned }, ...others];
    this.#stored = Promise.resolve(all);
    await file.write(all);
  }

  async #learnFromHome(sizes: ExpectedSizes): Promise<void> {
    for (const { sizeClass, bytes } of await newestSizes(this.#parts.library)) sizes.learn(sizeClass, bytes);
  }
}

function expectedOf(camera: string, stored: readonly CameraSizes[]): ExpectedSizes {
  const own = stored.find((one) => one.camera === camera) ?? null;
  return new ExpectedSizes(
    own,
    stored.filter((one) => one !== own),
  );
}
