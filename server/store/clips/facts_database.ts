import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { momentNumber } from "../../domain/recordings/moment_number.ts";
import type { TelemetryFacts } from "../../domain/viewer/clip_facts.ts";
import type { Log } from "../../log.ts";
import { errorCode } from "../error_code.ts";
import { FACTS_VERSION } from "../file_versions.ts";
import { forOwnerOnly } from "../owner_only.ts";
import type { HeaderFacts } from "./header_facts.ts";

/** Facts that were read from a clip's videos, and the state of these then. */
export interface StoredVideos {
  /** `folder/YYYYMMDD_HHMMSS_T`, relative to the destination. */
  readonly path: string;
  /** The clip as a number. */
  readonly moment: number;
  /** Endings of all its files. */
  readonly endings: string;
  readonly stamp: string;
  readonly sizeBytes: number;
  readonly durationSeconds: number | null;
  readonly headers: HeaderFacts;
}

/** The same of the files beside them. */
export interface StoredTelemetry {
  readonly path: string;
  readonly endings: string;
  readonly stamp: string;
  readonly facts: TelemetryFacts;
}

type VideosRow = Omit<StoredVideos, "headers"> & { readonly headers: string };
type TelemetryRow = Omit<StoredTelemetry, "facts"> & { readonly facts: string };

const TABLES = [
  `create table videos (
    path text primary key, moment integer not null, endings text not null, stamp text not null,
    sizeBytes integer not null, durationSeconds real, headers text not null
  ) without rowid`,
  `create table telemetry (
    path text primary key, endings text not null, stamp text not null, facts text not null
  ) without rowid`,
];
/** Rows at once, between which others run. */
const SLICE = 2000;
/** After so many in a row it is not tried again. */
const MOST_FAILURES = 10;
/** Errors of a file that this program did not write. */
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB|ERROR)/;

class OtherVersion extends Error {}

/** Number of rows that are written at once. */
const MOST_PENDING = 500;

/**
 * Facts about clips that take long to read, in a file that may be deleted at any time. Nothing depends on it: without
 * it, everything is read from the recordings again, as on a full disk or with a damaged file. No method throws.
 */
export class FactsDatabase {
  readonly #path: string;
  readonly #log: Log;
  #db: Database | null = null;
  #isOff = false;
  #wasRemade = false;
  /** In a row. */
  #failures = 0;
  readonly #videos = new Map<string, StoredVideos>();
  readonly #telemetry = new Map<string, StoredTelemetry>();

  /** @param path of the file; it is opened when it is asked for the first time */
  constructor(parts: { path: string; log: Log }) {
    this.#path = parts.path;
    this.#log = parts.log;
  }

  /** True while facts can be stored and found later. */
  get isInUse(): boolean {
    return !this.#isOff;
  }

  /** Returns the known facts of a clip's videos; null when there are none. */
  videos(path: string): StoredVideos | null {
    const sql = "select * from videos where path = ?";
    return (
      this.#videos.get(path) ??
      this.#try((db) => {
        const row = db.query<VideosRow, [string]>(sql).get(path);
        return row && { ...row, headers: JSON.parse(row.headers) };
      })
    );
  }

  /** Returns the known facts of a clip's telemetry; null when there are none. */
  telemetry(path: string): StoredTelemetry | null {
    const sql = "select * from telemetry where path = ?";
    return (
      this.#telemetry.get(path) ??
      this.#try((db) => {
        const row = db.query<TelemetryRow, [string]>(sql).get(path);
        return row && { ...row, facts: JSON.parse(row.facts) };
      })
    );
  }

  /** Keeps it; written with others at `flush`, or when there are many. */
  putVideos(found: StoredVideos): void {
    this.#videos.set(found.path, found);
    if (this.#videos.size >= MOST_PENDING) this.flush();
  }

  /** As `putVideos`. */
  putTelemetry(found: StoredTelemetry): void {
    this.#telemetry.set(found.path, found);
    if (this.#telemetry.size >= MOST_PENDING) this.flush();
  }

  /** Writes what was put. */
  flush(): void {
    const videos = [...this.#videos.values()];
    const telemetry = [...this.#telemetry.values()];
    this.#videos.clear();
    this.#telemetry.clear();
    if (videos.length + telemetry.length === 0) return;
    this.#try((db) => {
      const putVideos = db.query(
        "insert or replace into videos values ($path, $moment, $endings, $stamp, $sizeBytes, $durationSeconds, $headers)",
      );
      const putTelemetry = db.query("insert or replace into telemetry values ($path, $endings, $stamp, $facts)");
      db.transaction(() => {
        for (const { headers, ...found } of videos) putVideos.run({ ...found, headers: JSON.stringify(headers) });
        for (const { facts, ...found } of telemetry) putTelemetry.run({ ...found, facts: JSON.stringify(facts) });
      })();
      return null;
    });
  }

  /** The lengths of all clips, in slices. */
  *lengths(): Generator<{ moment: number; durationSeconds: number }[]> {
    for (let after = ""; ; ) {
      const rows = this.#rowsAfter(after);
      // By the path: earlier versions counted moments otherwise.
      yield rows.flatMap(({ path, durationSeconds }) =>
        durationSeconds === null ? [] : [{ moment: momentOf(path), durationSeconds }],
      );
      const last = rows.at(-1);
      if (!last || rows.length < SLICE) return;
      after = last.path;
    }
  }

  /** Forgets clips that are not there any more, in slices: `await` between them. */
  *prune(isThere: (path: string) => boolean): Generator<void> {
    for (let after = ""; ; ) {
      const rows = this.#rowsAfter(after);
      const gone = rows.filter(({ path }) => !isThere(path));
      if (gone.length > 0)
        this.#try((db) => {
          const removals = ["videos", "telemetry"].map((table) => db.query(`delete from ${table} where path = ?`));
          db.transaction(() => {
            for (const { path } of gone) for (const remove of removals) remove.run(path);
          })();
          return null;
        });
      yield;
      const last = rows.at(-1);
      if (!last || rows.length < SLICE) return;
      after = last.path;
    }
  }

  close(): void {
    this.flush();
    this.#end();
    this.#isOff = true;
  }

  #rowsAfter(path: string): Pick<StoredVideos, "path" | "durationSeconds">[] {
    const sql = `select path, durationSeconds from videos where path > ? order by path limit ${SLICE}`;
    return this.#try((db) => db.query<StoredVideos, [string]>(sql).all(path)) ?? [];
  }

  /** Null when the database does not work. A damaged one is made anew; of other trouble there may soon be less. */
  #try<T>(work: (db: Database) => T | null): T | null {
    for (let attempt = 0; attempt < 2 && !this.#isOff; attempt++)
      try {
        const found = work(this.#opened());
        this.#failures = 0;
        return found;
      } catch (error) {
        this.#end();
        // It was deleted while it was open: it is made anew.
        if (attempt === 0 && errorCode(error) === "SQLITE_READONLY_DBMOVED") continue;
        const isDamaged = error instanceof OtherVersion || DAMAGE.test(errorCode(error));
        if (isDamaged && attempt === 0 && !this.#wasRemade) {
          this.#wasRemade = true;
          this.#remove();
          continue;
        }
        if (this.#failures++ === 0)
          this.#log.warning("library", `${this.#path} cannot be used, so its facts are read again each time: ${error}`);
        if (isDamaged || this.#failures >= MOST_FAILURES) this.#isOff = true;
        return null;
      }
    return null;
  }

  #opened(): Database {
    if (this.#db) return this.#db;
    const db = new Database(this.#path, { create: true, strict: true });
    this.#db = db;
    // The facts show where the car was.
    forOwnerOnly(this.#path);
    db.run("pragma busy_timeout = 1000");
    // Not a log beside it with an index in shared memory: where that is cut short, or on some network shares, reading it
    // ends the whole program.
    db.run("pragma journal_mode = truncate");
    // Facts that a power cut takes are read again.
    db.run("pragma synchronous = off");
    const version = db.query<{ user_version: number }, []>("pragma user_version").get()?.user_version;
    const tables = db.query<{ name: string }, []>("select name from sqlite_master where type = 'table'").all();
    if (tables.length === 0) {
      for (const table of TABLES) db.run(table);
      db.run(`pragma user_version = ${FACTS_VERSION}`);
    } else if ((version ?? 0) > FACTS_VERSION) throw new Error("a newer version of this program has written it");
    else if (version !== FACTS_VERSION) throw new OtherVersion("it is of another version");
    return db;
  }

  #end(): void {
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
        rmSync(this.#path + companion, { force: true });
      } catch {
        // The next attempt says why.
      }
  }
}

function momentOf(path: string): number {
  return momentNumber(path.slice(path.lastIndexOf("/") + 1));
}
