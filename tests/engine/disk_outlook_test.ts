import { describe, expect, test } from "bun:test";
import type { DiskHeading } from "../../server/domain/forecast.ts";
import { DiskOutlook } from "../../server/engine/disk_outlook.ts";
import { runAt } from "../support/history.ts";

const DAY = 86_400;
const NOW = 1_790_000_000;

/** What a day's runs with these ratios say, each of the disk and of the trash on it; the last one is now. */
function headingOf(ratios: readonly (number | null)[], trash: readonly number[] = [], limit = 0.9): DiskHeading {
  const runs = ratios.map((diskUsedRatio, at) => {
    const trashRatio = trash[at];
    const ts = NOW - (ratios.length - 1 - at) * DAY;
    return runAt(ts, { diskUsedRatio, ...(trashRatio !== undefined && { trashRatio }) });
  });
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

  const cleared: [what: string, ratios: number[], trash: number[], heading: DiskHeading["state"]][] = [
    ["steady when only the trash grows", [0.5, 0.625, 0.75], [0, 0.125, 0.25], "steady"],
    ["steady when a move to the trash frees nothing yet", [0.8, 0.8, 0.8], [0, 0, 0.3], "steady"],
    ["filling when purges hide what comes in", [0.8, 0.8, 0.8], [0.3, 0.2, 0.1], "filling"],
    ["not reached while the trash can give way", [0.92, 0.92, 0.92], [0.1, 0.1, 0.1], "steady"],
    ["reached without the trash", [0.97, 0.97, 0.97], [0.05, 0.05, 0.05], "reached"],
  ];
  for (const [what, ratios, trash, state] of cleared)
    test(`is ${what}`, () => expect(headingOf(ratios, trash).state).toBe(state));

  test("takes runs that do not know of a trash as runs without one", () => {
    expect(headingOf([0.6, 0.7, 0.8], [0, 0, 0])).toEqual(headingOf([0.6, 0.7, 0.8]));
  });

  test("names the day it is as full as allowed", () => {
    const { state, full_at } = headingOf([0.6, 0.7, 0.8]);
    expect(state).toBe("filling");
    expect(full_at).toBeCloseTo(NOW + DAY, 3);
  });
});
