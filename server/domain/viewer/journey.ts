import { type ClockZone, secondsBetween } from "../recordings/clock_change.ts";
import { ordinalOf, secondsOf, typeOf } from "../recordings/recording_name.ts";

/** The next segment starts at most this many seconds after the start of the one before. */
export const JOURNEY_GAP_SECONDS = 120;
/** Length on the journey's time line of a segment whose video has none. */
export const USUAL_SEGMENT_SECONDS = 60;

/** `YYYYMMDD_HHMMSS_T` (camera wall time) of one moment. */
interface Keyed {
  readonly key: string;
}

/**
 * Returns the forward chain of segments from `start`: each begins more than 0 and at most 120 seconds after the one
 * before. A segment that begins in the same second (another type, a copy) is passed over. So is one whose name the
 * camera gave another time. The length of the clips does not matter.
 * @param candidates ordered by key; those before the start are passed over. Nothing is taken after the chain's end
 * @param allTypes also follow segments of other types than the start's
 * @param zone of the camera's clock; null where it is not known
 */
export function journeyFrom<T extends Keyed>(
  start: T,
  candidates: Iterable<T>,
  allTypes: boolean,
  zone: ClockZone | null,
): T[] {
  const chain = [start];
  let last = secondsOf(start.key);
  for (const candidate of candidates) {
    const at = secondsOf(candidate.key);
    const gap = secondsBetween(last, at, zone);
    if (gap > JOURNEY_GAP_SECONDS) break;
    if (gap <= 0 || !(allTypes || typeOf(candidate.key) === typeOf(start.key))) continue;
    if (ordinalOf(candidate.key) !== ordinalOf(start.key)) continue;
    chain.push(candidate);
    last = at;
  }
  return chain;
}

/**
 * Returns the second at which each segment begins on the journey's time line: after the lengths of those before. An
 * unknown length counts as a minute, or less when the next segment began sooner.
 */
export function journeyOffsets(chain: readonly (Keyed & { readonly durationSeconds: number | null })[]): number[] {
  let offset = 0;
  return chain.map((segment, index) => {
    const before = chain[index - 1];
    if (before === undefined) return offset;
    const length =
      before.durationSeconds ?? Math.min(USUAL_SEGMENT_SECONDS, secondsOf(segment.key) - secondsOf(before.key));
    offset += length;
    // Sums of thousandths; without this the last digits would be noise.
    offset = Math.round(offset * 1000) / 1000;
    return offset;
  });
}
