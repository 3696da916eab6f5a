import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAM = `
  import { Database } from "bun:sqlite";
  import { useWriteAheadLog } from ${JSON.stringify(join(import.meta.dir, "../../server/store/write_ahead_log.ts"))};
  const db = new Database(process.argv[1]);
  db.run("pragma busy_timeout = 3000");
  try { db.run("pragma journal_mode = wal"); } catch (error) { console.log(error.code); }
  useWriteAheadLog(db, 20_000);
  console.log(db.query("pragma journal_mode").get().journal_mode);
`;

test("a database that another program reads gets its log as soon as that has ended", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dashdock-test-"));
  try {
    const path = join(folder, "some.db");
    using db = new Database(path);
    db.run("create table rows (id integer)");
    db.run("begin");
    db.query("select * from rows").all();
    await using child = Bun.spawn([process.execPath, "-e", PROGRAM, path], { stdout: "pipe" });
    let told = "";
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      // SQLite itself does not wait: from here on only trying again helps.
      if (told === "") db.run("commit");
      told += piece;
    }
    expect([await child.exited, told]).toEqual([0, "SQLITE_BUSY\nwal\n"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
