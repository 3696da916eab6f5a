import { Database } from "bun:sqlite";
import { setDatabaseAside } from "../damaged_database.ts";
import { errorCode } from "../error_code.ts";
import { forOwnerOnly } from "../owner_only.ts";
import { useWriteAheadLog } from "../write_ahead_log.ts";

/**
 * An object for each file that is in the bucket, or that the bucket refused. `seen` is the comparison that found it
 * there last. Times are epoch milliseconds.
 */
const OBJECTS = `create table if not exists objects (
  key text primary key,
  is_video integer not null,
  size integer not null,
  bytes integer not null,
  refusal text,
  at integer not null,
  seen integer not null default 0
) without rowid`;

/** Refused ones are few, and are looked for often. */
const REFUSED = "create index if not exists refused on objects (at) where refusal is not null";

/** Uploads in parts that are not whole yet. `head` opens with the passphrase alone; null without encryption. */
const UPLOADS = `create table if not exists uploads (
  key text primary key,
  id text not null,
  size integer not null,
  home_hash text not null,
  part_bytes integer not null,
  head blob
) without rowid`;

const PARTS = `create table if not exists parts (
  key text not null,
  number integer not null,
  etag text not null,
  sha256 text not null,
  primary key (key, number)
) without rowid`;

const FACTS = "create table if not exists facts (name text primary key, value text not null) without rowid";

const VERSION = 1;
/** Objects that are looked at in one turn. */
const SLICE = 4000;

/** An object of the bucket, or one that it refused. */
export interface SentObject {
  readonly key: string;
  readonly isVideo: boolean;
  /** Length at home. */
  readonly size: number;
  /** Length in the bucket. */
  readonly bytes: number;
  /** Sentence of a refusal; null for what is there. */
  readonly refusal: string | null;
  readonly at: number;
}

export interface BegunUpload {
  readonly key: string;
  readonly id: string;
  readonly size: number;
  readonly homeHash: string;
  readonly partBytes: number;
  readonly head: Uint8Array | null;
}

export interface SentPart {
  readonly number: number;
  readonly etag: string;
  readonly sha256: string;
}

export interface SentAmounts {
  readonly sent: { readonly recordings: number; readonly bytes: number };
  readonly refused: { readonly recordings: number; readonly bytes: number };
  /** In the bucket. */
  readonly bytes: number;
  readonly last: number | null;
}

type ObjectRow = { key: string; is_video: number; size: number; bytes: number; refusal: string | null; at: number };
type UploadRow = {
  key: string;
  id: string;
  size: number;
  home_hash: string;
  part_bytes: number;
  head: Uint8Array | null;
};

/**
 * Keeps what is in the bucket, and what is on its way there: `offsite.db` in the config folder. All of it can be found again in
 * the bucket, so a damaged file is set aside, and a new one begins.
 */
export class OffsiteDatabase {
  readonly #db: Database;
  /** Sums over all objects, until one changes. */
  #amounts: SentAmounts | null = null;
  /** Name that a damaged file was given; null for none. */
  readonly setAside: string | null;

  private constructor(db: Database, setAside: string | null) {
    this.#db = db;
    this.setAside = setAside;
  }

  /** @param target names the bucket: what is known of another one does not count. @throws SQLite’s own errors */
  static open(path: string, target: string, now: number): OffsiteDatabase {
    let db: Database;
    let aside: string | null = null;
    try {
      db = opened(path);
    } catch (error) {
      if (!/^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(errorCode(error)) && !(error instanceof OtherVersion)) throw error;
      aside = setDatabaseAside(path, now);
      db = opened(path);
    }
    const own = new OffsiteDatabase(db, aside);
    if (own.fact("target") !== target) {
      db.transaction(() => {
        for (const table of ["objects", "uploads", "parts", "facts"]) db.run(`delete from ${table}`);
        own.setFact("target", target);
      })();
    }
    return own;
  }

  close(): void {
    this.#db.close();
  }

  /** True for what is in the bucket, or was refused by it. */
  has(key: string): boolean {
    return this.#db.query("select 1 from objects where key = ?").get(key) !== null;
  }

  /** Length at home of what was sent or refused; null for what was not. */
  sizeOf(key: string): number | null {
    type Row = { size: number };
    return this.#db.query<Row, [string]>("select size from objects where key = ?").get(key)?.size ?? null;
  }

  /** Forgets one object, so that it is tried again. */
  forget(key: string): void {
    this.#amounts = null;
    this.#db.query("delete from objects where key = ?").run(key);
  }

  put({ key, isVideo, size, bytes, refusal, at }: SentObject): void {
    this.#amounts = null;
    this.#db.transaction(() => {
      this.#db
        .query("insert or replace into objects (key, is_video, size, bytes, refusal, at) values (?, ?, ?, ?, ?, ?)")
        .run(key, isVideo ? 1 : 0, size, bytes, refusal, at);
      this.endUpload(key);
    })();
  }

  /** Forgets refusals, so that all is tried again. */
  forgetRefusals(): void {
    this.#amounts = null;
    this.#db.run("delete from objects where refusal is not null");
  }

  upload(key: string): BegunUpload | null {
    const row = this.#db.query<UploadRow, [string]>("select * from uploads where key = ?").get(key);
    if (row === null) return null;
    const { id, size, home_hash, part_bytes, head } = row;
    return { key, id, size, homeHash: home_hash, partBytes: part_bytes, head };
  }

  /** All uploads that have begun. */
  uploads(): Pick<BegunUpload, "key" | "id">[] {
    return this.#db.query<{ key: string; id: string }, []>("select key, id from uploads").all();
  }

  begin({ key, id, size, homeHash, partBytes, head }: BegunUpload): void {
    this.#db.transaction(() => {
      this.endUpload(key);
      this.#db
        .query("insert into uploads (key, id, size, home_hash, part_bytes, head) values (?, ?, ?, ?, ?, ?)")
        .run(key, id, size, homeHash, partBytes, head);
    })();
  }

  parts(key: string): SentPart[] {
    return this.#db
      .query<SentPart, [string]>("select number, etag, sha256 from parts where key = ? order by number")
      .all(key);
  }

  putPart(key: string, { number, etag, sha256 }: SentPart): void {
    this.#db
      .query("insert or replace into parts (key, number, etag, sha256) values (?, ?, ?, ?)")
      .run(key, number, etag, sha256);
  }

  endUpload(key: string): void {
    this.#db.query("delete from parts where key = ?").run(key);
    this.#db.query("delete from uploads where key = ?").run(key);
  }

  amounts(): SentAmounts {
    this.#amounts ??= this.#summed();
    return this.#amounts;
  }

  #summed(): SentAmounts {
    type Sums = { is_refused: number; recordings: number; size: number; bytes: number; last: number };
    const rows = this.#db
      .query<Sums, []>(
        `select refusal is not null as is_refused, sum(is_video) as recordings, sum(size) as size,
          sum(bytes) as bytes, max(at) as last from objects group by is_refused`,
      )
      .all();
    const sent = rows.find(({ is_refused }) => is_refused === 0);
    const refused = rows.find(({ is_refused }) => is_refused === 1);
    return {
      sent: { recordings: sent?.recordings ?? 0, bytes: sent?.size ?? 0 },
      refused: { recordings: refused?.recordings ?? 0, bytes: refused?.size ?? 0 },
      bytes: sent?.bytes ?? 0,
      last: sent?.last ?? null,
    };
  }

  /** The newest refusals of videos, or of all files. */
  refusals(most: number, isVideo: boolean): SentObject[] {
    const rows = this.#db
      .query<ObjectRow, [number, number]>(
        "select * from objects where refusal is not null and is_video >= ? order by at desc, key limit ?",
      )
      .all(isVideo ? 1 : 0, most);
    return rows.map(({ is_video, ...row }) => ({ ...row, isVideo: is_video === 1 }));
  }

  /** Notes objects that a comparison finds in the bucket. Returns those of another length. */
  noteSeen(found: readonly { readonly key: string; readonly bytes: number }[], comparison: number): string[] {
    const others: string[] = [];
    this.#db.transaction(() => {
      const see = this.#db.query<{ bytes: number; refusal: string | null }, [number, string]>(
        "update objects set seen = ? where key = ? returning bytes, refusal",
      );
      for (const { key, bytes } of found) {
        const known = see.get(comparison, key);
        if (known !== null && known.refusal === null && known.bytes !== bytes) others.push(key);
      }
    })();
    return others;
  }

  refuse(key: string, refusal: string, at: number): void {
    this.#amounts = null;
    this.#db.query("update objects set refusal = ?, at = ? where key = ?").run(refusal, at, key);
  }

  /**
   * Forgets what a comparison has not found, so that it is sent again, of the objects whose names follow `after`: some
   * thousands at a time. Returns how many, and the last name that it looked at; null when there are no more.
   */
  forgetUnseen(comparison: number, after: string): { readonly gone: number; readonly last: string | null } {
    this.#amounts = null;
    type Row = { key: string };
    const last =
      this.#db
        .query<Row, [string, number]>("select key from objects where key > ? order by key limit 1 offset ?")
        .get(after, SLICE - 1)?.key ?? null;
    const gone =
      last === null
        ? this.#db.query("delete from objects where key > ? and seen <> ?").run(after, comparison).changes
        : this.#db.query("delete from objects where key > ? and key <= ? and seen <> ?").run(after, last, comparison)
            .changes;
    return { gone, last };
  }

  fact(name: string): string | null {
    type Row = { value: string };
    return this.#db.query<Row, [string]>("select value from facts where name = ?").get(name)?.value ?? null;
  }

  setFact(name: string, value: string): void {
    this.#db.query("insert or replace into facts (name, value) values (?, ?)").run(name, value);
  }
}

/** Longest wait for another program that has the file. */
const BUSY_MS = 200;

class OtherVersion extends Error {}

function opened(path: string): Database {
  const db = new Database(path, { create: true, strict: true });
  forOwnerOnly(path);
  try {
    db.run(`pragma busy_timeout = ${BUSY_MS}`);
    db.run("pragma cache_size = -512");
    useWriteAheadLog(db, BUSY_MS);
    // A part that was sent and is not known would only be sent twice.
    db.run("pragma synchronous = normal");
    using statement = db.prepare<{ user_version: number }, []>("pragma user_version");
    const version = statement.get()?.user_version ?? 0;
    if (version !== 0 && version !== VERSION) throw new OtherVersion(`version ${version}`);
    for (const part of [OBJECTS, REFUSED, UPLOADS, PARTS, FACTS]) db.run(part);
    db.run(`pragma user_version = ${VERSION}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
