/** Length of the camera's list in one run. */
export interface SeenList {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly recordings: number;
  /** Number of recordings on the list before this one that are not on it any more. */
  readonly gone: number;
}

/** More than a day of lists that are remembered one by one. */
const MOST_LISTS = 200;
/** Lists that come closer together are remembered as one. */
const CLOSE_MS = 10 * 60_000;

/** The lists that are remembered when this one has come, the oldest first. */
export function withList(lists: readonly SeenList[], now: SeenList): SeenList[] {
  const last = lists.at(-1);
  const before = lists.at(-2);
  const isClose = last && before && last.recordings > 0 && now.recordings > 0 && now.at - before.at < CLOSE_MS;
  const merged = isClose ? { ...now, gone: now.gone + last.gone } : now;
  return [...(isClose ? lists.slice(0, -1) : lists), merged].slice(-MOST_LISTS);
}

/** Returns the time at which the camera's list became empty, and the last list before; null while it is not empty. */
export function emptiedAt(lists: readonly SeenList[]): { at: number; before: SeenList } | null {
  const from = lists.findLastIndex(({ recordings }) => recordings > 0);
  const before = lists[from];
  const first = lists[from + 1];
  return before && first ? { at: first.at, before } : null;
}

/** Speed at which the camera overwrites its oldest recordings, by its lists. */
export interface Overwriting {
  readonly perHour: number;
  /** Time in which that was seen, in milliseconds. */
  readonly spanMs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Shortest time that says enough about a day. */
const LEAST_SPAN_MS = 12 * HOUR_MS;
/** A card that loses more at once was formatted, or is another one. */
const MOST_SHARE = 0.5;

/**
 * Returns the speed at which recordings went from the list in its last 24 hours. Null while the lists do not prove
 * that the camera overwrites: they span too little, or fewer than two of them have lost any, or most of the card was
 * lost at once.
 */
export function overwriting(lists: readonly SeenList[]): Overwriting | null {
  const last = lists.at(-1);
  if (!last) return null;
  const from = Math.max(
    0,
    lists.findLastIndex(({ at }) => at <= last.at - DAY_MS),
  );
  const first = lists[from];
  const since = lists.slice(from + 1);
  const spanMs = last.at - (first?.at ?? last.at);
  const isOther = since.some(({ gone }, index) => gone > MOST_SHARE * (lists[from + index]?.recordings ?? 0));
  if (spanMs < LEAST_SPAN_MS || isOther || since.filter(({ gone }) => gone > 0).length < 2) return null;
  return { perHour: since.reduce((sum, { gone }) => sum + gone, 0) / (spanMs / HOUR_MS), spanMs };
}

/** The longest time between two lists, in milliseconds; 0 with fewer than two. */
export function longestAbsence(lists: readonly SeenList[]): number {
  return lists.reduce((longest, { at }, index) => Math.max(longest, at - (lists[index - 1]?.at ?? at)), 0);
}
