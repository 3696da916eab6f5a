import { expect, test } from "bun:test";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { clockOffsetOf, isBelieved } from "../../../server/domain/viewer/clock_offset.ts";

const ZONE = new ZoneTime("Europe/Berlin");
/** Noon in Berlin, in summer. */
const NOON = Date.UTC(2026, 5, 7, 10);
const clip = (ahead: number, minute = 0) => ({
  key: `20260607_12${String(minute).padStart(2, "0")}00_N`,
  utc: NOON + (minute * 60 - ahead) * 1000,
});

test("the clock of a camera is told against the satellites, as the median of the clips", () => {
  const rows: [readonly ReturnType<typeof clip>[], number | null][] = [
    [[], null],
    [[clip(0)], 0],
    [[clip(130)], 130],
    [[clip(-3600.4)], -3600],
    [[clip(10), clip(20, 1)], 15],
    [[clip(10, 0), clip(12, 1), clip(500, 2)], 12],
    [[clip(200_000), clip(30, 1)], 30],
    [[clip(-200_000)], null],
  ];
  for (const [clips, seconds] of rows) expect(clockOffsetOf(clips, ZONE)).toBe(seconds);
});

test("a time by the satellites is believed in any zone, and not when it is days or years away", () => {
  const key = "20260607_120000_N";
  const hours = [0, 14, -14, 47, 63, -63, 24 * 7168, -24 * 7168];
  const told = hours.map((ahead) => isBelieved({ key, utc: Date.UTC(2026, 5, 7, 12 + ahead) }));
  expect(told).toEqual([true, true, true, true, false, false, false, false]);
});
