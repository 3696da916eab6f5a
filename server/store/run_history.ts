import { Database, type Statement } from "bun:sqlite";
import { existsSync, renameSync } from "node:fs";
import type { Clock } from "../clock.ts";
import { type Failures, noFailures, type Run } from "../domain/run.ts";
import type { Log } from "../log.ts";

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

interface Row {
  ts_seconds: number;
  success: number;
  exit_code: number | null;
  duration_seconds: number;
  files: number;
  bytes: number;
  recordings_seen: number;
  recordings_selected: number;
  disk_used_ratio: number | null;
  failed_markers: number;
  failures_json: string | null;
  dry_run: number;
}

const COLUMNS = `ts_seconds, success, exit_code, duration_seconds, files, bytes, recordings_seen, recordings_selected,
  disk_used_ratio, failed_markers, failures_json, dry_run`;

/** The statements on one open database. */
interface Statements {
  append: Statement;
  latest: Statement<Row, []>;
  since: Statement<Row, [number]>;
  prune: Statement;
  count: Statement<{ runs: number }, []>;
}

/** What is in the file is no run history, or not a whole one. */
class Damaged extends Error {}

/** Every sync that ran, in the table `runs` of `stats.db`. Calls are short and synchronous. */
export class RunHistory {
  readonly #db: Database;
  readonly #statements: Statements;
  #open = true;

  /**
   * Opens or creates the file. A damaged one is renamed to `<path>.corrupt-<UTC stamp>` and a fresh one begun.
   * @throws when the file cannot be opened at all
   */
  constructor(parts: { path: string; clock: Clock; log: Log }) {
    const { path, clock, log } = parts;
    let opened: { db: Database; statements: Statements };
    try {
      opened = open(path);
    } catch (error) {
      if (!(error instanceof Damaged)) {
        throw new Error(`cannot open the run history ${path}: ${String(error)}`, { cause: error });
      }
      const aside = setAside(path, clock.now());
      log.error("history", `the run history was damaged (${error.message}); it is kept as ${aside}, a new one begins`);
      opened = open(path);
    }
    this.#db = opened.db;
    this.#statements = opened.statements;
  }

  /** Keeps a run; one with the same end time is replaced. @throws when the disk refuses */
  append(run: Run): void {
    this.#statements.append.run(
      run.ts,
      run.success ? 1 : 0,
      run.exitCode,
      run.durationSeconds,
      run.files,
      run.bytes,
      run.recordingsSeen,
      run.recordingsSelected,
      run.diskUsedRatio,
      run.failedMarkers,
      JSON.stringify(run.failures),
      run.dryRun ? 1 : 0,
    );
  }

  /** The run that ended last; null when there is none. */
  latest(): Run | null {
    const row = this.#statements.latest.get();
    return row && runOf(row);
  }

  /** Runs that ended at or after this time (epoch seconds), oldest first. */
  since(tsSeconds: number): Run[] {
    return this.#statements.since.all(tsSeconds).map(runOf);
  }

  /** Deletes the runs that ended before this time (epoch seconds); returns how many. */
  prune(olderThanSeconds: number): number {
    return this.#statements.prune.run(olderThanSeconds).changes;
  }

  /** How many runs are kept. */
  count(): number {
    return this.#statements.count.get()?.runs ?? 0;
  }

  /** Leaves one file without companions; a second call does nothing. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    for (const statement of Object.values(this.#statements)) statement.finalize();
    try {
      this.#db.run("pragma wal_checkpoint(truncate)");
    } finally {
      this.#db.close();
    }
  }
}

function open(path: string): { db: Database; statements: Statements } {
  const db = new Database(path, { create: true, strict: true });
  try {
    db.run("pragma busy_timeout = 3000");
    check(db);
    db.run("pragma journal_mode = wal");
    db.run("pragma synchronous = normal");
    migrate(db);
    return { db, statements: prepare(db) };
  } catch (error) {
    db.close();
    throw isDamage(error) ? new Damaged(error.message) : error;
  }
}

/**
 * Opening reads nothing: damage shows with the first statement, and inside a page only when looked for. Nothing is
 * changed here, so that what is set aside is as it was found.
 */
function check(db: Database): void {
  const [first] = ask<{ quick_check: string }>(db, "pragma quick_check(1)");
  if (first?.quick_check !== "ok") throw new Damaged(first?.quick_check ?? "it could not be checked");
  const columns = ask<{ name: string }>(db, "select name from pragma_table_info('runs')").map(({ name }) => name);
  const missing = COLUMNS.split(/,\s*/).filter((name) => !columns.includes(name));
  if (columns.length > 0 && missing.length > 0) throw new Damaged(`its table has no ${missing.join(", ")}`);
}

function migrate(db: Database): void {
  const version = ask<{ user_version: number }>(db, "pragma user_version")[0]?.user_version ?? 0;
  // A newer program's file is used as it is: columns added later may be left empty.
  if (version >= STEPS.length) return;
  db.run("begin immediate");
  for (const step of STEPS.slice(version)) db.run(step);
  db.run(`pragma user_version = ${STEPS.length}`);
  db.run("commit");
}

function prepare(db: Database): Statements {
  return {
    append: db.prepare(`insert or replace into runs (${COLUMNS}) values (?,?,?,?,?,?,?,?,?,?,?,?)`),
    latest: db.prepare(`select ${COLUMNS} from runs order by ts_seconds desc limit 1`),
    since: db.prepare(`select ${COLUMNS} from runs where ts_seconds >= ? order by ts_seconds`),
    prune: db.prepare("delete from runs where ts_seconds < ?"),
    count: db.prepare("select count(*) as runs from runs"),
  };
}

/** A statement left open keeps the journal's files beside the database. */
function ask<Row>(db: Database, sql: string): Row[] {
  using statement = db.prepare<Row, []>(sql);
  return statement.all();
}

function isDamage(error: unknown): error is Error {
  if (error instanceof Damaged) return true;
  const { code } = error as { code?: string };
  return code !== undefined && (code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB");
}

/** Renames the database and its companions; returns the new name. */
function setAside(path: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.[0-9]+/g, "");
  let aside = `${path}.corrupt-${stamp}`;
  for (let number = 2; existsSync(aside); number++) aside = `${path}.corrupt-${stamp}-${number}`;
  for (const companion of ["", "-wal", "-shm"]) {
    if (existsSync(path + companion)) renameSync(path + companion, aside + companion);
  }
  return aside;
}

function runOf(row: Row): Run {
  return {
    ts: row.ts_seconds,
    success: row.success !== 0,
    exitCode: row.exit_code ?? (row.success !== 0 ? 0 : 1),
    durationSeconds: row.duration_seconds,
    files: row.files,
    bytes: row.bytes,
    recordingsSeen: row.recordings_seen,
    recordingsSelected: row.recordings_selected,
    diskUsedRatio: row.disk_used_ratio,
    failedMarkers: row.failed_markers,
    failures: parseFailures(row.failures_json),
    dryRun: row.dry_run !== 0,
  };
}

/** Counts that cannot be read are none; a reason that is not ours counts as unknown. */
function parseFailures(text: string | null): Failures {
  const failures = noFailures();
  for (const [reason, count] of Object.entries(parseObject(text))) {
    if (typeof count !== "number" || !(count > 0)) continue;
    const known = Object.hasOwn(failures, reason) ? (reason as keyof Failures) : "unknown";
    failures[known] += count;
  }
  return failures;
}

function parseObject(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
