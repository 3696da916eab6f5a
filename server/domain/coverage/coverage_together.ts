import type { Coverage, CoverageOfDay } from "./coverage_schema.ts";
import { countsTogether } from "./day_counts.ts";

/** The coverage of several cameras as one. Minutes of each camera count: two cars may drive at once. */
export function coverageTogether(all: readonly Coverage[]): Coverage {
  const known = all.filter(({ since }) => since !== null);
  const byDate = Map.groupBy(
    known.flatMap(({ days }) => days),
    ({ date }) => date,
  );
  const days = [...byDate]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([date, of]): CoverageOfDay => ({ date, ...countsTogether(of), cause: causeOf(of) }));
  const sinces = known.flatMap(({ since }) => since ?? []).sort();
  const free = known.flatMap(({ nothing_lost_since }) => nothing_lost_since ?? []).sort();
  return {
    since: sinces[0] ?? null,
    days,
    totals: countsTogether(days),
    nothing_lost_since: free.at(-1) ?? null,
  };
}

/** The cause of the camera that lost most. */
function causeOf(days: readonly CoverageOfDay[]): CoverageOfDay["cause"] {
  const most = days.toSorted((one, other) => other.lost - one.lost)[0];
  return most?.cause ?? null;
}
