import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import { type LeftOut, nothingLeftOut, type Run } from "../../../server/domain/runs/run.ts";
import { type RunEnding, runEnding } from "../../../server/domain/runs/run_ending.ts";
import { Log } from "../../../server/log.ts";
import { RunHistory } from "../../../server/store/config/run_history.ts";
import { FakeClock } from "../../support/app/clock.ts";

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
      { ...RUN, ts: RUN.ts + 1800, success: false, message: "it broke", address: "10.0.0.5", stopped: true },
      { ...RUN, ts: RUN.ts + 2700, leftOut: { retention: 12, selection: 3, deleted: 2, unreadable: 5, unknown: 1 } },
      { ...RUN, ts: RUN.ts + 3600, deleted: { recordings: 12, bytes: 4_000_000 } },
      { ...RUN, ts: RUN.ts + 4500, trashRatio: 0.125 },
      { ...RUN, ts: RUN.ts + 5400, trashRatio: 0 },
    ];
    const first = open();
    for (const run of runs) first.append(run);
    expect(first.since(0)).toEqual(runs);
    first.close();
    const again = open();
    expect(again.since(0)).toEqual(runs);
    expect([...again.samples(0)].flat().map(({ trashRatio }) => trashRatio)).toEqual([...Array(5), 0.125, 0]);
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

test("what pages ask for again and again follows each change of the file, by whichever process", () => {
  const [history, other] = [open(), open()];
  const at = (ts: number, changes: Partial<Run> = {}): Run => ({ ...RUN, ts: RUN.ts + ts, address: "car", ...changes });
  const away = { success: false, failures: { ...noFailures(), timeout: 1 } };
  const known = () => [
    history.latest()?.ts,
    history.latestReached("car")?.ts,
    history.latestReached("van")?.ts,
    history.lately(RUN.ts).map(({ ts }) => ts),
  ];
  const times = (...seconds: number[]) => seconds.map((ts) => RUN.ts + ts);
  expect(known()).toEqual([undefined, undefined, undefined, []]);
  history.append(at(0));
  expect(known()).toEqual([RUN.ts, RUN.ts, undefined, times(0)]);
  other.append(at(60, { address: "van" }));
  expect(known()).toEqual([...times(60, 0, 60), times(0, 60)]);
  history.append(at(120, away));
  expect(known()).toEqual([...times(120, 0, 60), times(0, 60, 120)]);
  expect(known()).toEqual([...times(120, 0, 60), times(0, 60, 120)]);
  other.prune(RUN.ts + 30);
  expect(known()).toEqual([...times(120), undefined, ...times(60), times(60, 120)]);
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
      import { RunHistory } from ${JSON.stringify(join(import.meta.dir, "../../../server/store/config/run_history.ts"))};
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
    expect(db.query("pragma user_version").get()).toEqual({ user_version: 3 });
    db.close();
  });

  test("of the old shape goes on", () => {
    sql(OLD_SHAPE);
    sql(`insert into runs (ts_seconds, success) values (100.5, 1)`);
    sql(`insert into runs values (200, 0, 1, 2.5, 3, 4, 5, 6, 0.5, 7, '{"network": 1}', 1)`);
    const history = open();
    history.append({ ...RUN, ts: 300, trashRatio: 0.2 });
    expect(history.since(0)).toEqual([
      {
        ts: 100.5,
        success: true,
        exitCode: 0,
        durationSeconds: 0,
        files: 0,
        bytes: 0,
        recordingsSeen: 0,
        recordingsSelected: 0,
        diskUsedRatio: null,
        failedMarkers: 0,
        failures: noFailures(),
        dryRun: false,
      },
      {
        ts: 200,
        success: false,
        exitCode: 1,
        durationSeconds: 2.5,
        files: 3,
        bytes: 4,
        recordingsSeen: 5,
        recordingsSelected: 6,
        diskUsedRatio: 0.5,
        failedMarkers: 7,
        failures: { ...noFailures(), network: 1 },
        dryRun: true,
      },
      { ...RUN, ts: 300, trashRatio: 0.2 },
    ]);
    expect(log.lines).toEqual([]);
  });

  test("of version 1 goes on, whichever of the columns and tables that were added without counting it has", () => {
    sql(OLD_SHAPE);
    sql("alter table runs add column stopped integer not null default 0");
    sql("alter table runs add column cause text");
    sql("create table run_names (run_seconds real primary key, names_json text not null)");
    sql("insert into runs (ts_seconds, success, stopped, cause) values (100, 0, 1, 'stopped')");
    sql("insert into run_names values (100, '{}')");
    sql("pragma user_version = 1");
    const history = open();
    history.append({ ...RUN, ts: 200, trigger: "schedule" });
    expect(history.since(0)).toEqual([
      expect.objectContaining({ ts: 100, stopped: true, cause: "stopped" }),
      { ...RUN, ts: 200, trigger: "schedule" },
    ]);
    const db = new Database(path, { readonly: true });
    expect(db.query("pragma user_version").get()).toEqual({ user_version: 3 });
    expect(db.query("select count(*) as names from run_names").get()).toEqual({ names: 1 });
    db.close();
  });

  test("is made by every step as it is made by the last one", () => {
    open().close();
    const shape = () => {
      const db = new Database(path, { readonly: true });
      const tables = ["runs", "running", "deletions", "failed_files", "run_names"];
      const found = tables.map((table) => db.query(`select * from pragma_table_info('${table}')`).all());
      db.close();
      return found;
    };
    const fresh = shape();
    expect(fresh.map((columns) => columns.length)).toEqual([22, 7, 11, 6, 2]);
    rmSync(path);
    sql(OLD_SHAPE.toLowerCase());
    open().close();
    expect(shape()).toEqual(fresh);
  });

  test("that is being upgraded by two programs at once is upgraded once", async () => {
    sql(OLD_SHAPE);
    const script = `
      import { openStats } from ${JSON.stringify(join(import.meta.dir, "../../../server/store/config/run_database.ts"))};
      openStats(${JSON.stringify(path)}).close();
    `;
    const both = [1, 2].map(() => Bun.spawn([process.execPath, "-e", script], { stderr: "inherit" }).exited);
    expect(await Promise.all(both)).toEqual([0, 0]);
    open().append(RUN);
    expect(readdirSync(folder).filter((name) => name.includes("corrupt"))).toEqual([]);
  });

  test("with a column that is not ours is used as it is", () => {
    sql(OLD_SHAPE);
    sql("alter table runs add column model text");
    const history = open();
    history.append(RUN);
    expect(history.latest()).toEqual(RUN);
    history.close();
  });

  test("of a newer program is refused, and not set aside", () => {
    sql(OLD_SHAPE);
    sql("pragma user_version = 9");
    expect(open).toThrow("it is of version 9, newer than version 3 that this program reads");
    const db = new Database(path);
    expect(db.query("pragma user_version").get()).toEqual({ user_version: 9 });
    expect(db.query("pragma table_info(runs)").all()).toHaveLength(12);
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

test.each<[string, string, Partial<LeftOut>]>([
  ["broken", '{"retention": 1', {}],
  ["no object", "[1]", {}],
  ["of wrong values", '{"retention": "2", "selection": -1, "unknown": 3}', { unknown: 3 }],
  ["of rules that are not ours", '{"gremlins": 2, "toString": 1, "unreadable": 4}', { unreadable: 4 }],
])("what was left out, when it is %s, still reads", (_, text, expected) => {
  open().append(RUN);
  sql(`update runs set left_out_json = '${text}'`);
  expect(open().latest()?.leftOut).toEqual({ ...nothingLeftOut(), ...expected });
});

test.each<[string, string | null, number, RunEnding]>([
  ["interrupted", null, 0, "interrupted"],
  ["interrupted", "interrupted", 0, "interrupted"],
  ["interrupted", "disk-error", 0, "failed"],
  ["interrupted", null, 1, "completed"],
  ["sync stopped by user", "stopped", 0, "failed"],
])("a run with the message %p and the cause %p, success %p, ended as %s", (message, cause, success, ending) => {
  open().append(RUN);
  const db = new Database(path);
  db.run("update runs set message = ?, cause = ?, success = ?", [message, cause, success]);
  db.close();
  const run = open().latest();
  expect(run && runEnding(run)).toBe(ending);
});

test("a file that is lost while it is in use says so once, and answers what is known", () => {
  const history = open();
  for (let at = 0; at < 5000; at++) history.append({ ...RUN, ts: at });
  history.close();
  const again = open();
  expect(again.latest()?.ts).toBe(4999);
  truncateSync(path, 4096);
  expect([...again.samples(0)].flat().length).toBeLessThan(5000);
  expect(again.since(0).length).toBeLessThan(5000);
  expect(again.latest()?.ts).toBe(4999);
  expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
    ["WARNING", expect.stringMatching(/stats\.db cannot be read \(SQLITE_/)],
  ]);
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
