import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createFile } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";
import { readPlainFile } from "../plain_file.ts";

/** Stamps that are kept: more packs than a household hands out. */
const MOST_STAMPS = 1000;
const NAME = /^[0-9a-f]{64}\.tsr$/;

/** Time stamps in a folder of the config folder, by the hash that they stamp. A stamp is never replaced. */
export class StampFiles {
  readonly #folder: string;
  readonly #most: number;

  constructor(folder: string, most: number = MOST_STAMPS) {
    this.#folder = folder;
    this.#most = most;
  }

  /** Null when there is none. @param hash in hexadecimal digits */
  async read(hash: string): Promise<Uint8Array | null> {
    try {
      return new Uint8Array(await readPlainFile(this.#pathOf(hash)));
    } catch (error) {
      if (errorCode(error) === "") throw error;
      return null;
    }
  }

  /**
   * Keeps a stamp where there is none; the oldest go first.
   * @returns the one that is kept: another request may have been first
   * @throws the file system's own errors
   */
  async keep(hash: string, stamp: Uint8Array): Promise<Uint8Array> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const isFirst = await createFile(this.#pathOf(hash), stamp);
    if (!isFirst) return (await this.read(hash)) ?? stamp;
    await this.#makeRoom();
    return stamp;
  }

  /** Removes one that turned out to be none. */
  async remove(hash: string): Promise<void> {
    await rm(this.#pathOf(hash), { force: true });
  }

  async #makeRoom(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => NAME.test(name));
    if (names.length <= this.#most) return;
    const times = await Promise.all(
      names.map(async (name) => ({
        name,
        at: (await stat(join(this.#folder, name)).catch(() => null))?.mtimeMs ?? 0,
      })),
    );
    times.sort((one, other) => one.at - other.at);
    for (const { name } of times.slice(0, names.length - this.#most))
      await rm(join(this.#folder, name), { force: true });
  }

  #pathOf(hash: string): string {
    return join(this.#folder, `${hash}.tsr`);
  }
}
