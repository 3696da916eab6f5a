import type { Database } from "bun:sqlite";
import { noFailures } from "../../domain/runs/failure_reason.ts";
import { LateStatement } from "./late_statement.ts";
import { COLUMN_NAMES, type Row, SAMPLE_COLUMNS, type SampleRow } from "./run_columns.ts";

const COLUMNS = COLUMN_NAMES.join(", ");
// Most runs have the same text without a failure in it: leaving it out saves making it 350,000 times.
const WITHOUT_FAILURES = `nullif(failures_json, '${JSON.stringify(noFailures())}') as failures_json`;
const SAMPLE = SAMPLE_COLUMNS.map((name) => (name === "failures_json" ? WITHOUT_FAILURES : name)).join(", ");

/** The only row of the table `running`, without its number. */
export interface RunningRow {
  seen_seconds: number;
  duration_seconds: number;
  files: number;
  bytes: number;
  address: string | null;
  dry_run: number;
}

/** The statements on one open database. */
export interface Statements {
  append: LateStatement;
  /** Another pair of numbers after each change of the file, by this connection or by another one. */
  version: LateStatement<{ own: number; others: number }, []>;
  latest: LateStatement<Row, []>;
  recent: LateStatement<Row, [number]>;
  good: LateStatement<{ ts: number | null }, []>;
  since: LateStatement<Row, [number]>;
  page: LateStatement<Row, [number, number]>;
  slice: LateStatement<Row, [number, number]>;
  prune: LateStatement;
  find: LateStatement<Row, [number, number]>;
  before: LateStatement<Row, [number]>;
  after: LateStatement<Row, [number]>;
  count: LateStatement<{ runs: number }, []>;
  extent: LateStatement<{ runs: number; first: number | null; last: number | null }, [number, number]>;
  samples: LateStatement<SampleRow, [number, number]>;
  steadyState: LateStatement<{ mean: number | null }, [number]>;
  running: LateStatement<RunningRow, []>;
  noteRunning: LateStatement;
  forgetRunning: LateStatement;
}

/** Each has to be finalized before the database is closed. */
export function statementsOn(db: Database): Statements {
  return {
    append: new LateStatement(
      db,
      `insert or replace into runs (${COLUMNS}) values (${COLUMN_NAMES.map(() => "?").join(", ")})`,
    ),
    version: new LateStatement(db, "select total_changes() as own, data_version as others from pragma_data_version"),
    latest: new LateStatement(db, `select ${COLUMNS} from runs order by ts_seconds desc limit 1`),
    recent: new LateStatement(db, `select ${COLUMNS} from runs order by ts_seconds desc limit ?`),
    good: new LateStatement(db, "select max(ts_seconds) as ts from runs where success = 1 and dry_run = 0"),
    since: new LateStatement(db, `select ${COLUMNS} from runs where ts_seconds >= ? order by ts_seconds`),
    page: new LateStatement(db, `select ${COLUMNS} from runs where ts_seconds >= ? order by ts_seconds desc limit ?`),
    slice: new LateStatement(db, `select ${COLUMNS} from runs where ts_seconds >= ? order by ts_seconds limit ?`),
    prune: new LateStatement(db, "delete from runs where ts_seconds < ?"),
    find: new LateStatement(db, `select ${COLUMNS} from runs where ts_seconds >= ? and ts_seconds < ? limit 1`),
    before: new LateStatement(db, `select ${COLUMNS} from runs where ts_seconds < ? order by ts_seconds desc limit 1`),
    after: new LateStatement(db, `select ${COLUMNS} from runs where ts_seconds > ? order by ts_seconds limit 1`),
    count: new LateStatement(db, "select count(*) as runs from runs"),
    extent: new LateStatement(
      db,
      `select (select count(*) from (select 1 from runs where ts_seconds >= ?1 limit ?2)) as runs,
              (select min(ts_seconds) from runs where ts_seconds >= ?1) as first,
              (select max(ts_seconds) from runs where ts_seconds >= ?1) as last`,
    ),
    samples: new LateStatement(db, `select ${SAMPLE} from runs where ts_seconds >= ? order by ts_seconds limit ?`),
    // New recordings replace those in the trash: the disk settles at its use without the trash. The two ends are found
    // by the index; min() and max() would read every row to skip those without a ratio.
    steadyState: new LateStatement(
      db,
      `with newest as (select ts_seconds as ts from runs where disk_used_ratio is not null
                       order by ts_seconds desc limit 1),
            oldest as (select ts_seconds as ts from runs where disk_used_ratio is not null order by ts_seconds limit 1)
       select avg(max(0, disk_used_ratio - coalesce(trash_ratio, 0))) as mean from runs
       where ts_seconds >= (select ts from newest) - ?1
         and (select ts from oldest) <= (select ts from newest) - ?1`,
    ),
    running: new LateStatement(
      db,
      "select seen_seconds, duration_seconds, files, bytes, address, dry_run from running",
    ),
    noteRunning: new LateStatement(
      db,
      `insert or replace into running (id, seen_seconds, duration_seconds, files, bytes, address, dry_run)
       values (1, ?, ?, ?, ?, ?, ?)`,
    ),
    forgetRunning: new LateStatement(db, "delete from running"),
  };
}
