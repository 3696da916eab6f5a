import type { CardFileHandle } from "../../store/card/card_file.ts";
import { CardProblem } from "../../store/card/card_file.ts";
import type { PartialFile } from "../../store/destination/partial_file.ts";

/** Bytes that are read at once: one piece is on its way while the one before is written and hashed. */
const PIECE_BYTES = 1024 * 1024;

/** Copies files of a card into partials, one after the other. */
export class CardCopier {
  readonly #buffers = [new Uint8Array(PIECE_BYTES), new Uint8Array(PIECE_BYTES)] as const;

  /**
   * Copies all of a file, over what an earlier attempt left of it as long as that is the same. The event loop is held for
   * one piece at most.
   * @returns the SHA-256 of the bytes
   * @throws CardProblem, the signal's reason, and the file system's own errors about the partial
   */
  async copy(
    card: CardFileHandle,
    partial: PartialFile,
    listener: { chunk(bytes: number): void },
    signal: AbortSignal,
  ): Promise<string> {
    const hash = new Bun.CryptoHasher("sha256");
    partial.rewind();
    let at = 0;
    let turn = 0;
    let next = card.readInto(this.#bufferOf(turn), at);
    try {
      while (at < card.size) {
        const length = await next;
        if (length === 0) throw new CardProblem("changed");
        const piece = this.#bufferOf(turn).subarray(0, length);
        at += length;
        turn++;
        if (at < card.size) next = card.readInto(this.#bufferOf(turn), at);
        const writing = partial.append(piece);
        try {
          hash.update(piece);
        } finally {
          await writing;
        }
        listener.chunk(length);
        signal.throwIfAborted();
      }
    } finally {
      // The file is closed after this: its descriptor must not be read from any more.
      await next.catch(() => {});
    }
    if (at !== card.size || !(await card.isUnchanged())) throw new CardProblem("changed");
    partial.cutTail();
    return hash.digest("hex");
  }

  #bufferOf(turn: number): Uint8Array {
    return this.#buffers[turn % 2 === 0 ? 0 : 1];
  }
}
