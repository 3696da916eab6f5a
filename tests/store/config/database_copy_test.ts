import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyDatabase } from "../../../server/store/config/database_copy.ts";

const SCHEMA = [
  "create table runs (id integer primary key, words text, bytes blob, part real)",
  "create table names (moment integer not null, ending text not null, n integer, primary key (moment, ending)) without rowid",
  "create table plain (words text)",
  "create table none (id integer primary key)",
  "create index by_words on runs (words) where id > 3",
  "pragma user_version = 7",
];

function filled(path: string, rows: number): Database {
  const db = new Database(path, { create: true });
  db.run("pragma journal_mode = wal");
  for (const sql of SCHEMA) db.run(sql);
  const add = db.transaction(() => {
    for (let at = 1; at <= rows; at++) {
      // Ids with gaps, and a key whose first part alone tells nothing.
      db.run("insert into runs values (?, ?, ?, ?)", [
        at * 3,
        at % 5 === 0 ? null : `run ${at} 🚗`,
        new Uint8Array([at % 256, 0]),
        at / 7,
      ]);
      db.run("insert into names values (?, ?, ?)", [Math.floor(at / 4), `e${at}`, at]);
      if (at % 3 === 0) db.run("insert into plain values (?)", [`plain ${at}`]);
    }
  });
  add();
  return db;
}

const TABLES = ["runs", "names", "plain", "none"];
const contentOf = (db: Database) => [
  db.query("select type, name, sql from sqlite_master order by name").all(),
  db.query("pragma user_version").all(),
  ...TABLES.map((name) => db.query(`select * from ${name}`).all()),
];

for (const rows of [0, 1, 249, 250, 251, 2000])
  test(`a database with ${rows} rows is copied with all it has`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "copy-"));
    try {
      using source = filled(join(folder, 'it\'s "one".db'), rows);
      await copyDatabase(join(folder, 'it\'s "one".db'), join(folder, "copy.db"));
      using copy = new Database(join(folder, "copy.db"));
      expect(contentOf(copy)).toEqual(contentOf(source));
      expect(copy.query("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
      expect(statSync(join(folder, "copy.db")).mode & 0o777).toBe(0o600);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

test("a copy is of one moment, and the writer does not wait for it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "copy-"));
  try {
    using source = filled(join(folder, "one.db"), 3000);
    const before = contentOf(source);
    const copied = copyDatabase(join(folder, "one.db"), join(folder, "copy.db"));
    // The copy has begun, and has most of its rows before it.
    source.run("update runs set words = 'changed'");
    source.run("delete from names");
    source.run("insert into plain values ('new')");
    await copied;
    using copy = new Database(join(folder, "copy.db"));
    expect(contentOf(copy)).toEqual(before);
    expect(source.query("select count(*) as n from names").get()).toEqual({ n: 0 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a copy that is not wanted any more ends", async () => {
  const folder = mkdtempSync(join(tmpdir(), "copy-"));
  try {
    using _source = filled(join(folder, "one.db"), 3000);
    const stop = new AbortController();
    const copied = copyDatabase(join(folder, "one.db"), join(folder, "copy.db"), stop.signal);
    stop.abort();
    await expect(copied).rejects.toThrow("aborted");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
