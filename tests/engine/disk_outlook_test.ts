import { describe, expect, test } from "bun:test";
import type { DiskHeading } from "../../server/domain/forecast.ts";
import { DiskOutlook } from "../../server/engine/disk_outlook.ts";
import { runAt } from "../support/history.ts";

const DAY = 86_400;
const NOW = 1_790_000_000;

/** What a day's runs with these ratios say; the last one is now. */
function headingOf(ratios: readonly (number | null)[], limit = 0.9): DiskHeading {
  const runs = ratios.map((diskUsedRatio, at) => runAt(NOW - (ratios.length - 1 - at) * DAY, { diskUsedRatio }));
  const history = {
    latest: () => runs.at(-1) ?? null,
    *samples() {
      yield runs;
    },
  };
  return new DiskOutlook(() => history).heading(limit);
}

describe("the outlook for the disk", () => {
  const cases: [what: string, ratios: (number | null)[], heading: DiskHeading][] = [
    ["unknown without runs", [], { state: "unknown", full_at: null }],
    ["unknown with too few that looked", [0.5, null, 0.6], { state: "unknown", full_at: null }],
    ["steady when nothing changes", [0.5, 0.5, 0.5], { state: "steady", full_at: null }],
    ["steady when it falls", [0.7, 0.6, 0.5], { state: "steady", full_at: null }],
    ["reached at the limit", [0.7, 0.8, 0.9], { state: "reached", full_at: null }],
    ["slow when it takes more than two years", [0.5, 0.5, 0.5003], { state: "slow", full_at: null }],
  ];
  for (const [what, ratios, heading] of cases) test(`is ${what}`, () => expect(headingOf(ratios)).toEqual(heading));

  test("names the day it is as full as allowed", () => {
    const { state, full_at } = headingOf([0.6, 0.7, 0.8]);
    expect(state).toBe("filling");
    expect(full_at).toBeCloseTo(NOW + DAY, 3);
  });
});
