import type { Clock } from "../../clock.ts";
import { endOfSpace } from "../../domain/runs/disk_space.ts";
import { DiskTrend, forecast, USUAL_HORIZON_SECONDS } from "../../domain/runs/disk_trend.ts";
import { FailedRunsBuilder } from "../../domain/runs/failure_slots.ts";
import { RANGES, type Range, usedWithoutTrash } from "../../domain/runs/run.ts";
import { bucketSeconds, MOST_POINTS, SeriesBuilder } from "../../domain/runs/run_series.ts";
import { SummaryBuilder } from "../../domain/runs/run_summary.ts";
import type { Statistics } from "../../domain/runs/stats_schema.ts";
import { AGE_UNITS, parseDuration } from "../../domain/settings/duration.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { ZoneTime } from "../../domain/text/zone_time.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import { nextTurn } from "../../turns.ts";
import { type DiskUsageCache, spaceOf } from "../transfer/disk_space.ts";
import type { DiskForecast } from "./disk_forecast.ts";

/** The runs of a range in figures: how they went, what they brought, and where the disk is heading. */
export async function statistics(
  parts: {
    readonly history: RunHistory;
    readonly clock: Clock;
    readonly zone: ZoneTime;
    readonly diskForecast: Pick<DiskForecast, "heading">;
    readonly storage: Pick<DiskUsageCache, "read">;
    readonly settings: { readonly current: Pick<Settings, "retention"> };
  },
  range: Range,
): Promise<Statistics> {
  const { history, clock, diskForecast: outlook, zone } = parts;
  const { retention } = parts.settings.current;
  const length = RANGES[range];
  const now = clock.now() / 1000;
  const since = length === null ? 0 : now - length;
  const { runs, firstTs, lastTs } = history.extent(since, MOST_POINTS + 1);
  const tally = new SummaryBuilder();
  const trend = new DiskTrend();
  const builder = new SeriesBuilder(bucketSeconds(runs, firstTs, lastTs));
  const failed = new FailedRunsBuilder(firstTs, now, (ts) => zone.offset(ts * 1000) / 1000);
  for (const slice of history.samples(since)) {
    for (const run of slice) {
      tally.add(run);
      trend.add(run.ts, usedWithoutTrash(run));
      builder.add(run);
      failed.add(run);
    }
    // Years of runs take a quarter of a second; others do not wait for that.
    await nextTurn();
  }
  const limits = {
    max_used_disk_percent: retention.max_used_disk_percent / 100,
    keep_steady_state: steadyState(history, retention.keep),
  };
  const storage = await parts.storage.read().then(spaceOf, () => null);
  const end = storage ? endOfSpace(storage, limits.max_used_disk_percent) : limits.max_used_disk_percent;
  return {
    range,
    period: { from: length === null ? (runs === 0 ? null : firstTs) : since, to: now },
    summary: tally.summary,
    series: builder.series,
    failed_runs: failed.failedRuns,
    forecast: {
      ...forecast(trend, limits, length ?? USUAL_HORIZON_SECONDS),
      heading: outlook.heading(end, zone),
    },
    storage,
  };
}

/** Returns the disk use that this `retention.keep` settles at; null when everything is kept. */
function steadyState(history: RunHistory, keep: string): number | null {
  if (keep === "") return null;
  try {
    return history.steadyState(parseDuration(keep, AGE_UNITS).ms / 1000);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
