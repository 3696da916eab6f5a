import type { Log } from "../../log.ts";

/** Odd names that get a line each; a foreign archive must not flood the log. */
const MOST = 100;

/** Names of recordings with dates that never were, each told once. */
export class OddNames {
  readonly #log: Log;
  readonly #told = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  tell(name: string): void {
    if (this.#told.has(name) || this.#told.size > MOST) return;
    this.#told.add(name);
    const text =
      this.#told.size > MOST
        ? "more files have dates that never were; they are not named one by one"
        : `${name} has a date that never was; it is not treated as a recording`;
    this.#log.warning("library", text);
  }
}
