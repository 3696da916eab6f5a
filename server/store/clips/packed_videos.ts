import type { ByteSpan } from "../../domain/recordings/embedded_parts.ts";
import { secondsOfMp4 } from "../../domain/recordings/mp4_length.ts";
import { embeddedIn, readerOf } from "../library/embedded_files.ts";
import { contentStamp, openServedFile } from "../library/opened_file.ts";

/** Facts from the header of one video. */
export interface PackedVideo {
  /** Null for a video whose header does not tell its length: it is damaged. */
  readonly seconds: number | null;
  /** A picture within the video, where the camera puts it there. */
  readonly thumbnail: ByteSpan | null;
}

/** Videos remembered: a hundred hours of two cameras. */
const MOST_KNOWN = 12_000;

/** Reads the headers of videos that go into packs, and remembers them while the files stay as they are. */
export class PackedVideos {
  readonly #root: string;
  /** By what tells the file's content. */
  readonly #known = new Map<string, PackedVideo>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Null when there is no such file. @param path relative to the root */
  async of(path: string): Promise<PackedVideo | null> {
    using file = await openServedFile(this.#root, path);
    if (file === null) return null;
    const stamp = contentStamp(file);
    const known = this.#known.get(stamp);
    if (known) return known;
    const seconds = await secondsOfMp4(file.size, readerOf(file)).catch(() => null);
    const found = { seconds, thumbnail: (await embeddedIn(file)).thumbnail };
    this.#known.set(stamp, found);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return found;
  }
}
