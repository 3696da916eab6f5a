import type { BuiltFilm, FilmFacts, FilmSlice } from "../../domain/film/film_builder.ts";
import { type OpenFile, openServedFile, readInto } from "../library/opened_file.ts";
import { type ArchiveSource, ChangedFile, type OpenSource } from "./archive_source.ts";
import { filledBody } from "./filled_body.ts";
import { versionNow, versionOfOpen } from "./film_clips.ts";

/** A file that a film may hold parts of, as it was when the film was asked for. */
export interface FilmFile {
  /** Relative to the root. */
  readonly path: string;
  /** Null when it was not there. */
  readonly version: string | null;
}

/** Part of a film: bytes that were made for it, or a stretch of a file. */
export type FilmPart =
  | { readonly bytes: Uint8Array }
  | { readonly file: FilmFile; readonly at: number; readonly length: number };

/** Bytes read at once: with fewer a film is slower than a file that the system sends by itself. */
const CHUNK_BYTES = 1024 * 1024;
const NOTHING: BuiltFilm["slices"] = [];

/** A film as it was asked for: a header that was made, before stretches of files as they are. */
export class Film {
  readonly facts: FilmFacts;
  /** Bytes of all of it; 0 when no clip could be used. */
  readonly length: number;
  /** Strong: header and versions of all files are the same. */
  readonly etag: string;
  readonly #root: string;
  readonly #header: Uint8Array;
  readonly #slices: readonly FilmSlice[];
  readonly #files: readonly FilmFile[];
  /** Where each slice begins in the film. */
  readonly #starts: Float64Array;

  constructor(root: string, facts: FilmFacts, built: BuiltFilm | null, files: readonly FilmFile[]) {
    this.#root = root;
    this.facts = facts;
    this.length = built?.length ?? 0;
    this.#header = built?.header ?? new Uint8Array(0);
    this.#slices = built?.slices ?? NOTHING;
    this.#files = files;
    this.#starts = new Float64Array(this.#slices.length);
    let at = this.#header.length;
    const hash = new Bun.CryptoHasher("sha256").update(this.#header);
    const used = new Set<FilmFile>();
    for (const [number, { clip, length }] of this.#slices.entries()) {
      this.#starts[number] = at;
      at += length;
      used.add(this.#file(clip));
    }
    for (const { path, version } of used) hash.update(`${path} ${version}\n`);
    this.etag = `"${hash.digest("base64url").slice(0, 27)}"`;
  }

  /** Memory that this takes, about. */
  get bytes(): number {
    return this.#header.length + this.#slices.length * 64 + this.#files.length * 128;
  }

  get headerBytes(): number {
    return this.#header.length;
  }

  /** Yields the parts of the bytes from one place to another, the latter not included. */
  *parts(from = 0, to = this.length): Generator<FilmPart> {
    if (from < this.#header.length && from < to) yield { bytes: this.#header.subarray(from, to) };
    for (let number = this.#sliceAt(Math.max(from, this.#header.length)); number < this.#slices.length; number++) {
      const slice = this.#slices[number];
      const start = this.#starts[number] ?? 0;
      if (slice === undefined || start >= to) return;
      const begin = Math.max(0, from - start);
      const length = Math.min(slice.length, to - start) - begin;
      if (length > 0) yield { file: this.#file(slice.clip), at: slice.at + begin, length };
    }
  }

  /** The bytes from one place to another as a body, read as the client takes them. It fails when a file is another by now. */
  stream(from: number, to: number, ended: (failure?: unknown) => void = () => {}): ReadableStream<Uint8Array> {
    const reading = new Reading(this.#root, this.parts(from, to), to - from);
    return filledBody(to - from, reading, ended, CHUNK_BYTES);
  }

  /** As many of its bytes at once. @throws ChangedFile */
  async read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
    const reading = new Reading(this.#root, this.parts(from, to), to - from);
    try {
      const bytes = new Uint8Array(to - from);
      await reading.fill(bytes);
      return bytes;
    } finally {
      reading.close();
    }
  }

  /** The film as an entry of an archive. */
  source(name: string): ArchiveSource {
    return {
      name,
      size: this.length,
      wall: Math.floor(this.facts.startsAt ?? 0),
      version: this.etag,
      open: async () => this.#opened(),
    };
  }

  /** Bytes at any place; those that follow one another are read without opening their file again. */
  #opened(): OpenSource {
    let reading: Reading | null = null;
    let next = 0;
    const close = () => reading?.close();
    return {
      read: async (at, into) => {
        if (reading === null || at !== next) {
          close();
          reading = new Reading(this.#root, this.parts(at), this.length - at);
        }
        next = at + into.length;
        await reading.fill(into);
      },
      check: () => reading?.check(),
      [Symbol.dispose]: close,
    };
  }

  #sliceAt(place: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= place) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  #file(clip: number): FilmFile {
    const file = this.#files[clip];
    if (file === undefined) throw new RangeError(`the film has no file ${clip}`);
    return file;
  }
}

/** Puts the parts of a film into buffers, one after the other. */
class Reading {
  readonly #root: string;
  readonly #parts: Iterator<FilmPart>;
  #part: FilmPart | null = null;
  /** Bytes of the part that are done. */
  #done = 0;
  /** Bytes of all parts that are to come. */
  #left: number;
  #open: { readonly file: FilmFile; readonly opened: OpenFile } | null = null;

  /** @param length bytes of all parts */
  constructor(root: string, parts: Iterator<FilmPart>, length: number) {
    this.#root = root;
    this.#parts = parts;
    this.#left = length;
  }

  /** @returns how much of the buffer is filled: all of it unless the parts are over @throws ChangedFile */
  async fill(buffer: Uint8Array): Promise<number> {
    try {
      let filled = 0;
      while (filled < buffer.length) {
        this.#part ??= this.#parts.next().value ?? null;
        if (this.#part === null) break;
        const length = "bytes" in this.#part ? this.#part.bytes.length : this.#part.length;
        const room = buffer.subarray(filled, filled + Math.min(buffer.length - filled, length - this.#done));
        if ("bytes" in this.#part) room.set(this.#part.bytes.subarray(this.#done, this.#done + room.length));
        else await this.#read(this.#part.file, this.#part.at + this.#done, room);
        filled += room.length;
        this.#done += room.length;
        if (this.#done === length) [this.#part, this.#done] = [null, 0];
      }
      this.#left -= filled;
      // All that was read last is of the version that was asked for.
      if (this.#left === 0) this.check();
      return filled;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Looks whether the file that is read is still what it was, and in its place. @throws ChangedFile */
  check(): void {
    if (this.#open === null) return;
    const { file, opened } = this.#open;
    if (versionOfOpen(opened) !== file.version || versionNow(this.#root, file.path) !== file.version)
      throw changed(file);
  }

  close(): void {
    const open = this.#open;
    this.#open = null;
    open?.opened[Symbol.dispose]();
  }

  async #read(file: FilmFile, at: number, into: Uint8Array): Promise<void> {
    if (this.#open?.file !== file) {
      this.check();
      this.close();
      const opened = await openServedFile(this.#root, file.path);
      if (opened === null) throw changed(file);
      this.#open = { file, opened };
      if (versionOfOpen(opened) !== file.version) throw changed(file);
    }
    if ((await readInto(this.#open.opened, at, into)) < into.length) throw changed(file);
  }
}

function changed({ path }: FilmFile): ChangedFile {
  return new ChangedFile(path.slice(path.lastIndexOf("/") + 1), "a film");
}
