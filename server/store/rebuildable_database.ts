import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import type { Log } from "../log.ts";
import { errorCode } from "./error_code.ts";
import { forOwnerOnly } from "./owner_only.ts";

/** Rules of one file. */
export interface RebuildableParts {
  readonly path: string;
  readonly log: Log;
  readonly topic: "library" | "places";
  /** Ends the sentence of the log about a file that cannot be used: "…, so <loss>". */
  readonly loss: string;
  /** Made in a new file. */
  readonly tables: readonly string[];
  readonly version: number;
  /** Treatment of a file that a newer version of this program has written. */
  readonly newer: "leave" | "replace";
  /** A disk that damages the file more often is left alone. */
  readonly mostRemade: number;
  /** After so many in a row it is not tried again. */
  readonly mostFailures: number;
}

/** Errors of a file that this program did not write. */
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB|ERROR|FORMAT)/;

class OtherVersion extends Error {}

/** Thrown for a row that this program did not write: the file is begun anew. */
export class DamagedRow extends Error {}

/**
 * A database that may be deleted at any time, because all of it can be read again from the recordings. A damaged file and
 * one of another version are begun anew. No method throws.
 */
export class RebuildableDatabase {
  readonly #parts: RebuildableParts;
  #db: Database | null = null;
  #isOff = false;
  #remade = 0;
  /** In a row. */
  #failures = 0;
  #generation = 0;
  #opening = 0;

  /** The file is opened when it is asked for the first time. */
  constructor(parts: RebuildableParts) {
    this.#parts = parts;
  }

  /** True while something can be stored and found later. */
  get isInUse(): boolean {
    return !this.#isOff;
  }

  /** Another number when the file was begun anew. */
  get generation(): number {
    return this.#generation;
  }

  /** Another number when the file was closed after an error: what was read before may not be there any more. */
  get opening(): number {
    return this.#opening;
  }

  /** Null when the database does not work. A damaged one is made anew; of other trouble there may soon be less. */
  try<T>(work: (db: Database) => T | null): T | null {
    const { path, log, topic, loss, mostRemade, mostFailures } = this.#parts;
    for (let attempt = 0; attempt < 2 && !this.#isOff; attempt++)
      try {
        const found = work(this.#opened());
        this.#failures = 0;
        return found;
      } catch (error) {
        this.#end();
        // It was deleted while it was open: it is made anew.
        if (attempt === 0 && errorCode(error) === "SQLITE_READONLY_DBMOVED") continue;
        const isDamaged = error instanceof OtherVersion || error instanceof DamagedRow || DAMAGE.test(errorCode(error));
        if (isDamaged && attempt === 0 && this.#remade < mostRemade) {
          this.#remade++;
          this.#remove();
          continue;
        }
        if (this.#failures++ === 0) log.warning(topic, `${path} cannot be used, so ${loss}: ${error}`);
        if ((isDamaged && this.#remade >= mostRemade) || this.#failures >= mostFailures) this.#isOff = true;
        return null;
      }
    return null;
  }

  /** Closes the file for good. */
  close(): void {
    this.#end();
    this.#isOff = true;
  }

  #opened(): Database {
    if (this.#db) return this.#db;
    const { path, tables, version, newer } = this.#parts;
    const db = new Database(path, { create: true, strict: true });
    this.#db = db;
    // It shows where the car was.
    forOwnerOnly(path);
    db.run("pragma busy_timeout = 1000");
    // Not a log beside it with an index in shared memory: where that is cut short, or on some network shares, reading it
    // ends the whole program.
    db.run("pragma journal_mode = truncate");
    // Losses by a power cut are read again.
    db.run("pragma synchronous = off");
    const found = db.query<{ user_version: number }, []>("pragma user_version").get()?.user_version ?? 0;
    if (db.query("select name from sqlite_master where type = 'table'").all().length === 0) {
      this.#generation++;
      db.transaction(() => {
        for (const table of tables) db.run(table);
        db.run(`pragma user_version = ${version}`);
      })();
    } else if (found > version && newer === "leave") throw new Error("a newer version of this program has written it");
    else if (found !== version) throw new OtherVersion("it is of another version");
    return db;
  }

  #end(): void {
    this.#opening++;
    try {
      this.#db?.close();
    } catch {
      // The file is damaged; it is not asked again.
    }
    this.#db = null;
  }

  #remove(): void {
    for (const companion of ["", "-journal", "-wal", "-shm"])
      try {
        rmSync(this.#parts.path + companion, { force: true });
      } catch {
        // The next attempt says why.
      }
  }
}
