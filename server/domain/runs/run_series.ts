import type * as v from "valibot";
import { noFailures } from "./failure_reason.ts";
import type { RunSample } from "./run.ts";
import { runEnding } from "./run_ending.ts";
import type { RUN_POINT, RUN_SERIES } from "./stats_schema.ts";

export type RunPoint = v.InferOutput<typeof RUN_POINT>;

export type RunSeries = v.InferOutput<typeof RUN_SERIES>;

/** One point per run up to here. */
export const MOST_POINTS = 3000;
/** Buckets: about as many as a chart has pixels across. */
const BUCKETS = 1500;

/** The length of the buckets that so many runs need; null when they need none. Whole minutes, seconds for short times. */
export function bucketSeconds(runs: number, firstTs: number, lastTs: number): number | null {
  if (runs <= MOST_POINTS) return null;
  const seconds = Math.max(1, Math.ceil((lastTs - firstTs) / BUCKETS));
  return seconds > 60 ? Math.ceil(seconds / 60) * 60 : seconds;
}

/** Makes the points of runs that are added by time. */
export class SeriesBuilder {
  readonly #bucketSeconds: number | null;
  readonly #points: RunPoint[] = [];
  #inLast = 0;

  constructor(bucket: number | null) {
    this.#bucketSeconds = bucket;
  }

  add(run: RunSample): void {
    const last = this.#points.at(-1);
    const bucket = this.#bucketSeconds;
    const ts = bucket === null ? run.ts : Math.floor(run.ts / bucket) * bucket;
    if (last === undefined || last.ts !== ts) {
      this.#points.push({ ...pointOf(run), ts });
      this.#inLast = 1;
      return;
    }
    last.bytes += run.bytes;
    last.files += run.files;
    last.duration += (run.durationSeconds - last.duration) / ++this.#inLast;
    if (run.diskUsedRatio !== null) [last.disk, last.trash] = [run.diskUsedRatio, run.trashRatio ?? null];
    last.success &&= run.success;
    last.dry_run &&= run.dryRun;
    last.offline &&= runEnding(run) === "away";
    last.failures.http += run.failures.http;
    last.failures.network += run.failures.network;
    last.failures.timeout += run.failures.timeout;
    last.failures.disk += run.failures.disk;
    last.failures.unknown += run.failures.unknown;
  }

  /** Long fractions are cut to what a chart can show: they would be a third of the text. */
  get series(): RunSeries {
    const points = this.#points.map((point) => ({
      ...point,
      duration: rounded(point.duration, 1000),
      disk: point.disk === null ? null : rounded(point.disk, 1_000_000),
      trash: point.trash === null ? null : rounded(point.trash, 1_000_000),
    }));
    return { points, bucket_seconds: this.#bucketSeconds };
  }
}

/** A run as a point of its own. */
function pointOf(run: RunSample): RunPoint {
  return {
    ts: run.ts,
    bytes: run.bytes,
    files: run.files,
    duration: run.durationSeconds,
    disk: run.diskUsedRatio,
    trash: run.trashRatio ?? null,
    success: run.success,
    failures: { ...noFailures(), ...run.failures },
    dry_run: run.dryRun,
    offline: runEnding(run) === "away",
  };
}

/** Rounds to the nearest of so many steps in each one: `rounded(1.2345, 1000)` is 1.235. */
export function rounded(value: number, steps: number): number {
  return Math.round(value * steps) / steps;
}
