import { join } from "node:path";
import { type Grouping, mayHold } from "../../domain/recordings/date_folders.ts";
import { momentKey } from "../../domain/recordings/moment_number.ts";
import { baseOf } from "../../domain/recordings/recording_name.ts";
import type { Log } from "../../log.ts";

/** The folders of a library that the disk refused to show at the last refresh, the root among them. */
export class UnreadableFolders {
  readonly #root: string;
  readonly #log: Log;
  /** By path: the refresh in which the disk last refused. */
  readonly #rounds = new Map<string, number>();

  constructor(parts: { root: string; log: Log }) {
    this.#root = parts.root;
    this.#log = parts.log;
  }

  /** Those below the root, sorted. */
  get paths(): readonly string[] {
    return [...this.#rounds.keys()].filter((path) => path !== "").sort();
  }

  /** True when one of them may hold recordings of this moment; see `momentNumber`. */
  mayHold(moment: number, grouping: Grouping): boolean {
    if (this.#rounds.size === 0) return false;
    const base = baseOf(momentKey(moment));
    for (const folder of this.#rounds.keys()) if (mayHold(folder, base, grouping)) return true;
    return false;
  }

  /**
   * The disk refused to show a folder in this refresh; those below it, which could not be tried, count as refused still.
   * @returns whether that is news
   */
  add(path: string, code: string, round: number): boolean {
    const isNew = !this.#rounds.has(path);
    const place = join(this.#root, path);
    if (isNew) this.#log.warning("library", `cannot read the folder ${place} (${code}); what is known of it stays`);
    this.#rounds.set(path, round);
    for (const other of this.#rounds.keys()) if (isWithin(other, path)) this.#rounds.set(other, round);
    return isNew;
  }

  /** Forgets those that were not refused in this refresh, and logs those of them that are there. @returns whether there were any */
  settle(round: number, isThere: (path: string) => boolean): boolean {
    const before = this.#rounds.size;
    for (const [path, seen] of this.#rounds) {
      if (seen === round) continue;
      this.#rounds.delete(path);
      if (isThere(path)) this.#log.info("library", `the folder ${join(this.#root, path)} can be read again`);
    }
    return this.#rounds.size < before;
  }
}

/** True when a folder is another one or lies below it; everything lies below the root, which is empty. */
export function isWithin(folder: string, other: string): boolean {
  return other === "" || folder === other || folder.startsWith(`${other}/`);
}
