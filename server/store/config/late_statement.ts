import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";

/**
 * A statement that is prepared when it is first asked: it takes some kilobytes, and an idle service has asked few of
 * them. Errors are SQLite's own.
 */
export class LateStatement<Row = unknown, Params extends SQLQueryBindings[] = SQLQueryBindings[]> {
  readonly #db: Database;
  readonly #sql: string;
  #prepared: Statement<Row, SQLQueryBindings[]> | null = null;

  constructor(db: Database, sql: string) {
    this.#db = db;
    this.#sql = sql;
  }

  run(...params: Params): ReturnType<Statement["run"]> {
    return this.#statement.run(...params);
  }

  get(...params: Params): Row | null {
    return this.#statement.get(...params);
  }

  all(...params: Params): Row[] {
    return this.#statement.all(...params);
  }

  values(...params: Params): ReturnType<Statement["values"]> {
    return this.#statement.values(...params);
  }

  /** One that is left open keeps the journal's files beside the database. */
  finalize(): void {
    this.#prepared?.finalize();
    this.#prepared = null;
  }

  get #statement(): Statement<Row, SQLQueryBindings[]> {
    this.#prepared ??= this.#db.prepare<Row, SQLQueryBindings[]>(this.#sql);
    return this.#prepared;
  }
}
