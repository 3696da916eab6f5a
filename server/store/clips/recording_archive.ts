import { crc32 } from "node:zlib";
import { groupOf, secondsOf } from "../../domain/recordings/recording_name.ts";
import { ZipLayout, type ZipPiece } from "../../domain/viewer/zip_layout.ts";
import {
  type ArchiveSource,
  bytesOf,
  ChangedFile,
  type FileSource,
  fileSource,
  type OpenSource,
  piecesOf,
} from "./archive_source.ts";
import { type BodyFiller, filledBody } from "./filled_body.ts";

/** Files whose checksum is remembered: some thousand hours of driving, in two megabytes. */
const MOST_CHECKSUMS = 20_000;
/** Requests to the disk at once. */
const WIDTH = 16;

/** Recordings as archives that are made while they are sent: nothing of them is ever on a disk. */
export class RecordingArchives {
  readonly #root: string;
  /** By the file's ETag and path: a download that goes on needs the checksums of what was sent before. */
  readonly #checksums = new Map<string, number>();

  constructor(parts: { root: string }) {
    this.#root = parts.root;
  }

  /** The archive of these files, those left out that are not there. @param paths relative to the root, no name twice */
  async open(paths: readonly string[]): Promise<RecordingArchive> {
    const found: (FileSource | null)[] = [];
    for (let at = 0; at < paths.length; at += WIDTH) {
      const some = paths.slice(at, at + WIDTH).map((path) => {
        const name = path.slice(path.lastIndexOf("/") + 1);
        return fileSource(this.#root, { path, name, wall: secondsOf(groupOf(name)) });
      });
      found.push(...(await Promise.all(some)));
    }
    const files = found.filter((file) => file !== null);
    const hash = new Bun.CryptoHasher("sha256");
    for (const { name, etag } of files) hash.update(`${name} ${etag}\n`);
    return new RecordingArchive(files, `"${hash.digest("base64url").slice(0, 27)}"`, this.#checksums);
  }
}

/** Entries as they were when the archive was asked for. */
export class RecordingArchive {
  readonly layout: ZipLayout;
  /** Strong: of the same entries an archive has the same bytes. */
  readonly etag: string;
  readonly #sources: readonly ArchiveSource[];
  readonly #checksums: Map<string, number>;

  /** @param checksums CRC-32 by version, of those that do not bring theirs; more are added */
  constructor(sources: readonly ArchiveSource[], etag: string, checksums: Map<string, number> = new Map()) {
    this.#sources = sources;
    this.#checksums = checksums;
    this.layout = new ZipLayout(sources);
    this.etag = etag;
  }

  /** The bytes of one entry, at once; null when there is none of this name. @throws ChangedFile */
  async entry(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const source = this.#sources.find((one) => one.name === name);
    return source ? await bytesOf(source) : null;
  }

  /**
   * The bytes from `from` to `to`, the latter not included, read as the client takes them. It fails when a file has
   * changed since.
   * @param ended called once there is nothing more to come: it was sent, not wanted any more, or failed for this cause
   */
  stream(from: number, to: number, ended: (failure?: unknown) => void = () => {}): ReadableStream<Uint8Array> {
    const filling = new Filling(this.layout, this.layout.pieces(from, to), this.#sources, this.#checksums);
    return filledBody(to - from, filling, ended);
  }
}

/** Puts the pieces of an archive into buffers, one after the other. */
class Filling implements BodyFiller {
  readonly #layout: ZipLayout;
  readonly #pieces: Iterator<ZipPiece>;
  readonly #sources: readonly ArchiveSource[];
  readonly #checksums: Map<string, number>;
  #piece: ZipPiece | null = null;
  /** Bytes of the piece that are done. */
  #done = 0;
  #open: { readonly opened: OpenSource; readonly entry: number; crc: number | null } | null = null;

  constructor(
    layout: ZipLayout,
    pieces: Iterator<ZipPiece>,
    sources: readonly ArchiveSource[],
    checksums: Map<string, number>,
  ) {
    this.#layout = layout;
    this.#pieces = pieces;
    this.#sources = sources;
    this.#checksums = checksums;
  }

  /** @returns how much of the buffer is filled: all of it unless the pieces are over */
  async fill(buffer: Uint8Array): Promise<number> {
    try {
      let filled = 0;
      while (filled < buffer.length) {
        this.#piece ??= this.#pieces.next().value ?? null;
        if (this.#piece === null) break;
        const { from, to } = this.#piece;
        const room = buffer.subarray(filled, filled + Math.min(buffer.length - filled, to - from - this.#done));
        await this.#put(this.#piece, from + this.#done, room);
        filled += room.length;
        this.#done += room.length;
        if (from + this.#done === to) [this.#piece, this.#done] = [null, 0];
      }
      return filled;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    const open = this.#open;
    this.#open = null;
    open?.opened[Symbol.dispose]();
  }

  async #put({ part, entry }: ZipPiece, at: number, into: Uint8Array): Promise<void> {
    if (part === "data") return await this.#putData(entry, at, into);
    into.set((await this.#record(part, entry)).subarray(at, at + into.length));
  }

  async #record(part: Exclude<ZipPiece["part"], "data">, entry: number): Promise<Uint8Array> {
    if (part === "head") return this.#layout.head(entry);
    if (part === "end") return this.#layout.end();
    const crc = await this.#checksumOf(entry);
    return part === "descriptor" ? this.#layout.descriptor(entry, crc) : this.#layout.directory(entry, crc);
  }

  async #putData(entry: number, at: number, into: Uint8Array): Promise<void> {
    const source = this.#source(entry);
    const opened = await this.#opened(entry, at === 0);
    await opened.read(at, into);
    const open = this.#open;
    // After a start in the middle of a file, these bytes alone do not give its checksum.
    if (open && open.crc !== null) open.crc = crc32(into, open.crc);
    if (at + into.length < source.size) return;
    opened.check();
    if (open && open.crc !== null) {
      const known = source.crc ?? source.crcBehind ?? open.crc;
      if (known !== open.crc) {
        source.onMisfit?.();
        throw new ChangedFile(source.name);
      }
      this.#remember(source, open.crc);
    }
    this.close();
  }

  async #opened(entry: number, isBeginning: boolean): Promise<OpenSource> {
    if (this.#open?.entry === entry) return this.#open.opened;
    this.close();
    const opened = await this.#source(entry).open();
    this.#open = { opened, entry, crc: isBeginning ? 0 : null };
    return opened;
  }

  async #checksumOf(entry: number): Promise<number> {
    const source = this.#source(entry);
    if (source.size === 0) return 0;
    const known = source.crc ?? source.crcBehind ?? this.#checksums.get(source.version);
    if (known !== undefined) return known;
    let crc = 0;
    for await (const part of piecesOf(source)) crc = crc32(part, crc);
    this.#remember(source, crc);
    return crc;
  }

  #remember({ version, crc: before, crcBehind: behind }: ArchiveSource, crc: number): void {
    if (before !== undefined || behind !== undefined) return;
    this.#checksums.set(version, crc);
    const [oldest] = this.#checksums.keys();
    if (this.#checksums.size > MOST_CHECKSUMS && oldest !== undefined) this.#checksums.delete(oldest);
  }

  #source(entry: number): ArchiveSource {
    const source = this.#sources[entry];
    if (source === undefined) throw new RangeError(`the archive has no file ${entry}`);
    return source;
  }
}
