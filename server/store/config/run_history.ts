import type { Database } from "bun:sqlite";
import type { Clock } from "../../clock.ts";
import type { Failures } from "../../domain/runs/failure_reason.ts";
import { brokenOff, type Run, type RunningRun, type RunSample } from "../../domain/runs/run.ts";
import { type FailedFile, NO_NOTES, type RunNotes } from "../../domain/runs/run_detail.ts";
import { hasReached } from "../../domain/runs/run_ending.ts";
import { counted, formatBytes } from "../../domain/text/format.ts";
import type { Log } from "../../log.ts";
import { isFull, setDatabaseAside } from "../damaged_database.ts";
import { errorCode } from "../error_code.ts";
import { DeletionRecords } from "./deletion_records.ts";
import { FailedFiles } from "./failed_files.ts";
import type { Row, SampleRow } from "./run_columns.ts";
import { Damaged, openStats } from "./run_database.ts";
import { RunNotesTable } from "./run_notes.ts";
import { quietly, RunRecorder, type Unwritable } from "./run_recorder.ts";
import { runOf, sampleOf } from "./run_rows.ts";
import { among, byEnd } from "./run_slices.ts";
import { type Statements, statementsOn } from "./run_statements.ts";
import { VisitRecords } from "./visit_records.ts";

const LOGGER = "history";
/** Runs read at once: some two milliseconds, in which the event loop does nothing else. */
const SLICE = 4000;
const HOUR_SECONDS = 3600;
/** Most runs among which the last contact with the camera is looked for. */
const RECENT_RUNS = 300;
/** Calls hold up the whole service, so a file that another program has locked is left alone after this. */
const BUSY_MS = 200;

/**
 * Every sync that ran, in the table `runs` of `stats.db`. Calls are short and synchronous, and none of them fails. Runs
 * that the disk does not take are kept in memory until it does, and are read as if they were in the file.
 */
export class RunHistory {
  /** The run that the process before this one did not bring to its end; null when there is none. */
  readonly interrupted: Run | null;
  /** Receipts of deletions, in the same file. */
  readonly deletions: DeletionRecords;
  /** Visits of the camera, in the same file. */
  readonly visits: VisitRecords;
  readonly #path: string;
  readonly #log: Log;
  readonly #db: Database;
  readonly #statements: Statements;
  readonly #failedFiles: FailedFiles;
  readonly #runNotes: RunNotesTable;
  readonly #recorder: RunRecorder;
  #isUnreadable = false;
  /** The newest run of the file, also for moments in which it cannot be read. */
  #newest: Run | null = null;
  /** Version of the file that `#newest` is of; empty when it is of none. */
  #newestOf = "";
  /** Samples of `lately`, and the version of the file and the hour that they are of. */
  #lately: { readonly of: string; readonly samples: readonly RunSample[] } | null = null;
  /** The last run that reached the camera at an address, and the version of the file that this is of. */
  #reached: { readonly of: string; readonly byAddress: Map<string | undefined, Run | null> } | null = null;
  #open = true;

  /**
   * Opens or creates the file. A damaged one is renamed to `<path>.corrupt-<UTC stamp>` and a fresh one begun. A run
   * that was cut off by the end of its process is put into the history.
   * @throws when the file cannot be opened at all
   */
  constructor(parts: { path: string; clock: Clock; log: Log }) {
    const { path, clock, log } = parts;
    this.#path = path;
    this.#log = log;
    try {
      this.#db = openStats(path);
    } catch (error) {
      if (!(error instanceof Damaged)) {
        const why = isFull(error) ? "its disk is full; free some space there" : String(error);
        throw new Error(`cannot open the run history ${path}: ${why}`, { cause: error });
      }
      const aside = setDatabaseAside(path, clock.now());
      log.error(LOGGER, `the run history was damaged (${error.message}); it is kept as ${aside}, a new one begins`);
      this.#db = openStats(path);
    }
    this.#db.run(`pragma busy_timeout = ${BUSY_MS}`);
    this.#statements = statementsOn(this.#db);
    this.#failedFiles = new FailedFiles(this.#db);
    this.#runNotes = new RunNotesTable(this.#db);
    const runNotes = this.#runNotes;
    const writing = { db: this.#db, statements: this.#statements, failedFiles: this.#failedFiles, runNotes };
    this.#recorder = new RunRecorder({ ...parts, ...writing });
    this.deletions = new DeletionRecords({ db: this.#db, log, version: () => this.#version() });
    this.visits = new VisitRecords({ db: this.#db, log });
    this.interrupted = this.#recover(clock);
  }

  /** Cause that keeps runs from being written just now; null while they can be. */
  get unwritable(): Unwritable | null {
    return this.#recorder.unwritable;
  }

  /** Keeps a run; one with the same end time is replaced. The notes of `begin` go in the same step. */
  append(run: Run, failedFiles: readonly FailedFile[] = [], notes?: RunNotes): void {
    this.#recorder.append(run, failedFiles, notes);
  }

  /** Returns the notes of a run beside its row: names by their outcome, and times of events. */
  notes(run: Pick<Run, "ts">): RunNotes {
    return this.#recorder.waitingNotes(run) ?? this.#read(() => this.#runNotes.of(run.ts), NO_NOTES);
  }

  /** Returns the notes of all runs that have any, by the end of the run in epoch seconds; the oldest first. */
  allNotes(): ReturnType<RunNotesTable["all"]> {
    return this.#read(() => this.#runNotes.all(), []);
  }

  /** The run that ended in this millisecond; null when there is none. */
  find(id: number): Run | null {
    const from = (id - 0.5) / 1000;
    const to = (id + 0.5) / 1000;
    const waiting = this.#recorder.waiting(from).find(({ ts }) => ts < to);
    if (waiting) return waiting;
    const row = this.#read(() => this.#statements.find.get(from, to), null);
    return row && runOf(row);
  }

  /** The runs right before and after one, of those in the file; null where there is none. */
  beside({ ts }: Pick<Run, "ts">): { readonly before: Run | null; readonly after: Run | null } {
    const row = (statement: Statements["before"]) => this.#read(() => statement.get(ts), null);
    const before = row(this.#statements.before);
    const after = row(this.#statements.after);
    return { before: before && runOf(before), after: after && runOf(after) };
  }

  /** The files that failed in a run, as far as they are kept, in the order in which they did. */
  failedFiles(run: Pick<Run, "ts">): readonly FailedFile[] {
    return this.#recorder.waitingFiles(run) ?? this.#read(() => this.#failedFiles.of(run.ts), []);
  }

  /** Returns those of these names that failed in any run that is kept in the file, each with its last failure. */
  lastFailures(names: readonly string[]): FailedFile[] {
    return this.#read(() => this.#failedFiles.lastOf(names), []);
  }

  /** Notes that a run has begun: should its process be killed, the next start finds it. */
  begin(run: RunningRun): void {
    this.#recorder.begin(run);
  }

  /** Notes how far the run has come. */
  refresh(run: RunningRun): void {
    this.#recorder.refresh(run);
  }

  /** The run that ended last; null when there is none. */
  latest(): Run | null {
    // Pages ask several times for each camera.
    const version = this.#version();
    if (version === "" || version !== this.#newestOf) {
      const row = this.#read(() => this.#statements.latest.get(), undefined);
      if (row !== undefined) this.#newest = row && runOf(row);
      this.#newestOf = row === undefined ? "" : version;
    }
    let latest = this.#newest;
    for (const run of this.#recorder.waiting(0)) if (latest === null || run.ts >= latest.ts) latest = run;
    return latest;
  }

  /**
   * The last run that reached the camera, among the latest few hundred; null when none did.
   * @param address only runs with the camera there, and those without an address; all when left out
   */
  latestReached(address?: string): Run | null {
    const isOther = (run: Run) => address !== undefined && run.address !== undefined && run.address !== address;
    const isReached = (run: Run) => !isOther(run) && hasReached(run);
    const waiting = this.#recorder.waiting(0).findLast(isReached);
    if (waiting !== undefined) return waiting;
    const version = this.#version();
    if (version === "" || this.#reached?.of !== version) this.#reached = { of: version, byAddress: new Map() };
    const known = this.#reached.byAddress.get(address);
    if (known !== undefined) return known;
    const rows = this.#read(() => this.#statements.recent.all(RECENT_RUNS), null);
    const found = firstOf(rows ?? [], isReached);
    if (rows !== null) this.#reached.byAddress.set(address, found);
    return found;
  }

  /** Tells whether the file has changed, by whatever process; empty while it cannot be read. */
  #version(): string {
    const found = this.#read(() => this.#statements.version.get(), null);
    return found === null ? "" : `${found.own} ${found.others}`;
  }

  /** When the latest run ended that went through, in epoch seconds; null when there is none. */
  latestGood(): number | null {
    const ended = [this.#read(() => this.#statements.good.get()?.ts ?? 0, 0)];
    for (const run of this.#recorder.waiting(0)) if (run.success && !run.dryRun) ended.push(run.ts);
    return Math.max(...ended) || null;
  }

  /** Runs that ended at or after this time (epoch seconds), oldest first. */
  since(tsSeconds: number): Run[] {
    const rows = this.#read(() => this.#statements.since.all(tsSeconds), []);
    return [...rows.map(runOf), ...this.#recorder.waiting(tsSeconds)].sort(byEnd);
  }

  /** The last runs that ended at or after this time (epoch seconds), newest first. */
  page(since: number, limit: number): Run[] {
    const runs = this.#read(() => this.#statements.page.all(since, limit), []).map(runOf);
    const waiting = this.#recorder.waiting(since);
    if (waiting.length === 0) return runs;
    return [...runs, ...waiting].sort((one, other) => byEnd(other, one)).slice(0, limit);
  }

  /** As `since`, but a few thousand runs at a time: the CSV written to a slow reader keeps nothing open meanwhile. */
  slices(since: number): Generator<Run[]> {
    const stored = this.#slices(
      since,
      (from) => this.#statements.slice.all(from, SLICE + 1),
      (row) => row.ts_seconds,
      runOf,
    );
    return among(stored, this.#recorder.waiting(since));
  }

  /**
   * Counts the runs that ended at or after this time (epoch seconds), no further than `most`. Finds the ends of the
   * first and the last of them.
   */
  extent(since: number, most: number): { runs: number; firstTs: number; lastTs: number } {
    const found = this.#read(() => this.#statements.extent.get(since, most), null);
    const waiting = this.#recorder.waiting(since).map(({ ts }) => ts);
    const ends = [found?.first ?? null, found?.last ?? null, ...waiting].filter((ts) => ts !== null);
    return {
      runs: Math.min(most, (found?.runs ?? 0) + waiting.length),
      firstTs: ends.length === 0 ? 0 : Math.min(...ends),
      lastTs: ends.length === 0 ? 0 : Math.max(...ends),
    };
  }

  /**
   * As `since`, but only what statistics need, and a few thousand runs at a time: let others run in between. Hundreds
   * of thousands of rows summed up here cost half of what SQLite needs to do so.
   */
  samples(since: number): Generator<RunSample[]> {
    const texts = new Map<string | null, Failures>();
    const stored = this.#slices(
      since,
      (from) => this.#statements.samples.values(from, SLICE + 1) as SampleRow[],
      ([ts]) => ts,
      (row) => sampleOf(row, texts),
    );
    return among(stored, this.#recorder.waiting(since));
  }

  /** As `samples`, for a time not long ago, and some more before it. Read once until the file changes. */
  lately(since: number): readonly RunSample[] {
    const from = Math.floor(since / HOUR_SECONDS) * HOUR_SECONDS;
    const version = this.#version();
    const of = `${version} ${from}`;
    if (this.#lately?.of === of && this.#recorder.waiting(from).length === 0) return this.#lately.samples;
    const samples = [...this.samples(from)].flat();
    // Runs that wait to be written are not in the version.
    const isWhole = version !== "" && this.#recorder.waiting(from).length === 0;
    this.#lately = isWhole ? { of, samples } : null;
    return samples;
  }

  /**
   * The mean disk ratio, without the trash, of the last `keepSeconds` before the newest run that looked at the disk:
   * where retention holds it. Null while the history is not that long.
   */
  steadyState(keepSeconds: number): number | null {
    return this.#read(() => this.#statements.steadyState.get(keepSeconds)?.mean, null) ?? null;
  }

  /** Forgets runs that ended before this time (epoch seconds); returns how many. */
  prune(beforeSeconds: number): number {
    let pruned = 0;
    quietly(() => {
      pruned = this.#statements.prune.run(beforeSeconds).changes;
      this.#failedFiles.prune(beforeSeconds);
      this.#runNotes.prune(beforeSeconds);
    });
    return pruned;
  }

  count(): number {
    return (this.#read(() => this.#statements.count.get()?.runs, 0) ?? 0) + this.#recorder.waiting(0).length;
  }

  /** Leaves one file without companions, or, on a disk that takes nothing more, what is there already. */
  close(): void {
    if (!this.#open) return;
    this.#recorder.close();
    this.#open = false;
    for (const statement of Object.values(this.#statements)) statement.finalize();
    this.#failedFiles.finalize();
    this.#runNotes.finalize();
    this.deletions.finalize();
    this.visits.finalize();
    quietly(() => this.#db.run("pragma wal_checkpoint(truncate)"));
    quietly(() => this.#db.close());
  }

  /** Takes over what a process that was killed had noted of its run. */
  #recover(clock: Clock): Run | null {
    const row = this.#read(() => this.#statements.running.get(), null);
    if (row === null) return null;
    const run = brokenOff({
      // The clock may have lost its time with the power.
      ts: Math.min(row.seen_seconds, clock.now() / 1000),
      durationSeconds: row.duration_seconds,
      files: row.files,
      bytes: row.bytes,
      dryRun: row.dry_run !== 0,
      ...(row.address !== null && { address: row.address }),
    });
    const had = `${counted(run.files, "file")}, ${formatBytes(run.bytes)}`;
    this.#log.warning(LOGGER, `The last sync was cut off by the end of its process (${had}); the next one goes on`);
    this.append(run);
    return run;
  }

  /** Reads the file by `ask`. Returns `otherwise` while the file cannot be read, which is logged once. */
  #read<T, O>(ask: () => T, otherwise: O): T | O {
    if (!this.#open) return otherwise;
    try {
      const found = ask();
      this.#isUnreadable = false;
      return found;
    } catch (error) {
      if (!this.#isUnreadable)
        this.#log.warning(LOGGER, `${this.#path} cannot be read (${errorCode(error) || String(error)})`);
      this.#isUnreadable = true;
      return otherwise;
    }
  }

  *#slices<R, T>(since: number, rowsFrom: (ts: number) => R[], endOf: (row: R) => number, read: (row: R) => T) {
    let from = since;
    for (let isFirst = true; ; isFirst = false) {
      const rows = this.#read(() => rowsFrom(from), []);
      const first = rows[0];
      const last = rows.at(-1);
      // Later slices begin with the row the slice before ended with.
      const fresh = isFirst || first === undefined || endOf(first) !== from ? rows : rows.slice(1);
      if (fresh.length > 0) yield fresh.map(read);
      if (last !== undefined) from = endOf(last);
      if (rows.length <= SLICE) return;
    }
  }
}

/** The first of these rows whose run is such a one; the others are not read. */
function firstOf(rows: readonly Row[], isWanted: (run: Run) => boolean): Run | null {
  for (const row of rows) {
    const run = runOf(row);
    if (isWanted(run)) return run;
  }
  return null;
}
