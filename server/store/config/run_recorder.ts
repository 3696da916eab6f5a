import type { Database } from "bun:sqlite";
import type { Clock } from "../../clock.ts";
import type { Run, RunningRun } from "../../domain/runs/run.ts";
import type { FailedFile, RunNotes } from "../../domain/runs/run_detail.ts";
import { counted } from "../../domain/text/format.ts";
import type { Log } from "../../log.ts";
import { isFull } from "../damaged_database.ts";
import { errorCode } from "../error_code.ts";
import type { FailedFiles } from "./failed_files.ts";
import { valuesOf } from "./run_columns.ts";
import type { RunNotesTable } from "./run_notes.ts";
import type { Statements } from "./run_statements.ts";

const LOGGER = "history";
/** Runs that the disk refuses are kept in memory up to this many: ten days of a run every quarter of an hour. */
const MOST_WAITING = 1000;
/** Most runs that are kept with their failed files, which may be a thousand each. */
const MOST_LISTS = 10;
/** Time until the disk is asked again to take them. */
const RETRY_MS = 10_000;

/** Cause that keeps the history from being written: its disk is full, or it refuses for another reason. */
export type Unwritable = "full" | "refused";

/**
 * Writes runs into the history: those that have ended, and how far the running one has come. Nothing of it fails: runs
 * that the disk does not take wait in memory until it does.
 */
export class RunRecorder {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #db: Database;
  readonly #statements: Pick<Statements, "append" | "noteRunning" | "forgetRunning">;
  readonly #failedFiles: Pick<FailedFiles, "put">;
  readonly #runNotes: Pick<RunNotesTable, "put">;
  readonly #closing = new AbortController();
  #waiting: Run[] = [];
  /** The failed files of those that are waiting, by when the run ended. */
  readonly #lists = new Map<number, readonly FailedFile[]>();
  readonly #notes = new Map<number, RunNotes>();
  #unwritable: Unwritable | null = null;
  #isRetrying = false;
  #isRunning = false;

  constructor(parts: {
    path: string;
    clock: Clock;
    log: Log;
    db: Database;
    statements: Pick<Statements, "append" | "noteRunning" | "forgetRunning">;
    failedFiles: Pick<FailedFiles, "put">;
    runNotes: Pick<RunNotesTable, "put">;
  }) {
    this.#path = parts.path;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#db = parts.db;
    this.#statements = parts.statements;
    this.#failedFiles = parts.failedFiles;
    this.#runNotes = parts.runNotes;
  }

  /** Cause that keeps runs from being written just now; null while they can be. */
  get unwritable(): Unwritable | null {
    return this.#unwritable;
  }

  /** Runs that are not in the file yet and ended at or after this time (epoch seconds), oldest first. */
  waiting(since: number): Run[] {
    return this.#waiting.filter(({ ts }) => ts >= since).sort((one, other) => one.ts - other.ts);
  }

  /** The failed files of a run that is not in the file yet; null when it is, or they are too many to be kept here. */
  waitingFiles({ ts }: Pick<Run, "ts">): readonly FailedFile[] | null {
    return this.#lists.get(ts) ?? null;
  }

  /** Returns the notes of a run that is not in the file yet; null when it is. */
  waitingNotes({ ts }: Pick<Run, "ts">): RunNotes | null {
    return this.#notes.get(ts) ?? null;
  }

  /** Keeps a run; one with the same end time is replaced. The notes of `begin` go in the same step. */
  append(run: Run, failedFiles: readonly FailedFile[], notes?: RunNotes): void {
    this.#isRunning = false;
    this.#waiting.push(run);
    this.#lists.delete(run.ts);
    if (failedFiles.length > 0) this.#lists.set(run.ts, failedFiles);
    this.#notes.delete(run.ts);
    if (notes) this.#notes.set(run.ts, notes);
    for (const ts of [...this.#notes.keys()].slice(0, -MOST_LISTS)) this.#notes.delete(ts);
    for (const ts of [...this.#lists.keys()].slice(0, -MOST_LISTS)) this.#lists.delete(ts);
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
    this.#record();
  }

  /** Notes that a run has begun, on the disk itself: the start after a power cut finds it. */
  begin(run: RunningRun): void {
    if (this.#waiting.length > 0) this.#record();
    this.#isRunning = true;
    try {
      this.#db.run("pragma synchronous = full");
      this.#note(run);
    } catch (error) {
      this.#refused(error);
    } finally {
      quietly(() => this.#db.run("pragma synchronous = normal"));
    }
  }

  /** Notes the progress of the run. If the disk refuses, the note before stands. */
  refresh(run: RunningRun): void {
    try {
      this.#note(run);
    } catch (error) {
      // A file that is locked for a moment is no reason to log: the next note comes soon.
      if (isFull(error)) this.#refused(error);
    }
  }

  /** Writes what is waiting for the last time. */
  close(): void {
    this.#closing.abort();
    if (this.#waiting.length > 0) this.#record();
    if (this.#waiting.length > 0)
      this.#log.error(LOGGER, `${counted(this.#waiting.length, "run")} could not be written into the history`);
  }

  #note(run: RunningRun): void {
    const { ts, durationSeconds, files, bytes, address, dryRun } = run;
    this.#statements.noteRunning.run(ts, durationSeconds, files, bytes, address ?? null, dryRun ? 1 : 0);
    if (this.#waiting.length === 0) this.#unwritable = null;
  }

  /** Writes the runs that are waiting, all or none; a disk that refuses is asked again until it takes them. */
  #record(): void {
    try {
      this.#db.run("begin immediate");
      for (const run of this.#waiting) {
        this.#statements.append.run(...valuesOf(run));
        this.#failedFiles.put(run.ts, this.#lists.get(run.ts) ?? []);
        this.#runNotes.put(run.ts, this.#notes.get(run.ts), (run.counts?.planned ?? 0) > 0);
      }
      if (!this.#isRunning) this.#statements.forgetRunning.run();
      this.#db.run("commit");
    } catch (error) {
      // A full disk has ended the transaction already.
      if (this.#db.inTransaction) quietly(() => this.#db.run("rollback"));
      this.#refused(error);
      void this.#retry();
      return;
    }
    if (this.#unwritable !== null)
      this.#log.info(LOGGER, `The run history can be written again: ${counted(this.#waiting.length, "run")} added`);
    this.#waiting = [];
    this.#lists.clear();
    this.#notes.clear();
    this.#unwritable = null;
  }

  async #retry(): Promise<void> {
    if (this.#isRetrying) return;
    this.#isRetrying = true;
    try {
      while (this.#waiting.length > 0) {
        await this.#clock.sleep(RETRY_MS, this.#closing.signal);
        this.#record();
      }
    } catch {
      // closing
    } finally {
      this.#isRetrying = false;
    }
  }

  /** Logs once why nothing can be written, until something could be. */
  #refused(error: unknown): void {
    const first = this.#unwritable === null;
    this.#unwritable = isFull(error) ? "full" : "refused";
    if (!first) return;
    const cause = isFull(error) ? "its disk is full" : errorCode(error) || String(error);
    this.#log.warning(
      LOGGER,
      `${this.#path} cannot be written (${cause}); runs are kept in memory until it can, and lost if the service ends before`,
    );
  }
}

/** Does what may fail without harm. */
export function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // It is done at another time, or was for tidiness.
  }
}
