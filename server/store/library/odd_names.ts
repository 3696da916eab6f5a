import type { Log } from "../../log.ts";

/** Odd names that get a line each; a foreign archive must not flood the log. */
const MOST = 100;

/** Names of recordings with dates that never were, each logged once. */
export class OddNames {
  readonly #log: Log;
  readonly #warned = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  warn(name: string): void {
    if (this.#warned.has(name) || this.#warned.size > MOST) return;
    this.#warned.add(name);
    const text =
      this.#warned.size > MOST
        ? "more files have dates that never were; they are not named one by one"
        : `${name} has a date that never was; it is not treated as a recording`;
    this.#log.warning("library", text);
  }
}
