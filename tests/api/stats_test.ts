import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { series } from "../../server/api/runs.ts";
import { noFailures } from "../../server/domain/runs/failure_reason.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { DiskForecast } from "../../server/engine/status/disk_forecast.ts";
import { DiskUsageCache } from "../../server/engine/transfer/disk_space.ts";
import type { Route } from "../../server/http/request/route.ts";
import { Log } from "../../server/log.ts";
import { RunHistory } from "../../server/store/config/run_history.ts";
import { FakeClock } from "../support/app/clock.ts";
import type { Browser, HttpStage, StageApp } from "../support/app/http.ts";
import { bodyOf, openStage } from "../support/app/viewer.ts";

let folder: string;
let history: RunHistory;
let stage: HttpStage;
let browser: Browser;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "stats-"));
  const clock = new FakeClock();
  history = new RunHistory({ path: join(folder, "stats.db"), clock, log: new Log(clock) });
  const storage = new DiskUsageCache({ root: folder, clock });
  const handle: Route<StageApp>["handle"] = (context, app) =>
    series.handle(context, {
      ...app,
      history,
      diskForecast: new DiskForecast(history),
      storage,
      zone: new ZoneTime("UTC"),
    });
  ({ stage, browser } = await openStage([{ method: "GET", path: "/api/stats/series", access: "signed-in", handle }]));
  const now = stage.clock.now() / 1000;
  for (const [ago, disk] of [0.1, 0.2, 0.3, 40].entries()) {
    history.append({
      ts: now - disk * 86_400,
      success: ago !== 1,
      exitCode: 0,
      durationSeconds: 30,
      files: 2,
      bytes: 2000,
      recordingsSeen: 1,
      recordingsSelected: 1,
      diskUsedRatio: 0.41,
      failedMarkers: 0,
      dryRun: ago === 2,
      ...(ago === 0 && { trashRatio: 0.11 }),
      failures: ago === 1 ? { ...noFailures(), timeout: 1 } : noFailures(),
    });
  }
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  history.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("GET /api/stats/series", () => {
  test("answers the range that was asked for, a week without one", async () => {
    for (const range of ["24h", "7d", "30d", "all"]) {
      const { summary, ...body } = (await bodyOf(browser, `/api/stats/series?range=${range}`)) as {
        range: string;
        summary: { runs: number };
      };
      expect(body.range).toBe(range);
      expect(summary.runs).toBe(range === "all" ? 4 : 3);
    }
    expect(await bodyOf(browser, "/api/stats/series")).toMatchObject({ range: "7d" });
  });

  test("has the shape a chart draws", async () => {
    const answer = await browser.ask("/api/stats/series?range=24h");
    expect(answer.headers.get("content-type")).toStartWith("application/json");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const body = (await answer.json()) as Record<string, unknown>;
    expect(body).toMatchObject({
      range: "24h",
      summary: { runs: 3, offline: 1, reachable_runs: 2, bytes: 4000, avg_duration_seconds: 30, success_rate: 1 },
      forecast: {
        limits: { max_used_disk_percent: 0.9, keep_steady_state: expect.closeTo((0.41 + 0.41 + 0.3) / 3, 9) },
      },
    });
    const { points, bucket_seconds } = body["series"] as { points: object[]; bucket_seconds: null };
    expect(bucket_seconds).toBeNull();
    expect(points.slice(1)).toEqual([
      {
        ts: expect.any(Number),
        bytes: 2000,
        files: 2,
        duration: 30,
        disk: 0.41,
        success: false,
        dry_run: false,
        offline: true,
        failures: { http: 0, network: 0, timeout: 1, disk: 0, unknown: 0 },
        trash: null,
      },
      {
        ts: expect.any(Number),
        bytes: 2000,
        files: 2,
        duration: 30,
        disk: 0.41,
        success: true,
        dry_run: false,
        offline: false,
        failures: noFailures(),
        trash: 0.11,
      },
    ]);
    const { projected } = body["forecast"] as { projected: { disk: number }[] };
    expect(projected).toHaveLength(12);
    // From the last run on, and without what is in the trash.
    expect(projected[0]?.disk).toBeLessThan(0.31);
  });

  test.each(["1y", "", "ALL", "toString", "7d,30d"])("refuses the range %p", async (range) => {
    const answer = await browser.ask(`/api/stats/series?range=${range}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      error: "The range must be one of 24h, 7d, 30d, all.",
      code: "BAD_RANGE",
      details: { range },
    });
  });
});
