import { describe, expect, test } from "bun:test";
import { minutesUntilSending } from "../../../server/domain/offsite/sending_hours.ts";

describe("hours in which something is sent", () => {
  const rows: readonly (readonly [from: string, to: string, minute: number, wait: number])[] = [
    ["", "", 0, 0],
    ["01:00", "", 720, 0],
    ["", "06:00", 720, 0],
    ["06:00", "06:00", 720, 0],
    ["01:00", "06:00", 59, 1],
    ["01:00", "06:00", 60, 0],
    ["01:00", "06:00", 359, 0],
    ["01:00", "06:00", 360, 1140],
    ["01:00", "06:00", 1439, 61],
    ["22:00", "06:00", 1320, 0],
    ["22:00", "06:00", 0, 0],
    ["22:00", "06:00", 359, 0],
    ["22:00", "06:00", 360, 960],
    ["22:00", "06:00", 1319, 1],
  ];
  for (const [from, to, minute, wait] of rows)
    test(`from "${from}" to "${to}" are ${wait} minutes away at minute ${minute}`, () =>
      expect(minutesUntilSending(from, to, minute)).toBe(wait));
});
