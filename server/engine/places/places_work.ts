import { open } from "node:fs/promises";
import type { Clock } from "../../clock.ts";
import { PLACES_VERSION } from "../../store/file_versions.ts";
import type { Library } from "../../store/library/library.ts";
import { fingerprintOf, type PlaceRules } from "./place_rules.ts";

interface Parts {
  readonly clock: Clock;
  /** Path of the database. */
  readonly path: string;
  readonly library: Pick<Library, "groups" | "available" | "recordingCount">;
  readonly rules: () => PlaceRules;
  /** Looks through the library. */
  readonly fill: () => Promise<void>;
}

/** Positions in the head of a database, by SQLite's file format: its version, and the number that its program chose. */
const VERSION_AT = 60;
const FINGERPRINT_AT = 68;
const HEAD_BYTES = 72;

/**
 * Begins to look for places when recordings came or went. While nothing did, neither the database nor what reads it is
 * loaded: the head of the file tells.
 */
export class PlacesWork {
  readonly #parts: Parts;
  readonly #ending = new AbortController();
  #looking: Promise<void> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Looks after a while. Never rejects. */
  start(waitMs: number): void {
    if (this.#ending.signal.aborted) return;
    this.#looking ??= this.#look(waitMs)
      .catch(() => {})
      .finally(() => {
        this.#looking = null;
      });
  }

  /** Resolves when it is known whether there is work. */
  async looked(): Promise<void> {
    await this.#looking;
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#looking;
  }

  async #look(waitMs: number): Promise<void> {
    const { clock, path, library, rules, fill } = this.#parts;
    await clock.sleep(waitMs, this.#ending.signal);
    const known = await fingerprintIn(path);
    if (!library.available || (known === null && library.recordingCount === 0)) return;
    if (known !== null && known === (await fingerprintOf(library, rules()))) return;
    if (!this.#ending.signal.aborted) await fill();
  }
}

/** The number in the head of a database of this version; null for any other file. */
async function fingerprintIn(path: string): Promise<number | null> {
  try {
    await using file = await open(path, "r");
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    if (bytesRead < HEAD_BYTES || buffer.readUInt32BE(VERSION_AT) !== PLACES_VERSION) return null;
    return buffer.readInt32BE(FINGERPRINT_AT);
  } catch {
    return null;
  }
}
