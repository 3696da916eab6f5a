import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noFailures } from "../../../server/domain/runs/run.ts";
import { idleSnapshot, type Snapshot } from "../../../server/domain/sync/job_progress.ts";
import { recorded } from "../../../server/engine/sync/recorded_run.ts";
import { SyncCounts } from "../../../server/engine/sync/sync_counts.ts";
import { Log } from "../../../server/log.ts";
import { RunHistory } from "../../../server/store/config/run_history.ts";
import { Topic } from "../../../server/topic.ts";
import { FakeClock } from "../../support/clock.ts";
import { runAt } from "../../support/history.ts";

const NOW = Date.parse("2026-06-07T10:15:00Z") / 1000;

let folder: string;
let clock: FakeClock;
let history: RunHistory;
let topic: Topic<Snapshot>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recorded-"));
  clock = new FakeClock(NOW * 1000);
  history = new RunHistory({ path: join(folder, "stats.db"), clock, log: new Log(clock) });
  topic = new Topic(idleSnapshot("b".repeat(32)));
});
afterEach(() => {
  history.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a start after kill -9 at this moment would find. */
function noted() {
  using db = new Database(join(folder, "stats.db"), { readonly: true });
  return db.query("select seen_seconds - ? as at, files, bytes from running").get(NOW);
}

const WHAT = { address: "10.0.0.5", dryRun: false };

test("how far a run has come is noted at its beginning, then every two seconds at most, until a bug ends it", async () => {
  const notes: unknown[] = [];
  const work = recorded({ clock, history, topic }, WHAT, async () => {
    notes.push(noted());
    for (const files of [1, 2, 3, 4, 5]) {
      await clock.advance(900);
      topic.set({ ...topic.value, files_completed: files, bytes_downloaded_total: files * 1000 });
      notes.push(noted());
    }
    throw new Error("a bug");
  });
  await expect(work).rejects.toThrow("a bug");
  const [begun, due] = [
    { at: 0, files: 0, bytes: 0 },
    { at: 2.7, files: 3, bytes: 3000 },
  ];
  expect(notes).toEqual([begun, begun, begun, due, due, due].map((note) => ({ ...note, at: expect.closeTo(note.at) })));
  expect(noted()).toBeNull();
  expect(history.since(0)).toEqual([
    expect.objectContaining({
      ...{ success: false, exitCode: 3, files: 5, bytes: 5000, durationSeconds: 4.5, address: "10.0.0.5" },
      message: "something unexpected went wrong; the log has the cause",
      failures: { ...noFailures(), unknown: 1 },
    }),
  ]);
});

test("what is noted goes when the run's own end is kept, and nothing is noted after it", async () => {
  const run = runAt(NOW, { address: "10.0.0.5" });
  const result = { run, failure: null, fileFailures: noFailures(), lastPullAt: null, counts: new SyncCounts() };
  expect(await recorded({ clock, history, topic }, WHAT, async () => result)).toBe(result);
  await clock.advance(5000);
  topic.set(topic.value);
  expect([noted(), history.since(0)]).toEqual([null, [run]]);
});
