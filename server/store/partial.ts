import { closeSync, constants, fsync, ftruncateSync, openSync, read, write, writeSync } from "node:fs";
import { promisify } from "node:util";
import type { Clock } from "../clock.ts";

const writeAsync = promisify(write);
const readAsync = promisify(read);
const fsyncAsync = promisify(fsync);

/** A write that holds the event loop longer than this is slow; one alone may be the scheduler's doing, two are not. */
const SLOW_WRITE_MS = 5;
const SLOW_IN_A_ROW = 2;
/** After which the disk is given another chance. */
const SLOW_FOR_MS = 10_000;

/**
 * Whether the disk keeps up. While the page cache absorbs writes, writing at once is fastest; once the disk pushes
 * back, a blocking write would hold up everything else the process does, so writes then go through the thread pool.
 */
export class DiskPace {
  readonly #clock: Clock;
  #slowInARow = 0;
  #slowUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isSlow(): boolean {
    return this.#clock.elapsed() < this.#slowUntil;
  }

  /** Runs a blocking disk operation and learns from how long it took. */
  measure<T>(operation: () => T): T {
    const before = this.#clock.elapsed();
    const result = operation();
    const after = this.#clock.elapsed();
    if (after - before <= SLOW_WRITE_MS) this.#slowInARow = 0;
    else if (++this.#slowInARow >= SLOW_IN_A_ROW) this.#slowUntil = after + SLOW_FOR_MS;
    return result;
  }
}

/** The open dotfile of a download in progress. Close it in every case. */
export class Partial {
  readonly name: string;
  readonly #pace: DiskPace;
  #fd: number | null;
  #size: number;
  /** Where old bytes end that are being overwritten. */
  #tailEnd = 0;

  private constructor(name: string, fd: number, size: number, pace: DiskPace) {
    this.name = name;
    this.#fd = fd;
    this.#size = size;
    this.#pace = pace;
  }

  /**
   * Opens or creates the file at `path` to go on at `size` bytes; what lies beyond is cut off. A symbolic link is
   * refused: whatever the name, bytes go into the destination only.
   */
  static open(name: string, path: string, size: number, pace: DiskPace): Partial {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | (size === 0 ? constants.O_TRUNC : 0);
    const fd = openSync(path, flags, 0o644);
    if (size > 0) ftruncateSync(fd, size);
    return new Partial(name, fd, size, pace);
  }

  /** Bytes written so far, those of earlier runs included. */
  get size(): number {
    return this.#size;
  }

  get #open(): number {
    if (this.#fd === null) throw new Error("The partial is closed");
    return this.#fd;
  }

  /** Appends a piece. Returns a promise only when the disk is slow, so that the fast path costs no turn of the loop. */
  append(piece: Uint8Array): Promise<void> | undefined {
    if (this.#pace.isSlow) return this.#appendSlowly(piece);
    const fd = this.#open;
    this.#pace.measure(() => {
      for (let from = 0; from < piece.length; ) {
        const written = writeSync(fd, piece, from, piece.length - from, this.#size);
        from += written;
        this.#size += written;
      }
    });
    return undefined;
  }

  async #appendSlowly(piece: Uint8Array): Promise<void> {
    for (let from = 0; from < piece.length; ) {
      const { bytesWritten } = await writeAsync(this.#open, piece, from, piece.length - from, this.#size);
      from += bytesWritten;
      this.#size += bytesWritten;
    }
  }

  /** Replaces bytes already written, at the head of the file. */
  async overwrite(piece: Uint8Array, at: number): Promise<void> {
    for (let from = 0; from < piece.length; ) {
      const { bytesWritten } = await writeAsync(this.#open, piece, from, piece.length - from, at + from);
      from += bytesWritten;
    }
  }

  /** Up to `length` bytes at `offset`. */
  async readAt(offset: number, length: number): Promise<Uint8Array> {
    const buffer = new Uint8Array(length);
    const { bytesRead } = await readAsync(this.#open, buffer, 0, length, offset);
    return buffer.subarray(0, bytesRead);
  }

  /**
   * Goes back to the start, to write the file anew over what is there. The old bytes behind stay until new ones take
   * their place: if the camera leaves before, the longer of the two is what the next run goes on from.
   */
  rewind(): void {
    this.#tailEnd = Math.max(this.#tailEnd, this.#size);
    this.#size = 0;
  }

  /** The file came to its end: what lies behind is of an earlier attempt. */
  cutTail(): void {
    if (this.#tailEnd > this.#size) ftruncateSync(this.#open, this.#size);
    this.#tailEnd = 0;
  }

  /** Waits until the bytes are on the disk itself, so that a rename after it can never show an emptier file. */
  async flush(): Promise<void> {
    await fsyncAsync(this.#open);
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }
}
