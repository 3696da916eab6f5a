import { describe, expect, test } from "bun:test";
import { addDays, addMonths, weeksOf } from "../../../server/domain/viewer/calendar_month.ts";

describe("a month of the calendar", () => {
  test("has its weeks from Monday on", () => {
    const weeks = weeksOf("2026-11");
    expect(weeks).toHaveLength(6);
    expect(weeks[0]).toEqual([null, null, null, null, null, null, "2026-11-01"]);
    expect(weeks[1]?.[0]).toBe("2026-11-02");
    expect(weeks[5]).toEqual(["2026-11-30", null, null, null, null, null, null]);
    expect(weeksOf("2027-02")).toHaveLength(4);
    expect(weeksOf("2028-02").flat()).toContain("2028-02-29");
  });

  const rows: readonly (readonly [from: string, months: number, to: string])[] = [
    ["2026-11-20", -1, "2026-10-20"],
    ["2026-11-20", 1, "2026-12-20"],
    ["2026-12-31", 1, "2027-01-31"],
    ["2026-03-31", -1, "2026-02-28"],
    ["2028-03-30", -1, "2028-02-29"],
    ["2026-01-15", -12, "2025-01-15"],
  ];
  test.each(rows)("%s and %i months are %s", (from, months, to) => expect(addMonths(from, months)).toBe(to));

  test("goes on by days over its ends", () => {
    expect(addDays("2026-11-30", 1)).toBe("2026-12-01");
    expect(addDays("2026-03-01", -7)).toBe("2026-02-22");
  });
});
