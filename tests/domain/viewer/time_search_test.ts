import { describe, expect, test } from "bun:test";
import { soughtTime } from "../../../server/domain/viewer/time_search.ts";

const at = (clock: string) => {
  const [hour = 0, minute = 0, second = 0] = clock.split(":").map(Number);
  return hour * 3600 + minute * 60 + second;
};

describe("what is typed to find a time", () => {
  const rows: readonly (readonly [text: string, date: string | null, clock: string | null])[] = [
    ["14:30", null, "14:30"],
    [" 8:05 ", null, "8:05"],
    ["14.30", null, "14:30"],
    ["1430", null, "14:30"],
    ["14h30", null, "14:30"],
    ["08:15:41", null, "8:15:41"],
    ["2:30 pm", null, "14:30"],
    ["12am", null, "0:00"],
    ["12 pm", null, "12:00"],
    ["2026-11-20", "2026-11-20", null],
    ["20261120", "2026-11-20", null],
    ["20 Nov", "2026-11-20", null],
    ["Fri 20 Nov", "2026-11-20", null],
    ["November 20", "2026-11-20", null],
    ["20. November 2025", "2025-11-20", null],
    ["20.11.", "2026-11-20", null],
    ["20.11.2024", "2024-11-20", null],
    ["24 dec", "2025-12-24", null],
    ["29 Feb 2024", "2024-02-29", null],
    ["today", "2026-11-21", null],
    ["Yesterday 18:00", "2026-11-20", "18:00"],
    ["day before yesterday", "2026-11-19", null],
    ["3 days ago", "2026-11-18", null],
    // The 21st is a Saturday.
    ["Saturday", "2026-11-21", null],
    ["last Saturday", "2026-11-14", null],
    ["friday", "2026-11-20", null],
    ["Sun", "2026-11-15", null],
    ["last thurs", "2026-11-19", null],
    ["on Monday at 8:05", "2026-11-16", "8:05"],
    ["18:00 wed", "2026-11-18", "18:00"],
    ["2026-11-20 08:15", "2026-11-20", "8:15"],
    ["20 Nov, 08:15", "2026-11-20", "8:15"],
    ["20 nov at 2:30 pm", "2026-11-20", "14:30"],
    ["08:15 20 Nov", "2026-11-20", "8:15"],
    // Pages also write them with twelve hours, and with the month or the year first.
    ["2:30\u00a0pm", null, "14:30"],
    ["2:30:05 p.m.", null, "14:30:05"],
    ["Sat Nov\u00a07, 2026, 2:41\u00a0pm", "2026-11-07", "14:41"],
    ["2026 Nov 20", "2026-11-20", null],
    ["20/11", "2026-11-20", null],
    ["3/4/2026", "2026-04-03", null],
  ];
  test.each(rows)("%s", (text, date, clock) => {
    expect(soughtTime(text, { today: "2026-11-21" })).toEqual({ date, seconds: clock === null ? null : at(clock) });
  });

  test("a day with strokes is read in the order of the reader's language", () => {
    for (const order of ["mdy", "ymd"] as const) {
      expect(soughtTime("3/4/2026", { today: "2026-11-21", order })).toEqual({ date: "2026-03-04", seconds: null });
      expect(soughtTime("20/11", { today: "2026-11-21", order })).toBeNull();
    }
  });

  const nothing = ["", "   ", "20", "24:00", "14:60", "13 pm", "0am", "2026-02-30", "31 Nov 2026", "32 Nov", "20 Foo"];
  test.each([
    ...nothing,
    "hello",
    "mo",
    "mont",
    "wednesdays",
    "last day",
    "1000 days ago",
    "14:30 14:30",
    "20 Nov 2026 25:00",
    "9".repeat(100),
  ])("nothing is %p", (text) => {
    expect(soughtTime(text, { today: "2026-11-21" })).toBeNull();
  });
});
