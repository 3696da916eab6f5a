import type { Clock } from "../../clock.ts";
import { isSameStamp, type OpenFile, openServedFile, readNow, type Stamp, stampOf } from "../library/opened_file.ts";

/** Time that a file stays open: a player that seeks asks for parts of the same one many times a second. */
const FRESH_MS = 200;
/** More files than players of one household read at once. */
const MOST_FILES = 64;
/** The largest part that is read at once. */
export const MOST_AT_ONCE = 256 * 1024;

interface Held {
  readonly file: OpenFile;
  readonly stamp: Stamp;
  readonly openedAt: number;
  usedAt: number;
  /** Number of readers that still use it. */
  users: number;
}

/** The files below the destination that may be handed out. */
export class MediaFiles {
  readonly #root: string;
  readonly #clock: Clock;
  /** By the path that was asked for. */
  readonly #found = new Map<string, Held>();
  /** All that are open. */
  readonly #held = new Set<Held>();
  /** Buffer that parts are read to, one after the other. */
  #part: Buffer<ArrayBuffer> | null = null;
  #isClosing = false;

  constructor(parts: { root: string; clock: Clock }) {
    this.#root = parts.root;
    this.#clock = parts.clock;
  }

  /**
   * Opens a file below the root, as `openServedFile`. It is closed a while after it was disposed of, so that an answer
   * that was made of its path can be begun.
   * @returns null when there is no such file
   */
  async open(path: string): Promise<OpenFile | null> {
    const held = this.#stillHeld(path) ?? (await this.#openAnew(path));
    if (held === null) return null;
    return new LentFile(held, this.#clock);
  }

  /** A part of an open file, which holds until the next one is asked for; null when the file has become shorter. */
  part(file: OpenFile, from: number, to: number): Uint8Array<ArrayBuffer> | null {
    this.#part ??= Buffer.allocUnsafeSlow(MOST_AT_ONCE);
    const bytes = this.#part.subarray(0, to - from);
    return readNow(file, from, bytes) < bytes.length ? null : bytes;
  }

  #stillHeld(path: string): Held | null {
    const held = this.#found.get(path);
    // A link may lead elsewhere by now.
    if (!held || this.#clock.elapsed() - held.openedAt >= FRESH_MS) return null;
    return isSameStamp(stampOf(held.file), held.stamp) ? held : null;
  }

  async #openAnew(path: string): Promise<Held | null> {
    this.#found.delete(path);
    const file = await openServedFile(this.#root, path, this.#clock.now());
    // A missing file may come at any moment.
    if (file === null) return null;
    const openedAt = this.#clock.elapsed();
    const held = { file, stamp: stampOf(file), openedAt, usedAt: openedAt, users: 0 };
    this.#held.add(held);
    this.#found.set(path, held);
    const [oldest] = this.#found.keys();
    if (this.#found.size > MOST_FILES && oldest !== undefined) this.#found.delete(oldest);
    if (!this.#isClosing) void this.#closeUnused();
    return held;
  }

  /** Closes what has not been used for a while, until nothing is open. */
  async #closeUnused(): Promise<void> {
    this.#isClosing = true;
    while (this.#held.size > 0) {
      await this.#clock.sleep(FRESH_MS);
      const oldest = this.#clock.elapsed() - FRESH_MS;
      for (const held of this.#held) {
        if (held.users > 0 || held.usedAt > oldest) continue;
        this.#held.delete(held);
        for (const [path, known] of this.#found) if (known === held) this.#found.delete(path);
        held.file[Symbol.dispose]();
      }
    }
    this.#isClosing = false;
  }
}

/** An open file in the hands of one of its readers. */
class LentFile implements OpenFile {
  readonly place: string;
  readonly size: number;
  readonly etag: string;
  readonly modified: string;
  readonly modifiedMs: number;
  readonly descriptor: number;
  readonly #held: Held;
  readonly #clock: Clock;

  constructor(held: Held, clock: Clock) {
    const { place, size, etag, modified, modifiedMs, descriptor } = held.file;
    this.place = place;
    this.size = size;
    this.etag = etag;
    this.modified = modified;
    this.modifiedMs = modifiedMs;
    this.descriptor = descriptor;
    this.#held = held;
    this.#clock = clock;
    held.users++;
  }

  [Symbol.dispose](): void {
    this.#held.users--;
    this.#held.usedAt = this.#clock.elapsed();
  }
}
