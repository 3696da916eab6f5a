import { describe, expect, test } from "bun:test";
import { chartData } from "../../../server/domain/runs/chart_data.ts";
import type { DiskSpace } from "../../../server/domain/runs/disk_space.ts";
import type { DiskHeading } from "../../../server/domain/runs/disk_trend.ts";
import { FailedRunsBuilder } from "../../../server/domain/runs/failure_slots.ts";
import type { Run } from "../../../server/domain/runs/run.ts";
import { SeriesBuilder } from "../../../server/domain/runs/run_series.ts";
import { SummaryBuilder } from "../../../server/domain/runs/run_summary.ts";
import { readingAt, statsView } from "../../../server/domain/runs/statistics_text.ts";
import type { Statistics } from "../../../server/domain/runs/stats_schema.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { awayAt, runAt } from "../../support/app/history.ts";

const SYDNEY = new ZoneTime("Australia/Sydney");
/** Saturday 21 November 2026, 07:51 in Sydney. */
const NOW = Date.parse("2026-11-20T20:51:00Z") / 1000;
const DAY = 86_400;

function of(
  runs: readonly Run[],
  more: Partial<Statistics["forecast"]> & { bucket?: number; storage?: DiskSpace } = {},
): Statistics {
  const tally = new SummaryBuilder();
  const series = new SeriesBuilder(more.bucket ?? null);
  const failed = new FailedRunsBuilder(NOW - 7 * DAY, NOW, (ts) => SYDNEY.offset(ts * 1000) / 1000);
  for (const run of runs) for (const part of [tally, series, failed]) part.add(run);
  return {
    range: "7d",
    period: { from: NOW - 7 * DAY, to: NOW },
    summary: tally.summary,
    series: series.series,
    failed_runs: failed.failedRuns,
    forecast: {
      projected: more.projected ?? [],
      limits: more.limits ?? { max_used_disk_percent: 0.9, keep_steady_state: null },
      heading: more.heading ?? { state: "steady", full_at: null, days: 3 },
    },
    storage: more.storage ?? null,
  };
}
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

/** Sentence for a disk that cannot be read just now. */
const UNKNOWN = "How much is free now is not known.";

describe("the period", () => {
  test("names its days, the zone and when it was looked at", () => {
    expect(plain(statsView(of([]), SYDNEY, "").period)).toBe("14 Nov to 21 Nov 2026, AEDT · updated 07:51");
  });

  test("has both years where there are two, and one day when nothing has ever run", () => {
    const years = { ...of([]), period: { from: NOW - 365 * DAY, to: NOW } };
    expect(plain(statsView(years, SYDNEY, "").period)).toStartWith("21 Nov 2025 to 21 Nov 2026, AEDT");
    const never = { ...of([]), period: { from: null, to: NOW } };
    expect(plain(statsView(never, SYDNEY, "").period)).toBe("21 Nov 2026, AEDT · updated 07:51");
  });
});

describe("where the disk is heading", () => {
  const at = NOW + 102 * DAY;
  const cases: [heading: DiskHeading, settled: number | null, kept: string, words: string][] = [
    [
      { state: "unknown", full_at: null, days: 3 },
      null,
      "",
      "Too few runs have measured the disk to say where it is heading.",
    ],
    [{ state: "reached", full_at: null, days: 3 }, null, "", "The disk is as full as allowed: syncing stops at 90 %."],
    [{ state: "steady", full_at: null, days: 3 }, 0.78, "2 weeks", "The disk is not filling up."],
    [{ state: "slow", full_at: null, days: 3 }, null, "", "At this pace syncing goes on for more than two years."],
    [{ state: "filling", full_at: at, days: 3 }, null, "", "At this pace syncing stops about 3 Mar 2027."],
    [{ state: "filling", full_at: at, days: 3 }, 0.78, "2 weeks", "With 2 weeks kept the disk settles at about 78 %."],
    [{ state: "filling", full_at: at, days: 3 }, 0.95, "2 weeks", "At this pace syncing stops about 3 Mar 2027."],
    [{ state: "filling", full_at: at, days: 3 }, 0.78, "", "At this pace syncing stops about 3 Mar 2027."],
  ];
  for (const [heading, settled, kept, words] of cases)
    test(`${heading.state}, settled ${settled}, kept "${kept}": ${words}`, () => {
      const limits = { max_used_disk_percent: 0.9, keep_steady_state: settled };
      expect(plain(statsView(of([], { heading, limits }), SYDNEY, kept).heading)).toBe(`${words} ${UNKNOWN}`);
    });
});

describe("with too few days to go by", () => {
  const runs = [runAt(NOW - 900, { diskUsedRatio: 0.5, trashRatio: 0.2 }), runAt(NOW, { diskUsedRatio: 0.5 })];
  const projected = [{ ts: NOW + DAY, disk: 0.8 }];
  const cases: [heading: DiskHeading, words: string, hasForecast: boolean][] = [
    [{ state: "filling", full_at: NOW + DAY, days: 1 }, "Forecast available in two days.", false],
    [{ state: "steady", full_at: null, days: 2 }, "Forecast available in one day.", false],
    [{ state: "unknown", full_at: null, days: 0 }, "Forecast available in three days.", false],
    [{ state: "reached", full_at: null, days: 1 }, "The disk is as full as allowed: syncing stops at 90 %.", false],
    [{ state: "filling", full_at: NOW + DAY, days: 3 }, "At this pace syncing stops about 22 Nov 2026.", true],
  ];
  for (const [heading, words, hasForecast] of cases)
    test(`${heading.state} after ${heading.days}: ${words}`, () => {
      const stats = of(runs, { heading, projected });
      const view = statsView(stats, SYDNEY, "");
      expect(plain(view.heading)).toStartWith(words);
      expect(view.hasForecast).toBe(hasForecast);
      expect(view.charts.disk.label.includes("Forecast")).toBe(hasForecast);
      expect(chartData(stats).disk.ahead.some((value) => value !== null)).toBe(hasForecast);
    });
});

describe("what is free", () => {
  const space = (free_bytes: number, available_bytes: number | null) => ({
    total_bytes: 350e9,
    free_bytes,
    available_bytes,
  });
  const cases: [storage: DiskSpace, words: string][] = [
    [space(245e9, 245e9), "The disk is not filling up. 245 GB free of 350 GB."],
    [
      space(245e9, 84e9),
      "The disk is not filling up. 84 GB free of 350 GB. 161 GB is reserved by the system and cannot be used.",
    ],
    [
      space(245e9, 0),
      "Nothing more can be written. 0 B free of 350 GB. 245 GB is reserved by the system and cannot be used.",
    ],
    [
      { total_bytes: 0, free_bytes: 0, available_bytes: null },
      "The disk is not filling up. The disk does not tell how much is free.",
    ],
  ];
  for (const [storage, words] of cases)
    test(words, () => expect(plain(statsView(of([], { storage }), SYDNEY, "").heading)).toBe(words));
});

describe("the disk with a trash on it", () => {
  const trashed = (ratios: readonly (readonly [disk: number | null, trash: number | null])[]) =>
    of(
      ratios.map(([diskUsedRatio, trashRatio], at) =>
        runAt(NOW - (ratios.length - at) * DAY, { diskUsedRatio, trashRatio, durationSeconds: 0 }),
      ),
      { heading: { state: "steady", full_at: null, days: 3 }, projected: [{ ts: NOW + DAY, disk: 0.5 }] },
    );
  const told = " The trash, 20 % of the disk, is not counted: it makes room when a scheduled run needs it.";
  const cases: [what: string, ratios: [number | null, number | null][], label: string, rest: string, more: string][] = [
    [
      "is told apart",
      [
        [0.6, 0],
        [0.9, 0.3],
        [0.7, 0.2],
      ],
      "Disk used without the trash: 60 % on 18 Nov 2026, 50 % on 20 Nov 2026. With the trash at most 90 %, on 19 Nov 2026. Forecast: 50 % by 22 Nov 2026.",
      "Fri 20 Nov, 07:51 · 50 % + 20 % trash",
      told,
    ],
    [
      "is told of also when the last run did not look",
      [
        [0.7, 0.2],
        [null, null],
      ],
      "Disk used without the trash: 50 % on 19 Nov 2026, 50 % on 19 Nov 2026. With the trash at most 70 %, on 19 Nov 2026. Forecast: 50 % by 22 Nov 2026.",
      "Thu 19 Nov, 07:51 · 50 % + 20 % trash",
      told,
    ],
    [
      "was there, and is gone",
      [
        [0.7, 0.2],
        [0.5, 0],
      ],
      "Disk used without the trash: 50 % on 19 Nov 2026, 50 % on 20 Nov 2026. With the trash at most 70 %, on 19 Nov 2026. Forecast: 50 % by 22 Nov 2026.",
      "Fri 20 Nov, 07:51 · 50 %",
      "",
    ],
    [
      "is not told of without one",
      [
        [0.5, null],
        [0.5, 0],
      ],
      "Disk used: 50 % on 19 Nov 2026, 50 % on 20 Nov 2026. Forecast: 50 % by 22 Nov 2026.",
      "Fri 20 Nov, 07:51 · 50 %",
      "",
    ],
  ];
  for (const [what, ratios, label, rest, more] of cases)
    test(what, () => {
      const { charts, heading, hasTrash } = statsView(trashed(ratios), SYDNEY, "");
      expect(plain(charts.disk.label)).toBe(`${label} Syncing stops at 90 %.`);
      expect(plain(charts.disk.rest)).toBe(rest);
      expect(plain(heading)).toStartWith(`The disk is not filling up.${more} ${UNKNOWN} Last measured: `);
      expect(hasTrash).toBe(label.includes("trash"));
    });

  test("is no part of what nobody knows", () => {
    const runs = [runAt(NOW - DAY, { diskUsedRatio: 0.7, trashRatio: 0.2 })];
    const { heading } = statsView(of(runs, { heading: { state: "unknown", full_at: null, days: 3 } }), SYDNEY, "");
    expect(plain(heading)).toBe(
      `Too few runs have measured the disk to say where it is heading. ${UNKNOWN} Last measured: 50 % used, Fri 20 Nov, 07:50.`,
    );
  });
});

describe("the charts in words", () => {
  const runs = [
    awayAt(NOW - 4 * 900, { diskUsedRatio: 0.58 }),
    runAt(NOW - 3 * 900, { files: 31, bytes: 912_000_000, durationSeconds: 72 }),
    runAt(NOW - 2 * 900, { success: false, failures: { disk: 1 }, diskUsedRatio: 0.714 }),
    runAt(NOW - 900, { dryRun: true, diskUsedRatio: null }),
  ];
  const stats = of(runs);
  const { charts, reasons, bucket, slot } = statsView(stats, SYDNEY, "");
  const data = chartData(stats);
  const readings = (at: number) =>
    (["disk", "bytes", "files", "duration", "failed"] as const).map((name) => plain(readingAt(name, data, at, SYDNEY)));

  test("say what there is to see", () => {
    expect(plain(charts.disk.label)).toBe(
      "Disk used: 58 % on 21 Nov 2026, 71.4 % on 21 Nov 2026. Syncing stops at 90 %.",
    );
    expect(plain(charts.bytes.label)).toBe(
      "Brought home per run: at most 912 MB, Sat 21 Nov, 07:04. Something came home 2 times.",
    );
    expect(plain(charts.duration.label)).toBe(
      "Duration per run: 49 s on average, 1 min 12 s at most. Gaps where the camera was away.",
    );
    expect(plain(charts.failed.label)).toBe("Runs that failed, by reason: Disk 1. Camera away 1 time.");
    expect([reasons, bucket, slot]).toEqual([["disk"], null, "3 hours"]);
  });

  test("rest on the last run that has something to tell", () => {
    const rests = Object.values(charts).map(({ rest }) => plain(rest));
    expect(rests).toEqual([
      "Sat 21 Nov, 07:20 · 71.4 %",
      "Sat 21 Nov, 07:20 · 412 MB",
      "Sat 21 Nov, 07:20 · 3 files",
      "Sat 21 Nov, 07:35 · 38 s",
      "1 failed · away 1 time",
    ]);
  });

  test("tell of a run what each of them shows, also why there is nothing", () => {
    const slotOf = "Sat 21 Nov, 06:00 · Disk 1 · away 1";
    expect(readings(0)).toEqual([
      "Sat 21 Nov, 06:50 · 58 %",
      ...Array(3).fill("Sat 21 Nov, 06:50 · camera away"),
      slotOf,
    ]);
    expect(readings(1)).toEqual([
      ...["67 %", "912 MB", "31 files", "1 min 12 s"].map((value) => `Sat 21 Nov, 07:04 · ${value}`),
      slotOf,
    ]);
    expect(readings(3)).toEqual([
      ...["not measured", "dry run", "dry run", "38 s"].map((value) => `Sat 21 Nov, 07:35 · ${value}`),
      slotOf,
    ]);
  });

  test("have no axes without anything to draw, but a reason", () => {
    const away = statsView(of([awayAt(NOW - 900, { diskUsedRatio: null })]), SYDNEY, "").charts;
    expect(Object.values(away).map(({ empty }) => empty)).toEqual([
      "No run has measured the disk in this time.",
      ...Array(2).fill("Nothing was brought home in this time."),
      "No run reached the camera in this time.",
      null,
    ]);
    expect(statsView(of([runAt(NOW - 900)]), SYDNEY, "").charts.failed.empty).toBe("No run failed in this time.");
  });

  test("say how much time a point sums up", () => {
    expect(plain(statsView(of(runs, { bucket: 21_000 }), SYDNEY, "").bucket ?? "")).toBe("5 h 50 min");
  });

  test("tell of the forecast where it ends", () => {
    const projected = [{ ts: NOW + DAY, disk: 0.828 }];
    const view = statsView(
      of(
        runs.map((run) => ({ ...run, ts: run.ts - 6 * DAY })),
        { projected },
      ),
      SYDNEY,
      "",
    );
    expect(view.hasForecast).toBe(true);
    expect(plain(view.charts.disk.label)).toContain("Forecast: 82.8 % by 22 Nov 2026.");
  });
});
