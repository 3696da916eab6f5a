import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  ftruncateSync,
  lstatSync,
  openSync,
  read,
  readSync,
  write,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import type { Clock } from "../../clock.ts";
import { nextTurn } from "../../turns.ts";
import { errorCode } from "../error_code.ts";
import type { FolderOwner } from "./own_folder.ts";
import type { ForgetPages } from "./page_cache.ts";
import { NO_FLUSH } from "./put_in_place.ts";

const writeAsync = promisify(write);
const readAsync = promisify(read);
const fsyncAsync = promisify(fsync);

/** A write that holds the event loop longer than this is slow; one alone may be the scheduler's doing, two are not. */
const SLOW_WRITE_MS = 5;
const SLOW_IN_A_ROW = 2;
/** After which the disk is tried again; twice as long after each try that was slow again, up to the longest. */
const SLOW_FOR_MS = 10_000;
const SLOW_FOR_AT_MOST_MS = 640_000;

/**
 * Observes if the disk keeps up. While the page cache absorbs writes, writing at once is fastest. Once the disk pushes
 * back, a blocking write would hold up everything else the process does: writes then go through the thread pool.
 */
export class DiskPace {
  readonly #clock: Clock;
  #slowInARow = 0;
  #slowUntil = Number.NEGATIVE_INFINITY;
  #slowForMs = SLOW_FOR_MS;

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
    this.learn(this.#clock.elapsed() - before);
    return result;
  }

  /** Learns that a piece of disk work held the event loop for so many milliseconds. */
  learn(heldMs: number): void {
    if (heldMs <= SLOW_WRITE_MS) {
      this.#slowInARow = 0;
      return;
    }
    if (++this.#slowInARow < SLOW_IN_A_ROW || this.isSlow) return;
    const now = this.#clock.elapsed();
    // A disk that is slow again as soon as it is tried is tried less often.
    const again = now - this.#slowUntil < this.#slowForMs;
    this.#slowForMs = again ? Math.min(this.#slowForMs * 2, SLOW_FOR_AT_MOST_MS) : SLOW_FOR_MS;
    this.#slowUntil = now + this.#slowForMs;
  }
}

/** Bytes from which on a file is not kept in the system's memory, and bytes that are given up in one turn. */
const FORGOTTEN_FROM = 8 * 1024 * 1024;
const FORGOTTEN_AT_ONCE = 8 * 1024 * 1024;

/** Which file is open: it stays the same one as long as it is. */
interface OpenedPartial {
  readonly fd: number;
  readonly dev: number;
  readonly ino: number;
}

/** The open dotfile of a download in progress. Close it in every case. */
export class PartialFile {
  readonly name: string;
  readonly path: string;
  readonly #pace: DiskPace;
  #fd: number | null;
  readonly #opened: OpenedPartial;
  #size: number;
  /** End of the old bytes that are being overwritten. */
  #tailEnd = 0;
  #hasDiffered = false;

  private constructor(name: string, path: string, opened: OpenedPartial, size: number, pace: DiskPace) {
    this.name = name;
    this.path = path;
    this.#fd = opened.fd;
    this.#opened = opened;
    this.#size = size;
    this.#pace = pace;
  }

  /**
   * Opens or creates the file at `path` to go on at `size` bytes; what lies beyond is cut off. A symbolic link is
   * refused: bytes go into the destination only. So is what is no file, such as a FIFO.
   * @param owner whom it is given to
   */
  static open(name: string, path: string, size: number, pace: DiskPace, owner: FolderOwner): PartialFile {
    const { O_RDWR, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_TRUNC } = constants;
    const fd = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | (size === 0 ? O_TRUNC : 0), 0o644);
    const found = fstatSync(fd);
    if (!found.isFile()) {
      closeSync(fd);
      // As the system itself says it of a socket.
      throw Object.assign(new Error(`${path} is not a file`), { code: "ENXIO" });
    }
    owner.give(fd);
    if (size > 0) ftruncateSync(fd, size);
    return new PartialFile(name, path, { fd, dev: found.dev, ino: found.ino }, size, pace);
  }

  /** Bytes written so far, those of earlier runs included. */
  get size(): number {
    return this.#size;
  }

  get #open(): number {
    if (this.#fd === null) throw new Error("The half-finished file is closed");
    return this.#fd;
  }

  /** Bytes that were here were written over by others. */
  get hasDiffered(): boolean {
    return this.#hasDiffered;
  }

  /** The last so many of the first `size` bytes, at once. */
  tail(size: number, length: number): Uint8Array {
    const buffer = new Uint8Array(length);
    return buffer.subarray(0, readSync(this.#open, buffer, 0, length, size - length));
  }

  /** Up to so many of the first bytes, at once. */
  head(length: number): Uint8Array {
    const buffer = new Uint8Array(length);
    return buffer.subarray(0, readSync(this.#open, buffer, 0, length, 0));
  }

  /** True while the disk pushes back. */
  get isDiskSlow(): boolean {
    return this.#pace.isSlow;
  }

  /** Appends a piece. Returns a promise only when the disk is slow, so that the fast path costs no turn of the loop. */
  append(piece: Uint8Array): Promise<void> | undefined {
    if (this.#size < this.#tailEnd) this.#compareWithTail(piece);
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

  /**
   * As `append`, always through the thread pool: for bytes that come as fast as a disk gives them, while others are hashed.
   * Not to be called again before it resolves.
   */
  appendAside(piece: Uint8Array): Promise<void> {
    if (this.#size < this.#tailEnd) this.#compareWithTail(piece);
    return this.#appendSlowly(piece);
  }

  /**
   * Lets `write` append to the file itself, through a descriptor of its own that stands at the end; `grown` returns the
   * bytes that have come since. The bytes that were written count, even when `write` throws.
   */
  async appendBy(write: (descriptor: number, grown: () => number) => Promise<void>): Promise<void> {
    if (this.#tailEnd > 0) throw new Error("The half-finished file is being written over");
    // Only behind old bytes in the mode that appends: what writes natively may reserve space first, and the mode would
    // then put the bytes behind the reserved ones.
    const mode = this.#size > 0 ? constants.O_APPEND : 0;
    const descriptor = openSync(this.path, constants.O_WRONLY | constants.O_NOFOLLOW | mode);
    const before = this.#size;
    const grown = () => {
      this.#size = Math.max(this.#size, fstatSync(descriptor).size);
      return this.#size - before;
    };
    try {
      const other = fstatSync(descriptor);
      if (other.ino !== this.#opened.ino || other.dev !== this.#opened.dev || other.size !== this.#size)
        throw new Error("The half-finished file was changed by another program while it was being written");
      await write(descriptor, grown);
    } finally {
      grown();
      closeSync(descriptor);
    }
  }

  /** As `DiskPace.learn`, for the disk of this file. */
  noteBlocked(ms: number): void {
    this.#pace.learn(ms);
  }

  /** Old bytes behind a difference are of another file: they must not be taken for the rest of this one. */
  #compareWithTail(piece: Uint8Array): void {
    const length = Math.min(piece.length, this.#tailEnd - this.#size);
    const old = new Uint8Array(length);
    const got = readSync(this.#open, old, 0, length, this.#size);
    if (got === length && Buffer.compare(old, piece.subarray(0, length)) === 0) return;
    ftruncateSync(this.#open, this.#size);
    this.#tailEnd = 0;
    this.#hasDiffered = true;
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

  /**
   * Reads up to `length` bytes at `offset`. Bytes that were just written are in memory: reading them at once costs the
   * least.
   */
  async readAt(offset: number, length: number): Promise<Uint8Array> {
    const buffer = new Uint8Array(length);
    if (!this.#pace.isSlow) {
      const fd = this.#open;
      return buffer.subarray(
        0,
        this.#pace.measure(() => readSync(fd, buffer, 0, length, offset)),
      );
    }
    const { bytesRead } = await readAsync(this.#open, buffer, 0, length, offset);
    return buffer.subarray(0, bytesRead);
  }

  /**
   * Goes back to the start, to write the file anew over the bytes here. The old bytes behind stay for as long as the
   * new ones are the same. If the camera leaves before, the next run goes on from the longer of the two.
   */
  rewind(): void {
    this.#tailEnd = Math.max(this.#tailEnd, this.#size);
    this.#size = 0;
  }

  /** Forgets all bytes: they are not of the file that is to come. */
  empty(): void {
    this.#tailEnd = 0;
    this.#size = 0;
    ftruncateSync(this.#open, 0);
  }

  /** The file came to its end: what lies behind is of an earlier attempt. */
  cutTail(): void {
    if (this.#tailEnd > this.#size) ftruncateSync(this.#open, this.#size);
    this.#tailEnd = 0;
  }

  /**
   * Waits until the bytes are on the disk itself, so that a rename after it can never show an emptier file. After an
   * error it is unknown which of them are (the system may have dropped the pages), so the file is begun anew.
   */
  async flush(): Promise<void> {
    try {
      await fsyncAsync(this.#open);
    } catch (error) {
      if (NO_FLUSH.includes(errorCode(error))) return;
      this.empty();
      throw error;
    }
  }

  /**
   * Flushes it, and tells the system that its bytes will not be read again soon. Short files stay in its memory.
   * @param forget of `page_cache.ts`, which only those load who need it
   */
  async flushAndForget(forget: ForgetPages): Promise<void> {
    await this.flush();
    if (this.#size < FORGOTTEN_FROM) return;
    for (let at = 0; at < this.#size; at += FORGOTTEN_AT_ONCE) {
      if (this.#fd !== null) forget(this.#fd, at, FORGOTTEN_AT_ONCE);
      await nextTurn();
    }
  }

  /** True when the file at its path is the one that was written to. */
  isAtItsPath(): boolean {
    const found = lstatSync(this.path, { throwIfNoEntry: false });
    return found !== undefined && found.ino === this.#opened.ino && found.dev === this.#opened.dev;
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }
}
