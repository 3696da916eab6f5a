import type { Database, Statement } from "bun:sqlite";
import type { Visit } from "../../domain/plan/visit.ts";
import type { Log } from "../../log.ts";
import { errorCode } from "../error_code.ts";

interface Row {
  id: number;
  from_seconds: number;
  last_seconds: number;
  bytes: number;
  rate: number | null;
  is_over: number;
}

const COLUMNS = "id, from_seconds, last_seconds, bytes, rate, is_over";
const KEPT_SECONDS = 2 * 366 * 86_400;

/**
 * Visits of the camera, in the table `visits` beside the runs, kept for two years. No call fails: visits that the disk does
 * not take are lost, which the log says once.
 */
export class VisitRecords {
  readonly #db: Database;
  readonly #log: Log;
  readonly #asked = new Map<string, Statement<Row, (number | null)[]>>();
  #isLost = false;

  constructor(parts: { db: Database; log: Log }) {
    this.#db = parts.db;
    this.#log = parts.log;
  }

  /**
   * Ends visits that the process before this one did not, with their last contact, and forgets old ones. A clock that is
   * wrong makes none old: age is counted from the newest visit.
   * @param now epoch seconds
   * @returns the number for the next visit
   */
  begin(now: number): number {
    this.#run("update visits set is_over = 1 where is_over = 0");
    const [newest] = this.#rows(`select ${COLUMNS} from visits order by id desc limit 1`);
    if (newest === undefined) return 1;
    this.#run("delete from visits where last_seconds < ?", Math.min(now, newest.last_seconds) - KEPT_SECONDS);
    return newest.id + 1;
  }

  /** Writes a visit, anew when there is one of this number. */
  put(id: number, { from, to, seconds, bytes, rate }: Visit): void {
    const last = from / 1000 + seconds;
    this.#run(
      `insert or replace into visits (${COLUMNS}) values (?, ?, ?, ?, ?, ?)`,
      id,
      from / 1000,
      last,
      bytes,
      rate,
      to === null ? 0 : 1,
    );
  }

  /** Visits whose last contact was at or after this time (epoch seconds), newest first. */
  since(seconds: number): Visit[] {
    return this.#rows(`select ${COLUMNS} from visits where last_seconds >= ? order by id desc`, seconds).map(visitOf);
  }

  /** Lets go of the database, which is closed then. */
  finalize(): void {
    for (const statement of this.#asked.values()) statement.finalize();
    this.#asked.clear();
  }

  #rows(sql: string, ...values: (number | null)[]): Row[] {
    try {
      return this.#statement(sql).all(...values);
    } catch {
      // RunHistory logs when the file cannot be read.
      return [];
    }
  }

  #run(sql: string, ...values: (number | null)[]): void {
    try {
      this.#statement(sql).run(...values);
      this.#isLost = false;
    } catch (error) {
      if (!this.#isLost)
        this.#log.warning("history", `A visit of the camera could not be written (${errorCode(error) || error})`);
      this.#isLost = true;
    }
  }

  #statement(sql: string): Statement<Row, (number | null)[]> {
    let statement = this.#asked.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare<Row, (number | null)[]>(sql);
      this.#asked.set(sql, statement);
    }
    return statement;
  }
}

function visitOf({ from_seconds, last_seconds, bytes, rate, is_over }: Row): Visit {
  const from = Math.round(from_seconds * 1000);
  const last = Math.round(last_seconds * 1000);
  const to = is_over === 0 ? null : last;
  return { from, to, seconds: Math.round((last - from) / 1000), bytes, rate };
}
