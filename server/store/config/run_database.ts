import { Database } from "bun:sqlite";
import { chmodSync, existsSync, renameSync } from "node:fs";
import { errorCode } from "../error_code.ts";
import { RUN_DATABASE_VERSION } from "../file_versions.ts";

/** Schema steps in order; `user_version` counts those done. A released step never changes. */
const STEPS: readonly string[] = [
  // A file of the same shape without a version may exist already, and goes on.
  `create table if not exists runs (
    ts_seconds real primary key,
    success integer not null,
    exit_code integer,
    duration_seconds real not null default 0,
    files integer not null default 0,
    bytes integer not null default 0,
    recordings_seen integer not null default 0,
    recordings_selected integer not null default 0,
    disk_used_ratio real,
    failed_markers integer not null default 0,
    failures_json text,
    dry_run integer not null default 0
  )`,
];

/** Columns of our own beside those that any file of this kind has; added to a file of another version that lacks them. */
const ADDED: Readonly<Record<string, string>> = {
  stopped: "integer not null default 0",
  address: "text",
  message: "text",
  left_out_json: "text",
  deleted_recordings: "integer not null default 0",
  deleted_bytes: "integer not null default 0",
  trash_ratio: "real",
  cause: "text",
  counts_json: "text",
  trigger: "text",
};

/** The run that has not ended yet, in the only row; a row found at the start is of a process that was killed. */
const RUNNING = `create table running (
  id integer primary key check (id = 1),
  seen_seconds real not null,
  duration_seconds real not null,
  files integer not null,
  bytes integer not null,
  address text,
  dry_run integer not null
)`;

/** What was deleted: a row for each pass, and for each deletion by hand. */
const DELETIONS = `create table deletions (
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
const FAILED_FILES = `create table failed_files (
  run_seconds real not null,
  position integer not null,
  name text not null,
  reason text not null,
  cause text not null,
  message text not null,
  primary key (run_seconds, position)
) without rowid`;

/** Names of recordings that a run did not bring, by cause. */
const RUN_NAMES = `create table run_names (
  run_seconds real primary key,
  names_json text not null
)`;

const TABLES = {
  running: RUNNING,
  deletions: DELETIONS,
  failed_files: FAILED_FILES,
  run_names: RUN_NAMES,
} as const;

/** Of the table `runs`. */
export const COLUMNS = `ts_seconds, success, exit_code, duration_seconds, files, bytes, recordings_seen, recordings_selected,
  disk_used_ratio, failed_markers, failures_json, dry_run, stopped, address, message, left_out_json,
  deleted_recordings, deleted_bytes, trash_ratio, cause, counts_json, trigger`;

/** What is in the file is no run history, or not a whole one. */
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
  forOwnerOnly(path);
  try {
    db.run("pragma busy_timeout = 3000");
    db.run(`pragma locking_mode = ${locking}`);
    check(db);
    db.run("pragma journal_mode = wal");
    db.run("pragma synchronous = normal");
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw isDamage(error) ? new Damaged(error.message) : error;
  }
}

/** The runs show when the car was away from home. The database's companions take its mode. */
function forOwnerOnly(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch {
    // Some file systems have no modes, and the file may belong to another user.
  }
}

/** Renames the database and its companions; returns the new name. */
export function setAside(path: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.[0-9]+/g, "");
  let aside = `${path}.corrupt-${stamp}`;
  for (let number = 2; existsSync(aside); number++) aside = `${path}.corrupt-${stamp}-${number}`;
  for (const companion of ["", "-wal", "-shm"]) {
    if (existsSync(path + companion)) renameSync(path + companion, aside + companion);
  }
  return aside;
}

/**
 * Opening reads nothing: damage shows with the first statement, and inside a page only when looked for. Nothing is
 * changed here, so that what is set aside is as it was found.
 */
function check(db: Database): void {
  const [first] = rowsOf<{ quick_check: string }>(db, "pragma quick_check(1)");
  if (first?.quick_check !== "ok") throw new Damaged(first?.quick_check ?? "it could not be checked");
  const columns = columnsOf(db);
  const missing = COLUMNS.split(/,\s*/).filter((name) => !columns.includes(name) && !(name in ADDED));
  if (columns.length > 0 && missing.length > 0) throw new Damaged(`its table has no ${missing.join(", ")}`);
}

function columnsOf(db: Database): string[] {
  return rowsOf<{ name: string }>(db, "select name from pragma_table_info('runs')").map(({ name }) => name);
}

function migrate(db: Database): void {
  const version = rowsOf<{ user_version: number }>(db, "pragma user_version")[0]?.user_version ?? 0;
  // Said at the start already, but for what a newer program that was killed had left in the journal.
  if (version > RUN_DATABASE_VERSION)
    throw new Error(`it is of version ${version}, newer than version ${RUN_DATABASE_VERSION} that this program reads`);
  const steps = STEPS.slice(version);
  const columns = columnsOf(db);
  const added = Object.entries(ADDED).filter(([name]) => !columns.includes(name));
  const tables = rowsOf<{ name: string }>(db, "select name from sqlite_master").map(({ name }) => name);
  const lacking = Object.entries(TABLES).filter(([name]) => !tables.includes(name));
  if (steps.length + added.length + lacking.length === 0) return;
  db.run("begin immediate");
  for (const step of steps) db.run(step);
  for (const [name, type] of added) db.run(`alter table runs add column ${name} ${type}`);
  for (const [, table] of lacking) db.run(table);
  if (steps.length > 0) db.run(`pragma user_version = ${STEPS.length}`);
  db.run("commit");
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
