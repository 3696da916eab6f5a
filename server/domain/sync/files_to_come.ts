import type { ArtifactKind } from "../recordings/recording_name.ts";
import { type ExpectedSizes, isVideoClass, type SizeClass, sizeClassOf } from "./expected_sizes.ts";

/** A file that is to be fetched. */
export interface FileToCome {
  readonly name: string;
  readonly kind: ArtifactKind;
}

/** Sizes of the files that are still to come. */
export interface Amount {
  /** Bytes of all videos; null when nothing is known of one. */
  readonly videoBytes: number | null;
  /** Bytes of the companions with a known or learned size: they are small beside the videos. */
  readonly companionBytes: number;
  readonly companions: number;
}

/** The files of a run that are still to come, by the known facts about their sizes. Their order does not matter. */
export class FilesToCome {
  readonly #counts = new Map<SizeClass, number>();
  readonly #listed: ReadonlyMap<string, number>;
  #files = 0;
  #companions = 0;
  /** Bytes of the files whose size the camera's list tells. */
  #listedBytes = 0;

  /** @param listed sizes that the camera's list tells, by the name of the video */
  constructor(files: Iterable<FileToCome> = [], listed: ReadonlyMap<string, number> = new Map()) {
    this.#listed = listed;
    for (const file of files) this.add(file, 1);
  }

  get files(): number {
    return this.#files;
  }

  get companions(): number {
    return this.#companions;
  }

  /** One file more, or with -1 one less. */
  add({ name, kind }: FileToCome, by: 1 | -1): void {
    this.#files += by;
    if (kind !== "mp4") this.#companions = Math.max(0, this.#companions + by);
    const listed = this.#listed.get(name);
    if (listed !== undefined) this.#listedBytes = Math.max(0, this.#listedBytes + by * listed);
    else {
      const of = sizeClassOf(name, kind);
      this.#counts.set(of, Math.max(0, (this.#counts.get(of) ?? 0) + by));
    }
  }

  /** Estimates the length of a file; null when nothing is known of it. */
  expected({ name, kind }: FileToCome, sizes: ExpectedSizes): number | null {
    return this.#listed.get(name) ?? sizes.of(sizeClassOf(name, kind));
  }

  /** @param otherwise the size of a video of which nothing is known; null when nothing is known of any */
  amount(sizes: ExpectedSizes, otherwise: number | null): Amount {
    let videoBytes: number | null = this.#listedBytes;
    let companionBytes = 0;
    for (const [of, count] of this.#counts) {
      if (count === 0) continue;
      const size = sizes.of(of);
      if (!isVideoClass(of)) companionBytes += count * (size ?? 0);
      else {
        const bytes: number | null = size ?? otherwise;
        videoBytes = bytes === null || videoBytes === null ? null : videoBytes + count * bytes;
      }
    }
    return { videoBytes, companionBytes, companions: this.#companions };
  }
}
