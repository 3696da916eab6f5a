import type { FailureCause } from "./failure_cause.ts";
import type { FileCounts } from "./file_counts.ts";

export const FAILURE_REASONS = ["http", "network", "timeout", "disk", "unknown"] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];
export type Failures = Record<FailureReason, number>;

/** One sync as history keeps it. */
export interface Run {
  /** Epoch seconds at the end of the run. */
  ts: number;
  success: boolean;
  exitCode: number;
  durationSeconds: number;
  /** Files downloaded, and bytes transferred, in this run. */
  files: number;
  bytes: number;
  recordingsSeen: number;
  recordingsSelected: number;
  /** 0..1, null when the disk was never looked at. */
  diskUsedRatio: number | null;
  /** The part of it that is the trash, 0..1 of the whole disk; null when nobody could say, left out by older programs. */
  trashRatio?: number | null;
  /** Marker files below the destination at the end. */
  failedMarkers: number;
  /** The run's own reason counted once, plus one per failed file. */
  failures: Failures;
  dryRun: boolean;
  /** Somebody asked it to stop. Left out means nobody did. */
  stopped?: true;
  /** Of the camera it was with; left out in what older programs wrote. */
  address?: string;
  /** Why it failed: a sentence without a full stop. Left out when it went through, and in what older programs wrote. */
  message?: string;
  /** Recordings that retention deleted here, and their bytes; left out when it deleted none. */
  deleted?: { readonly recordings: number; readonly bytes: number };
  /** What the camera listed and no rule let through; left out when there was no list to look at. */
  leftOut?: LeftOut;
  /** What it failed of, finer than its reason; left out when it went through, and in what older programs wrote. */
  cause?: FailureCause;
  /** Left out when there was no list to look at, and in what older programs wrote. */
  counts?: FileCounts;
}

/** Listed recordings that were left out before anything was fetched, by the rule that did it. */
export interface LeftOut {
  /** Older than recordings are kept. */
  retention: number;
  /** Not chosen by `sync.include` and `sync.exclude`. */
  selection: number;
  /** Deleted here, by hand or to make room. */
  deleted: number;
  /** Their folder at home cannot be read: nobody knows whether they are there. */
  unreadable: number;
  /** Names that the grammar of recordings does not know. */
  unknown: number;
}

/** How far a run has come that has not ended yet; `ts` is when it was last known to be alive. */
export type RunningRun = Readonly<Pick<Run, "ts" | "durationSeconds" | "files" | "bytes" | "dryRun" | "address">>;

/** The message of a run whose process was killed or lost its power. */
const INTERRUPTED = "interrupted";

/** What history keeps of a run that did not come to its end, as far as it was known. */
export function brokenOff(run: RunningRun, message: string = INTERRUPTED, exitCode = 1): Run {
  return {
    ...run,
    success: false,
    exitCode,
    recordingsSeen: 0,
    recordingsSelected: 0,
    diskUsedRatio: null,
    failedMarkers: 0,
    failures: { ...noFailures(), unknown: 1 },
    message,
  };
}

/** Its process was killed or lost its power in the middle of it. */
export function isInterrupted({ success, message }: Pick<Run, "success" | "message">): boolean {
  return !success && message === INTERRUPTED;
}

export function nothingLeftOut(): LeftOut {
  return { retention: 0, selection: 0, deleted: 0, unreadable: 0, unknown: 0 };
}

export function noFailures(): Failures {
  return { http: 0, network: 0, timeout: 0, disk: 0, unknown: 0 };
}

/** The camera could not be reached: failed, and every reason that occurred is network or timeout. */
export function isOffline(run: Pick<Run, "success" | "failures">): boolean {
  const { http, network, timeout, disk, unknown } = run.failures;
  return !run.success && network + timeout > 0 && http + disk + unknown === 0;
}

/**
 * How full the disk is but for the trash, which makes room when it is needed: 0..1, null when nobody looked. A run that
 * does not know of a trash had none.
 */
export function usedWithoutTrash({ diskUsedRatio, trashRatio }: Pick<Run, "diskUsedRatio" | "trashRatio">) {
  return diskUsedRatio === null ? null : Math.max(0, diskUsedRatio - (trashRatio ?? 0));
}

/** What the statistics need of a run. */
export type RunSample = Readonly<
  Pick<
    Run,
    | "ts"
    | "success"
    | "durationSeconds"
    | "files"
    | "bytes"
    | "diskUsedRatio"
    | "trashRatio"
    | "failures"
    | "dryRun"
    | "stopped"
  >
>;

/** How far back a statistic looks, in seconds; null is all there is. */
export const RANGES = { "24h": 86_400, "7d": 604_800, "30d": 2_592_000, all: null } as const;
export type Range = keyof typeof RANGES;

/** True for the name of a range. */
export function isRange(text: string): text is Range {
  return Object.hasOwn(RANGES, text);
}

export interface RunSummary {
  runs: number;
  /** Runs that did not reach the camera; the two figures at the end leave them out. */
  offline: number;
  reachable_runs: number;
  /** Transferred; dry runs transfer nothing, whatever they say. */
  bytes: number;
  /** Files that came home; none of a dry run. */
  files: number;
  /** 0 when no run reached the camera. */
  avg_duration_seconds: number;
  /** Of the runs that reached the camera; 0 when none did. */
  longest_seconds: number;
  /** 0..1, null when no run reached the camera. */
  success_rate: number | null;
  /** Of the runs that reached the camera, those that were stopped by hand; the rate counts them as not well. */
  stopped: number;
}

/** The summary of all runs added so far. */
export class RunTally {
  #runs = 0;
  #offline = 0;
  #bytes = 0;
  #files = 0;
  #seconds = 0;
  #longest = 0;
  #successes = 0;
  #stopped = 0;

  add(run: RunSample): void {
    this.#runs++;
    if (!run.dryRun) {
      this.#bytes += run.bytes;
      this.#files += run.files;
    }
    if (isOffline(run)) {
      this.#offline++;
      return;
    }
    this.#seconds += run.durationSeconds;
    if (run.durationSeconds > this.#longest) this.#longest = run.durationSeconds;
    if (run.success) this.#successes++;
    else if (run.stopped) this.#stopped++;
  }

  get summary(): RunSummary {
    const reachable = this.#runs - this.#offline;
    return {
      ...{ runs: this.#runs, offline: this.#offline, reachable_runs: reachable },
      ...{ bytes: this.#bytes, files: this.#files },
      avg_duration_seconds: reachable === 0 ? 0 : this.#seconds / reachable,
      ...{ longest_seconds: this.#longest, stopped: this.#stopped },
      success_rate: reachable === 0 ? null : this.#successes / reachable,
    };
  }
}

/** The summary of these runs. */
export function summarize(runs: Iterable<RunSample>): RunSummary {
  const tally = new RunTally();
  for (const run of runs) tally.add(run);
  return tally.summary;
}

/** A run, or all runs of one bucket of time. */
export interface RunPoint {
  /** Epoch seconds: the end of the run, or the beginning of the bucket. */
  ts: number;
  /** Sums. */
  bytes: number;
  files: number;
  /** Seconds; of several runs the mean. */
  duration: number;
  /** 0..1 at the last run that looked; null when none did. */
  disk: number | null;
  /** The part of it that is the trash; null when nobody could say. */
  trash: number | null;
  /** These three are true when they are true of every run. */
  success: boolean;
  failures: Failures;
  dry_run: boolean;
  offline: boolean;
}

export interface RunSeries {
  /** By time. */
  points: RunPoint[];
  /** Length of the buckets, null when each run is a point. Buckets begin at its multiples; those without a run are left out. */
  bucket_seconds: number | null;
}

/** One point per run up to here. */
export const MOST_POINTS = 3000;
/** About as many as a chart has pixels across. */
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
    last.offline &&= isOffline(run);
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
    offline: isOffline(run),
  };
}

function rounded(value: number, steps: number): number {
  return Math.round(value * steps) / steps;
}
