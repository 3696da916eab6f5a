import { type Force, RestCounts, squaresOf } from "../viewer/force.ts";
import type { SharedFix } from "./shared_track.ts";

/** Force on the car: seconds since the beginning of the span, and g; the strongest of a fifth of a second. */
export type SharedForce = [seconds: number, g: number];

/** A clip's forces and where the clip begins, in seconds since the beginning of the span. */
export interface PlacedForce {
  readonly offset: number;
  readonly force: Force;
}

/** Forces a second that are told. */
export const FORCES_A_SECOND = 5;

/**
 * The forces of a link, where its track is shown: from forces near the ends of a trip the way there could be told.
 * @param clips by time @param stretches the track as it is shown
 */
export function sharedForces(
  clips: readonly PlacedForce[],
  stretches: readonly (readonly SharedFix[])[],
): SharedForce[] {
  const counts = new RestCounts();
  for (const { force } of clips) counts.add(force);
  const rest = counts.rest();
  const ends = stretches.flatMap((fixes) => {
    const [first, last] = [fixes[0], fixes.at(-1)];
    return first && last ? [{ from: first[0], to: last[0] }] : [];
  });
  if (rest === null || ends.length === 0) return [];
  const strongest = new Map<number, number>();
  for (const [at, { offset, force }] of clips.entries()) {
    const squares = squaresOf(force, rest);
    // Samples behind the beginning of the next clip were recorded when the clock was another.
    const until = clips[at + 1]?.offset ?? Number.POSITIVE_INFINITY;
    for (const [sample, t] of force.t.entries()) {
      const time = offset + t;
      if (time >= until || !ends.some(({ from, to }) => time >= from && time <= to)) continue;
      const slot = Math.floor(time * FORCES_A_SECOND);
      strongest.set(slot, Math.max(strongest.get(slot) ?? 0, squares[sample] ?? 0));
    }
  }
  return [...strongest]
    .sort(([one], [other]) => one - other)
    .map(([slot, square]) => [slot / FORCES_A_SECOND, Math.round(Math.sqrt(square) * 100) / 100]);
}

/** The force at a time; null where none is told. @param forces by time */
export function forceAt(forces: readonly SharedForce[], time: number): number | null {
  let [low, high] = [0, forces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((forces[middle]?.[0] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  const found = forces[low - 1];
  return found && time - found[0] < 2 / FORCES_A_SECOND ? found[1] : null;
}
