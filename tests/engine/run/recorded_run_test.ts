import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import { idleSnapshot, type Snapshot } from "../../../server/domain/sync/job_progress.ts";
import { recorded } from "../../../server/engine/run/recorded_run.ts";
import { SyncCounts } from "../../../server/engine/transfer/sync_counts.ts";
import { Log } from "../../../server/log.ts";
import { RunHistory } from "../../../server/store/config/run_history.ts";
import { Topic } from "../../../server/topic.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { runAt } from "../../support/app/history.ts";

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

/** State that a start after kill -9 at this moment would find. */
function noted() {
  using db = new Database(join(folder, "stats.db"), { readonly: true });
  return db.query("select seen_seconds - ? as at, files, bytes from running").get(NOW);
}

const WHAT = { address: "10.0.0.5", dryRun: false };

/** A report of a job as the engine fills it. */
function reported() {
  const progress = { filesCompleted: 0, bytesDownloaded: 0 };
  const files = new Topic(0);
  return {
    report: { progress, files, topic },
    /** A file came home. */
    comes() {
      progress.filesCompleted++;
      files.set(progress.filesCompleted);
    },
    /** Adds so many bytes before the next snapshot. */
    shows(bytes: number) {
      progress.bytesDownloaded = bytes;
      topic.set(topic.value);
    },
  };
}

test("each file that came home is noted with what the run has brought, and bytes every second, until a bug ends it", async () => {
  const notes: unknown[] = [];
  const { report, comes, shows } = reported();
  const work = recorded({ clock, history, report }, WHAT, async () => {
    notes.push(noted());
    await clock.advance(500);
    shows(100);
    notes.push(noted());
    comes();
    notes.push(noted());
    await clock.advance(1000);
    shows(5000);
    notes.push(noted());
    throw new Error("a bug");
  });
  await expect(work).rejects.toThrow("a bug");
  expect(notes).toEqual(
    [
      { at: 0, files: 0, bytes: 0 },
      { at: 0, files: 0, bytes: 0 },
      { at: 0.5, files: 1, bytes: 100 },
      { at: 1.5, files: 1, bytes: 5000 },
    ].map((note) => ({ ...note, at: expect.closeTo(note.at) })),
  );
  expect(noted()).toBeNull();
  expect(history.since(0)).toEqual([
    expect.objectContaining({
      success: false,
      exitCode: 3,
      files: 1,
      bytes: 5000,
      durationSeconds: 1.5,
      address: "10.0.0.5",
      message: "something unexpected went wrong; the log has the cause",
      failures: { ...noFailures(), unknown: 1 },
    }),
  ]);
});

test("of files that end faster than they can be noted, the last ones are noted with the next snapshot", async () => {
  const { report, comes, shows } = reported();
  const notes: unknown[] = [];
  const work = recorded({ clock, history, report }, WHAT, async () => {
    await clock.advance(20);
    for (let file = 0; file < 3; file++) comes();
    notes.push(noted());
    await clock.advance(5);
    shows(300);
    notes.push(noted());
    throw new Error("a bug");
  });
  await expect(work).rejects.toThrow("a bug");
  expect(notes).toMatchObject([{ files: 1 }, { files: 3, bytes: 300 }]);
});

test("what is noted goes when the run's own end is kept, and nothing is noted after it", async () => {
  const run = runAt(NOW, { address: "10.0.0.5" });
  const result = {
    run,
    failure: null,
    fileFailures: noFailures(),
    lastPullAt: null,
    counts: new SyncCounts({ now: () => 0 }),
  };
  expect(await recorded({ clock, history, report: reported().report }, WHAT, async () => result)).toBe(result);
  await clock.advance(5000);
  topic.set(topic.value);
  expect([noted(), history.since(0)]).toEqual([null, [run]]);
});
