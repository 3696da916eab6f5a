import type { Clock } from "../../clock.ts";
import { factsNow, type MediaFile, type OpenFile, openServedFile } from "./opened_file.ts";

/** How long a file stays open: a player seeking asks for parts of the same one many times a second. */
const FRESH_MS = 200;
/** More files than players of one household read at once. */
const MOST_FILES = 64;

interface Held {
  readonly file: OpenFile;
  readonly openedAt: number;
  facts: MediaFile;
  usedAt: number;
  /** Who still reads it. */
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
    held.users++;
    const release = () => {
      held.users--;
      held.usedAt = this.#clock.elapsed();
    };
    return { ...held.facts, descriptor: held.file.descriptor, [Symbol.dispose]: release };
  }

  #stillHeld(path: string): Held | null {
    const held = this.#found.get(path);
    // A link may lead elsewhere by now.
    if (!held || this.#clock.elapsed() - held.openedAt >= FRESH_MS) return null;
    const facts = factsNow(held.file, this.#clock.now());
    if (facts === null) return null;
    held.facts = facts;
    return held;
  }

  async #openAnew(path: string): Promise<Held | null> {
    this.#found.delete(path);
    const file = await openServedFile(this.#root, path, this.#clock.now());
    // What is not there may come at any moment.
    if (file === null) return null;
    const openedAt = this.#clock.elapsed();
    const held = { file, facts: file, openedAt, usedAt: openedAt, users: 0 };
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
