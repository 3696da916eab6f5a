import { describe, expect, test } from "bun:test";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import type { RunSample } from "../../../server/domain/runs/run.ts";
import { dayOf, type RunCounts, runsInWords } from "../../../server/domain/runs/runs_of_day.ts";

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

const STOPPED = { success: false, stopped: true, failures: { ...noFailures(), unknown: 1 } } as const;
const counts = (changes: Partial<RunCounts>): RunCounts => ({ bad: 0, stopped: 0, new: 0, ok: 0, away: 0, ...changes });

describe("dayOf()", () => {
  test("puts each run into its quarter of an hour, the newest last", () => {
    const day = dayOf([ended(24 * 60 - 1, AWAY), ended(16), ended(1, { files: 3 })], NOW);
    expect(day.slots).toHaveLength(96);
    expect([day.slots[0], day.slots[94], day.slots[95]].map((slot) => slot?.worst)).toEqual(["away", "ok", "new"]);
    expect(day.slots.filter((slot) => slot === null)).toHaveLength(93);
    expect(day.counts).toEqual(counts({ new: 1, ok: 1, away: 1 }));
  });

  const NEW = { files: 2 };
  const slots: [what: string, runs: Partial<RunSample>[], worst: string, beside: string | null][] = [
    ["a failure alone", [BAD], "bad", null],
    ["a failure and others that brought files", [NEW, BAD, {}], "bad", "new"],
    ["a failure and others that found nothing new", [{}, BAD], "bad", "ok"],
    ["a failure and an absent camera", [AWAY, BAD], "bad", null],
    ["a failure and a stop", [BAD, STOPPED], "bad", null],
    ["a stop alone, whatever it had brought", [{ ...STOPPED, ...NEW }], "stopped", null],
    ["a stop and others that brought files", [NEW, STOPPED], "stopped", "new"],
    ["a file that failed alone", [{ ...NEW, failures: BAD.failures }], "new", null],
    ["an absent camera alone", [AWAY], "away", null],
    ["an absent camera before what was brought", [AWAY, NEW], "new", null],
  ];
  for (const [what, runs, worst, beside] of slots)
    test(`tells of ${what}: ${worst}${beside === null ? "" : ` beside ${beside}`}`, () => {
      const day = dayOf(
        runs.map((run, at) => ended(9 - at, run)),
        NOW,
      );
      expect(day.slots[95]).toEqual({ worst, beside, counts: day.counts } as never);
      expect(Object.values(day.counts).reduce((sum, count) => sum + count, 0)).toBe(runs.length);
    });

  test("leaves out what ended before the day began, and takes a run that ends just now", () => {
    const day = dayOf([ended(24 * 60 + 1), ended(0), ended(-1)], NOW);
    expect(day.slots[0]).toBeNull();
    expect(day.slots[95]?.worst).toBe("ok");
    expect(day.counts.ok).toBe(2);
  });
});

describe("runsInWords()", () => {
  const cases: [runs: Partial<RunCounts>, words: string][] = [
    [{}, ""],
    [{ ok: 96 }, "96 found nothing new"],
    [{ bad: 1, new: 2 }, "1 failed, 2 brought files"],
    [{ away: 3, stopped: 1, ok: 1 }, "1 stopped, 1 found nothing new, 3 found the camera away"],
  ];
  for (const [runs, words] of cases) test(words || "nothing", () => expect(runsInWords(counts(runs))).toBe(words));
});
