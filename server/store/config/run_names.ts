import type { Database, Statement } from "bun:sqlite";
import { NAMED_CAUSES, type RunNames } from "../../domain/runs/run_detail.ts";

/** Runs of which names are kept; those of the oldest go first. */
const MOST_RUNS = 200;

const NONE = Object.fromEntries(NAMED_CAUSES.map((cause) => [cause, [] as string[]])) as unknown as RunNames;
/** Without these nothing is kept: what rules leave out is the same in every run. */
const TELLING = ["waiting", "empty", "vanished", "growing"] as const;

/** Which recordings a run did not bring, in the table `run_names` beside the runs. Calls throw what the database does. */
export class RunNamesTable {
  readonly #insert: Statement;
  readonly #remove: Statement;
  readonly #shrink: Statement;
  readonly #prune: Statement;
  readonly #of: Statement<{ names_json: string }, [number]>;

  constructor(db: Database) {
    this.#insert = db.prepare("insert or replace into run_names values (?, ?)");
    this.#remove = db.prepare("delete from run_names where run_seconds = ?");
    this.#shrink = db.prepare(
      `delete from run_names where run_seconds <
         (select run_seconds from run_names order by run_seconds desc limit 1 offset ${MOST_RUNS})`,
    );
    this.#prune = db.prepare("delete from run_names where run_seconds < ?");
    this.#of = db.prepare("select names_json from run_names where run_seconds = ?");
  }

  /**
   * Writes those of a run that ended at this time (epoch seconds), in place of what was there.
   * @param isTelling it was to bring something: then what rules left out is kept, too
   */
  put(runSeconds: number, names: RunNames | undefined, isTelling = false): void {
    if (names === undefined || (!isTelling && TELLING.every((cause) => names[cause].length === 0))) {
      this.#remove.run(runSeconds);
      return;
    }
    this.#insert.run(runSeconds, JSON.stringify(names));
    this.#shrink.run();
  }

  /** Those of one run; none where they are not kept. */
  of(runSeconds: number): RunNames {
    const row = this.#of.get(runSeconds);
    return row === null ? NONE : readNames(row.names_json);
  }

  /** Forgets those of runs that ended before this time (epoch seconds). */
  prune(beforeSeconds: number): void {
    this.#prune.run(beforeSeconds);
  }

  /** Statements left open keep the journal's files beside the database. */
  finalize(): void {
    for (const statement of [this.#insert, this.#remove, this.#shrink, this.#prune, this.#of]) statement.finalize();
  }
}

/** What is not ours is left out. */
function readNames(text: string): RunNames {
  const found: unknown = JSON.parse(text);
  const of = (cause: string) =>
    typeof found === "object" && found !== null ? (found as Record<string, unknown>)[cause] : [];
  const names = (cause: string) => {
    const list = of(cause);
    return Array.isArray(list) ? list.filter((name): name is string => typeof name === "string") : [];
  };
  return Object.fromEntries(NAMED_CAUSES.map((cause) => [cause, names(cause)])) as unknown as RunNames;
}
