import type { Database, Statement } from "bun:sqlite";
import type { Clock } from "../clock.ts";
import { type Failures, isOffline, noFailures, type Run, type RunSample } from "../domain/run.ts";
import type { Log } from "../log.ts";
import { COLUMNS, Damaged, openStats, setAside } from "./stats_file.ts";

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
  stopped: number;
  address: string | null;
}

/** `ts_seconds, success, duration_seconds, files, bytes, disk_used_ratio, failures_json, dry_run, stopped` */
type SampleRow = [number, number, number, number, number, number | null, string | null, number, number];

/** Runs read at once: some two milliseconds, in which nobody else runs. */
const SLICE = 4000;
/** Different texts of failures remembered while reading; nearly all runs share a few. */
const MOST_TEXTS = 1000;
/** How far back the last contact with the camera is looked for. */
const RECENT_RUNS = 300;

/** The statements on one open database. */
interface Statements {
  append: Statement;
  latest: Statement<Row, []>;
  recent: Statement<Row, [number]>;
  since: Statement<Row, [number]>;
  page: Statement<Row, [number, number]>;
  slice: Statement<Row, [number, number]>;
  prune: Statement;
  count: Statement<{ runs: number }, []>;
  extent: Statement<{ runs: number; first: number | null; last: number | null }, [number, number]>;
  samples: Statement<SampleRow, [number, number]>;
  steady: Statement<{ mean: number | null }, [number]>;
}

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
    try {
      this.#db = openStats(path);
    } catch (error) {
      if (!(error instanceof Damaged)) {
        throw new Error(`cannot open the run history ${path}: ${String(error)}`, { cause: error });
      }
      const aside = setAside(path, clock.now());
      log.error("history", `the run history was damaged (${error.message}); it is kept as ${aside}, a new one begins`);
      this.#db = openStats(path);
    }
    this.#statements = prepare(this.#db);
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
      run.stopped ? 1 : 0,
      run.address ?? null,
    );
  }

  /** The run that ended last; null when there is none. */
  latest(): Run | null {
    const row = this.#statements.latest.get();
    return row && runOf(row);
  }

  /**
   * The last run that reached the camera, among the latest few hundred; null when none did.
   * @param address only runs with the camera there, and those that do not say; all when left out
   */
  latestReached(address?: string): Run | null {
    for (const row of this.#statements.recent.all(RECENT_RUNS)) {
      const run = runOf(row);
      const isOther = address !== undefined && run.address !== undefined && run.address !== address;
      if (!isOther && !isOffline(run)) return run;
    }
    return null;
  }

  /** Runs that ended at or after this time (epoch seconds), oldest first. */
  since(tsSeconds: number): Run[] {
    return this.#statements.since.all(tsSeconds).map(runOf);
  }

  /** The last runs that ended at or after this time (epoch seconds), newest first. */
  page(since: number, limit: number): Run[] {
    return this.#statements.page.all(since, limit).map(runOf);
  }

  /** As `since`, but a few thousand runs at a time: whoever writes them to a slow reader keeps nothing open meanwhile. */
  *slices(since: number): Generator<Run[]> {
    let from = since;
    for (let isFirst = true; ; isFirst = false) {
      const rows = this.#statements.slice.all(from, SLICE + 1);
      // Later slices begin with the row the slice before ended with.
      const fresh = isFirst || rows[0]?.ts_seconds !== from ? rows : rows.slice(1);
      if (fresh.length > 0) yield fresh.map(runOf);
      from = rows.at(-1)?.ts_seconds ?? from;
      if (rows.length <= SLICE) return;
    }
  }

  /**
   * How many runs ended at or after this time (epoch seconds), counted no further than `most`, and when the first and
   * the last of them did.
   */
  extent(since: number, most: number): { runs: number; firstTs: number; lastTs: number } {
    const found = this.#statements.extent.get(since, most);
    return { runs: found?.runs ?? 0, firstTs: found?.first ?? 0, lastTs: found?.last ?? 0 };
  }

  /**
   * As `since`, but only what statistics need, and a few thousand runs at a time: let others run in between. Hundreds
   * of thousands of rows summed up here cost half of what SQLite needs to do so.
   */
  *samples(since: number): Generator<RunSample[]> {
    const texts = new Map<string | null, Failures>();
    let from = since;
    for (let isFirst = true; ; isFirst = false) {
      const rows = this.#statements.samples.values(from, SLICE + 1) as SampleRow[];
      // Later slices begin with the row the slice before ended with.
      const fresh = isFirst || rows[0]?.[0] !== from ? rows : rows.slice(1);
      if (fresh.length > 0) yield fresh.map((row) => sampleOf(row, texts));
      from = rows.at(-1)?.[0] ?? from;
      if (rows.length <= SLICE) return;
    }
  }

  /**
   * The mean disk ratio of the last `keepSeconds` before the newest run that looked at the disk: where retention holds
   * it. Null while the history is not that long.
   */
  steadyState(keepSeconds: number): number | null {
    return this.#statements.steady.get(keepSeconds)?.mean ?? null;
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

function prepare(db: Database): Statements {
  return {
    append: db.prepare(`insert or replace into runs (${COLUMNS}) values (?,?,?,?,?,?,?,?,?,?,?,?,?,?)`),
    latest: db.prepare(`select ${COLUMNS} from runs order by ts_seconds desc limit 1`),
    recent: db.prepare(`select ${COLUMNS} from runs order by ts_seconds desc limit ?`),
    since: db.prepare(`select ${COLUMNS} from runs where ts_seconds >= ? order by ts_seconds`),
    page: db.prepare(`select ${COLUMNS} from runs where ts_seconds >= ? order by ts_seconds desc limit ?`),
    slice: db.prepare(`select ${COLUMNS} from runs where ts_seconds >= ? order by ts_seconds limit ?`),
    prune: db.prepare("delete from runs where ts_seconds < ?"),
    count: db.prepare("select count(*) as runs from runs"),
    extent: db.prepare(
      `select (select count(*) from (select 1 from runs where ts_seconds >= ?1 limit ?2)) as runs,
              (select min(ts_seconds) from runs where ts_seconds >= ?1) as first,
              (select max(ts_seconds) from runs where ts_seconds >= ?1) as last`,
    ),
    // Most runs have the same text without a failure in it: leaving it out saves making it 350,000 times.
    samples: db.prepare(
      `select ts_seconds, success, duration_seconds, files, bytes, disk_used_ratio,
              nullif(failures_json, '${JSON.stringify(noFailures())}') as failures_json, dry_run, stopped
       from runs where ts_seconds >= ? order by ts_seconds limit ?`,
    ),
    // The two ends are found by the index; min() and max() would read every row to skip those without a ratio.
    steady: db.prepare(
      `with newest as (select ts_seconds as ts from runs where disk_used_ratio is not null
                       order by ts_seconds desc limit 1),
            oldest as (select ts_seconds as ts from runs where disk_used_ratio is not null order by ts_seconds limit 1)
       select avg(disk_used_ratio) as mean from runs
       where ts_seconds >= (select ts from newest) - ?1
         and (select ts from oldest) <= (select ts from newest) - ?1`,
    ),
  };
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
    ...(row.stopped !== 0 && { stopped: true }),
    ...(row.address !== null && { address: row.address }),
  };
}

function sampleOf(row: SampleRow, texts: Map<string | null, Failures>): RunSample {
  const [ts, success, durationSeconds, files, bytes, diskUsedRatio, text, dryRun, stopped] = row;
  let failures = texts.get(text);
  if (failures === undefined) {
    failures = parseFailures(text);
    if (texts.size < MOST_TEXTS) texts.set(text, failures);
  }
  const sample = { ts, success: success !== 0, durationSeconds, files, bytes, diskUsedRatio, failures };
  return stopped === 0 ? { ...sample, dryRun: dryRun !== 0 } : { ...sample, dryRun: dryRun !== 0, stopped: true };
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
