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
  /** Marker files below the destination at the end. */
  failedMarkers: number;
  /** The run's own reason counted once, plus one per failed file. */
  failures: Failures;
  dryRun: boolean;
}

export function noFailures(): Failures {
  return { http: 0, network: 0, timeout: 0, disk: 0, unknown: 0 };
}

/** The camera could not be reached: failed, and every reason that occurred is network or timeout. */
export function isOffline(run: Pick<Run, "success" | "failures">): boolean {
  const { http, network, timeout, disk, unknown } = run.failures;
  return !run.success && network + timeout > 0 && http + disk + unknown === 0;
}
