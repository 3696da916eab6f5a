import { describe, expect, test } from "bun:test";
import { tripTimes, tripTimesOnDay } from "../../../server/domain/viewer/trip_text.ts";

const plain = (text: string) => text.replaceAll("\u00a0", " ");

describe("the times of a trip", () => {
  const rows: readonly (readonly [start: string, end: string, headline: string])[] = [
    ["2026-11-20T08:00:00", "2026-11-20T08:40:30", "Fri 20 Nov, 08:00 to 08:40"],
    ["2026-11-20T23:50:00", "2026-11-21T00:11:00", "Fri 20 Nov, 23:50 to Sat 00:11"],
    ["2025-12-31T23:50:00", "2026-01-01T00:11:00", "Wed 31 Dec 2025, 23:50 to Thu 00:11"],
    ["2026-11-20T23:50:00", "2026-11-22T00:11:00", "Fri 20 Nov, 23:50 to Sun 22 Nov, 00:11"],
  ];
  for (const [start, end, headline] of rows)
    test(`are ${headline}`, () => {
      expect(plain(tripTimes(start, end, 2026))).toBe(headline);
    });

  const night = ["2026-11-20T23:50:00", "2026-11-21T00:11:00"] as const;
  test("leave out the day they stand under", () => {
    expect(plain(tripTimesOnDay(...night, "2026-11-20", 2026))).toBe("23:50 to Sat 00:11");
    expect(plain(tripTimesOnDay(...night, "2026-11-21", 2026))).toBe("Fri 20 Nov, 23:50 to 00:11");
  });
});
