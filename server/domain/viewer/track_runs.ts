import { type Fix, isJump } from "./fix_steps.ts";

/** Fixes in a row without a jump between them. */
export interface TrackRun {
  readonly first: Fix;
  readonly last: Fix;
  readonly fixes: number;
}

/** A jump out and back that lasts longer is no mistake of the receiver: something moved the car. */
const LONGEST_EXCURSION_SECONDS = 30;
/** Fewer fixes than this between two jumps are a mistake of the receiver, more are where the car is. */
const FEWEST_TO_BELIEVE = 3;
/** A mistake is of few runs; more are noise, in which looking farther would take long. */
const MOST_RUNS_LEFT_OUT = 32;

interface Way {
  /** Jumps that stay. */
  readonly jumps: number;
  readonly fixes: number;
  /** The run before this one; -1 for the first. */
  readonly before: number;
}

/**
 * Tells for each run if its places are the car's. A jump out and back is left out when it lasts at most 30 s. Chosen
 * is the way through the runs with the fewest jumps, and among equal ones the way with the most fixes.
 * @param runs by time
 */
export function believedRuns(runs: readonly TrackRun[]): boolean[] {
  const ways: Way[] = [];
  for (const [at, run] of runs.entries()) {
    let best: Way = { jumps: 0, fixes: run.fixes, before: -1 };
    for (let from = at - 1; from >= Math.max(0, at - 1 - MOST_RUNS_LEFT_OUT); from--) {
      const before = runs[from];
      const way = ways[from];
      const next = runs[from + 1];
      if (!before || !way || !next) break;
      const isNext = from === at - 1;
      const lasted = isNext ? 0 : (runs[at - 1]?.last.t ?? 0) - next.first.t;
      if (lasted > LONGEST_EXCURSION_SECONDS) break;
      const jumps = isJump(before.last, run.first) ? 1 : 0;
      if (!isNext && jumps > 0) continue;
      const found = { jumps: way.jumps + jumps, fixes: way.fixes + run.fixes, before: from };
      const isBetter = found.jumps < best.jumps || (found.jumps === best.jumps && found.fixes > best.fixes);
      if (best.before < 0 || isBetter) best = found;
    }
    ways.push(best);
  }
  const kept: number[] = [];
  for (let at = runs.length - 1; at >= 0; at = ways[at]?.before ?? -1) kept.push(at);
  const believed = withoutFew(runs, kept.reverse());
  return runs.map((_, at) => believed.has(at));
}

/** Leaves out the few fixes between two jumps, unless there are no others. */
function withoutFew(runs: readonly TrackRun[], kept: readonly number[]): ReadonlySet<number> {
  const groups: number[][] = [];
  for (const at of kept) {
    const group = groups.at(-1);
    const before = runs[group?.at(-1) ?? -1];
    const run = runs[at];
    if (group && before && run && !isJump(before.last, run.first)) group.push(at);
    else groups.push([at]);
  }
  const many = groups.filter(
    (group) => group.reduce((sum, at) => sum + (runs[at]?.fixes ?? 0), 0) >= FEWEST_TO_BELIEVE,
  );
  return new Set((many.length > 0 ? many : groups).flat());
}
