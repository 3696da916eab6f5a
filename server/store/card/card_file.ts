import { close, fstat, open, read, type Stats } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { forgetPages } from "../destination/page_cache.ts";
import { errorCode } from "../error_code.ts";
import { READ_PLAIN } from "../plain_file.ts";

const openAsync = promisify(open);
const closeAsync = promisify(close);
const fstatAsync = promisify(fstat);
const readAsync = promisify(read);

/** A file of the card cannot be read, and nothing is said of the files beside it. */
export class CardProblem extends Error {
  override name = "CardProblem";
  readonly why: "unreadable" | "link" | "changed";

  constructor(why: CardProblem["why"], cause?: unknown) {
    super(`a file of the card is left: ${why}`, { cause });
    this.why = why;
  }
}

/** An open file of a card. It is only read; close it in every case. */
export class CardFileHandle {
  readonly place: string;
  readonly #descriptor: number;
  readonly #stats: Stats;

  private constructor(place: string, descriptor: number, stats: Stats) {
    this.place = place;
    this.#descriptor = descriptor;
    this.#stats = stats;
  }

  /**
   * Opens a file below a folder without following links, neither of its own name nor of the folders on the way, which may
   * have changed since they were looked through.
   * @param root the folder, without links in its own path
   * @throws CardProblem
   */
  static async open(root: string, path: string): Promise<CardFileHandle> {
    const place = join(root, path);
    let descriptor: number | null = null;
    try {
      const folder = dirname(place);
      if ((await realpath(folder)) !== folder) throw new CardProblem("link");
      descriptor = await openAsync(place, READ_PLAIN);
      const stats = await fstatAsync(descriptor);
      if (!stats.isFile()) throw new CardProblem("changed");
      return new CardFileHandle(place, descriptor, stats);
    } catch (error) {
      if (descriptor !== null) await closeAsync(descriptor);
      if (error instanceof CardProblem) throw error;
      if (errorCode(error) === "") throw error;
      throw new CardProblem(errorCode(error) === "ELOOP" ? "link" : "unreadable", error);
    }
  }

  get size(): number {
    return this.#stats.size;
  }

  /** When it was last written, in epoch milliseconds. */
  get modifiedAt(): number {
    return this.#stats.mtimeMs;
  }

  /** Reads into a buffer, as much as fits; fewer bytes at the end. @throws CardProblem */
  async readInto(buffer: Uint8Array, offset: number): Promise<number> {
    try {
      const { bytesRead } = await readAsync(this.#descriptor, buffer, 0, buffer.length, offset);
      return bytesRead;
    } catch (error) {
      if (errorCode(error) === "") throw error;
      throw new CardProblem("unreadable", error);
    }
  }

  /** Up to so many bytes from one place on. @throws CardProblem */
  async readAt(offset: number, length: number): Promise<Uint8Array> {
    const buffer = new Uint8Array(length);
    return buffer.subarray(0, await this.readInto(buffer, offset));
  }

  /** A part of it was read and will not be read again. */
  forget(offset: number, length: number): void {
    forgetPages(this.#descriptor, offset, length);
  }

  /** True when it is still the file at its place, and nothing was written to it since it was opened. */
  async isUnchanged(): Promise<boolean> {
    try {
      return isSameFile(this.#stats, await lstat(this.place));
    } catch (error) {
      if (errorCode(error) === "") throw error;
      return false;
    }
  }

  async close(): Promise<void> {
    await closeAsync(this.#descriptor);
  }

  /** By what it is known later. */
  get stats(): Stats {
    return this.#stats;
  }
}

/** True when nothing happened to a file between two looks at it. */
export function isSameFile(one: Stats, other: Stats): boolean {
  return (
    other.isFile() &&
    one.dev === other.dev &&
    one.ino === other.ino &&
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs
  );
}
