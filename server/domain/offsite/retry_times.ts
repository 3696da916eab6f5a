const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Waits between tries of one request: six tries in all follow the first. */
export const REQUEST_WAITS: readonly number[] = [1, 2, 4, 8, 16, 32].map((seconds) => seconds * SECOND);

const ROUND_WAITS = [1 * MINUTE, 5 * MINUTE, 30 * MINUTE];

/** Wait after so many rounds in a row that have failed, 1 or more. */
export function roundWait(failed: number): number {
  return ROUND_WAITS[failed - 1] ?? 60 * MINUTE;
}
