import { contentStamp, etagNow, type OpenFile, openServedFile, readInto, writtenMs } from "../library/opened_file.ts";

/** A file changed or went away while it was sent: the rest of the archive would be wrong. */
export class ChangedFile extends Error {
  /** Its name in the archive. */
  readonly file: string;

  constructor(name: string, sentIn = "an archive") {
    super(`${name} was changed while it was sent in ${sentIn}: the download broke off and can be begun anew`);
    this.file = name;
  }
}

/** Bytes of one entry of an archive: a file, a part of one, or something made of several. */
export interface ArchiveSource {
  /** Name in the archive, folders in front of it. */
  readonly name: string;
  readonly size: number;
  /** The camera's wall time in seconds since 1970, as if it were UTC. */
  readonly wall: number;
  /** Text that only the same bytes have. */
  readonly version: string;
  /** The file that it has all bytes of; left out for a part of one, and for what is made. */
  readonly file?: WholeFile;
  /** CRC-32, where it is known. */
  readonly crc?: number;
  /** The same, where it stands behind the bytes in the archive although it is known. */
  readonly crcBehind?: number;
  /** Called when its bytes do not fit that checksum. */
  readonly onMisfit?: () => void;
  /** @throws ChangedFile when it is another one by now */
  readonly open: () => Promise<OpenSource>;
}

/** A file as it was found. */
export interface WholeFile {
  /** Relative to the root. */
  readonly path: string;
  readonly size: number;
  /** Time at which it was last written, in epoch milliseconds. */
  readonly modified: number;
}

export interface OpenSource extends Disposable {
  /** Fills all of `into`; bytes that are not there are never made up. @throws ChangedFile */
  readonly read: (at: number, into: Uint8Array) => Promise<void>;
  /** @throws ChangedFile when it is another one by now */
  readonly check: () => void;
}

/** A file of the library that goes into an archive. */
export interface FileOrder {
  /** Relative to the root. */
  readonly path: string;
  readonly name: string;
  readonly wall: number;
  /** The part that is wanted; all when left out. */
  readonly part?: { readonly at: number; readonly length: number };
}

/** Finds a file, or the part that is wanted of it; null when it is not there. */
export async function fileSource(root: string, order: FileOrder): Promise<FileSource | null> {
  using found = await openServedFile(root, order.path);
  if (found === null) return null;
  const { at, length } = order.part ?? { at: 0, length: found.size };
  return at + length <= found.size ? new FileSource(root, order, found, at, length) : null;
}

export class FileSource implements ArchiveSource {
  readonly name: string;
  readonly size: number;
  readonly wall: number;
  readonly version: string;
  readonly file?: WholeFile;
  /** Checksum of the whole file. */
  readonly etag: string;
  /** Time at which it was last written, in epoch milliseconds. */
  readonly modifiedMs: number;
  readonly #root: string;
  readonly #path: string;
  readonly #from: number;

  constructor(root: string, { path, name, wall }: FileOrder, found: OpenFile, from: number, size: number) {
    this.name = name;
    this.size = size;
    this.wall = wall;
    this.etag = found.etag;
    this.modifiedMs = found.modifiedMs;
    this.version = `${from}+${size} ${contentStamp(found)}`;
    if (from === 0 && size === found.size) this.file = { path, size, modified: writtenMs(found) };
    this.#root = root;
    this.#path = path;
    this.#from = from;
  }

  async open(): Promise<OpenSource> {
    const opened = await openServedFile(this.#root, this.#path);
    if (opened === null || opened.etag !== this.etag) {
      opened?.[Symbol.dispose]();
      throw new ChangedFile(this.name);
    }
    return {
      read: async (at, into) => {
        if ((await readInto(opened, this.#from + at, into)) < into.length) throw new ChangedFile(this.name);
      },
      check: () => {
        if (etagNow(opened) !== this.etag) throw new ChangedFile(this.name);
      },
      [Symbol.dispose]: () => opened[Symbol.dispose](),
    };
  }
}

/** Bytes that are at hand. */
export function bytesSource(name: string, wall: number, bytes: Uint8Array, version: string): ArchiveSource {
  const open: OpenSource = {
    read: async (at, into) => into.set(bytes.subarray(at, at + into.length)),
    check() {},
    [Symbol.dispose]() {},
  };
  return { name, size: bytes.length, wall, version, open: async () => open };
}

/** All bytes of a short source. @throws ChangedFile */
export async function bytesOf(source: ArchiveSource): Promise<Uint8Array<ArrayBuffer>> {
  using opened = await source.open();
  const bytes = new Uint8Array(source.size);
  await opened.read(0, bytes);
  opened.check();
  return bytes;
}

/** Bytes of a source read at once where only their sum counts. */
const CHUNK_BYTES = 512 * 1024;

/** All bytes of a source from its beginning, in one buffer that is used anew for each piece. @throws ChangedFile */
export async function* piecesOf(source: ArchiveSource): AsyncGenerator<Uint8Array> {
  using opened = await source.open();
  const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, source.size));
  for (let at = 0; at < source.size; at += buffer.length) {
    const part = buffer.subarray(0, Math.min(buffer.length, source.size - at));
    await opened.read(at, part);
    yield part;
  }
  opened.check();
}
