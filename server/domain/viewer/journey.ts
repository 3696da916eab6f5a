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
 * The forward chain of segments from `start`: each begins more than 0 and at most 120 seconds after the one before.
 * What begins at the same second (another type, a copy), and what has its name as another one of it, is passed over. How long the clips are does not matter.
 * @param candidates ordered by key; what lies before the start is passed over. Nothing is taken after the chain's end
 * @param allTypes also follow segments of other types than the start's
 */
export function journeyFrom<T extends Keyed>(start: T, candidates: Iterable<T>, allTypes: boolean): T[] {
  const chain = [start];
  let last = secondsOf(start.key);
  for (const candidate of candidates) {
    const gap = secondsOf(candidate.key) - last;
    if (gap > JOURNEY_GAP_SECONDS) break;
    if (gap <= 0 || !(allTypes || typeOf(candidate.key) === typeOf(start.key))) continue;
    if (ordinalOf(candidate.key) !== ordinalOf(start.key)) continue;
    chain.push(candidate);
    last += gap;
  }
  return chain;
}

/**
 * Where each segment begins on the journey's time line, in seconds: after the lengths of those before. An unknown
 * length is taken to be a minute, or less when the next segment began sooner.
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
