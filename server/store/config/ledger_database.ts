import { Database } from "bun:sqlite";
import { errorCode } from "../error_code.ts";
import { LEDGER_VERSION } from "../file_versions.ts";
import { forOwnerOnly } from "../owner_only.ts";
import { useWriteAheadLog } from "../write_ahead_log.ts";

/**
 * A row for each recording that was ever listed or found. `moment` and `ending` name it: see `momentNumber`, and
 * `VIDEO_ENDINGS`. `state` is the place of its state in `RECORDING_STATES`. Times are epoch milliseconds.
 */
const RECORDINGS = `create table if not exists recordings (
  moment integer not null,
  ending integer not null,
  state integer not null,
  cause text,
  rule integer,
  is_listed integer not null default 0,
  card integer,
  missing integer not null default 0,
  missing_since integer,
  trouble text,
  first_seen integer not null,
  last_seen integer,
  at integer not null,
  home_at integer,
  by_name text,
  size integer,
  primary key (moment, ending)
) without rowid`;

/** Recordings that a card is known to hold, for each list. */
const ON_CARD = "create index if not exists on_card on recordings (card, moment, ending) where is_listed = 1";

/** Recordings in the trash, which leave it without a trace. 5 is the place of `trash` in `RECORDING_STATES`. */
const IN_TRASH = "create index if not exists in_trash on recordings (moment, ending) where state = 5";

/** Counts of each day, made anew when a recording of it changes. */
const DAYS = `create table if not exists days (
  day integer primary key,
  is_old integer not null,
  lost integer not null default 0,
  counts text
)`;

/** Rules that left recordings out, each with what it said; another value is another rule. */
const RULES = `create table if not exists rules (
  id integer primary key,
  name text not null,
  value text not null,
  first_used integer not null,
  unique (name, value)
)`;

/**
 * Cards that were in the camera: when lists of them came first and last, how long the last good one was and how many of
 * its lines were no recordings, and how many short lists have come since.
 */
const CARDS = `create table if not exists cards (
  id integer primary key,
  first_seen integer not null,
  last_seen integer not null,
  size integer not null,
  strange_lines integer not null,
  short_lists integer not null default 0
)`;

/** Times in which syncing was paused; one without an end goes on. */
const PAUSES = `create table if not exists pauses (
  from_ms integer primary key,
  to_ms integer
)`;

const FACTS = "create table if not exists facts (name text primary key, value text not null) without rowid";

/** Longest wait for another program that has the file. */
const BUSY_MS = 200;

type Step = (db: Database) => void;

/** Schema steps in order; `user_version` counts those done. A released step never changes, and may be done again. */
const STEPS = [
  (db) => {
    for (const table of [RECORDINGS, ON_CARD, IN_TRASH, DAYS, RULES, CARDS, PAUSES, FACTS]) db.run(table);
  },
] as const satisfies readonly Step[] & { readonly length: typeof LEDGER_VERSION };

/** A newer program has written the file. */
export class NewerLedger extends Error {}

/**
 * Opens or creates the file.
 * @throws NewerLedger, or SQLite's own error
 */
export function openLedger(path: string): Database {
  try {
    return openAs(path, "normal");
  } catch (error) {
    // A full disk has no room for the index that lets several programs read; who has the file alone needs none.
    if (!errorCode(error).startsWith("SQLITE_IOERR_SHM")) throw error;
    return openAs(path, "exclusive");
  }
}

/** True for the error of a file that is damaged, or that this program has not written. */
export function isLedgerDamage(error: unknown): boolean {
  const isOther = error instanceof Error && /^no such (table|column)/.test(error.message);
  return isOther || /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error));
}

function openAs(path: string, locking: "normal" | "exclusive"): Database {
  const db = new Database(path, { create: true, strict: true });
  // The names show when the car was used.
  forOwnerOnly(path);
  try {
    db.run(`pragma busy_timeout = ${BUSY_MS}`);
    db.run(`pragma locking_mode = ${locking}`);
    // Little of a file is looked at again.
    db.run("pragma cache_size = -1024");
    const version = versionOf(db);
    if (version > LEDGER_VERSION)
      throw new NewerLedger(
        `it is of version ${version}, newer than version ${LEDGER_VERSION} that this program reads`,
      );
    useWriteAheadLog(db, BUSY_MS);
    db.run("pragma synchronous = normal");
    // Mostly at the end: each time the event loop waits for the disk.
    db.run("pragma wal_autocheckpoint = 4000");
    if (version < STEPS.length) migrate(db, version);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function migrate(db: Database, version: number): void {
  db.run("begin immediate");
  for (const step of STEPS.slice(version)) step(db);
  db.run(`pragma user_version = ${STEPS.length}`);
  db.run("commit");
}

/** A statement left open keeps the journal's files beside the database. */
function versionOf(db: Database): number {
  using statement = db.prepare<{ user_version: number }, []>("pragma user_version");
  return statement.get()?.user_version ?? 0;
}
