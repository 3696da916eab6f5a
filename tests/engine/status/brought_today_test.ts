import { expect, test } from "bun:test";
import type { Run } from "../../../server/domain/runs/run.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { BroughtToday } from "../../../server/engine/status/brought_today.ts";
import { runAt } from "../../support/app/history.ts";

const SYDNEY = new ZoneTime("Australia/Sydney");
/** 00:10 in Sydney. */
const MIDNIGHT = Date.parse("2026-11-20T13:10:00Z");

function ran(minutes: number, videos: number, changes: Partial<Run> = {}): Run {
  const counts = {
    planned: 0,
    failed: 0,
    present: 0,
    blocked: 0,
    absent: 0,
    held: 0,
    empty: 0,
    vanished: 0,
    growing: 0,
  };
  return runAt(MIDNIGHT / 1000 + minutes * 60, { counts: { ...counts, videos }, ...changes });
}

test("counts the recordings of today's runs in the zone of the schedule, once per run", () => {
  const runs = [ran(-20, 100), ran(-5, 3), ran(60, 4), ran(61, 9, { dryRun: true })];
  let asked = 0;
  const brought = new BroughtToday({
    latest: () => runs.at(-1) ?? null,
    since: (ts) => {
      asked++;
      return runs.filter((run) => run.ts >= ts);
    },
  });
  const now = MIDNIGHT + 2 * 3_600_000;
  expect([brought.recordings(now, SYDNEY), brought.recordings(now + 1000, SYDNEY), asked]).toEqual([7, 7, 1]);
  runs.push(ran(130, 5));
  expect([brought.recordings(now, SYDNEY), asked]).toEqual([12, 2]);
  // In London it is still the day before.
  expect(brought.recordings(now, new ZoneTime("Europe/London"))).toBe(112);
  expect(brought.recordings(now + 86_400_000, SYDNEY)).toBe(0);
});
