import { type FSWatcher, readdirSync, watch } from "node:fs";
import { join } from "node:path";

const OWN: readonly string[] = [".dashdock", "trash"];
const NOTE = /^\.(moving-|restoring$|purging$|purge-)/;

/** Counts what changes in the folders that are there now, as the system tells it. */
export class Moves {
  readonly #watchers: FSWatcher[] = [];
  readonly #own = new Set<string>();
  #count = 0;
  #waiting: { count: number; reached: () => void } | null = null;
  #inside: { count: number; reached: () => void } | null = null;

  constructor(root: string) {
    this.#look(root);
  }

  #look(path: string): void {
    try {
      this.#watchers.push(watch(path, (_event, name) => this.#add(path, name ?? "")));
      for (const entry of readdirSync(path, { withFileTypes: true }))
        if (entry.isDirectory()) this.#look(join(path, entry.name));
    } catch {
      // It has left meanwhile.
    }
  }

  /** Calls `reached` at so many changes from now on. */
  when(count: number, reached: () => void): void {
    this.#waiting = { count: this.#count + count, reached };
  }

  /** Calls `reached` as `when` does, counted from the next note that something is under way in the trash. */
  whenInside(count: number, reached: () => void): void {
    this.#inside = { count, reached };
  }

  close(): void {
    this.#waiting = null;
    this.#inside = null;
    for (const watcher of this.#watchers) watcher.close();
  }

  #add(path: string, name: string): void {
    this.#count++;
    // Made by the first deletion of all.
    if (OWN.includes(name) && !this.#own.has(name)) {
      this.#own.add(name);
      this.#look(join(path, name));
    }
    if (this.#inside !== null && NOTE.test(name)) {
      this.when(this.#inside.count, this.#inside.reached);
      this.#inside = null;
    }
    if (this.#waiting === null || this.#count < this.#waiting.count) return;
    const { reached } = this.#waiting;
    this.#waiting = null;
    reached();
  }
}
