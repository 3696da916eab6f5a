import { expect, test } from "bun:test";
import { type ClockFacts, clockDoubt } from "../../../server/domain/retention/clock_doubt.ts";

const NOW = Date.parse("2026-06-07T10:30:00Z") / 1000;
const HOUR = 3600;
const DAY = 86_400;
const TODAY = "20260607_093000";
const LAST_WEEK = "20260531_093000";

const FACTS: ClockFacts = { now: NOW, last_run: NOW - HOUR, newest: TODAY, on_camera: TODAY, gained: 0 };

test.each<[what: string, facts: Partial<ClockFacts>, doubt: RegExp | null]>([
  ["as ever", {}, null],
  ["before the first run", { last_run: null, newest: null, on_camera: null }, null],
  ["a second before the last run", { last_run: NOW + 1 }, /before the end of an earlier run \(2026-06-07\)$/],
  ["30 days after the last run, and a recording confirms it", { last_run: NOW - 30 * DAY }, null],
  ["more than that, and a recording confirms it", { last_run: NOW - 30 * DAY - 1 }, /more than 30 days after/],
  ["a day before the newest recording", { newest: "20260608_103000", on_camera: null }, null],
  ["more than that", { newest: "20260608_103001" }, /before the newest recording \(2026-06-08\)$/],
  ["off for less than 8 days, and the car did not move", { last_run: NOW - 8 * DAY + 1, on_camera: LAST_WEEK }, null],
  [
    "off for 8 days, and the car did not move",
    { last_run: NOW - 8 * DAY, newest: LAST_WEEK, on_camera: LAST_WEEK },
    /^the clock shows 2026-06-07, 8.d 0.h after the run before, and no recording confirms it$/,
  ],
  [
    "off for 8 days, and the camera is not known",
    { last_run: NOW - 8 * DAY, newest: LAST_WEEK, on_camera: null },
    /8.d/,
  ],
  ["off for 29 days, and the car drove today", { last_run: NOW - 29 * DAY, newest: LAST_WEEK }, null],
  ["a day ahead", { gained: DAY, newest: LAST_WEEK, on_camera: LAST_WEEK }, null],
  [
    "more than a day ahead",
    { gained: DAY + HOUR, newest: LAST_WEEK, on_camera: LAST_WEEK },
    /after a jump of 1.d 1.h ahead, and no recording confirms it$/,
  ],
  ["more than a day back", { gained: -2 * DAY, newest: LAST_WEEK, on_camera: null }, /after a jump of 2.d 0.h back/],
  ["ahead as after days of sleep, and the car drove today", { gained: 5 * DAY, newest: LAST_WEEK }, null],
  [
    "ahead by less than the camera's newest recording is old",
    { gained: 25 * HOUR, newest: null, on_camera: "20260606_102900" },
    /jump/,
  ],
])("%s", (_what, facts, doubt) => {
  const why = clockDoubt({ ...FACTS, ...facts });
  if (doubt === null) expect(why).toBeNull();
  else expect(why).toMatch(doubt);
});
