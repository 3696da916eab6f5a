import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import type { Run, RunSample } from "../../../server/domain/runs/run.ts";
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

let folder: string;
let path: string;
let history: RunHistory;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "samples-"));
  path = join(folder, "stats.db");
  const clock = new FakeClock();
  history = new RunHistory({ path, clock, log: new Log(clock) });
});
afterEach(() => {
  history.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("what statistics read", () => {
  /** Parts of a run that its sample keeps. */
  const sample = ({ ts, success, durationSeconds, files, bytes, diskUsedRatio, failures, dryRun }: Run): RunSample => {
    return { ts, success, durationSeconds, files, bytes, diskUsedRatio, failures, dryRun };
  };

  test("is every run since a moment, oldest first", () => {
    const runs = [100, 200, 300].map((ts) => ({ ...RUN, ts, failures: { ...noFailures(), http: ts === 200 ? 2 : 0 } }));
    for (const run of runs.toReversed()) history.append(run);
    expect([...history.samples(0)]).toEqual([runs.map(sample)]);
    expect([...history.samples(200)].flat().map(({ ts }) => ts)).toEqual([200, 300]);
    expect([...history.samples(301)]).toEqual([]);
  });

  test("comes in slices without a gap or an overlap, also where a slice ends with the last run", () => {
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
    const db = new Database(path);
    for (const [ts, text] of [null, '{"http": 1', '{"gremlins": 2}', JSON.stringify(noFailures())].entries()) {
      db.run("insert into runs (ts_seconds, success, failures_json) values (?, 0, ?)", [ts, text]);
    }
    db.close();
    expect([...history.samples(0)].flat()).toEqual(history.since(0).map(sample));
  });

  test("has an extent, counted no further than asked", () => {
    expect(history.extent(0, 10)).toEqual({ runs: 0, firstTs: 0, lastTs: 0 });
    for (const ts of [100, 200, 300, 400]) history.append({ ...RUN, ts });
    expect(history.extent(150, 10)).toEqual({ runs: 3, firstTs: 200, lastTs: 400 });
    expect(history.extent(0, 2)).toEqual({ runs: 2, firstTs: 100, lastTs: 400 });
  });
});

describe("the steady state", () => {
  const steady = (ratios: [ts: number, ratio: number | null, trash?: number][], keep: number) => {
    for (const [ts, diskUsedRatio, trashRatio] of ratios)
      history.append({ ...RUN, ts, diskUsedRatio, ...(trashRatio !== undefined && { trashRatio }) });
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

  test("is beside the trash, of which runs of older programs had none", () => {
    const runs: [number, number, number?][] = [
      [0, 0.9],
      [100, 0.5],
      [150, 0.75, 0.25],
      [200, 0.25, 0.5],
    ];
    expect(steady(runs, 100)).toBeCloseTo(1 / 3, 12);
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
    expect(history.steadyState(50)).toBe(0.5);
  });
});
