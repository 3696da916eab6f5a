import { readFile } from "node:fs/promises";
import { isObject } from "../../domain/settings/settings_migrations.ts";
import type { RememberedFolder } from "../../domain/status/last_known.ts";
import { type Log, messageOf } from "../../log.ts";
import { replaceFile } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";

/** Where it is remembered what the recordings folder held when it was last there. */
export class LastKnownFile {
  readonly #path: string;
  readonly #log: Log;

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  /** Null without a file, and for one that cannot be used: then nothing is known, which is no harm. */
  async read(): Promise<RememberedFolder | null> {
    try {
      const found: unknown = JSON.parse(await readFile(this.#path, "utf8"));
      return isRemembered(found) ? found : null;
    } catch (error) {
      if (errorCode(error) !== "ENOENT")
        this.#log.debug("destination", `${this.#path} cannot be used: ${messageOf(error)}`);
      return null;
    }
  }

  /** Never rejects: what is not remembered is only not shown later. */
  async write(remembered: RememberedFolder): Promise<void> {
    try {
      await replaceFile(this.#path, `${JSON.stringify(remembered)}\n`);
    } catch (error) {
      this.#log.debug("destination", `${this.#path} could not be written: ${messageOf(error)}`);
    }
  }
}

const NUMBERS = ["home", "waiting", "available_bytes", "used_percent", "kept", "trash_recordings"] as const;

function isRemembered(value: unknown): value is RememberedFolder {
  if (!isObject(value)) return false;
  const isNumber = (found: unknown) => typeof found === "number" && found >= 0;
  return (
    typeof value["path"] === "string" &&
    isNumber(value["at"]) &&
    isNumber(value["recordings"]) &&
    (value["newest"] === null || typeof value["newest"] === "string") &&
    NUMBERS.every((name) => value[name] === null || isNumber(value[name])) &&
    Array.isArray(value["clips"]) &&
    value["clips"].every(isClip)
  );
}

function isClip(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value["key"] === "string" &&
    Array.isArray(value["cameras"]) &&
    Array.isArray(value["paths"]) &&
    ["mtime", "duration_seconds"].every((name) => value[name] === null || typeof value[name] === "number")
  );
}
