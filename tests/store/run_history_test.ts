import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noFailures, type Run, type RunSample } from "../../server/domain/run.ts";
import { Log } from "../../server/log.ts";
import { RunHistory } from "../../server/store/run_history.ts";
import { FakeClock } from "../support/clock.ts";

const RUN: Run = {
  ts: 1_790_000_000.25,
  success: true,
  exitCode: 0,
  durationSeconds: 61.5,
  files: 4,
  bytes: 5_000_000_000,
  recordingsSeen: 10,
  recordingsSelected: 6,
  diskUsedRatio: 0.41,
  failedMarkers: 2,
  failures: { ...noFailures(), http: 2, timeout: 1 },
  dryRun: false,
};

/** The table as it has always been, in plain SQL. */
const OLD_SHAPE = `
  create table runs (
    ts_seconds REAL PRIMARY KEY, success INTEGER NOT NULL, exit_code INTEGER,
    duration_seconds REAL NOT NULL DEFAULT 0, files INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,
    recordings_seen INTEGER NOT NULL DEFAULT 0, recordings_selected INTEGER NOT NULL DEFAULT 0,
    disk_used_ratio REAL, failed_markers INTEGER NOT NULL DEFAULT 0, failures_json TEXT,
    dry_run INTEGER NOT NULL DEFAULT 0
  );
  create index idx_runs_ts on runs (ts_seconds);`;

let folder: string;
let path: string;
let log: Log;
let opened: RunHistory[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "history-"));
  path = join(folder, "stats.db");
  log = new Log(new FakeClock());
  opened = [];
});
afterEach(() => {
  for (const history of opened) history.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): RunHistory {
  const history = new RunHistory({ path, clock: new FakeClock("2026-06-07T10:15:00.500Z"), log });
  opened.push(history);
  return history;
}

function sql(text: string): void {
  const db = new Database(path, { create: true });
  db.run(text);
  db.close();
}

describe("a run", () => {
  test("comes back as it was kept, also from another opening of the file", () => {
    const runs: Run[] = [
      RUN,
      { ...RUN, ts: RUN.ts + 900, success: false, exitCode: 1, diskUsedRatio: null, dryRun: true },
    ];
    const first = open();
    for (const run of runs) first.append(run);
    expect(first.since(0)).toEqual(runs);
    first.close();
    expect(open().since(0)).toEqual(runs);
  });

  test("with the same end time replaces the other", () => {
    const history = open();
    history.append(RUN);
    history.append({ ...RUN, files: 9 });
    expect(history.since(0)).toEqual([{ ...RUN, files: 9 }]);
  });

  test("is found by time: the latest, and all since a moment, oldest first", () => {
    const history = open();
    expect(history.latest()).toBeNull();
    for (const ts of [300, 100, 200]) history.append({ ...RUN, ts });
    expect(history.latest()?.ts).toBe(300);
    expect(history.since(200).map(({ ts }) => ts)).toEqual([200, 300]);
    expect(history.since(301)).toEqual([]);
    expect(history.count()).toBe(3);
  });

  test("is pruned when it ended before the given moment", () => {
    const history = open();
    for (const ts of [100, 200, 300]) history.append({ ...RUN, ts });
    expect(history.prune(200)).toBe(1);
    expect(history.prune(200)).toBe(0);
    expect(history.since(0).map(({ ts }) => ts)).toEqual([200, 300]);
  });
});

describe("what statistics read", () => {
  /** What is left of a run there. */
  const sample = ({ ts, success, durationSeconds, files, bytes, diskUsedRatio, failures, dryRun }: Run): RunSample => {
    return { ts, success, durationSeconds, files, bytes, diskUsedRatio, failures, dryRun };
  };

  test("is every run since a moment, oldest first", () => {
    const history = open();
    const runs = [100, 200, 300].map((ts) => ({ ...RUN, ts, failures: { ...noFailures(), http: ts === 200 ? 2 : 0 } }));
    for (const run of runs.toReversed()) history.append(run);
    expect([...history.samples(0)]).toEqual([runs.map(sample)]);
    expect([...history.samples(200)].flat().map(({ ts }) => ts)).toEqual([200, 300]);
    expect([...history.samples(301)]).toEqual([]);
  });

  test("comes in slices without a gap or an overlap, also where a slice ends with the last run", () => {
    const history = open();
    const from = 1_790_000_000.123;
    const db = new Database(path);
    const add = db.prepare("insert into runs (ts_seconds, success) values (?, 1)");
    for (const count of [1, 4000, 4001, 8000, 8001]) {
      db.transaction(() => {
        for (let index = 0; index < count; index++) add.run(from + index);
      })();
      const slices = [...history.samples(0)];
      expect(slices.flat().map(({ ts }) => ts)).toEqual(Array.from({ length: count }, (_, index) => from + index));
      for (const slice of slices) expect(slice.length).toBeLessThanOrEqual(4001);
      db.run("delete from runs");
    }
    add.finalize();
    db.close();
  });

  test("goes on when runs are added and pruned meanwhile", () => {
    const history = open();
    for (let ts = 1; ts <= 4100; ts++) history.append({ ...RUN, ts });
    const seen: number[] = [];
    for (const slice of history.samples(0)) {
      seen.push(...slice.map(({ ts }) => ts));
      history.prune(4050);
      history.append({ ...RUN, ts: 5000 });
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(-2)).toEqual([4100, 5000]);
  });

  test("tells failures as a run does, whatever stands there", () => {
    const history = open();
    const db = new Database(path);
    for (const [ts, text] of [null, '{"http": 1', '{"gremlins": 2}', JSON.stringify(noFailures())].entries()) {
      db.run("insert into runs (ts_seconds, success, failures_json) values (?, 0, ?)", [ts, text]);
    }
    db.close();
    expect([...history.samples(0)].flat()).toEqual(history.since(0).map(sample));
  });

  test("has an extent, counted no further than asked", () => {
    const history = open();
    expect(history.extent(0, 10)).toEqual({ runs: 0, firstTs: 0, lastTs: 0 });
    for (const ts of [100, 200, 300, 400]) history.append({ ...RUN, ts });
    expect(history.extent(150, 10)).toEqual({ runs: 3, firstTs: 200, lastTs: 400 });
    expect(history.extent(0, 2)).toEqual({ runs: 2, firstTs: 100, lastTs: 400 });
  });
});

describe("the steady state", () => {
  const steady = (ratios: [ts: number, ratio: number | null][], keep: number) => {
    const history = open();
    for (const [ts, diskUsedRatio] of ratios) history.append({ ...RUN, ts, diskUsedRatio });
    return history.steadyState(keep);
  };

  test("is the mean of the runs within the period before the newest", () => {
    expect(
      steady(
        [
          [0, 0.1],
          [100, 0.4],
          [150, null],
          [200, 0.6],
        ],
        100,
      ),
    ).toBe(0.5);
  });

  test("is unknown while the history is shorter than the period, or nobody looked at the disk", () => {
    expect(
      steady(
        [
          [100, 0.4],
          [199, 0.6],
        ],
        100,
      ),
    ).toBeNull();
  });

  test("counts only runs that looked, also for how long the history is", () => {
    expect(
      steady(
        [
          [0, null],
          [150, 0.4],
          [200, 0.6],
          [300, null],
        ],
        100,
      ),
    ).toBeNull();
    expect(open().steadyState(50)).toBe(0.5);
  });
});

describe("the file", () => {
  test("is alone after closing; closing twice is closing once", () => {
    const history = open();
    history.append(RUN);
    history.close();
    history.close();
    expect(readdirSync(folder)).toEqual(["stats.db"]);
  });

  test("left without closing keeps every run", async () => {
    const script = `
      import { RunHistory } from ${JSON.stringify(join(import.meta.dir, "../../server/store/run_history.ts"))};
      const history = new RunHistory({ path: ${JSON.stringify(path)}, clock: {}, log: {} });
      history.append(${JSON.stringify(RUN)});
      process.kill(process.pid, "SIGKILL");
    `;
    await Bun.spawn([process.execPath, "-e", script], { stderr: "inherit" }).exited;
    expect(readdirSync(folder)).toContain("stats.db-wal");
    expect(open().since(0)).toEqual([RUN]);
  });

  test("uses a write-ahead journal", () => {
    open();
    const db = new Database(path, { readonly: true });
    expect(db.query("pragma journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(db.query("pragma user_version").get()).toEqual({ user_version: 1 });
    db.close();
  });

  test("of the old shape goes on", () => {
    sql(OLD_SHAPE);
    sql(`insert into runs (ts_seconds, success) values (100.5, 1)`);
    sql(`insert into runs values (200, 0, 1, 2.5, 3, 4, 5, 6, 0.5, 7, '{"network": 1}', 1)`);
    const history = open();
    history.append({ ...RUN, ts: 300 });
    expect(history.since(0)).toEqual([
      {
        ...{ ts: 100.5, success: true, exitCode: 0, durationSeconds: 0, files: 0, bytes: 0, recordingsSeen: 0 },
        ...{ recordingsSelected: 0, diskUsedRatio: null, failedMarkers: 0, failures: noFailures(), dryRun: false },
      },
      {
        ...{ ts: 200, success: false, exitCode: 1, durationSeconds: 2.5, files: 3, bytes: 4, recordingsSeen: 5 },
        ...{ recordingsSelected: 6, diskUsedRatio: 0.5, failedMarkers: 7, failures: { ...noFailures(), network: 1 } },
        dryRun: true,
      },
      { ...RUN, ts: 300 },
    ]);
    expect(log.lines).toEqual([]);
  });

  test("of a newer program, with another column, is used as it is", () => {
    sql(OLD_SHAPE);
    sql("alter table runs add column model text");
    sql("pragma user_version = 9");
    const history = open();
    history.append(RUN);
    expect(history.latest()).toEqual(RUN);
    history.close();
    const db = new Database(path);
    expect(db.query("pragma user_version").get()).toEqual({ user_version: 9 });
    db.close();
  });

  test.each<[string, string | null, Partial<Run["failures"]>]>([
    ["not there", null, {}],
    ["empty", "", {}],
    ["broken", '{"http": 1', {}],
    ["a list", "[1]", {}],
    ["a number", "5", {}],
    ["null", "null", {}],
    ["with wrong values", '{"http": "2", "disk": -1, "network": null, "timeout": 3}', { timeout: 3 }],
    ["with reasons that are not ours", '{"gremlins": 2, "toString": 1, "unknown": 1}', { unknown: 4 }],
  ])("with failures that are %s still reads", (_, text, expected) => {
    sql(OLD_SHAPE);
    const db = new Database(path);
    db.run("insert into runs (ts_seconds, success, failures_json) values (1, 0, ?)", [text]);
    db.close();
    expect(open().latest()?.failures).toEqual({ ...noFailures(), ...expected });
  });
});

describe("a damaged file", () => {
  function damagedPage(): void {
    sql(OLD_SHAPE);
    sql(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
         insert into runs (ts_seconds, success, failures_json) select i, 1, '{"http": 1}' from n`);
    const bytes = readFileSync(path);
    bytes.fill(0xff, 4096 * 3, 4096 * 8);
    writeFileSync(path, bytes);
  }
  test.each<[string, () => void]>([
    ["of garbage", () => writeFileSync(path, "no database at all, whatever its name says".repeat(100))],
    ["with a ruined page", damagedPage],
    ["with a foreign table", () => sql("create table runs (ts_seconds real primary key, kilometres real)")],
  ])("%s is set aside and a fresh one begun, with one line", (_, ruin) => {
    ruin();
    writeFileSync(`${path}-wal`, "");
    const before = readFileSync(path);
    const history = open();
    history.append(RUN);
    expect(history.since(0)).toEqual([RUN]);
    expect(readFileSync(`${path}.corrupt-20260607T101500Z`)).toEqual(before);
    expect(log.lines.map(({ level }) => level)).toEqual(["ERROR"]);
    expect(log.lines[0]?.message).toContain("stats.db.corrupt-20260607T101500Z");
  });

  test("does not overwrite one set aside in the same second", () => {
    for (const content of ["first ".repeat(100), "second ".repeat(100)]) {
      writeFileSync(path, content);
      open().close();
    }
    expect(readFileSync(`${path}.corrupt-20260607T101500Z`, "utf8")).toStartWith("first");
    expect(readFileSync(`${path}.corrupt-20260607T101500Z-2`, "utf8")).toStartWith("second");
  });
});

test("a file that cannot be opened is an error, not damage", () => {
  mkdirSync(path);
  expect(open).toThrow(/^cannot open the run history .*stats\.db: /);
  expect(readdirSync(folder)).toEqual(["stats.db"]);
});

test("a file another program is writing is an error, not damage", () => {
  sql(OLD_SHAPE);
  const other = new Database(path);
  other.run("begin exclusive");
  expect(open).toThrow(/locked/);
  other.close();
  expect(readdirSync(folder)).toEqual(["stats.db"]);
});
