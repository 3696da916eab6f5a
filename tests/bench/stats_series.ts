import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { series } from "../../server/api/runs.ts";
import { systemClock } from "../../server/clock.ts";
import { noFailures } from "../../server/domain/runs/failure_reason.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { DiskForecast } from "../../server/engine/status/disk_forecast.ts";
import { DiskUsageCache } from "../../server/engine/transfer/disk_space.ts";
import type { Route } from "../../server/http/request/route.ts";
import { Log } from "../../server/log.ts";
import { RunHistory } from "../../server/store/config/run_history.ts";
import type { StageApp } from "../support/app/http.ts";
import { openStage } from "../support/app/viewer.ts";
import { median } from "./measure.ts";

const ROUNDS = 7;
const QUARTER_SECONDS = 900;

export interface StatsFigures {
  runs: number;
  /** `range=all` over real HTTP, in milliseconds. */
  medianMs: number;
  worstMs: number;
  kilobytes: number;
  points: number;
  /** The longest the event loop was away while answering, in milliseconds. */
  worstDelayMs: number;
}

/** The statistics of a history of this many runs, one each quarter of an hour, a third of them without the camera. */
export async function benchStatsSeries(runs: number): Promise<StatsFigures> {
  const folder = mkdtempSync(join(tmpdir(), "dashdock-bench-stats-"));
  const path = join(folder, "stats.db");
  const history = new RunHistory({ path, clock: systemClock, log: new Log(systemClock) });
  try {
    fill(path, runs);
    const forecast = new DiskForecast(history);
    const storage = new DiskUsageCache({ root: folder, clock: systemClock });
    const handle: Route<StageApp>["handle"] = (context, app) =>
      series.handle(context, {
        ...app,
        history,
        diskForecast: forecast,
        storage,
        zone: new ZoneTime("Australia/Sydney"),
      });
    const { stage, browser } = await openStage([{ method: "GET", path: "/series", access: "open", handle }]);
    await using _ = stage;
    const times: number[] = [];
    let text = "";
    let worstDelayMs = 0;
    for (let round = 0; round <= ROUNDS; round++) {
      const delays = watchLoop();
      const began = performance.now();
      text = await (await browser.ask("/series?range=all")).text();
      const took = performance.now() - began;
      const worst = delays.stop();
      // The first warms up.
      if (round === 0) continue;
      times.push(took);
      worstDelayMs = Math.max(worstDelayMs, worst);
    }
    const { points } = (JSON.parse(text) as { series: { points: object[] } }).series;
    const figures = { medianMs: median(times), worstMs: Math.max(...times), worstDelayMs };
    return { runs, ...figures, kilobytes: text.length / 1000, points: points.length };
  } finally {
    history.close();
    rmSync(folder, { recursive: true });
  }
}

function fill(path: string, runs: number): void {
  const db = new Database(path);
  const insert = db.prepare(
    `insert into runs (ts_seconds, success, duration_seconds, files, bytes, disk_used_ratio, failures_json)
     values (?, ?, ?, ?, ?, ?, ?)`,
  );
  const now = Date.now() / 1000;
  const texts = [{}, { network: 1 }, { http: 2, timeout: 1 }].map((failures) =>
    JSON.stringify({ ...noFailures(), ...failures }),
  );
  db.transaction(() => {
    for (let index = runs; index > 0; index--) {
      const text = texts[index % 3 === 0 ? 1 : index % 50 === 1 ? 2 : 0] ?? "";
      const seconds = 60 + ((index * 7919) % 1000) / 7;
      const ratio = 0.5 + ((index * 104_729) % 1000) / 7919;
      insert.run(
        now - index * QUARTER_SECONDS,
        index % 3 === 0 ? 0 : 1,
        seconds,
        index % 9,
        index * 12_345,
        ratio,
        text,
      );
    }
  })();
  insert.finalize();
  db.close();
}

/** Measures how late the event loop comes back, turn by turn. */
function watchLoop(): { stop(): number } {
  let worst = 0;
  let last = performance.now();
  let isOver = false;
  const turn = () => {
    const now = performance.now();
    worst = Math.max(worst, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    stop() {
      isOver = true;
      return worst;
    },
  };
}

if (import.meta.main) {
  for (const runs of [2880, 35_000, 350_000]) console.log(await benchStatsSeries(runs));
}
