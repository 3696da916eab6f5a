import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import { momentKey } from "../../domain/recordings/moment_number.ts";
import { nameOf } from "../../domain/recordings/recording_name.ts";
import type { PlacedMoment } from "../../domain/retention/due_recordings.ts";
import { each } from "../../turns.ts";
import type { EndingSet } from "./name_index.ts";

interface Known {
  /** While a moment has the same files, they have the same sizes: finished videos do not change. */
  readonly set: EndingSet;
  readonly bytes: number;
}

/**
 * Returns the files that count for the room of a moment: its videos, as all else is little beside them. A moment
 * without videos counts with all its files, as with thumbnails and GPS of recordings still on the camera.
 */
export function weighed({ endings, markers, videos }: EndingSet): readonly string[] {
  return endings.filter((ending) => (videos > 0 ? ending.endsWith(".mp4") : !markers.includes(ending)));
}

/** Requests to the disk at once: enough for one disk, and few enough to leave it to others. */
const WIDTH = 8;

/**
 * Sizes of recordings, asked of the disk when they are needed and remembered. Limits in bytes need all of them, and so
 * do pages that show how much would go.
 */
export class LibrarySizes {
  readonly #root: string;
  readonly #clock: Clock;
  readonly #known = new Map<string, Map<number, Known>>();
  /** The bytes of all recordings, as of a version of the library. */
  #total: { readonly version: number; readonly bytes: number } | null = null;
  /** Sizes being read that no caller waits for. */
  #background: Promise<void> | null = null;

  constructor(parts: { root: string; clock: Clock }) {
    this.#root = parts.root;
    this.#clock = parts.clock;
  }

  /** The bytes of a moment, see `weighed`; null when they are not known yet. */
  of({ moment, folder, set }: PlacedMoment<EndingSet>): number | null {
    const known = this.#known.get(folder)?.get(moment);
    return known?.set === set ? known.bytes : null;
  }

  /** All together; null while one is not known. */
  sum(moments: Iterable<PlacedMoment<EndingSet>>): number | null {
    let sum = 0;
    for (const moment of moments) {
      const bytes = this.of(moment);
      if (bytes === null) return null;
      sum += bytes;
    }
    return sum;
  }

  /**
   * The bytes of all recordings, added up anew when the library has changed; null while some are not known.
   * @param all returns them as of this version of the library
   * @param ms longest wait for those that are not known
   */
  async total(version: number, all: () => readonly PlacedMoment<EndingSet>[], ms: number): Promise<number | null> {
    if (this.#total?.version === version) return this.#total.bytes;
    const moments = all();
    await this.learnWithin(moments, ms);
    const bytes = this.sum(moments);
    if (bytes !== null) this.#total = { version, bytes };
    return bytes;
  }

  /** Reads those that are not known; without `until` (elapsed milliseconds) however long it takes. */
  async learn(moments: readonly PlacedMoment<EndingSet>[], until = Number.POSITIVE_INFINITY): Promise<void> {
    const unknown = moments.filter((moment) => this.of(moment) === null);
    const look = async (moment: PlacedMoment<EndingSet>) => {
      if (this.#clock.elapsed() <= until) await this.#look(moment);
    };
    await each(unknown, look, WIDTH);
  }

  /** As `learn`, but waited for only so long; the rest is read in the background. */
  async learnWithin(moments: readonly PlacedMoment<EndingSet>[], ms: number): Promise<void> {
    await this.learn(moments, this.#clock.elapsed() + ms);
    if (this.#background !== null || moments.every((moment) => this.of(moment) !== null)) return;
    this.#background = this.learn(moments).finally(() => {
      this.#background = null;
    });
  }

  async #look({ moment, folder, set }: PlacedMoment<EndingSet>): Promise<void> {
    const key = momentKey(moment);
    let bytes = 0;
    for (const ending of weighed(set)) {
      // A file that vanished meanwhile takes no room.
      bytes += (await lstat(join(this.#root, folder, nameOf(key, ending))).catch(() => null))?.size ?? 0;
    }
    const known = this.#known.get(folder) ?? new Map<number, Known>();
    this.#known.set(folder, known.set(moment, { set, bytes }));
  }
}
