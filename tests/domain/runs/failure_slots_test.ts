import { describe, expect, test } from "bun:test";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import { FailedRunsBuilder, hasFailed, mainReason, slotBegin } from "../../../server/domain/runs/failure_slots.ts";
import type { Run } from "../../../server/domain/runs/run.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { awayAt, runAt } from "../../support/app/history.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const SYDNEY = new ZoneTime("Australia/Sydney");
const offset = (ts: number) => SYDNEY.offset(ts * 1000) / 1000;
const at = (iso: string) => Date.parse(iso) / 1000;
/** Saturday 21 November 2026, 12:00 in Sydney. */
const NOON = at("2026-11-21T01:00:00Z");

const awayFrom = (ts: number) => awayAt(ts + 5, { durationSeconds: 5 });

function failedRuns(runs: readonly Run[], from: number, to: number) {
  const builder = new FailedRunsBuilder(from, to, offset);
  for (const run of runs) builder.add(run);
  return builder.failedRuns;
}

describe("failed runs", () => {
  test("count once each, under their main reason, and those that found nobody apart", () => {
    const runs = [
      runAt(NOON + 60),
      awayAt(NOON + 61),
      awayAt(NOON + 62, { failures: { ...noFailures(), network: 3 } }),
      runAt(NOON + 63, { success: false, failures: { disk: 1 } }),
      runAt(NOON + 64, { success: false, failures: { http: 4, timeout: 1, unknown: 1 } }),
      // Whole for the schedule, but files are missing.
      runAt(NOON + 65, { failures: { timeout: 2 } }),
      runAt(NOON + 66, { success: false }),
    ];
    expect(failedRuns(runs, NOON, NOON + HOUR)).toEqual({
      slot_seconds: HOUR,
      slots: [{ ts: NOON, end: NOON + HOUR, away: 2, http: 1, network: 0, timeout: 1, disk: 1, unknown: 1 }],
    });
  });

  test("count where they began, as the table names them", () => {
    const run = runAt(NOON + 60, { durationSeconds: 90, success: false, failures: { disk: 1 } });
    const { slots } = failedRuns([run], NOON - DAY, NOON);
    expect(slots.map(({ ts, disk }) => [ts - NOON, disk])).toEqual([[-HOUR, 1]]);
  });

  test("leave out those that somebody stopped", () => {
    const failures = { network: 1 };
    const runs = [
      runAt(NOON + 60, { success: false, stopped: true }),
      runAt(NOON + 70, { success: false, stopped: true, failures }),
    ];
    expect(failedRuns(runs, NOON, NOON + HOUR).slots).toEqual([]);
  });

  const lengths: [shown: string, seconds: number, slot: number][] = [
    ["an hour", HOUR, HOUR],
    ["a day", DAY, HOUR],
    ["a week", 7 * DAY, 3 * HOUR],
    ["a month", 30 * DAY, DAY],
    ["a year", 365 * DAY, 7 * DAY],
    ["four years", 1461 * DAY, 28 * DAY],
    ["a century", 36_525 * DAY, 91 * DAY],
  ];
  for (const [shown, seconds, slot] of lengths)
    test(`of ${shown} stand in stretches of ${slot / HOUR} h`, () =>
      expect(failedRuns([], NOON - seconds, NOON).slot_seconds).toBe(slot));

  test("of a day are those of a day on the wall, and days without any are left out", () => {
    const midnight = at("2026-11-20T13:00:00Z");
    const runs = [midnight - 1, midnight, midnight + DAY - 1, midnight + 3 * DAY].map(awayFrom);
    const { slots } = failedRuns(runs, NOON - 30 * DAY, NOON);
    expect(slots.map(({ ts, away }) => [ts - midnight, away])).toEqual([
      [-DAY, 1],
      [0, 2],
      [3 * DAY, 1],
    ]);
  });

  test("keep their days when the clocks change", () => {
    // 4 October 2026 has 23 hours in Sydney.
    const sunday = at("2026-10-03T14:00:00Z");
    const monday = sunday + 23 * HOUR;
    const runs = [sunday, monday - 1, monday, monday + DAY - 1, monday + DAY].map(awayFrom);
    const { slots } = failedRuns(runs, sunday - 20 * DAY, sunday + 10 * DAY);
    expect(slots.map(({ ts, away }) => [ts, away])).toEqual([
      [sunday, 2],
      [monday, 2],
      [monday + DAY, 1],
    ]);
  });
});

describe("slotBegin()", () => {
  test("begins weeks on Mondays", () => {
    const begin = slotBegin(NOON, 7 * DAY, offset);
    expect(SYDNEY.moment(begin * 1000, NOON * 1000)).toBe("Mon 16\u00a0Nov, 00:00");
  });

  test("tells the two hours apart that the wall calls the same", () => {
    const first = at("2026-04-04T15:30:00Z");
    expect(SYDNEY.clock(first * 1000)).toBe(SYDNEY.clock((first + HOUR) * 1000));
    expect(slotBegin(first + HOUR, HOUR, offset) - slotBegin(first, HOUR, offset)).toBe(HOUR);
  });
});

describe("mainReason()", () => {
  test("is the most frequent, and of several the one somebody can mend", () => {
    expect(mainReason({ ...noFailures(), timeout: 2, disk: 1 })).toBe("timeout");
    expect(mainReason({ ...noFailures(), network: 1, unknown: 1, disk: 1 })).toBe("disk");
    expect(mainReason(noFailures())).toBe("unknown");
  });
});

describe("hasFailed()", () => {
  test("is true of a whole run and of a file in it", () => {
    expect(hasFailed(runAt(NOON))).toBe(false);
    expect(hasFailed(runAt(NOON, { failures: { http: 1 } }))).toBe(true);
    expect(hasFailed(runAt(NOON, { success: false }))).toBe(true);
  });
});
