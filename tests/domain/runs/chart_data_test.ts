import { describe, expect, test } from "bun:test";
import {
  alone,
  chartData,
  failedIn,
  mostAwayIn,
  nearest,
  reasonsIn,
  slotAt,
  stretches,
} from "../../../server/domain/runs/chart_data.ts";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import { FailedRunsBuilder } from "../../../server/domain/runs/failure_slots.ts";
import type { Range, Run } from "../../../server/domain/runs/run.ts";
import { SeriesBuilder } from "../../../server/domain/runs/run_series.ts";
import { SummaryBuilder } from "../../../server/domain/runs/run_summary.ts";
import type { Statistics } from "../../../server/domain/runs/stats_schema.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { awayAt, runAt } from "../../support/app/history.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const NOW = 1_790_000_000;

/** The statistics of these runs, as the service makes them. */
function of(
  runs: readonly Run[],
  more: { bucket?: number; projected?: Statistics["forecast"]["projected"]; range?: Range } = {},
) {
  const { range = "7d" } = more;
  const tally = new SummaryBuilder();
  const series = new SeriesBuilder(more.bucket ?? null);
  const failed = new FailedRunsBuilder(NOW - 7 * DAY, NOW, () => 0);
  for (const run of runs) for (const part of [tally, series, failed]) part.add(run);
  return chartData({
    range,
    // Statistics of the whole time begin with the first run.
    period: { from: range === "all" ? (runs[0]?.ts ?? null) : NOW - 7 * DAY, to: NOW },
    summary: tally.summary,
    series: series.series,
    failed_runs: failed.failedRuns,
    forecast: {
      projected: more.projected ?? [],
      limits: { max_used_disk_percent: 0.9, keep_steady_state: null },
      heading: { state: "unknown", full_at: null, days: 3 },
    },
    storage: null,
  });
}
/** A run by when it began, which is where it stands. */
const began = (ts: number, changes: Partial<Run> = {}) => runAt(ts + 38, { durationSeconds: 38, ...changes });
const quarters = (count: number) => Array.from({ length: count }, (_, at) => NOW - (count - at) * 900);

describe("the axis of time", () => {
  test("is the range when the runs fill it", () => {
    const { from, to, until } = of(quarters(700).map((ts) => runAt(ts)));
    expect([from, to, until]).toEqual([NOW - 7 * DAY, NOW, NOW]);
  });

  test("is the range also when the history is shorter", () => {
    for (const runs of [[], [began(NOW - 60)], [began(NOW - DAY)]]) {
      const { from, to, until } = of(runs);
      expect([from, to, until]).toEqual([NOW - 7 * DAY, NOW, NOW]);
    }
  });

  test("begins shortly before the first run of all, and is an hour long at least", () => {
    const all = { range: "all" } as const;
    expect(of([began(NOW - DAY)], all).from).toBe(NOW - 1.02 * DAY);
    expect(of([began(NOW - 60)], all).from).toBe(NOW - HOUR);
    expect(of([], all).from).toBe(NOW - HOUR);
  });
});

describe("what came home", () => {
  test("leaves out dry runs, whatever they say", () => {
    const { bytes, files } = of([began(NOW - 900), began(NOW, { dryRun: true })]);
    expect(bytes).toEqual({ x: [NOW - 900, NOW], y: [412_000_000, 0] });
    expect(files.y).toEqual([3, 0]);
  });
});

describe("the duration", () => {
  test("has a gap where the camera was away, and a value that stands alone is known", () => {
    const [a = 0, b = 0, c = 0, d = 0] = quarters(4);
    const { duration } = of([runAt(a), awayAt(b), runAt(c), runAt(d)]);
    expect(duration.y).toEqual([38, null, 38, 38]);
    expect(alone(duration.y, () => false)).toEqual([0]);
    expect(alone(duration.y, (first, last) => first === 2 && last === 3)).toEqual([0, 2, 3]);
  });

  test("has a gap where nothing ran for long", () => {
    const times = [...quarters(20).map((ts) => ts - 2 * DAY), ...quarters(20)];
    const { duration } = of(times.map((ts) => runAt(ts)));
    expect(duration.y.filter((value) => value === null)).toHaveLength(1);
    expect(duration.y[20]).toBeNull();
    expect(duration.x).toEqual(duration.x.toSorted((a, b) => a - b));
  });
});

describe("stretches()", () => {
  const cases: [values: (number | null | undefined)[], found: [number, number][]][] = [
    [[], []],
    [[null, null], []],
    [[1, 0, 3], [[0, 2]]],
    [
      [null, 1, null, undefined, 2, 3, null],
      [
        [1, 1],
        [4, 5],
      ],
    ],
  ];
  for (const [values, found] of cases)
    test(`of ${JSON.stringify(values)} end at each gap`, () => expect(stretches(values)).toEqual(found));
});

describe("a run", () => {
  test("stands where it began, as in the table, and never before the axis", () => {
    const early = runAt(NOW - 7 * DAY + 10, { durationSeconds: 600 });
    const { points, moments, from } = of([early, runAt(NOW - 900, { durationSeconds: 484 }), awayAt(NOW)]);
    expect(points.map(({ ts }) => ts)).toEqual([early.ts - 600, NOW - 900 - 484, NOW - 5]);
    expect(moments).toEqual([from, NOW - 900 - 484, NOW - 5]);
  });

  test("that began before the one before it ended leaves the points in order", () => {
    const { moments } = of([runAt(NOW - 900, { durationSeconds: 10 }), runAt(NOW - 800, { durationSeconds: 400 })]);
    expect(moments).toEqual([NOW - 910, NOW - 910]);
  });
});

describe("buckets", () => {
  test("are drawn in the middle of their time, and never in the future", () => {
    const begin = Math.floor(NOW / DAY) * DAY;
    const { moments, pace } = of([runAt(begin - DAY), runAt(NOW)], { bucket: DAY });
    expect(moments).toEqual([begin - DAY / 2, Math.min(NOW, begin + DAY / 2)]);
    expect(pace).toBe(DAY);
  });
});

describe("the disk", () => {
  const runs = [0.5, null, 0.6].map((diskUsedRatio, at) => began(NOW - (3 - at) * DAY, { diskUsedRatio }));

  test("passes over runs that did not look", () => {
    const { disk } = of(runs);
    expect(disk).toEqual({ x: [NOW - 3 * DAY, NOW - DAY], used: [0.5, 0.6], whole: [null, null], ahead: [null, null] });
  });

  const shares: [what: string, disk: number[], trash: (number | null)[], used: number[], whole: (number | null)[]][] = [
    ["is one line without a trash", [0.5, 0.625], [0, null], [0.5, 0.625], [null, null]],
    ["is two lines with one", [0.5, 0.75], [0.25, 0.25], [0.25, 0.5], [0.5, 0.75]],
    [
      "parts where there begins to be one, and joins where it is gone",
      [0.5, 0.5, 0.75, 0.75, 0.5, 0.5],
      [0, 0, 0.25, 0.25, 0, 0],
      [0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
      [null, 0.5, 0.75, 0.75, 0.5, null],
    ],
    ["does not show a trash that no figure would tell of", [0.5, 0.5], [0.0004, 0.0004], [0.5, 0.5], [null, null]],
    ["is never less than nothing", [0.25, 0.5], [0.5, 0.25], [0, 0.25], [0.25, 0.5]],
  ];
  for (const [what, disk, trash, used, whole] of shares)
    test(what, () => {
      const runs = disk.map((diskUsedRatio, at) =>
        began(NOW - (disk.length - at) * 900, { diskUsedRatio, trashRatio: trash[at] ?? null }),
      );
      expect(of(runs).disk).toMatchObject({ used, whole });
    });

  test("has its gaps at the same places with and without the trash", () => {
    const times = [...quarters(20).map((ts) => ts - 2 * DAY), ...quarters(20)];
    const { x, used, whole } = of(times.map((ts) => runAt(ts, { trashRatio: 0.25 }))).disk;
    expect([used.length, whole.length]).toEqual([x.length, x.length]);
    expect(used.map((value) => value === null)).toEqual(whole.map((value) => value === null));
  });

  test("goes on from where it is without the trash", () => {
    const projected = [{ ts: NOW + DAY, disk: 0.5 }];
    const trashed = [2, 1].map((ago) => began(NOW - ago * DAY, { diskUsedRatio: 0.75, trashRatio: 0.25 }));
    const { ahead, whole } = of(trashed, { projected }).disk;
    expect(ahead.slice(0, 2)).toEqual([null, 0.5]);
    expect(whole.slice(0, 3)).toEqual([0.75, 0.75, null]);
  });

  test("goes on with the forecast from what was measured last, and ends with the axis", () => {
    const projected = [1, 2, 3].map((day) => ({ ts: NOW - DAY + day * DAY, disk: 0.6 + day * 0.05 }));
    const { disk, until, from } = of(runs, { projected, range: "all" });
    expect(until).toBeCloseTo(NOW + (NOW - from) * 0.4, 3);
    expect(disk.used).toEqual([0.5, 0.6, null, null, null]);
    expect(disk.ahead.slice(0, 2)).toEqual([null, 0.6]);
    // The third point lies beyond the axis: the line to it is cut off there.
    expect(disk.x.at(-1)).toBeCloseTo(until, 3);
    expect(disk.ahead.at(-1)).toBeCloseTo(0.7 + ((until - (NOW + DAY)) / DAY) * 0.05, 6);
  });

  test("has no forecast without a measurement to begin at", () => {
    const blind = of([began(NOW, { diskUsedRatio: null })], { projected: [{ ts: NOW + DAY, disk: 0.7 }] });
    expect(blind.disk.x).toEqual([]);
    expect(blind.until).toBe(NOW);
  });
});

describe("nearest()", () => {
  const cases: [ts: number, at: number][] = [
    [-5, 0],
    [14, 0],
    [16, 1],
    [20, 1],
    [999, 2],
  ];
  for (const [ts, at] of cases) test(`of ${ts} is ${at}`, () => expect(nearest([10, 20, 30], ts)).toBe(at));
  test("of nothing is nothing", () => expect(nearest([], 5)).toBe(-1));
});

describe("failed runs", () => {
  const failures = { ...noFailures(), disk: 2, http: 1 };
  const failed = {
    seconds: 100,
    slots: [
      { ts: 100, end: 200, away: 4, ...failures },
      { ts: 300, end: 400, away: 1, ...noFailures() },
    ],
  };

  test("are found by any moment of their stretch of time", () => {
    expect([99, 100, 199.9, 200, 350].map((ts) => slotAt(failed, ts)?.ts ?? null)).toEqual([null, 100, 100, null, 300]);
  });

  // Each hour of the night on which the clocks in Berlin go back, two of which are called two o'clock.
  const night = Date.parse("2026-10-24T22:00:00Z") / 1000;
  const berlin = new ZoneTime("Europe/Berlin");
  const lengths: [slot: string, shown: number, hours: (number | null)[]][] = [
    ["an hour", DAY, [0, 1, 2, 3, 4]],
    ["three hours", 7 * DAY, [0, 0, 0, 0, 4]],
    ["a day", 30 * DAY, [0, 0, 0, 0, 0]],
  ];
  for (const [slot, shown, hours] of lengths)
    test(`of ${slot} are found in each hour of the night that has one more`, () => {
      const builder = new FailedRunsBuilder(night - shown + DAY, night + DAY, (ts) => berlin.offset(ts * 1000) / 1000);
      const times = [0, 1, 2, 3, 4].map((hour) => night + (hour + 0.5) * HOUR);
      for (const ts of times) builder.add(awayAt(ts));
      const { slots } = builder.failedRuns;
      expect(times.map((ts) => slotAt({ slots }, ts)?.ts)).toEqual(hours.map((hour) => night + (hour ?? 0) * HOUR));
    });

  test("of the day with 25 hours are found in the last of them, and not in the next day", () => {
    const builder = new FailedRunsBuilder(night - 30 * DAY, night + DAY, (ts) => berlin.offset(ts * 1000) / 1000);
    builder.add(awayAt(night + 24.5 * HOUR));
    const { slots } = builder.failedRuns;
    expect([24.9, 25].map((hour) => slotAt({ slots }, night + hour * HOUR)?.away ?? null)).toEqual([1, null]);
  });

  test("do not count those that found nobody", () => {
    expect(failed.slots.map(failedIn)).toEqual([3, 0]);
    expect(mostAwayIn(failed.slots)).toBe(4);
    expect(reasonsIn(failed.slots)).toEqual(["disk", "http"]);
  });
});
