import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FailedFile } from "../../../server/domain/runs/run_detail.ts";
import { Log } from "../../../server/log.ts";
import { RunHistory } from "../../../server/store/config/run_history.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { runAt } from "../../support/app/history.ts";

let folder: string;
let path: string;
let clock: FakeClock;
let opened: RunHistory[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "failed-files-"));
  path = join(folder, "stats.db");
  clock = new FakeClock("2026-06-07T10:15:00Z");
  opened = [];
});
afterEach(() => {
  for (const history of opened) history.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): RunHistory {
  const history = new RunHistory({ path, clock, log: new Log(clock) });
  opened.push(history);
  return history;
}

const file = (name: string, message = "the camera answered with status 500"): FailedFile => {
  return { name, reason: "http", cause: "http", message };
};
const some = (count: number, message?: string) =>
  Array.from({ length: count }, (_, at) => file(`20260607_${String(100_000 + at)}_NF.mp4`, message));
const COUNTS = {
  planned: 8,
  failed: 3,
  videos: 3,
  present: 9,
  blocked: 1,
  absent: 4,
  held: 2,
  empty: 0,
  vanished: 0,
  growing: 2,
};

describe("the files that failed in a run", () => {
  test("are there after a restart, in their order, with the run's cause and counts", () => {
    const run = runAt(100.25, {
      success: false,
      cause: "http",
      message: "it broke",
      counts: COUNTS,
      failures: { http: 3 },
    });
    open().append(run, some(2));
    opened.pop()?.close();
    const history = open();
    expect(history.find(100_250)).toEqual(run);
    expect(history.failedFiles(run)).toEqual(some(2));
    expect(history.find(100_249)).toBeNull();
    expect(history.failedFiles(runAt(7))).toEqual([]);
  });

  test("go with the run when it is pruned, and are replaced with it", () => {
    const history = open();
    history.append(runAt(100), some(3));
    history.append(runAt(200), some(2));
    history.append(runAt(200), some(1));
    expect(history.failedFiles(runAt(200))).toEqual(some(1));
    expect(history.prune(150)).toBe(1);
    expect(history.failedFiles(runAt(100))).toEqual([]);
    expect(history.lastFailures(some(3).map(({ name }) => name))).toEqual(some(1));
  });

  test("are found by name, each as it failed last", () => {
    const history = open();
    history.append(runAt(100), some(2, "first"));
    history.append(runAt(200), some(1, "last"));
    const names = [...some(2).map(({ name }) => name), "20260607_999999_NF.mp4", "'; drop table runs; --"];
    expect(history.lastFailures(names)).toEqual([...some(1, "last"), ...some(2, "first").slice(1)]);
  });

  test("are no more than twenty thousand in all: those of the oldest runs go", () => {
    const history = open();
    for (let ts = 1; ts <= 23; ts++) history.append(runAt(ts), some(1000));
    expect(history.failedFiles(runAt(1))).toEqual([]);
    expect(history.failedFiles(runAt(23))).toHaveLength(1000);
    expect(history.failedFiles(runAt(5))).toHaveLength(1000);
    expect(history.count()).toBe(23);
  });

  test("wait in memory with their run while the disk takes nothing", async () => {
    const history = open();
    const run = runAt(300, { cause: "http" });
    {
      const other = new Database(path);
      other.run("begin immediate");
      history.append(run, some(2));
      for (let ts = 301; ts < 306; ts++) history.append(runAt(ts));
      expect(history.unwritable).toBe("refused");
      expect(history.find(300_000)).toEqual(run);
      expect(history.failedFiles(run)).toEqual(some(2));
      other.close();
    }
    await clock.advance(10_000);
    expect(history.unwritable).toBeNull();
    history.close();
    expect(open().failedFiles(run)).toEqual(some(2));
  });
});

test("a file that an older program has written is taken over, and runs without a cause stay as they are", () => {
  const before = runAt(50, { success: false, message: "it broke", failures: { http: 1 } });
  open().append(before);
  opened.pop()?.close();
  {
    const old = new Database(path);
    old.run("drop table failed_files");
    old.run("alter table runs drop column cause");
    old.run("alter table runs drop column counts_json");
    old.close();
  }
  const history = open();
  expect(history.since(0)).toEqual([before]);
  history.append(runAt(60, { cause: "dns" }), some(1));
  expect(history.failedFiles(runAt(60))).toEqual(some(1));
  expect(history.latest()?.cause).toBe("dns");
  // Values that a newer program, or an edit by hand, has written.
  {
    const other = new Database(path);
    other.run("update runs set cause = 'gremlins', counts_json = '[1]' where ts_seconds = 60");
    other.run("update failed_files set cause = 'gremlins', reason = 'x'");
    other.close();
  }
  expect(history.latest()).not.toHaveProperty("cause");
  expect(history.failedFiles(runAt(60))[0]).toMatchObject({ cause: "unexpected", reason: "unknown" });
});
