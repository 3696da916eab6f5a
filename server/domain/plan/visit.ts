/** A stay of the camera in the home's network. Times in epoch milliseconds. */
export interface Visit {
  readonly from: number;
  /** Its last contact; null while it goes on. */
  readonly to: number | null;
  readonly seconds: number;
  /** Bytes that came home in it. */
  readonly bytes: number;
  /** Median of the rates at which its videos came, in bytes per second; null when none came. */
  readonly rate: number | null;
}

/** A visit that goes on, as it is noted from contact to contact. */
export interface OpenVisit {
  readonly from: number;
  /** The last contact, in epoch milliseconds. */
  readonly last: number;
  readonly bytes: number;
  /** Rates of its videos, in bytes per second; of many the last ones. */
  readonly rates: readonly number[];
}

/** Videos by which the rate of a visit goes. */
const MOST_RATES = 200;

/** A clock that moves otherwise than the time that passed by more than this was set. */
const CLOCK_SET_MS = 120_000;

/**
 * Returns the visit after a contact at `now`. It moves with a clock that was set meanwhile, so that it is as long as it
 * was.
 * @param passedMs since its last contact, on a clock that nobody sets
 */
export function afterContact(visit: OpenVisit | null, now: number, passedMs: number): OpenVisit {
  if (visit === null) return { from: now, last: now, bytes: 0, rates: [] };
  const shift = now - (visit.last + passedMs);
  const from = Math.abs(shift) > CLOCK_SET_MS ? visit.from + shift : visit.from;
  return { ...visit, from: Math.min(from, now), last: now };
}

/** Returns the visit with what has come home in it since. @param rates of the videos among that, in bytes per second */
export function withBytes(visit: OpenVisit, bytes: number, rates: readonly number[]): OpenVisit {
  return { ...visit, bytes: visit.bytes + bytes, rates: [...visit.rates, ...rates].slice(-MOST_RATES) };
}

/** Returns a visit that goes on, or has ended with its last contact. */
export function visitOf({ from, last, bytes, rates }: OpenVisit, isOver: boolean): Visit {
  return { from, to: isOver ? last : null, seconds: Math.round((last - from) / 1000), bytes, rate: median(rates) };
}

/** The middle of some numbers; null when there are none. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
