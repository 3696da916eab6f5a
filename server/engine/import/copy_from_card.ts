import { crc32 } from "node:zlib";
import { type CardFileHandle, CardProblem } from "../../store/card/card_file.ts";
import type { CameSums } from "../../store/destination/destination.ts";
import type { PartialFile } from "../../store/destination/partial_file.ts";

const PIECE_BYTES = 1024 * 1024;
/** Pieces that are read ahead, and pieces that wait to be written, while one is hashed. */
const AHEAD = 2;
const BUFFERS = 2 * AHEAD + 1;
/** Pieces after which the system need not keep them any longer. */
const FORGOTTEN = 8;

/** Copies files of a card into partials, one after the other. */
export class CardCopier {
  readonly #buffers = Array.from({ length: BUFFERS }, () => new Uint8Array(PIECE_BYTES));

  /**
   * Copies all of a file, over what an earlier attempt left of it as long as that is the same. Reading and writing are done
   * beside the event loop, which hashes one piece at a time. Pieces are written in their order: a kill leaves no hole.
   * @returns the checksums of the bytes
   * @throws CardProblem, the signal's reason, and the file system's own errors about the partial
   */
  async copy(
    card: CardFileHandle,
    partial: PartialFile,
    listener: { chunk(bytes: number): void },
    signal: AbortSignal,
  ): Promise<CameSums> {
    const hash = new Bun.CryptoHasher("sha256");
    let crc = 0;
    const pieces = Math.ceil(card.size / PIECE_BYTES);
    const reads = new Queue<Uint8Array>();
    const writes = new Queue<void>();
    let written: Promise<void> = Promise.resolve();
    partial.rewind();
    try {
      for (let piece = 0; piece < Math.min(AHEAD, pieces); piece++) reads.add(this.#read(card, piece));
      for (let piece = 0; piece < pieces; piece++) {
        const bytes = await reads.take();
        signal.throwIfAborted();
        written = written.then(() => partial.appendAside(bytes));
        writes.add(written);
        if (writes.size > AHEAD) await writes.take();
        if (piece + AHEAD < pieces) reads.add(this.#read(card, piece + AHEAD));
        hash.update(bytes);
        crc = crc32(bytes, crc);
        if ((piece + 1) % FORGOTTEN === 0) card.forget((piece + 1 - FORGOTTEN) * PIECE_BYTES, FORGOTTEN * PIECE_BYTES);
        listener.chunk(bytes.length);
      }
      while (writes.size > 0) await writes.take();
    } finally {
      // Both files are closed after this: their descriptors must not be used any more.
      await Promise.all([reads.settled(), writes.settled()]);
    }
    if (!(await card.isUnchanged())) throw new CardProblem("changed");
    partial.cutTail();
    return { sha256: hash.digest("hex"), crc };
  }

  /** @throws CardProblem, also for a file that ends before its time */
  async #read(card: CardFileHandle, piece: number): Promise<Uint8Array> {
    const offset = piece * PIECE_BYTES;
    const length = Math.min(PIECE_BYTES, card.size - offset);
    const buffer = (this.#buffers[piece % BUFFERS] as Uint8Array).subarray(0, length);
    for (let done = 0; done < length; ) {
      const got = await card.readInto(buffer.subarray(done), offset + done);
      if (got === 0) throw new CardProblem("changed");
      done += got;
    }
    return buffer;
  }
}

/** Work that is under way, in the order in which its results are taken. */
class Queue<T> {
  readonly #all: Promise<T>[] = [];

  get size(): number {
    return this.#all.length;
  }

  add(work: Promise<T>): void {
    // It may fail while another one is waited for.
    work.catch(() => {});
    this.#all.push(work);
  }

  async take(): Promise<T> {
    const first = this.#all.shift();
    if (first === undefined) throw new Error("Nothing is under way");
    return await first;
  }

  /** Resolves when all of it has ended, whatever its end. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#all);
  }
}
