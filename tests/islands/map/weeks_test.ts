import { describe, expect, test } from "bun:test";
import { mondayOf, placeOf, spanOf, weeksOf } from "../../../islands/map/weeks.ts";

const TODAY = "2026-11-21";
const day = (date: string, seconds: number, camera?: string) => ({
  date,
  driving_seconds: seconds,
  ...(camera !== undefined && { camera }),
});

describe("weeks", () => {
  test("end with this one, and are half a year at least", () => {
    const weeks = weeksOf([], TODAY, []);
    expect([weeks.length, weeks.at(-1)?.date, weeks[0]?.date]).toEqual([26, "2026-11-16", "2026-05-25"]);
  });

  test("have the sum of their days, Monday to Sunday", () => {
    const weeks = weeksOf([day("2026-11-16", 100), day("2026-11-22", 20), day("2026-11-15", 7)], TODAY, []);
    expect(weeks.slice(-3).map(({ seconds }) => seconds)).toEqual([0, 7, 120]);
  });

  test("begin with the first drive, two years ago at most; days without one do not count", () => {
    expect(weeksOf([day("2026-01-01", 60), day("2025-01-01", 0)], TODAY, []).length).toBe(47);
    expect(weeksOf([day("2019-01-01", 60)], TODAY, []).length).toBe(104);
  });

  test("go on to a drive of a camera whose clock is ahead", () => {
    expect(weeksOf([day("2026-12-02", 60)], TODAY, []).at(-1)).toEqual({ date: "2026-11-30", seconds: 60 });
  });

  test("count chosen cameras only; a day without an id is the first camera's", () => {
    const days = [day("2026-11-20", 100), day("2026-11-20", 30, "van")];
    const last = (whose: readonly string[]) => weeksOf(days, TODAY, whose).at(-1)?.seconds;
    expect([last([]), last(["main"]), last(["van"])]).toEqual([130, 100, 30]);
  });

  test("are chosen from Monday to Sunday, whichever end comes first", () => {
    const weeks = weeksOf([], TODAY, []);
    expect(spanOf(weeks, 25, 24)).toEqual({ from: "2026-11-09", to: "2026-11-22" });
    expect(spanOf(weeks, -3, 99)).toEqual({ from: "2026-05-25", to: "2026-11-22" });
    expect(placeOf(weeks, { from: "2026-11-11", to: "2026-11-18" })).toEqual([24, 25]);
    expect(placeOf(weeks, { from: "2020-01-01", to: "2020-02-01" })).toBeNull();
    expect(spanOf([], 0, 0)).toBeNull();
  });

  test("begin on Monday", () => {
    expect(["2026-11-16", "2026-11-22", "2026-11-23"].map(mondayOf)).toEqual([
      "2026-11-16",
      "2026-11-16",
      "2026-11-23",
    ]);
  });
});
