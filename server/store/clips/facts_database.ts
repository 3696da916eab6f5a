import { momentNumber } from "../../domain/recordings/moment_number.ts";
import type { TelemetryFacts } from "../../domain/viewer/clip_facts.ts";
import type { Log } from "../../log.ts";
import { FACTS_VERSION } from "../file_versions.ts";
import { RebuildableDatabase } from "../rebuildable_database.ts";
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
/** Number of rows that are written at once. */
const MOST_PENDING = 500;

/**
 * Facts about clips that take long to read, in a file that may be deleted at any time. Nothing depends on it: without
 * it, everything is read from the recordings again, as on a full disk or with a damaged file. No method throws.
 */
export class FactsDatabase {
  readonly #file: RebuildableDatabase;
  readonly #videos = new Map<string, StoredVideos>();
  readonly #telemetry = new Map<string, StoredTelemetry>();

  /** @param path of the file; it is opened when it is asked for the first time */
  constructor(parts: { path: string; log: Log }) {
    this.#file = new RebuildableDatabase({
      ...parts,
      topic: "library",
      loss: "its facts are read again each time",
      tables: TABLES,
      version: FACTS_VERSION,
      newer: "leave",
      mostRemade: 1,
      mostFailures: 10,
    });
  }

  /** True while facts can be stored and found later. */
  get isInUse(): boolean {
    return this.#file.isInUse;
  }

  /** Returns the known facts of a clip's videos; null when there are none. */
  videos(path: string): StoredVideos | null {
    const sql = "select * from videos where path = ?";
    return (
      this.#videos.get(path) ??
      this.#file.try((db) => {
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
      this.#file.try((db) => {
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
    this.#file.try((db) => {
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
        this.#file.try((db) => {
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
    this.#file.close();
  }

  #rowsAfter(path: string): Pick<StoredVideos, "path" | "durationSeconds">[] {
    const sql = `select path, durationSeconds from videos where path > ? order by path limit ${SLICE}`;
    return this.#file.try((db) => db.query<StoredVideos, [string]>(sql).all(path)) ?? [];
  }
}

function momentOf(path: string): number {
  return momentNumber(path.slice(path.lastIndexOf("/") + 1));
}
