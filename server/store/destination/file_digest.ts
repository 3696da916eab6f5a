import { close, fstat, open, read } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import type { FileSum } from "../../domain/checksums/file_judgement.ts";
import { judgeMp4 } from "../../domain/recordings/mp4_boxes.ts";
import { errorCode } from "../error_code.ts";
import { READ_PLAIN } from "../plain_file.ts";
import { forgetPages } from "./page_cache.ts";

const opened = promisify(open);
const statOf = promisify(fstat);
const readInto = promisify(read);
const closed = promisify(close);

/** Bytes that are read at once: hashing them takes less than a few milliseconds, in which all else waits. */
const PIECE_BYTES = 256 * 1024;
/** Bytes after which the system is told that it need not keep them, and after which others have their turn. */
const FORGOTTEN_BYTES = 8 * 1024 * 1024;

/** Follows the reading of files: limits its speed, and ends it. */
export interface ReadingPace {
  /**
   * Called after each piece; resolves when the next one may be read, and rejects to end the reading.
   * @param busyMs time in which the event loop did nothing else
   */
  after(bytes: number, busyMs: number): Promise<void> | void;
  /** Milliseconds that never go back. */
  elapsed(): number;
}

export interface DigestOptions {
  /**
   * Memory that the system holds of a file: it stays as it is while a file that has just come may be looked at; what
   * was read is given up in a library that is gone through; and before, where the disk itself is to be read.
   */
  readonly cache: "keep" | "forget" | "past";
}

/** The file is not to be judged: there is none, it is a link, or it changed while it was read. */
export type NoDigest = "gone" | "link" | "changed" | "denied";

/** Answers of the file system for a file that is not there, or that this user may not read. */
const GONE: readonly string[] = ["ENOENT", "ENOTDIR"];
const DENIED: readonly string[] = ["EACCES", "EPERM"];
/** A link, or what is no file. */
const NO_FILE: readonly string[] = ["ELOOP", "EISDIR", "EINVAL", "ENXIO", "EMLINK"];

/** Adds what is on the disk to checksums of a file that were made on its way there. @throws as `FileDigest.of` */
export async function factsOfFile(root: string, path: string, sums: Bytes): Promise<FileSum | NoDigest> {
  return await withFile(root, path, async () => sums);
}

/** Checksums of bytes alone. */
type Bytes = Pick<FileSum, "sha256" | "crc">;

/** Opens a file, and adds its facts to what the work gives; null from the work for a file that ended early. */
async function withFile(
  root: string,
  path: string,
  work: (descriptor: number, size: number) => Promise<Bytes | null>,
): Promise<FileSum | NoDigest> {
  let descriptor: number;
  try {
    descriptor = await opened(join(root, path), READ_PLAIN);
  } catch (error) {
    const code = errorCode(error);
    if (GONE.includes(code)) return "gone";
    if (DENIED.includes(code)) return "denied";
    if (NO_FILE.includes(code)) return "link";
    throw error;
  }
  try {
    const before = await statOf(descriptor, { bigint: true });
    if (!before.isFile()) return "link";
    const size = Number(before.size);
    const sums = await work(descriptor, size);
    const readAt = async (offset: number, length: number) => {
      const bytes = new Uint8Array(length);
      return bytes.subarray(0, (await readInto(descriptor, bytes, 0, length, offset)).bytesRead);
    };
    const isWholeVideo = path.endsWith(".mp4") && (await judgeMp4(size, readAt)) === "whole";
    const after = await statOf(descriptor, { bigint: true });
    const isSame = after.size === before.size && after.mtimeNs === before.mtimeNs && after.ctimeNs === before.ctimeNs;
    if (sums === null || !isSame) return "changed";
    return { ...sums, size, modified: Number(before.mtimeNs / 1_000_000n), isWholeVideo };
  } finally {
    await closed(descriptor).catch(() => {});
  }
}

/** Reads files in bounded pieces, one after the other, and makes their checksums. */
export class FileDigest {
  readonly #pieces = [new Uint8Array(PIECE_BYTES), new Uint8Array(PIECE_BYTES)] as const;

  /**
   * Reads all of a file. The next piece is on its way while one is hashed.
   * @param path relative to the root
   * @throws what `pace` throws, and the file system's own errors, such as EIO
   */
  async of(root: string, path: string, pace: ReadingPace, { cache }: DigestOptions): Promise<FileSum | NoDigest> {
    return await withFile(root, path, async (descriptor, size) => {
      if (cache === "past" && size > 0) forgetPages(descriptor, 0, size);
      return await this.#read(descriptor, size, pace, cache !== "keep");
    });
  }

  /** Null when the file ends before its size. */
  async #read(descriptor: number, size: number, pace: ReadingPace, isForgotten: boolean): Promise<Bytes | null> {
    const hash = new Bun.CryptoHasher("sha256");
    let crc = 0;
    let forgotten = 0;
    let next = this.#fill(descriptor, 0, size, 0);
    try {
      for (let at = 0, piece = 0; at < size; piece = 1 - piece) {
        const bytes = await next;
        if (bytes.length === 0) return null;
        const from = at;
        at += bytes.length;
        next = this.#fill(descriptor, at, size, 1 - piece);
        // It may fail while others have their turn.
        next.catch(() => {});
        const began = pace.elapsed();
        hash.update(bytes);
        crc = crc32(bytes, crc);
        if (isForgotten && (at - forgotten >= FORGOTTEN_BYTES || at === size)) {
          forgetPages(descriptor, forgotten, from - forgotten + bytes.length);
          forgotten = at;
        }
        const waiting = pace.after(bytes.length, pace.elapsed() - began);
        if (waiting) await waiting;
      }
    } finally {
      // The descriptor is closed after this: it must not be read from any more.
      await next.catch(() => {});
    }
    return { sha256: hash.digest("hex"), crc };
  }

  /** Reads up to a piece from a place of a file into one of the two buffers. */
  async #fill(descriptor: number, at: number, size: number, piece: number): Promise<Uint8Array> {
    const buffer = this.#pieces[piece] as Uint8Array;
    const length = Math.min(PIECE_BYTES, size - at);
    if (length <= 0) return buffer.subarray(0, 0);
    const { bytesRead } = await readInto(descriptor, buffer, 0, length, at);
    return buffer.subarray(0, bytesRead);
  }
}
