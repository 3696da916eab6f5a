import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Log } from "../../../server/log.ts";
import { RunHistory } from "../../../server/store/config/run_history.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { runAt } from "../../support/app/history.ts";

let folder: string;
let history: RunHistory;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pages-"));
  const clock = new FakeClock();
  history = new RunHistory({ path: join(folder, "stats.db"), clock, log: new Log(clock) });
});
afterEach(() => {
  history.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a page of runs", () => {
  test("has the newest of a time, newest first, and no more than were asked for", () => {
    const runs = [100, 200, 300, 400].map((ts) => runAt(ts, { failures: { http: ts } }));
    for (const run of runs) history.append(run);
    expect(history.page(200, 2)).toEqual([runs[3], runs[2]].filter((run) => run !== undefined));
    expect(history.page(200, 50).map(({ ts }) => ts)).toEqual([400, 300, 200]);
    expect(history.page(401, 50)).toEqual([]);
  });
});

describe("slices of runs", () => {
  test("have every run once and whole, also where a slice ends with the last one", () => {
    const db = new Database(join(folder, "stats.db"));
    const add = db.prepare("insert into runs (ts_seconds, success) values (?, 1)");
    let there = 0;
    for (const count of [0, 1, 4000, 4001, 8001]) {
      db.transaction(() => {
        for (; there < count; there++) add.run(1_790_000_000.123 + there);
      })();
      const slices = [...history.slices(0)];
      expect(slices.every(({ length }) => length > 0 && length <= 4001)).toBe(true);
      expect(slices.flat().map(({ ts }) => ts)).toEqual(history.since(0).map(({ ts }) => ts));
      expect(slices.flat()).toHaveLength(count);
    }
    add.finalize();
    db.close();
  });

  test("begin where they are asked to", () => {
    const runs = [100, 200, 300].map((ts) => runAt(ts));
    for (const run of runs) history.append(run);
    expect([...history.slices(200)]).toEqual([runs.slice(1)]);
  });
});
