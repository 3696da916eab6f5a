import { crc32 } from "node:zlib";
import { Turns } from "../../turns.ts";
import { type ArchiveSource, piecesOf } from "./archive_source.ts";

export interface Checksums {
  /** In hexadecimal digits. */
  readonly sha256: string;
  readonly crc: number;
}

/** Files whose checksums are remembered: some thousand hours of driving, in four megabytes. */
const MOST_KNOWN = 20_000;
/** Files read at once, whoever asks: more would leave no disk and no processor to players. */
const WIDTH = 2;

/** Checksums of what goes into packs, remembered while the files stay as they are. */
export class FileChecksums {
  /** By version, the one used longest ago first. */
  readonly #known = new Map<string, Checksums>();
  readonly #turns = new Turns(WIDTH);

  /**
   * Returns the checksums of one source, read from its beginning to its end where they are not known.
   * @param signal ends the reading; rejects with its reason
   * @throws ChangedFile
   */
  async of(source: ArchiveSource, signal: AbortSignal): Promise<Checksums> {
    signal.throwIfAborted();
    return this.#used(source.version) ?? (await this.#turns.run(() => this.#read(source, signal), signal));
  }

  /** Forgets those of sources whose bytes turned out to be others, though nothing else about a file says so. */
  forget(sources: readonly ArchiveSource[]): void {
    for (const { version } of sources) this.#known.delete(version);
  }

  async #read(source: ArchiveSource, signal: AbortSignal): Promise<Checksums> {
    // Another request may have read it while this one waited.
    const known = this.#used(source.version);
    if (known !== null) return known;
    const hash = new Bun.CryptoHasher("sha256");
    let crc = 0;
    for await (const piece of piecesOf(source)) {
      signal.throwIfAborted();
      hash.update(piece);
      crc = crc32(piece, crc);
    }
    const found = { sha256: hash.digest("hex"), crc };
    this.#known.set(source.version, found);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return found;
  }

  #used(version: string): Checksums | null {
    const known = this.#known.get(version);
    if (known === undefined) return null;
    this.#known.delete(version);
    this.#known.set(version, known);
    return known;
  }
}
