import { describe, expect, test } from "bun:test";
import { backlogOf, bytesPerMinuteOf, slowWifiOf } from "../../../server/domain/plan/plan_hints.ts";
import type { Visit } from "../../../server/domain/plan/visit.ts";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";

const DAY = 86_400;
const GB = 1e9;

/** Visits at these rates in megabytes per second, a day apart. */
const visitsAt = (...rates: readonly (number | null)[]): Visit[] =>
  rates.map((rate, day) => ({
    from: day * DAY * 1000,
    to: day * DAY * 1000 + 60_000,
    seconds: 60,
    bytes: 1,
    rate: rate === null ? null : rate * 1e6,
  }));

describe("Wi-Fi looks like 2.4 GHz", () => {
  test.each<[string, number | null, readonly (number | null)[], { rate: number; best: number; day: number } | null]>([
    ["when the same camera was twice as fast", 5, [5, 12.3, 5.2], { rate: 5, best: 12.3, day: 1 }],
    ["but not before there is a rate", null, [12], null],
    ["but not before a visit that was faster", 5, [5.1, null, 4.8], null],
    ["but not when it is a little slower than at its best", 5, [8.9], null],
    ["but not when it is faster than that gives", 9, [32], null],
    ["but not without visits", 5, [], null],
  ])("%s", (_name, rate, visits, slow) => {
    expect(slowWifiOf(rate === null ? null : rate * 1e6, visitsAt(...visits))).toEqual(
      slow && { rate: slow.rate * 1e6, bestRate: slow.best * 1e6, bestAt: slow.day * DAY * 1000 },
    );
  });
});

test("a minute takes what its directions take together, and nothing for what is not wanted", () => {
  const at = (minute: number, letter: string) => momentNumber(`20261121_08${minute}00_${letter}`);
  const videos: [number, number][] = [
    [at(10, "N"), 100],
    [at(10, "N"), 60],
    [at(11, "N"), 120],
    [at(11, "N"), 60],
    [at(12, "E"), 80],
    [at(13, "P"), 0],
    [at(13, "P"), 0],
  ];
  const minute = bytesPerMinuteOf((take) => {
    for (const [moment, bytes] of videos) take(moment, bytes);
  });
  expect(minute).toEqual({ driving: 170, parking: 0, events: 80 });
});

describe("a backlog", () => {
  /** Ten minutes of driving, twenty of parking and one event a day. */
  const turnover = {
    gained(from: number, to: number) {
      const days = (to - from) / DAY;
      return { driving: 10 * days, parking: 20 * days, events: days };
    },
  };
  /** An hour each evening. */
  const evenings = Array.from({ length: 8 }, (_, day) => ({ from: day * DAY + 64_800, to: day * DAY + 68_400 }));
  const bytesPerMinute = { driving: 0.5 * GB, parking: 0.1 * GB, events: 0.5 * GB };

  test.each<[string, Partial<{ rate: number; bytesPerMinute: typeof bytesPerMinute }>, ReturnType<typeof backlogOf>]>([
    [
      "is what a week records beyond the time of its visits",
      { rate: 1e6 },
      { recordedPerDay: 7.5 * GB, homePerDay: 3.6 * GB, parkingPerDay: 2 * GB },
    ],
    ["is none when all has time", { rate: 3e6 }, null],
    ["does not count what is not wanted", { rate: 1.6e6, bytesPerMinute: { ...bytesPerMinute, parking: 0 } }, null],
  ])("%s", (_name, facts, backlog) => {
    expect(backlogOf(turnover, evenings, { rate: 1e6, bytesPerMinute, ...facts })).toEqual(backlog);
  });

  test("is not known without visits", () => {
    expect(backlogOf(turnover, [], { rate: 1e6, bytesPerMinute })).toBeNull();
  });
});
