import type { Database, Statement } from "bun:sqlite";
import type { DeletionReceipt } from "../../domain/retention/deletion.ts";
import { DELETION_CAUSES } from "../../domain/retention/deletion_cause.ts";
import type { Log } from "../../log.ts";
import { errorCode } from "../error_code.ts";

interface Row {
  id: string;
  at_seconds: number;
  cause: string;
  recordings: number;
  bytes: number;
  oldest: string;
  newest: string;
  by_name: string | null;
  until_seconds: number | null;
  seen: number;
  undone: number;
}

/** Conditions of the receipts that pages ask for again and again. */
type Condition = "1" | "seen = 0 and undone = 0";

const COLUMNS = "id, at_seconds, cause, recordings, bytes, oldest, newest, by_name, until_seconds, seen, undone";
/** Receipts that could not be written yet. */
const MOST_WAITING = 100;

/**
 * Receipts of deletions, in the table `deletions` beside the runs. Like them, a receipt that the disk does not take is
 * kept in memory and read as if it were there.
 */
export class DeletionRecords {
  readonly #db: Database;
  readonly #log: Log;
  #waiting: Row[] = [];
  /** Prepared once. */
  readonly #asked = new Map<Condition, Statement<Row, [number]>>();
  /** Another text after each change of the file, by whichever process; empty while that cannot be read. */
  readonly #version: () => string;
  /** Rows that were read, and the version of the file that they are of. */
  #known: { readonly of: string; readonly rows: Map<string, Row[]> } = { of: "", rows: new Map() };

  constructor(parts: { db: Database; log: Log; version: () => string }) {
    this.#db = parts.db;
    this.#log = parts.log;
    this.#version = parts.version;
  }

  /** Keeps a receipt; one of the same id is replaced. */
  add(receipt: DeletionReceipt): void {
    const { id, at, cause, recordings, bytes, oldest, newest, by, until } = receipt;
    this.#waiting.push({
      id,
      at_seconds: Date.parse(at) / 1000,
      cause,
      recordings,
      bytes,
      oldest,
      newest,
      by_name: by,
      until_seconds: until === null ? null : Date.parse(until) / 1000,
      // A person who deletes by hand has seen it.
      seen: cause === "hand" ? 1 : 0,
      undone: 0,
    });
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
    this.#write();
  }

  /** The latest one; null when nothing was ever deleted. */
  latest(): DeletionReceipt | null {
    return this.#rows("1", 1).map(receiptOf)[0] ?? null;
  }

  /** Returns deletions by rules that were neither acknowledged nor undone yet, latest first. */
  unseen(most: number): DeletionReceipt[] {
    return this.#rows("seen = 0 and undone = 0", most).map(receiptOf);
  }

  /** Marks this one and all before it as seen by a user; returns how many were new. */
  see(id: string): number {
    const at = this.#timeOf(id);
    if (at === null) return 0;
    const waiting = this.#waiting.filter((row) => row.at_seconds <= at && row.seen === 0);
    for (const row of waiting) row.seen = 1;
    return waiting.length + this.#change("update deletions set seen = 1 where seen = 0 and at_seconds <= ?", at);
  }

  /** Marks a deletion as undone: all of it is back. */
  undo(id: string): void {
    for (const row of this.#waiting) if (row.id === id) row.undone = 1;
    this.#change("update deletions set undone = 1 where id = ?", id);
  }

  has(id: string): boolean {
    return this.#timeOf(id) !== null;
  }

  /** When this deletion was, epoch seconds; null for one that is not known. By its key: a pass asks for every batch. */
  #timeOf(id: string): number | null {
    const waiting = this.#waiting.find((row) => row.id === id);
    if (waiting !== undefined) return waiting.at_seconds;
    try {
      using ask = this.#db.prepare<Pick<Row, "at_seconds">, [string]>("select at_seconds from deletions where id = ?");
      return ask.get(id)?.at_seconds ?? null;
    } catch {
      // RunHistory logs when the file cannot be read.
      return null;
    }
  }

  #write(): void {
    const marks = COLUMNS.replace(/[^,]+/g, "?");
    try {
      using insert = this.#db.prepare(`insert or replace into deletions (${COLUMNS}) values (${marks})`);
      for (const row of [...this.#waiting]) {
        const { id, at_seconds, cause, recordings, bytes, oldest, newest, by_name, until_seconds, seen, undone } = row;
        insert.run(id, at_seconds, cause, recordings, bytes, oldest, newest, by_name, until_seconds, seen, undone);
        this.#waiting = this.#waiting.filter((other) => other !== row);
      }
    } catch (error) {
      this.#log.warning("history", `A receipt of what was deleted could not be written (${errorCode(error) || error})`);
    }
  }

  #change(sql: string, value: string | number): number {
    if (this.#waiting.length > 0) this.#write();
    try {
      using change = this.#db.prepare(sql);
      return change.run(value).changes;
    } catch (error) {
      this.#log.warning("history", `What was deleted cannot be noted as seen (${errorCode(error) || error})`);
      return 0;
    }
  }

  /** Lets go of the database, which is closed then. */
  finalize(): void {
    for (const statement of this.#asked.values()) statement.finalize();
    this.#asked.clear();
  }

  #read(condition: Condition, most: number): Row[] {
    const version = this.#version();
    if (version === "" || version !== this.#known.of) this.#known = { of: version, rows: new Map() };
    const of = `${condition} ${most}`;
    const rows = this.#known.rows.get(of) ?? this.#ask(condition).all(most);
    this.#known.rows.set(of, rows);
    return rows;
  }

  #ask(condition: Condition): Statement<Row, [number]> {
    let statement = this.#asked.get(condition);
    if (statement === undefined) {
      const order = "order by at_seconds desc limit ?";
      statement = this.#db.prepare(`select ${COLUMNS} from deletions where ${condition} ${order}`);
      this.#asked.set(condition, statement);
    }
    return statement;
  }

  #rows(condition: Condition, most: number): Row[] {
    let rows: Row[] = [];
    try {
      rows = this.#read(condition, most);
    } catch {
      // RunHistory logs when the file cannot be read.
    }
    const matches = (row: Row) => condition === "1" || (row.seen === 0 && row.undone === 0);
    const all = [
      ...this.#waiting.filter(matches),
      ...rows.filter(({ id }) => !this.#waiting.some((one) => one.id === id)),
    ];
    return all.sort((one, other) => other.at_seconds - one.at_seconds).slice(0, most);
  }
}

function receiptOf(row: Row): DeletionReceipt {
  const { id, recordings, bytes, oldest, newest } = row;
  return {
    id,
    at: isoOf(row.at_seconds),
    recordings,
    bytes,
    oldest,
    newest,
    cause: DELETION_CAUSES.find((cause) => cause === row.cause) ?? "age",
    by: row.by_name,
    until: row.until_seconds === null ? null : isoOf(row.until_seconds),
  };
}

/** Rounded: seconds have parts that binary numbers do not. */
function isoOf(seconds: number): string {
  return new Date(Math.round(seconds * 1000)).toISOString();
}
