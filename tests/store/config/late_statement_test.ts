import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { LateStatement } from "../../../server/store/config/late_statement.ts";

test("is prepared when it is first asked, and again after it was finalized", () => {
  const db = new Database(":memory:", { strict: true });
  const insert = new LateStatement(db, "insert into runs values (?, ?)");
  const after = new LateStatement<{ at: number }, [number]>(db, "select at from runs where at > ? order by at");
  // There is no such table yet, which only a statement that is prepared would notice.
  db.run("create table runs (at integer, name text)");
  for (const [at, name] of [
    [1, "one"],
    [2, "two"],
  ] as const)
    expect(insert.run(at, name).changes).toBe(1);
  expect(after.all(0)).toEqual([{ at: 1 }, { at: 2 }]);
  expect(after.get(1)).toEqual({ at: 2 });
  expect(after.get(2)).toBeNull();
  after.finalize();
  expect(after.values(1)).toEqual([[2]]);
  for (const one of [insert, after, after]) one.finalize();
  // Refused while a statement is open.
  db.close(true);
});

test("an error of the statement is SQLite's own, and the next one is prepared anew", () => {
  using db = new Database(":memory:", { strict: true });
  const count = new LateStatement<{ runs: number }, []>(db, "select count(*) as runs from runs");
  expect(() => count.get()).toThrow("no such table: runs");
  db.run("create table runs (at integer)");
  expect(count.get()).toEqual({ runs: 0 });
  count.finalize();
});
