import type { Database } from "bun:sqlite";
import { failureCause } from "../../domain/runs/failure_cause.ts";
import { FAILURE_REASONS } from "../../domain/runs/failure_reason.ts";
import type { FailedFile } from "../../domain/runs/run_detail.ts";
import { LateStatement } from "./late_statement.ts";

interface FailedRow {
  name: string;
  reason: string;
  cause: string;
  message: string;
}

/** Most rows of all runs together; those of the oldest go first. */
const MOST_ROWS = 20_000;

/** Failed files of each run, in the table `failed_files` beside the runs. Calls throw what the database does. */
export class FailedFiles {
  readonly #insert: LateStatement;
  readonly #remove: LateStatement;
  readonly #shrink: LateStatement;
  readonly #prune: LateStatement;
  readonly #of: LateStatement<FailedRow, [number]>;
  readonly #last: LateStatement<FailedRow, [string]>;

  constructor(db: Database) {
    this.#insert = new LateStatement(db, "insert into failed_files values (?, ?, ?, ?, ?, ?)");
    this.#remove = new LateStatement(db, "delete from failed_files where run_seconds = ?");
    this.#shrink = new LateStatement(
      db,
      `delete from failed_files where run_seconds <
         (select run_seconds from failed_files order by run_seconds desc limit 1 offset ${MOST_ROWS})`,
    );
    this.#prune = new LateStatement(db, "delete from failed_files where run_seconds < ?");
    this.#of = new LateStatement(
      db,
      "select name, reason, cause, message from failed_files where run_seconds = ? order by position",
    );
    this.#last = new LateStatement(
      db,
      `select name, reason, cause, message, max(run_seconds) from failed_files
       where name in (select value from json_each(?)) group by name`,
    );
  }

  /** Writes those of a run that ended at this time (epoch seconds), in place of what was there. */
  put(runSeconds: number, files: readonly FailedFile[]): void {
    this.#remove.run(runSeconds);
    for (const [position, { name, reason, cause, message }] of files.entries())
      this.#insert.run(runSeconds, position, name, reason, cause, message);
    if (files.length > 0) this.#shrink.run();
  }

  /** Those of one run, in the order in which they failed. */
  of(runSeconds: number): FailedFile[] {
    return this.#of.all(runSeconds).map(fileOf);
  }

  /** Returns those of these names that failed in any run that is kept, each with its last failure. */
  lastOf(names: readonly string[]): FailedFile[] {
    return this.#last.all(JSON.stringify(names)).map(fileOf);
  }

  /** Forgets those of runs that ended before this time (epoch seconds). */
  prune(beforeSeconds: number): void {
    this.#prune.run(beforeSeconds);
  }

  /** Statements left open keep the journal's files beside the database. */
  finalize(): void {
    for (const statement of [this.#insert, this.#remove, this.#shrink, this.#prune, this.#of, this.#last])
      statement.finalize();
  }
}

function fileOf({ name, reason, cause, message }: FailedRow): FailedFile {
  return {
    name,
    reason: FAILURE_REASONS.find((known) => known === reason) ?? "unknown",
    cause: failureCause(cause) ?? "unexpected",
    message,
  };
}
