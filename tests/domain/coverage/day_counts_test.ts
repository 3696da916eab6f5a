import { describe, expect, test } from "bun:test";
import { coverageCsv } from "../../../server/domain/coverage/coverage_csv.ts";
import { daysOf, spanAsked } from "../../../server/domain/coverage/coverage_span.ts";
import { coverageTogether } from "../../../server/domain/coverage/coverage_together.ts";
import {
  type CountedRecording,
  countsOf,
  countsTogether,
  noCounts,
  secondsOfEach,
  withoutFolder,
} from "../../../server/domain/coverage/day_counts.ts";
import { knownSince } from "../../../server/domain/coverage/known_since.ts";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { endingNumber } from "../../../server/domain/recordings/recording_name.ts";

const DAY = "2026-06-07";

/** A recording of the day: `0800 NF home`, with a cause behind it. */
function recording(text: string): CountedRecording {
  const [time = "", letters = "", state = "home", cause = null] = text.split(" ");
  const name = `20260607_${time.padEnd(6, "0")}_${letters}.mp4`;
  return { moment: momentNumber(name), ending: endingNumber(name), state, cause } as CountedRecording;
}

describe("the seconds of recordings", () => {
  test.each([
    ["alone", ["0800 NF"], [60]],
    ["until the next one begins", ["0800 NF", "080300 NF"], [180, 180]],
    ["the last of a drive as the others", ["0800 NF", "080030 NF", "080100 NF", "0900 NF"], [30, 30, 30, 30]],
    ["of each direction by itself", ["0800 NF", "0800 NR", "0801 NF", "0801 NR"], [60, 60, 60, 60]],
    ["not over a break", ["0800 NF", "0801 NF", "0830 NF"], [60, 60, 60]],
    ["two of one second", ["0800 NF", "0800 EF", "0801 NF"], [60, 60, 60]],
    ["over midnight of the hour that clocks repeat", ["0259 NF", "0300 NF"], [60, 60]],
  ])("%s", (_, texts, seconds) => {
    expect(secondsOfEach(texts.map(recording))).toEqual(seconds);
  });
});

describe("the counts of a day", () => {
  test("are the sum of their parts, and trash is deleted", () => {
    const states = ["home", "coming", "left_out", "lost", "deleted", "trash", "damaged", "unknown"];
    const counts = countsOf(
      DAY,
      states.map((state, at) => recording(`080${at} NF ${state}`)),
    );
    const { recorded, home, coming, left_out, lost, deleted, damaged, unknown } = counts;
    expect(recorded).toBe(8);
    expect([home, coming, left_out, lost, deleted, damaged, unknown]).toEqual([1, 1, 1, 1, 2, 1, 1]);
  });

  test("count minutes of front and rear once, and those of parking apart", () => {
    const counts = countsOf(
      DAY,
      ["0800 NF", "0800 NR lost away", "0801 NF", "0801 NR", "0900 PF lost away", "0901 IF", "0902 EF"].map(recording),
    );
    expect(counts).toMatchObject({ minutes: 5, driven_minutes: 3, lost_minutes: 2, lost: 2, cause: "away" });
  });

  test("name the cause of most, and what the camera could not deliver", () => {
    const texts = ["0800 NF lost away", "0801 NF lost failing", "0802 NF lost failing", "0803 NF coming failing"];
    expect(countsOf(DAY, texts.map(recording))).toMatchObject({ cause: "failing", unreadable: 3, lost: 3 });
    expect(countsOf(DAY, [])).toEqual({ date: DAY, ...noCounts(), cause: null });
  });

  test("are unknown as far as they are of what was at home while the folder is not there", () => {
    const counts = countsOf(DAY, ["0800 NF home", "0801 NF damaged", "0802 NF lost"].map(recording));
    expect(withoutFolder(counts)).toMatchObject({ recorded: 3, home: 0, damaged: 0, unknown: 2, lost: 1 });
  });

  test("add up, of days and of cameras", () => {
    const day = countsOf(DAY, ["0800 NF home", "080040 NF lost away"].map(recording));
    expect(countsTogether([day, day, day])).toMatchObject({ recorded: 6, lost: 3, minutes: 3.9, lost_minutes: 2.1 });
    const before = { ...countsOf("2026-06-06", ["0800 NF home"].map(recording)) };
    const together = coverageTogether([
      { since: DAY, days: [day], totals: day, nothing_lost_since: "2026-06-08" },
      { since: null, days: [], totals: noCounts(), nothing_lost_since: null },
      {
        since: "2026-06-06",
        days: [before, { ...day, lost: 0, cause: null }],
        totals: day,
        nothing_lost_since: "2026-06-06",
      },
    ]);
    expect(together).toMatchObject({ since: "2026-06-06", nothing_lost_since: "2026-06-08", totals: { recorded: 5 } });
    expect(together.days.map(({ date, recorded, cause }) => [date, recorded, cause])).toEqual([
      ["2026-06-06", 1, null],
      [DAY, 4, "away"],
    ]);
  });

  test("are a table for spreadsheets", () => {
    expect(coverageCsv([countsOf(DAY, ["0800 NF lost away"].map(recording))]).split("\r\n")[1]).toBe(
      "2026-06-07,1,0,0,0,1,0,0,0,0,1,1,1,away",
    );
  });
});

describe("the span of days", () => {
  test.each([
    [null, null, ["2026-03-09", "2026-06-07"]],
    ["2026-06-01", null, ["2026-06-01", "2026-06-07"]],
    [null, "2026-01-31", ["2025-11-02", "2026-01-31"]],
    ["2027-01-01", null, ["2027-01-01", "2027-01-01"]],
    ["2025-05-04", "2026-06-07", ["2025-05-04", "2026-06-07"]],
  ] as const)("of %s to %s", (from, to, span) => {
    expect(spanAsked(from, to, DAY)).toEqual({ from: span[0], to: span[1] });
  });

  test.each([
    ["2025-05-03", "2026-06-07"],
    ["2026-06-08", "2026-06-07"],
    ["2026-13-01", null],
    ["", null],
    ["7 June", null],
  ])("of %s to %s is refused", (from, to) => {
    expect(spanAsked(from, to, DAY)).toBeString();
  });

  test("has 91 days when nothing is asked for, over clock changes and leap days", () => {
    for (const today of [DAY, "2026-03-29", "2024-03-01"]) {
      const span = spanAsked(null, null, today);
      expect(typeof span === "string" ? [] : daysOf(span)).toHaveLength(91);
    }
    expect(daysOf({ from: "2024-02-28", to: "2024-03-01" })).toEqual(["2024-02-28", "2024-02-29", "2024-03-01"]);
    expect(daysOf({ from: "2024-03-02", to: "2024-03-01" })).toEqual([]);
  });
});

describe("the first day that is known", () => {
  const since = (...names: string[]) => {
    const moments = names.map((name) => momentNumber(`${name}F.mp4`)).sort((one, other) => one - other);
    return knownSince({ size: moments.length, momentAt: (at) => moments[at] ?? 0 });
  };

  test("is that of the oldest drive on the card, not of an event that the camera keeps longer", () => {
    expect(since("20260301_080000_E", "20260605_080000_P", "20260606_080000_N", "20260607_080000_N")).toBe(
      "2026-06-06",
    );
    expect(since("20260605_080000_P", "20260607_080000_E")).toBe("2026-06-05");
    expect(since("19990101_080000_N", "20260607_080000_N")).toBe(DAY);
    expect(since("19990101_080000_N")).toBeNull();
    expect(since()).toBeNull();
  });
});
