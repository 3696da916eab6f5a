import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import type { Range, Run } from "../../../server/domain/runs/run.ts";
import { initialSettings } from "../../../server/domain/settings/settings.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { DiskForecast } from "../../../server/engine/status/disk_forecast.ts";
import { statistics } from "../../../server/engine/status/statistics.ts";
import { Log } from "../../../server/log.ts";
import { RunHistory } from "../../../server/store/config/run_history.ts";
import { FakeClock } from "../../support/app/clock.ts";

const NOW = 1_790_000_000;
const HOUR = 3600;
const DAY = 24 * HOUR;

let folder: string;
let history: RunHistory;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "statistics-"));
  const clock = new FakeClock();
  history = new RunHistory({ path: join(folder, "stats.db"), clock, log: new Log(clock) });
});
afterEach(() => {
  history.close();
  rmSync(folder, { recursive: true, force: true });
});

function add(ts: number, change: Partial<Run> = {}): void {
  history.append({
    ts,
    success: true,
    exitCode: 0,
    durationSeconds: 60,
    files: 1,
    bytes: 1000,
    recordingsSeen: 1,
    recordingsSelected: 1,
    diskUsedRatio: 0.4,
    failedMarkers: 0,
    failures: noFailures(),
    dryRun: false,
    ...change,
  });
}
/** A run each quarter of an hour, the last one now. */
function addQuarters(count: number): void {
  const db = new Database(join(folder, "stats.db"));
  const insert = db.prepare(
    "insert into runs (ts_seconds, success, disk_used_ratio, bytes, files) values (?, 1, ?, 10, 1)",
  );
  db.transaction(() => {
    for (let index = 0; index < count; index++) insert.run(NOW - index * 900, 0.8 - index * 1e-6);
  })();
  insert.finalize();
  db.close();
}

const GB = 1e9;
const disk = {
  totalBytes: 350 * GB,
  usedBytes: 105 * GB,
  usedRatio: 0.3,
  freeBytes: 245 * GB,
  availableBytes: 84 * GB,
};
const storage = { read: async () => disk };

async function read(range: Range, retention: { keep?: string; max_used_disk_percent?: number } = {}) {
  const settings = initialSettings();
  const current = { retention: { ...settings.retention, ...retention } };
  const forecast = new DiskForecast(history);
  const parts = {
    history,
    diskForecast: forecast,
    storage,
    clock: new FakeClock(NOW * 1000),
    zone: new ZoneTime("Australia/Sydney"),
  };
  return statistics({ ...parts, settings: { current } }, range);
}

describe("statistics()", () => {
  test("of nothing is empty, with the limit of the settings", async () => {
    expect(await read("7d")).toEqual({
      range: "7d",
      period: { from: NOW - 7 * DAY, to: NOW },
      summary: {
        runs: 0,
        offline: 0,
        reachable_runs: 0,
        bytes: 0,
        files: 0,
        avg_duration_seconds: 0,
        longest_seconds: 0,
        success_rate: null,
        stopped: 0,
      },
      series: { points: [], bucket_seconds: null },
      failed_runs: { slot_seconds: expect.any(Number), slots: [] },
      forecast: {
        projected: [],
        limits: { max_used_disk_percent: 0.9, keep_steady_state: null },
        heading: { state: "unknown", full_at: null, days: 0 },
      },
      storage: { total_bytes: 350e9, free_bytes: 245e9, available_bytes: 84e9 },
    });
  });

  const ranges: [range: Range, reach: number][] = [
    ["24h", DAY],
    ["7d", 7 * DAY],
    ["30d", 30 * DAY],
  ];
  test.each(ranges)("of %s looks back exactly that far", async (range, reach) => {
    for (const ts of [NOW, NOW - reach, NOW - reach - 1]) add(ts);
    const { summary, series } = await read(range);
    expect(series.points.map(({ ts }) => ts)).toEqual([NOW - reach, NOW]);
    expect(summary.runs).toBe(2);
  });

  test("of all looks back to the first run", async () => {
    for (const ts of [100, NOW]) add(ts);
    expect((await read("all")).series.points.map(({ ts }) => ts)).toEqual([100, NOW]);
  });

  test("looks ahead as far as back, and a week for all", async () => {
    for (const hours of [3, 2, 1]) add(NOW - hours * HOUR);
    const last = async (range: Range) => (await read(range)).forecast.projected.at(-1)?.ts;
    expect(await last("24h")).toBe(NOW - HOUR + DAY);
    expect(await last("30d")).toBe(NOW - HOUR + 30 * DAY);
    expect(await last("all")).toBe(NOW - HOUR + 7 * DAY);
  });

  test("has a point per run up to three thousand, and buckets beyond", async () => {
    addQuarters(3000);
    const all = await read("all");
    expect(all.series.points).toHaveLength(3000);
    expect(all.series.bucket_seconds).toBeNull();
    add(NOW + 1);
    const { series, summary } = await read("all");
    expect(series.bucket_seconds).toBeGreaterThan(900);
    expect(series.points.length).toBeLessThanOrEqual(1501);
    expect(series.points.every(({ ts }) => ts % (series.bucket_seconds ?? 1) === 0)).toBe(true);
    expect(series.points.reduce((sum, { files }) => sum + files, 0)).toBe(3001);
    expect(summary).toEqual({
      ...all.summary,
      runs: 3001,
      reachable_runs: 3001,
      bytes: 31_000,
      files: 3001,
      longest_seconds: 60,
      avg_duration_seconds: 60 / 3001,
    });
  });

  test("keeps bursts of failures visible in buckets", async () => {
    addQuarters(3500);
    add(NOW - 100 * 900 + 1, { success: false, failures: { ...noFailures(), http: 3 } });
    const failed = (await read("all")).series.points.filter(({ success }) => !success);
    expect(failed).toHaveLength(1);
    expect(failed[0]?.failures).toEqual({ ...noFailures(), http: 3 });
  });
});

describe("the steady state", () => {
  test("is that of the whole history, whatever the range shows", async () => {
    for (let day = 0; day <= 20; day++) add(NOW - day * DAY, { diskUsedRatio: day <= 14 ? 0.6 : 0.1 });
    const steady = async (range: Range, keep: string) =>
      (await read(range, { keep })).forecast.limits.keep_steady_state;
    expect(await steady("24h", "2w")).toBeCloseTo(0.6, 10);
    expect(await steady("all", "2w")).toBeCloseTo(0.6, 10);
    expect(await steady("24h", "21d")).toBeNull();
    expect(await steady("24h", "")).toBeNull();
    expect(await steady("24h", "soon")).toBeNull();
  });

  test("and the forecast are without the trash", async () => {
    for (let day = 20; day >= 0; day--) add(NOW - day * DAY, { diskUsedRatio: 0.6, trashRatio: 0.2 });
    const { forecast, series } = await read("7d", { keep: "2w" });
    expect(forecast.limits.keep_steady_state).toBeCloseTo(0.4, 10);
    expect(new Set(forecast.projected.map(({ disk }) => disk))).toEqual(new Set([0.4]));
    expect(series.points.at(-1)).toMatchObject({ disk: 0.6, trash: 0.2 });
  });

  test("holds the forecast back", async () => {
    for (let day = 20; day >= 0; day--) add(NOW - day * DAY, { diskUsedRatio: 0.5 + (day === 0 ? 0.01 : 0) });
    const { projected, limits } = (await read("7d", { keep: "1w", max_used_disk_percent: 80 })).forecast;
    expect(limits.max_used_disk_percent).toBe(0.8);
    // Values above the limit stay there.
    expect(projected.at(-1)?.disk).toBe(0.51);
  });
});
