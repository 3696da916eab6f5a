/** Reasons for a failed run or file, by which history and metrics count. `FailureCause` is the finer one. */
export const FAILURE_REASONS = ["http", "network", "timeout", "disk", "unknown"] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];
/** Failures by their reason. */
export type Failures = Record<FailureReason, number>;

export function noFailures(): Failures {
  return { http: 0, network: 0, timeout: 0, disk: 0, unknown: 0 };
}
