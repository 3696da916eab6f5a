import { Database } from "bun:sqlite";
import { nextTurn } from "../../turns.ts";
import { forOwnerOnly } from "../owner_only.ts";

/** Rows copied at once: a millisecond's work. */
const ROWS = 250;

interface Table {
  readonly name: string;
  /** Columns by which its rows are in order. */
  readonly order: readonly string[];
  readonly columns: readonly string[];
}

/**
 * Copies a database as it is at one moment, while another connection may write to it. Rows are copied a few at a time:
 * everything else has its turn between them. Bytes of the file are not read by themselves, since closing the file would
 * end the locks that this process has on it.
 * @param to where nothing is
 * @throws SQLite's own error
 */
export async function copyDatabase(from: string, to: string, signal?: AbortSignal): Promise<void> {
  using db = copyOf(from, to);
  for (const { type, name } of schemaOf(db)) if (type === "table") await copyRows(db, tableOf(db, name), signal);
  db.run("commit");
}

/** Copies what a database is made of, without a row. @param to where nothing is @throws SQLite's own error */
export function copySchema(from: string, to: string): void {
  using db = copyOf(from, to);
  db.run("commit");
}

/** A copy without rows, in which the original is `source`. Whatever is done to it is to be committed. */
function copyOf(from: string, to: string): Database {
  const db = new Database(to, { create: true, strict: true });
  try {
    forOwnerOnly(to);
    db.run("pragma busy_timeout = 200");
    // A copy that is broken off is thrown away.
    db.run("pragma journal_mode = off");
    db.run("pragma synchronous = off");
    db.run("attach ? as source", [from]);
    db.run("begin");
    const made = schemaOf(db);
    // Indexes are there before the rows are: made afterwards, each would be one long step.
    for (const kind of ["table", "index", "trigger", "view"])
      for (const { type, sql } of made) if (type === kind) db.run(sql);
    const [version] = rowsOf<{ user_version: number }>(db, "pragma source.user_version");
    db.run(`pragma main.user_version = ${version?.user_version ?? 0}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function schemaOf(db: Database): { readonly type: string; readonly name: string; readonly sql: string }[] {
  return rowsOf(
    db,
    "select type, name, sql from source.sqlite_master where sql is not null and name not like 'sqlite~_%' escape '~'",
  );
}

function tableOf(db: Database, name: string): Table {
  const columns = rowsOf<{ name: string; pk: number }>(db, "select name, pk from pragma_table_info(?)", name);
  const [kind] = rowsOf<{ wr: number }>(
    db,
    "select wr from pragma_table_list where schema = 'main' and name = ?",
    name,
  );
  const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
  return {
    name: quoted(name),
    order: kind?.wr === 1 ? key.map((column) => quoted(column.name)) : ["rowid"],
    columns: columns.map((column) => quoted(column.name)),
  };
}

async function copyRows(db: Database, { name, order, columns }: Table, signal: AbortSignal | undefined): Promise<void> {
  const place = order.join(", ");
  const marks = order.map(() => "?").join(", ");
  const all = [...new Set([...order, ...columns])].join(", ");
  const copied = `insert into main.${name} (${all}) select ${all} from source.${name}`;
  const after = `where (${place}) > (${marks})`;
  using first = db.prepare<unknown[], []>(`${copied} order by ${place} limit ${ROWS}`);
  using further = db.prepare<unknown[], Key>(`${copied} ${after} order by ${place} limit ${ROWS}`);
  // The newest row of the copy: rows come in this order.
  const backwards = order.map((column) => `${column} desc`).join(", ");
  using last = db.prepare<Record<string, Key[number]>, []>(
    `select ${place} from main.${name} order by ${backwards} limit 1`,
  );
  let { changes } = first.run();
  while (changes === ROWS) {
    await nextTurn();
    signal?.throwIfAborted();
    ({ changes } = further.run(...(Object.values(last.get() ?? {}) as Key)));
  }
}

type Key = (string | number | bigint)[];

function rowsOf<Row>(db: Database, sql: string, ...values: string[]): Row[] {
  using statement = db.prepare<Row, string[]>(sql);
  return statement.all(...values);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
