import { describe, expect, test } from "bun:test";
import { dayOf } from "../../server/domain/day_of_runs.ts";
import { noFailures, type RunSample } from "../../server/domain/run.ts";

const NOW = Date.parse("2026-11-20T20:51:00Z");
const MINUTE = 60;

function ended(minutesAgo: number, changes: Partial<RunSample> = {}): RunSample {
  return {
    ts: NOW / 1000 - minutesAgo * MINUTE,
    success: true,
    durationSeconds: 2,
    files: 0,
    bytes: 0,
    diskUsedRatio: null,
    failures: noFailures(),
    dryRun: false,
    ...changes,
  };
}
const AWAY = { success: false, failures: { ...noFailures(), timeout: 1 } };
const BAD = { success: false, failures: { ...noFailures(), disk: 1 } };

describe("dayOf()", () => {
  test("puts each run into its quarter of an hour, the newest last", () => {
    const { slots, counts } = dayOf([[ended(24 * 60 - 1, AWAY), ended(16)], [ended(1, { files: 3 })]], NOW);
    expect(slots).toHaveLength(96);
    expect([slots[0], slots[94], slots[95]]).toEqual(["away", "ok", "new"]);
    expect(slots.filter((slot) => slot === null)).toHaveLength(93);
    expect(counts).toEqual({ bad: 0, new: 1, ok: 1, away: 1 });
  });

  test("tells of several runs in one quarter the one that matters most, and counts them all", () => {
    const { slots, counts } = dayOf([[ended(9, AWAY), ended(8), ended(7, { files: 1 }), ended(6, BAD), ended(5)]], NOW);
    expect(slots[95]).toBe("bad");
    expect(counts).toEqual({ bad: 1, new: 1, ok: 2, away: 1 });
  });

  test("never shows an absent camera as a failure, nor hides what was brought behind it", () => {
    expect(dayOf([[ended(3, { files: 2 }), ended(2, AWAY)]], NOW).slots[95]).toBe("new");
    expect(dayOf([[ended(2, AWAY)]], NOW).slots[95]).toBe("away");
  });

  test("leaves out what ended before the day began, and takes a run that ends just now", () => {
    const { slots, counts } = dayOf([[ended(24 * 60 + 1), ended(0), ended(-1)]], NOW);
    expect(slots[0]).toBeNull();
    expect(slots[95]).toBe("ok");
    expect(counts.ok).toBe(2);
  });
});
