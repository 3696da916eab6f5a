import { describe, expect, test } from "bun:test";
import { FAILURE_REASONS, noFailures } from "../../../server/domain/runs/failure_reason.ts";
import { isRange, type RunSample, usedWithoutTrash } from "../../../server/domain/runs/run.ts";
import { bucketSeconds, MOST_POINTS, SeriesBuilder } from "../../../server/domain/runs/run_series.ts";
import { SummaryBuilder } from "../../../server/domain/runs/run_summary.ts";

describe("noFailures()", () => {
  test("has every reason, each at nothing, and is a new one each time", () => {
    expect(Object.keys(noFailures()).toSorted()).toEqual([...FAILURE_REASONS].toSorted());
    expect(Object.values(noFailures()).every((count) => count === 0)).toBe(true);
    expect(noFailures()).not.toBe(noFailures());
  });
});

const MINUTE = 60;
const GOOD: RunSample = {
  ts: 1_790_000_000.1,
  success: true,
  durationSeconds: 60,
  files: 4,
  bytes: 4000,
  diskUsedRatio: 0.41,
  failures: noFailures(),
  dryRun: false,
};
const AWAY: RunSample = { ...GOOD, success: false, bytes: 0, files: 0, failures: { ...noFailures(), network: 1 } };
const BROKEN: RunSample = { ...GOOD, success: false, failures: { ...noFailures(), http: 1 } };

describe("isRange()", () => {
  test("knows four ranges", () => {
    expect(["24h", "7d", "30d", "all"].every(isRange)).toBe(true);
    expect(["", "1d", "ALL", "toString", "7d "].some(isRange)).toBe(false);
  });
});

describe("the summary of runs", () => {
  const summarize = (runs: Iterable<RunSample>) => {
    const builder = new SummaryBuilder();
    for (const run of runs) builder.add(run);
    return builder.summary;
  };

  test("leaves runs that did not reach the camera out of rate and mean", () => {
    const runs = [AWAY, { ...GOOD, durationSeconds: 15 }, AWAY, { ...GOOD, durationSeconds: 30 }, AWAY, BROKEN];
    expect(summarize(runs)).toEqual({
      runs: 6,
      offline: 3,
      reachable_runs: 3,
      bytes: 12_000,
      files: 12,
      avg_duration_seconds: 35,
      longest_seconds: 60,
      success_rate: 2 / 3,
      stopped: 0,
    });
  });

  test("has no rate when nothing reached the camera", () => {
    const figures = { runs: 0, offline: 0, reachable_runs: 0, bytes: 0, files: 0 };
    const none = { ...figures, avg_duration_seconds: 0, longest_seconds: 0, success_rate: null, stopped: 0 };
    expect(summarize([])).toEqual(none);
    expect(summarize([AWAY])).toEqual({ ...none, runs: 1, offline: 1 });
  });

  test("tells of the runs that were stopped by hand", () => {
    const stopped = { ...GOOD, success: false, stopped: true as const };
    expect(summarize([GOOD, stopped])).toMatchObject({ reachable_runs: 2, success_rate: 0.5, stopped: 1 });
    expect(summarize([{ ...GOOD, stopped: true }])).toMatchObject({ success_rate: 1, stopped: 0 });
  });

  test("counts dry runs, but not their bytes and files", () => {
    expect(summarize([GOOD, { ...GOOD, dryRun: true }])).toMatchObject({
      runs: 2,
      bytes: 4000,
      files: GOOD.files,
      success_rate: 1,
    });
  });
});

describe("bucketSeconds()", () => {
  const cases: [sentence: string, runs: number, span: number, seconds: number | null][] = [
    ["nothing", 0, 0, null],
    ["as many runs as there may be points", MOST_POINTS, 400 * 86_400, null],
    ["one run more, over a year", MOST_POINTS + 1, 365 * 86_400, 21_060],
    ["runs every second", 5000, 4999, 4],
    ["runs at one time", 5000, 0, 1],
  ];
  test.each(cases)("%s", (_, runs, span, seconds) => {
    expect(bucketSeconds(runs, 1000, 1000 + span)).toBe(seconds);
  });
});

describe("the disk without the trash", () => {
  const cases: [disk: number | null, trash: number | null | undefined, used: number | null][] = [
    [0.75, 0.25, 0.5],
    [0.75, 0, 0.75],
    [0.75, null, 0.75],
    [0.75, undefined, 0.75],
    [0.25, 0.5, 0],
    [null, 0.25, null],
    [null, undefined, null],
  ];
  test.each(cases)("of %p with %p in it is %p", (diskUsedRatio, trash, used) => {
    expect(usedWithoutTrash({ diskUsedRatio, ...(trash !== undefined && { trashRatio: trash }) })).toBe(used);
  });
});

describe("a series", () => {
  const seriesOf = (runs: RunSample[], bucket: number | null) => {
    const builder = new SeriesBuilder(bucket);
    for (const run of runs) builder.add(run);
    return builder.series;
  };

  test("has a point per run, with its reasons", () => {
    expect(seriesOf([GOOD, { ...AWAY, ts: GOOD.ts + 900, diskUsedRatio: null }], null)).toEqual({
      points: [
        {
          ts: GOOD.ts,
          bytes: 4000,
          files: 4,
          duration: 60,
          disk: 0.41,
          success: true,
          failures: noFailures(),
          dry_run: false,
          offline: false,
          trash: null,
        },
        {
          ts: GOOD.ts + 900,
          bytes: 0,
          files: 0,
          duration: 60,
          disk: null,
          success: false,
          failures: { ...noFailures(), network: 1 },
          dry_run: false,
          offline: true,
          trash: null,
        },
      ],
      bucket_seconds: null,
    });
  });

  test("keeps two runs of one moment apart unless there are buckets", () => {
    expect(seriesOf([GOOD, { ...GOOD, ts: GOOD.ts + 0.5 }], null).points).toHaveLength(2);
  });

  test("sums up, averages or takes the last within a bucket, and leaves empty ones out", () => {
    const start = 1_790_000_040;
    const runs: RunSample[] = [
      { ...GOOD, ts: start, durationSeconds: 10, failures: { ...noFailures(), http: 1 } },
      {
        ...BROKEN,
        ts: start + 20,
        durationSeconds: 20,
        diskUsedRatio: 0.5,
        trashRatio: 0.123_456_78,
        failures: { ...noFailures(), http: 2, disk: 1 },
      },
      { ...AWAY, ts: start + 59.9, durationSeconds: 60, diskUsedRatio: null, trashRatio: null },
      { ...AWAY, ts: start + 3 * MINUTE, dryRun: true },
      { ...AWAY, ts: start + 3 * MINUTE + 1, dryRun: true },
    ];
    const { points, bucket_seconds } = seriesOf(runs, MINUTE);
    expect(bucket_seconds).toBe(MINUTE);
    expect(points).toEqual([
      {
        ts: start,
        bytes: 8000,
        files: 8,
        duration: 30,
        disk: 0.5,
        trash: 0.123_457,
        success: false,
        dry_run: false,
        offline: false,
        failures: { http: 3, network: 1, timeout: 0, disk: 1, unknown: 0 },
      },
      {
        ts: start + 3 * MINUTE,
        bytes: 0,
        files: 0,
        duration: 60,
        disk: 0.41,
        trash: null,
        success: false,
        failures: { ...noFailures(), network: 2 },
        dry_run: true,
        offline: true,
      },
    ]);
  });

  test("takes the trash from the run that the disk is from", () => {
    const runs = [
      { ...GOOD, trashRatio: 0.2 },
      { ...GOOD, ts: GOOD.ts + 1, diskUsedRatio: 0.3 },
    ];
    expect(seriesOf(runs, 3600).points).toEqual([expect.objectContaining({ disk: 0.3, trash: null })]);
    expect(seriesOf(runs, null).points.map(({ disk, trash }) => [disk, trash])).toEqual([
      [0.41, 0.2],
      [0.3, null],
    ]);
  });

  test("does not change the runs it was made of", () => {
    const failures = noFailures();
    seriesOf(
      [
        { ...GOOD, failures },
        { ...BROKEN, failures: { ...noFailures(), http: 5 } },
      ],
      86_400,
    );
    expect(failures).toEqual(noFailures());
  });
});
