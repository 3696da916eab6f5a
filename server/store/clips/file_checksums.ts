import { crc32 } from "node:zlib";
import { Turns } from "../../turns.ts";
import { type ArchiveSource, type OpenSource, piecesOf, type WholeFile } from "./archive_source.ts";

export interface Checksums {
  /** In hexadecimal digits. */
  readonly sha256: string;
  readonly crc: number;
}

/** Checksums that were taken when files came home, or since. */
export interface KeptChecksums {
  /** Null where there are none, or the file was written since. */
  readonly find: (file: WholeFile) => Checksums | null;
  /** Is told of a file that has other bytes than these, though nothing else about it says so. */
  readonly doubt: (file: WholeFile) => void;
}

/** Files whose checksums are remembered: some thousand hours of driving, in four megabytes. */
const MOST_KNOWN = 20_000;
/** Files read at once, whoever asks: more would leave no disk and no processor to players. */
const WIDTH = 2;

/** Checksums of what goes into packs, remembered while the files stay as they are. */
export class FileChecksums {
  readonly #kept: KeptChecksums | null;
  /** By version, the one used longest ago first. */
  readonly #known = new Map<string, Checksums>();
  /** Versions that are read though there are kept checksums. */
  readonly #doubted = new Set<string>();
  readonly #turns = new Turns(WIDTH);

  constructor(kept: KeptChecksums | null = null) {
    this.#kept = kept;
  }

  /**
   * Returns the checksums of one source, read from its beginning to its end where they are neither known nor kept.
   * @param signal ends the reading; rejects with its reason
   * @throws ChangedFile
   */
  async of(source: ArchiveSource, signal: AbortSignal): Promise<Checksums> {
    signal.throwIfAborted();
    return (
      this.#used(source.version) ??
      this.#keptOf(source) ??
      (await this.#turns.run(() => this.#read(source, signal), signal))
    );
  }

  /** The checksums of a source that was read before; null where it would have to be read. */
  known({ version }: ArchiveSource): Checksums | null {
    return this.#used(version);
  }

  /** The same source: once it was read from its beginning to its end, its checksums are known. */
  followed(source: ArchiveSource): ArchiveSource {
    const { name, size, wall, version } = source;
    const open = async (): Promise<OpenSource> => {
      const opened = await source.open();
      const hash = new Bun.CryptoHasher("sha256");
      let crc = 0;
      let next = 0;
      return {
        async read(at, into) {
          await opened.read(at, into);
          // A file that was not read from its beginning has no checksums.
          if (at !== next) return;
          hash.update(into);
          crc = crc32(into, crc);
          next += into.length;
        },
        check: () => {
          opened.check();
          if (next !== size) return;
          next = Number.NaN;
          this.#remember(version, { sha256: hash.digest("hex"), crc });
        },
        [Symbol.dispose]: () => opened[Symbol.dispose](),
      };
    };
    return { name, size, wall, version, open };
  }

  /** Forgets those of sources whose bytes turned out to be others, though nothing else about a file says so. */
  forget(sources: readonly ArchiveSource[]): void {
    for (const { version } of sources) {
      this.#known.delete(version);
      if (this.#doubted.size < MOST_KNOWN) this.#doubted.add(version);
    }
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
    this.#doubted.delete(source.version);
    if (source.file !== undefined) this.#compare(source.file, found);
    this.#remember(source.version, found);
    return found;
  }

  #keptOf({ version, file }: ArchiveSource): Checksums | null {
    if (file === undefined || this.#kept === null || this.#doubted.has(version)) return null;
    const found = this.#kept.find(file);
    if (found !== null) this.#remember(version, found);
    return found;
  }

  #compare(file: WholeFile, { sha256 }: Checksums): void {
    const kept = this.#kept?.find(file) ?? null;
    if (kept !== null && kept.sha256 !== sha256) this.#kept?.doubt(file);
  }

  #remember(version: string, found: Checksums): void {
    this.#known.set(version, found);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }

  #used(version: string): Checksums | null {
    const known = this.#known.get(version);
    if (known === undefined) return null;
    this.#known.delete(version);
    this.#known.set(version, known);
    return known;
  }
}
