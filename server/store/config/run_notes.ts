import type { Database } from "bun:sqlite";
import * as v from "valibot";
import { FAILURE_CAUSES } from "../../domain/runs/failure_cause.ts";
import { NO_NOTES, type RunNotes } from "../../domain/runs/run_detail.ts";
import { LateStatement } from "./late_statement.ts";

/** Runs of which names are kept; those of the oldest go first. */
const MOST_RUNS = 200;

/** Without these nothing is kept: what rules leave out is the same in every run. */
const TELLING = ["waiting", "empty", "vanished", "growing", "errors"] as const;

/** Notes of runs beside their rows, in the table `run_names`. Calls throw what the database does. */
export class RunNotesTable {
  readonly #insert: LateStatement;
  readonly #remove: LateStatement;
  readonly #shrink: LateStatement;
  readonly #prune: LateStatement;
  readonly #of: LateStatement<{ names_json: string }, [number]>;
  readonly #all: LateStatement<{ run_seconds: number; names_json: string }, []>;

  constructor(db: Database) {
    this.#insert = new LateStatement(db, "insert or replace into run_names values (?, ?)");
    this.#remove = new LateStatement(db, "delete from run_names where run_seconds = ?");
    this.#shrink = new LateStatement(
      db,
      `delete from run_names where run_seconds <
         (select run_seconds from run_names order by run_seconds desc limit 1 offset ${MOST_RUNS})`,
    );
    this.#prune = new LateStatement(db, "delete from run_names where run_seconds < ?");
    this.#of = new LateStatement(db, "select names_json from run_names where run_seconds = ?");
    this.#all = new LateStatement(db, "select run_seconds, names_json from run_names order by run_seconds");
  }

  /**
   * Writes those of a run that ended at this time (epoch seconds), in place of what was there.
   * @param isTelling it was to bring something: then what rules left out is kept, too
   */
  put(runSeconds: number, notes: RunNotes | undefined, isTelling = false): void {
    if (notes === undefined || (!isTelling && TELLING.every((what) => notes[what].length === 0))) {
      this.#remove.run(runSeconds);
      return;
    }
    this.#insert.run(runSeconds, JSON.stringify(notes));
    this.#shrink.run();
  }

  /** Those of one run; none where they are not kept. */
  of(runSeconds: number): RunNotes {
    const row = this.#of.get(runSeconds);
    return row === null ? NO_NOTES : readNotes(row.names_json);
  }

  /** Those of all runs that have any, by the end of the run in epoch seconds; the oldest first. */
  all(): { readonly endedAt: number; readonly notes: RunNotes }[] {
    return this.#all.all().map((row) => ({ endedAt: row.run_seconds, notes: readNotes(row.names_json) }));
  }

  /** Forgets those of runs that ended before this time (epoch seconds). */
  prune(beforeSeconds: number): void {
    this.#prune.run(beforeSeconds);
  }

  /** Statements left open keep the journal's files beside the database. */
  finalize(): void {
    for (const statement of [this.#insert, this.#remove, this.#shrink, this.#prune, this.#of, this.#all])
      statement.finalize();
  }
}

const NAMES = v.fallback(v.array(v.string()), []);
const ERROR_AT = v.object({ at: v.number(), name: v.string(), after: v.number() });
const ERROR_SPAN = v.object({
  cause: v.picklist(FAILURE_CAUSES),
  count: v.number(),
  first: ERROR_AT,
  last: ERROR_AT,
});
/** Older programs have written a part of it, newer ones may have written more. */
const NOTES = v.object({
  waiting: NAMES,
  empty: NAMES,
  vanished: NAMES,
  growing: NAMES,
  retention: NAMES,
  selection: NAMES,
  deleted: NAMES,
  brought: NAMES,
  kinds: v.fallback(v.record(v.string(), v.number()), {}),
  listed_at: v.fallback(v.nullable(v.number()), null),
  errors: v.fallback(v.array(ERROR_SPAN), []),
});

/** Reads notes. Parts of another shape are left out. */
function readNotes(text: string): RunNotes {
  const found = v.safeParse(NOTES, JSON.parse(text));
  return found.success ? found.output : NO_NOTES;
}
