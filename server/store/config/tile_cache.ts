import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../clock.ts";

/** A picture that was fetched before. */
export interface CachedTile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** When it was fetched, epoch milliseconds. */
  readonly fetchedAt: number;
}

interface Parts {
  /** Made when the first picture comes; it may be deleted at any time. */
  readonly folder: string;
  readonly clock: Clock;
  readonly mostBytes?: number;
}

interface Entry {
  readonly bytes: number;
  /** When its file was last told that it was used. */
  usedAt: number;
}

const MOST_BYTES = 200_000_000;
/** Share that goes at once when there is too much: else each further picture would look for one to delete. */
const SPARE = 0.05;
/** Times of use are written to the disk no more often. */
const NOTE_USE_MS = 3_600_000;
const NAME = /^[0-9a-f]{40}$/;
/** Names of pictures that are being written. Other files in the folder, and the ends of links, are not deleted. */
const UNFINISHED = /^\.[0-9a-f]{40}\.[0-9]+$/;

/**
 * Map pictures in files named by a hash of their address. A file's mtime is the time of its download, its atime that of
 * its last use: the oldest used go first. A picture that the disk refuses is not kept; nothing else follows.
 */
export class TileCache {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #mostBytes: number;
  /** By use, the oldest first; null until the folder was read. */
  #entries: Promise<Map<string, Entry>> | null = null;
  #bytes = 0;
  #files = 0;

  constructor({ folder, clock, mostBytes = MOST_BYTES }: Parts) {
    this.#folder = folder;
    this.#clock = clock;
    this.#mostBytes = mostBytes;
  }

  /** Null when there is none, or it cannot be read. */
  async read(address: string): Promise<CachedTile | null> {
    const name = nameOf(address);
    const path = join(this.#folder, name);
    const entries = await this.#known();
    try {
      const [bytes, { mtimeMs: fetchedAt, mtime }] = await Promise.all([readFile(path), stat(path)]);
      await this.#noteUse(entries, name, path, bytes.length, mtime);
      return { bytes: new Uint8Array(bytes), fetchedAt };
    } catch {
      this.#drop(entries, name);
      return null;
    }
  }

  /** Keeps a picture as far as the disk lets it, and lets others go for it. */
  async write(address: string, bytes: Uint8Array): Promise<void> {
    const name = nameOf(address);
    const entries = await this.#known();
    const now = new Date(this.#clock.now());
    const unfinished = join(this.#folder, `.${name}.${this.#files++}`);
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(unfinished, bytes, { mode: 0o600 });
      await utimes(unfinished, now, now);
      await rename(unfinished, join(this.#folder, name));
    } catch {
      await rm(unfinished, { force: true }).catch(() => {});
      return;
    }
    this.#drop(entries, name);
    entries.set(name, { bytes: bytes.length, usedAt: now.getTime() });
    this.#bytes += bytes.length;
    if (this.#bytes > this.#mostBytes) await this.#makeRoom(entries);
  }

  /** A picture that turned out to be none. */
  async remove(address: string): Promise<void> {
    const name = nameOf(address);
    this.#drop(await this.#known(), name);
    await rm(join(this.#folder, name), { force: true }).catch(() => {});
  }

  async #noteUse(entries: Map<string, Entry>, name: string, path: string, bytes: number, fetched: Date): Promise<void> {
    const now = this.#clock.now();
    const before = entries.get(name);
    this.#drop(entries, name);
    entries.set(name, { bytes, usedAt: before?.usedAt ?? now });
    this.#bytes += bytes;
    if (before && Math.abs(now - before.usedAt) < NOTE_USE_MS) return;
    entries.set(name, { bytes, usedAt: now });
    // By hand, since many disks are mounted so that reading leaves no time behind.
    await utimes(path, new Date(now), fetched).catch(() => {});
  }

  #drop(entries: Map<string, Entry>, name: string): void {
    this.#bytes -= entries.get(name)?.bytes ?? 0;
    entries.delete(name);
  }

  async #makeRoom(entries: Map<string, Entry>): Promise<void> {
    for (const name of entries.keys()) {
      if (this.#bytes <= this.#mostBytes * (1 - SPARE)) return;
      this.#drop(entries, name);
      await rm(join(this.#folder, name), { force: true }).catch(() => {});
    }
  }

  #known(): Promise<Map<string, Entry>> {
    this.#entries ??= this.#readFolder();
    return this.#entries;
  }

  async #readFolder(): Promise<Map<string, Entry>> {
    const names = await readdir(this.#folder).catch(() => []);
    const found: [string, Entry][] = [];
    for (const name of names) {
      const path = join(this.#folder, name);
      // Left behind by a process that was ended in the middle of writing.
      if (UNFINISHED.test(name)) await rm(path, { force: true }).catch(() => {});
      if (NAME.test(name)) {
        const stats = await stat(path).catch(() => null);
        if (stats?.isFile()) found.push([name, { bytes: stats.size, usedAt: stats.atimeMs }]);
      }
    }
    found.sort(([, one], [, other]) => one.usedAt - other.usedAt);
    this.#bytes = found.reduce((sum, [, { bytes }]) => sum + bytes, 0);
    return new Map(found);
  }
}

function nameOf(address: string): string {
  return new Bun.CryptoHasher("sha1").update(address).digest("hex");
}
