import { Database } from "bun:sqlite";
import { errorCode } from "../error_code.ts";
import { RUN_DATABASE_VERSION } from "../file_versions.ts";
import { forOwnerOnly } from "../owner_only.ts";
import { useWriteAheadLog } from "../write_ahead_log.ts";
import { columnsUpTo, declarationsOf } from "./run_columns.ts";

/** The run that has not ended yet, in the only row; a row found at the start is of a process that was killed. */
const RUNNING = `create table if not exists running (
  id integer primary key check (id = 1),
  seen_seconds real not null,
  duration_seconds real not null,
  files integer not null,
  bytes integer not null,
  address text,
  dry_run integer not null
)`;

/** Deletions: a row for each pass, and for each deletion by hand. */
const DELETIONS = `create table if not exists deletions (
  id text primary key,
  at_seconds real not null,
  cause text not null,
  recordings integer not null,
  bytes integer not null,
  oldest text not null,
  newest text not null,
  by_name text,
  until_seconds real,
  seen integer not null default 0,
  undone integer not null default 0
)`;

/** Files that failed in a run, which is named by its end. */
const FAILED_FILES = `create table if not exists failed_files (
  run_seconds real not null,
  position integer not null,
  name text not null,
  reason text not null,
  cause text not null,
  message text not null,
  primary key (run_seconds, position)
) without rowid`;

/** Names of recordings that a run did not bring, by cause. */
const RUN_NAMES = `create table if not exists run_names (
  run_seconds real primary key,
  names_json text not null
)`;

/** Stays of the camera in the home's network, by a number that grows. */
const VISITS = `create table if not exists visits (
  id integer primary key,
  from_seconds real not null,
  last_seconds real not null,
  bytes integer not null,
  rate real,
  is_over integer not null
)`;

/** Longest wait for another program that has the file. */
const BUSY_MS = 3000;

type Step = (db: Database) => void;

/**
 * Schema steps in order; `user_version` counts those done. A released step never changes, and each leaves what is there:
 * it may be done again.
 */
const STEPS = [
  // A file of the same shape without a version may exist already, and goes on.
  (db) => db.run(`create table if not exists runs (${[...declarationsOf(1).values()].join(", ")})`),
  // Versions up to 1.0.0 added these one by one without counting: any of them may be there.
  (db) => {
    const columns = columnsOf(db);
    for (const [name, declaration] of declarationsOf(2))
      if (!columns.includes(name)) db.run(`alter table runs add column ${declaration}`);
    for (const table of [RUNNING, DELETIONS, FAILED_FILES, RUN_NAMES]) db.run(table);
  },
  (db) => db.run(VISITS),
] as const satisfies readonly Step[] & { readonly length: typeof RUN_DATABASE_VERSION };

/** Thrown when the file holds no run history, or not a whole one. */
export class Damaged extends Error {}

/**
 * Opens or creates the database file with the table `runs` in it.
 * @throws Damaged when it has to be set aside, or the error of a file that cannot be opened
 */
export function openStats(path: string): Database {
  try {
    return openAs(path, "normal");
  } catch (error) {
    // A full disk has no room for the index that lets several programs read; who has the file alone needs none.
    if (!errorCode(error).startsWith("SQLITE_IOERR_SHM")) throw error;
    return openAs(path, "exclusive");
  }
}

function openAs(path: string, locking: "normal" | "exclusive"): Database {
  const db = new Database(path, { create: true, strict: true });
  // The runs show when the car was away from home.
  forOwnerOnly(path);
  try {
    db.run(`pragma busy_timeout = ${BUSY_MS}`);
    db.run(`pragma locking_mode = ${locking}`);
    check(db);
    useWriteAheadLog(db, BUSY_MS);
    db.run("pragma synchronous = normal");
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw isDamage(error) ? new Damaged(error.message) : error;
  }
}

/**
 * Refuses a file that is damaged, or of a newer version. Opening reads nothing: damage shows with the first statement,
 * and inside a page only when looked for. Nothing is changed here, so that what is set aside is as it was found.
 */
function check(db: Database): void {
  const [first] = rowsOf<{ quick_check: string }>(db, "pragma quick_check(1)");
  if (first?.quick_check !== "ok") throw new Damaged(first?.quick_check ?? "it could not be checked");
  const version = versionOf(db);
  // Said at the start already, but for what a newer program that was killed had left in the journal.
  if (version > RUN_DATABASE_VERSION)
    throw new Error(`it is of version ${version}, newer than version ${RUN_DATABASE_VERSION} that this program reads`);
  const columns = columnsOf(db);
  const missing = columnsUpTo(1).filter((name) => !columns.includes(name));
  if (columns.length > 0 && missing.length > 0) throw new Damaged(`its table has no ${missing.join(", ")}`);
}

function versionOf(db: Database): number {
  return rowsOf<{ user_version: number }>(db, "pragma user_version")[0]?.user_version ?? 0;
}

function columnsOf(db: Database): string[] {
  return rowsOf<{ name: string }>(db, "select name from pragma_table_info('runs')").map(({ name }) => name);
}

function migrate(db: Database): void {
  if (stepsDone(db) === STEPS.length) return;
  db.run("begin immediate");
  // Another program may have done some of them while this one waited.
  for (const step of STEPS.slice(stepsDone(db))) step(db);
  db.run(`pragma user_version = ${STEPS.length}`);
  db.run("commit");
}

/** Counts the steps that are not to be done again: none where a column is lacking that one of them had added. */
function stepsDone(db: Database): number {
  const version = versionOf(db);
  const columns = columnsOf(db);
  return columnsUpTo(version).every((name) => columns.includes(name)) ? version : 0;
}

/** A statement left open keeps the journal's files beside the database. */
function rowsOf<Row>(db: Database, sql: string): Row[] {
  using statement = db.prepare<Row, []>(sql);
  return statement.all();
}

function isDamage(error: unknown): error is Error {
  if (error instanceof Damaged) return true;
  const code = errorCode(error);
  return code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB";
}
