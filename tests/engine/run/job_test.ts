import { beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { AppError } from "../../../server/domain/answers/errors.ts";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import type { Snapshot } from "../../../server/domain/sync/job_progress.ts";
import { Job, type RunJob } from "../../../server/engine/run/job.ts";
import type { SyncResult } from "../../../server/engine/run/sync.ts";
import { failureOf } from "../../../server/engine/transfer/failure_of_error.ts";
import type { ProgressReport } from "../../../server/engine/transfer/progress_report.ts";
import { progressTopic } from "../../../server/engine/transfer/progress_report.ts";
import { SyncCounts } from "../../../server/engine/transfer/sync_counts.ts";
import { Log } from "../../../server/log.ts";
import { FakeClock } from "../../support/app/clock.ts";

setDefaultTimeout(20_000);

const BOOT = "b".repeat(32);

/** A run that goes on until the test ends it. */
interface OpenRun {
  report: ProgressReport;
  signal: AbortSignal;
  finish(failure?: unknown): void;
  break(error: unknown): void;
}

let clock: FakeClock;
let log: Log;
let runs: OpenRun[];
let job: Job;
beforeEach(() => {
  clock = new FakeClock("2026-06-07T10:15:00Z");
  log = new Log(clock);
  runs = [];
  job = new Job({ clock, log, topic: progressTopic(BOOT), run });
});

/** Ends when the test says so, or when it is stopped, as a sync does. */
const run: RunJob = (_trigger, report, signal) =>
  new Promise((resolve, reject) => {
    const finish = (error?: unknown) => resolve(resultOf(error));
    signal.addEventListener("abort", () => finish(signal.reason), { once: true });
    runs.push({ report, signal, finish, break: reject });
  });

/** A plan of these videos. */
function planOf(...names: string[]) {
  return { files: names.map((name) => ({ name, kind: "mp4" as const })), skipped: 0 };
}

function resultOf(error: unknown): SyncResult {
  const failure = error === undefined ? null : failureOf(error);
  const row = {
    ts: clock.now() / 1000,
    success: failure === null,
    exitCode: failure === null ? 0 : 1,
    durationSeconds: 1,
    files: 0,
    bytes: 0,
    recordingsSeen: 0,
    recordingsSelected: 0,
    diskUsedRatio: null,
    failedMarkers: 0,
    failures: noFailures(),
    dryRun: false,
  };
  return { run: row, failure, fileFailures: noFailures(), lastPullAt: null, counts: new SyncCounts({ now: () => 0 }) };
}

/** Starts a job; its run has begun when this resolves. */
async function begin(): Promise<{ id: string; run: OpenRun }> {
  const id = job.start("manual");
  await Promise.resolve();
  const begun = runs.at(-1);
  if (!begun) throw new Error("The run did not begin");
  return { id, run: begun };
}

function refusalOf(action: () => unknown): AppError {
  try {
    action();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error("It was not refused");
}

describe("a job", () => {
  test("is running from the moment its id is known, and completed when its run is through", async () => {
    const states: string[] = [];
    job.topic.subscribe(({ state }) => states.push(state));
    expect(job.snapshot).toMatchObject({ state: "idle", job_id: "", seq: 0, boot_id: BOOT });
    const { id, run } = await begin();
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(job.snapshot).toMatchObject({ job_id: id, state: "running", phase: "listing", files_total: 0 });
    expect(job.snapshot.started_at_wall).toBe(Date.parse("2026-06-07T10:15:00Z") / 1000);
    run.finish();
    await job.ended();
    expect(job.snapshot).toMatchObject({ job_id: id, state: "completed", failure_reason: null, message: null });
    expect(states).toEqual(["running", "completed"]);
  });

  test("is the only one: another is refused with its id", async () => {
    const { id } = await begin();
    const refused = refusalOf(() => job.start("schedule"));
    expect([refused.code, refused.details]).toEqual(["SYNC_ALREADY_RUNNING", { current_job_id: id }]);
    expect(runs).toHaveLength(1);
  });

  test("can be stopped from the moment its id is known, and says so when it has ended", async () => {
    expect(refusalOf(() => job.stop()).code).toBe("SYNC_NOT_RUNNING");
    const id = job.start("manual");
    expect(job.stop()).toBe(id);
    expect(job.stop()).toBe(id);
    await Promise.resolve();
    expect(runs[0]?.signal.aborted).toBe(true);
    runs[0]?.finish(runs[0].signal.reason);
    await job.ended();
    expect(job.snapshot).toMatchObject({ state: "failed", failure_reason: "unknown", message: "sync stopped by user" });
    expect(refusalOf(() => job.stop()).code).toBe("SYNC_NOT_RUNNING");
  });

  test("that breaks is failed with a sentence, and the cause is in the log once, on one line", async () => {
    const { run } = await begin();
    run.break(new Error("no such thing\nat all"));
    await job.ended();
    expect(job.snapshot).toMatchObject({ state: "failed", failure_reason: "unknown" });
    expect(job.snapshot.message).toContain("the log has the cause");
    expect(job.snapshot.message).not.toContain("no such thing");
    expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
      ["ERROR", expect.stringMatching(/^Unexpected: Error: no such thing at all/)],
    ]);
    expect((await begin()).id).toMatch(/^[0-9a-f]{32}$/);
  });

  test("counts up with every published change, over all jobs", async () => {
    const numbers: number[] = [];
    job.topic.subscribe(({ seq }) => numbers.push(seq));
    for (let round = 0; round < 3; round++) {
      const { run } = await begin();
      run.report.progress.planned(planOf("20260607_101500_NF.mp4"), clock.elapsed());
      run.report.changed();
      await clock.advance(200);
      run.finish();
      await job.ended();
    }
    await clock.advance(10_000);
    expect(numbers).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
  });

  test("tells of many changes at most five times a second, and of the last one always", async () => {
    const seen: Snapshot[] = [];
    const { run } = await begin();
    job.topic.subscribe((snapshot) => seen.push(snapshot));
    run.report.progress.planned(planOf("20260607_101500_NF.mp4"), clock.elapsed());
    run.report.progress.began({ filename: "20260607_101500_NF.mp4", artifact: "mp4", direction: "F" }, clock.elapsed());
    run.report.opened(0, 1000);
    for (let chunk = 0; chunk < 100; chunk++) {
      run.report.chunk(10);
      await clock.advance(10);
    }
    expect(seen).toHaveLength(5);
    run.report.chunk(1);
    run.finish();
    await job.ended();
    expect(seen.at(-1)).toMatchObject({ state: "completed", bytes_downloaded_total: 1001 });
  });
});

describe("the end of a job", () => {
  test("stays for ten seconds, then all is idle", async () => {
    const { id, run } = await begin();
    run.finish();
    await job.ended();
    await clock.advance(9_999);
    expect(job.snapshot).toMatchObject({ job_id: id, state: "completed" });
    await clock.advance(1);
    expect(job.snapshot).toMatchObject({ job_id: "", state: "idle", started_at_wall: 0, boot_id: BOOT });
  });

  test("is not cut short, and a newer job is not reset, by the ten seconds of an older one", async () => {
    const first = await begin();
    first.run.finish();
    await job.ended();
    await clock.advance(5_000);
    const second = await begin();
    await clock.advance(5_000);
    expect(job.snapshot).toMatchObject({ job_id: second.id, state: "running" });
    second.run.finish();
    await job.ended();
    await clock.advance(9_999);
    expect(job.snapshot).toMatchObject({ job_id: second.id, state: "completed" });
    await clock.advance(1);
    expect(job.snapshot.state).toBe("idle");
  });

  test("lets whoever hears of it start the next one, which then has ten seconds of its own", async () => {
    const { id, run } = await begin();
    run.report.progress.planned(planOf("20260607_101500_NF.mp4", "20260607_101500_NR.mp4"), clock.elapsed());
    let next = "";
    const off = job.topic.subscribe(({ job_id, state }) => {
      if (job_id !== id || state === "running") return;
      off();
      expect(job.isRunning).toBe(false);
      next = job.start("manual");
    });
    run.finish();
    await new Promise((resolve) => setImmediate(resolve));
    expect(job.snapshot).toMatchObject({ job_id: next, state: "running" });
    await clock.advance(4_000);
    runs.at(-1)?.finish();
    await job.ended();
    await clock.advance(9_999);
    expect(job.snapshot).toMatchObject({ job_id: next, state: "completed" });
    await clock.advance(1);
    expect(job.snapshot.state).toBe("idle");
  });

  test("goes on telling what is at home, and says so at once when that changes", async () => {
    let home = 1;
    const recordings = () => ({ on_camera: 4, chosen: 4, home, waiting: 4 - home });
    job = new Job({ clock, log, topic: progressTopic(BOOT), run, recordings });
    const told: (number | undefined)[] = [];
    job.topic.subscribe((snapshot) => told.push(snapshot.recordings?.home));
    job.recount();
    job.recount();
    expect(told).toEqual([1]);
    const { run: begun } = await begin();
    home = 2;
    job.recount();
    await clock.advance(200);
    begun.finish();
    await job.ended();
    await clock.advance(10_000);
    home = 3;
    job.recount();
    expect(told).toEqual([1, 1, 2, 2, 2, 3]);
    expect(job.snapshot).toMatchObject({ state: "idle", recordings: { on_camera: 4, chosen: 4, home: 3, waiting: 1 } });
  });
});

describe("close()", () => {
  test("stops the running job, waits for its end, and starts no other", async () => {
    const { id, run } = await begin();
    await job.close();
    expect(run.signal.aborted).toBe(true);
    expect(job.snapshot).toMatchObject({ job_id: id, state: "failed", message: "the service was told to stop" });
    expect(refusalOf(() => job.start("manual")).code).toBe("SYNC_ALREADY_RUNNING");
    expect(clock.sleeping).toBe(0);
  });
});
