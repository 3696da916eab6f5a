import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NO_NOTES, type RunNotes } from "../../../server/domain/runs/run_detail.ts";
import { Log } from "../../../server/log.ts";
import { RunHistory } from "../../../server/store/config/run_history.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { runAt } from "../../support/app/history.ts";

const NAME = "20260607_101500_NF.mp4";
const ERROR_AT = { at: 1_780_000_000_000, name: NAME, after: 3 };

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "run-notes-"));
  path = join(folder, "stats.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function withHistory<T>(use: (history: RunHistory) => T): T {
  const clock = new FakeClock("2026-06-07T10:15:00Z");
  const history = new RunHistory({ path, clock, log: new Log(clock) });
  try {
    return use(history);
  } finally {
    history.close();
  }
}

test("what a run brought, and when its list and its errors came, outlives a restart", () => {
  const notes: RunNotes = {
    ...NO_NOTES,
    brought: [NAME],
    kinds: { N: 1, E: 2 },
    listed_at: 1_779_999_000_000,
    errors: [{ cause: "reset", count: 2, first: ERROR_AT, last: ERROR_AT }],
  };
  withHistory((history) => history.append(runAt(1000), [], notes));
  expect(withHistory((history) => history.notes({ ts: 1000 }))).toEqual(notes);
  expect(withHistory((history) => history.notes({ ts: 2000 }))).toEqual(NO_NOTES);
});

test("what older programs kept is read, and what is not ours is left out", () => {
  const rows: readonly (readonly [ts: number, json: string, read: RunNotes])[] = [
    [1000, JSON.stringify({ waiting: [NAME], empty: [] }), { ...NO_NOTES, waiting: [NAME] }],
    [2000, JSON.stringify({ waiting: "x", brought: [7], kinds: [], listed_at: "x", errors: [{}] }), NO_NOTES],
    [3000, JSON.stringify({ errors: [{ cause: "new-cause", count: 1, first: ERROR_AT, last: ERROR_AT }] }), NO_NOTES],
    [4000, "[]", NO_NOTES],
    [5000, "null", NO_NOTES],
    [6000, "{", NO_NOTES],
  ];
  withHistory(() => {});
  const db = new Database(path);
  for (const [ts, json] of rows) db.run("insert into run_names values (?, ?)", [ts, json]);
  db.close();
  withHistory((history) => {
    for (const [ts, json, read] of rows) expect([json, history.notes({ ts })]).toEqual([json, read]);
  });
});
