import type { StreamTargetChunk } from "mediabunny";
import { CannotMake, MOST_IN_MEMORY, REFUSALS } from "./refusals.ts";

/** Place that a video is written to, in any order. */
export interface MadeFile {
  /** Bytes so far. */
  readonly size: number;
  /** Most bytes that it can have. */
  readonly most: number;
  write(chunk: StreamTargetChunk): Promise<void>;
  /** Ends it well. @returns the video, or null when it is on the disk */
  finish(): Promise<Blob | null>;
  /** Takes away what is there of it. */
  discard(): Promise<void>;
}

/** The file that the user chose: the browser puts it in place when all of it is written. */
export class FileOnDisk implements MadeFile {
  size = 0;
  readonly most: number = Number.POSITIVE_INFINITY;
  readonly #writable: FileSystemWritableFileStream;

  private constructor(writable: FileSystemWritableFileStream) {
    this.#writable = writable;
  }

  static async open(handle: FileSystemFileHandle): Promise<FileOnDisk> {
    return new FileOnDisk(await handle.createWritable());
  }

  async write(chunk: StreamTargetChunk): Promise<void> {
    await this.#writable.write(chunk);
    this.size = Math.max(this.size, chunk.position + chunk.data.length);
  }

  async finish(): Promise<null> {
    await this.#writable.close();
    return null;
  }

  async discard(): Promise<void> {
    // One that has failed is gone already.
    await this.#writable.abort().catch(() => {});
  }
}

/** A video in memory, in pieces that the browser may put to its disk. */
export class FileInMemory implements MadeFile {
  size = 0;
  readonly most: number;
  #pieces: Blob[] = [];
  readonly #changes: StreamTargetChunk[] = [];

  constructor(most: number = MOST_IN_MEMORY) {
    this.most = most;
  }

  async write(chunk: StreamTargetChunk): Promise<void> {
    const { data, position } = chunk;
    if (position + data.length > this.most) throw new CannotMake(REFUSALS.tooLarge);
    // Space that was left free for the header is filled at the end.
    const written = Math.min(data.length, Math.max(0, this.size - position));
    if (written > 0) this.#changes.push({ ...chunk, data: data.slice(0, written) });
    if (written === data.length) return;
    if (position > this.size) this.#pieces.push(new Blob([new Uint8Array(position - this.size)]));
    this.#pieces.push(new Blob([data.slice(written)]));
    this.size = position + data.length;
  }

  async finish(): Promise<Blob> {
    const type = "video/mp4";
    let whole = new Blob(this.#pieces, { type });
    for (const { position, data } of this.#changes)
      whole = new Blob([whole.slice(0, position), data, whole.slice(position + data.length)], { type });
    this.#pieces = [];
    return whole;
  }

  async discard(): Promise<void> {
    this.#pieces = [];
    this.#changes.length = 0;
    this.size = 0;
  }
}
