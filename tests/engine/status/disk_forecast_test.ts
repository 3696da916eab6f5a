import { describe, expect, test } from "bun:test";
import type { DiskHeading } from "../../../server/domain/runs/disk_trend.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { DiskForecast } from "../../../server/engine/status/disk_forecast.ts";
import { runAt } from "../../support/app/history.ts";

const DAY = 86_400;
const NOW = 1_790_000_000;

/** Forecast from a day's runs with these ratios of the disk, and of the trash on it; the last run is now. */
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
  return new DiskForecast(history).heading(limit, new ZoneTime("UTC"));
}

describe("the outlook for the disk", () => {
  const cases: [what: string, ratios: (number | null)[], heading: DiskHeading][] = [
    ["unknown without runs", [], { state: "unknown", full_at: null, days: 0 }],
    ["unknown with too few that looked", [0.5, null, 0.6], { state: "unknown", full_at: null, days: 2 }],
    ["steady when nothing changes", [0.5, 0.5, 0.5], { state: "steady", full_at: null, days: 3 }],
    ["steady when it falls", [0.7, 0.6, 0.5], { state: "steady", full_at: null, days: 3 }],
    ["reached at the limit", [0.7, 0.8, 0.9], { state: "reached", full_at: null, days: 3 }],
    ["slow when it takes more than two years", [0.5, 0.5, 0.5003], { state: "slow", full_at: null, days: 3 }],
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

  const days: [what: string, timeZone: string, begins: readonly string[], days: number][] = [
    ["minutes of one day", "UTC", ["2026-11-21T10:00Z", "2026-11-21T10:15Z", "2026-11-21T10:30Z"], 1],
    ["two days", "UTC", ["2026-11-20T10:00Z", "2026-11-21T10:00Z", "2026-11-21T10:15Z"], 2],
    ["days that are two only in the zone", "Australia/Sydney", ["2026-11-21T12:00Z", "2026-11-21T14:00Z"], 2],
    ["three days with a gap", "UTC", ["2026-11-10T10:00Z", "2026-11-20T10:00Z", "2026-11-21T10:15Z"], 3],
    [
      "more than it takes",
      "UTC",
      ["2026-11-18T10:00Z", "2026-11-19T10:00Z", "2026-11-20T10:00Z", "2026-11-21T10:00Z"],
      3,
    ],
  ];
  for (const [what, timeZone, begins, count] of days)
    test(`counts ${what} as ${count}`, () => {
      const runs = begins.map((begin, at) => runAt(Date.parse(begin) / 1000, { diskUsedRatio: 0.5 + at / 100 }));
      const history = {
        latest: () => runs.at(-1) ?? null,
        *samples() {
          yield runs;
        },
      };
      expect(new DiskForecast(history).heading(0.9, new ZoneTime(timeZone)).days).toBe(count);
    });

  test("names the day it is as full as allowed", () => {
    const { state, full_at } = headingOf([0.6, 0.7, 0.8]);
    expect(state).toBe("filling");
    expect(full_at).toBeCloseTo(NOW + DAY, 3);
  });
});
