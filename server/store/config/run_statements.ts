import type { Database, Statement } from "bun:sqlite";
import { noFailures } from "../../domain/runs/failure_reason.ts";
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
  append: Statement;
  /** Another pair of numbers after each change of the file, by this connection or by another one. */
  version: Statement<{ own: number; others: number }, []>;
  latest: Statement<Row, []>;
  recent: Statement<Row, [number]>;
  good: Statement<{ ts: number | null }, []>;
  since: Statement<Row, [number]>;
  page: Statement<Row, [number, number]>;
  slice: Statement<Row, [number, number]>;
  prune: Statement;
  find: Statement<Row, [number, number]>;
  before: Statement<Row, [number]>;
  after: Statement<Row, [number]>;
  count: Statement<{ runs: number }, []>;
  extent: Statement<{ runs: number; first: number | null; last: number | null }, [number, number]>;
  samples: Statement<SampleRow, [number, number]>;
  steadyState: Statement<{ mean: number | null }, [number]>;
  running: Statement<RunningRow, []>;
  noteRunning: Statement;
  forgetRunning: Statement;
}

/** Prepares them; each has to be finalized before the database is closed. */
export function prepare(db: Database): Statements {
  return {
    append: db.prepare(`insert or replace into runs (${COLUMNS}) values (${COLUMN_NAMES.map(() => "?").join(", ")})`),
    version: db.prepare("select total_changes() as own, data_version as others from pragma_data_version"),
    latest: db.prepare(`select ${COLUMNS} from runs order by ts_seconds desc limit 1`),
    recent: db.prepare(`select ${COLUMNS} from runs order by ts_seconds desc limit ?`),
    good: db.prepare("select max(ts_seconds) as ts from runs where success = 1 and dry_run = 0"),
    since: db.prepare(`select ${COLUMNS} from runs where ts_seconds >= ? order by ts_seconds`),
    page: db.prepare(`select ${COLUMNS} from runs where ts_seconds >= ? order by ts_seconds desc limit ?`),
    slice: db.prepare(`select ${COLUMNS} from runs where ts_seconds >= ? order by ts_seconds limit ?`),
    prune: db.prepare("delete from runs where ts_seconds < ?"),
    find: db.prepare(`select ${COLUMNS} from runs where ts_seconds >= ? and ts_seconds < ? limit 1`),
    before: db.prepare(`select ${COLUMNS} from runs where ts_seconds < ? order by ts_seconds desc limit 1`),
    after: db.prepare(`select ${COLUMNS} from runs where ts_seconds > ? order by ts_seconds limit 1`),
    count: db.prepare("select count(*) as runs from runs"),
    extent: db.prepare(
      `select (select count(*) from (select 1 from runs where ts_seconds >= ?1 limit ?2)) as runs,
              (select min(ts_seconds) from runs where ts_seconds >= ?1) as first,
              (select max(ts_seconds) from runs where ts_seconds >= ?1) as last`,
    ),
    samples: db.prepare(`select ${SAMPLE} from runs where ts_seconds >= ? order by ts_seconds limit ?`),
    // New recordings replace those in the trash: the disk settles at its use without the trash. The two ends are found
    // by the index; min() and max() would read every row to skip those without a ratio.
    steadyState: db.prepare(
      `with newest as (select ts_seconds as ts from runs where disk_used_ratio is not null
                       order by ts_seconds desc limit 1),
            oldest as (select ts_seconds as ts from runs where disk_used_ratio is not null order by ts_seconds limit 1)
       select avg(max(0, disk_used_ratio - coalesce(trash_ratio, 0))) as mean from runs
       where ts_seconds >= (select ts from newest) - ?1
         and (select ts from oldest) <= (select ts from newest) - ?1`,
    ),
    running: db.prepare("select seen_seconds, duration_seconds, files, bytes, address, dry_run from running"),
    noteRunning: db.prepare(
      `insert or replace into running (id, seen_seconds, duration_seconds, files, bytes, address, dry_run)
       values (1, ?, ?, ?, ?, ?, ?)`,
    ),
    forgetRunning: db.prepare("delete from running"),
  };
}
