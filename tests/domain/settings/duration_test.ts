import { describe, expect, test } from "bun:test";
import { AGE_UNITS, durationInWords, parseDuration, shortDuration } from "../../../server/domain/settings/duration.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe("parseDuration()", () => {
  const read: [text: string, ms: number, words: string][] = [
    ["1s", 1000, "1 second"],
    ["30s", 30_000, "30 seconds"],
    ["1h", HOUR, "1 hour"],
    ["12h", 12 * HOUR, "12 hours"],
    ["1d", DAY, "1 day"],
    ["7d", 7 * DAY, "7 days"],
    ["1w", 7 * DAY, "1 week"],
    ["2w", 14 * DAY, "2 weeks"],
    ["3", 3 * DAY, "3 days"],
    ["1", DAY, "1 day"],
    [" 2w ", 14 * DAY, "2 weeks"],
    ["007d", 7 * DAY, "7 days"],
    ["999999999d", 999_999_999 * DAY, "999999999 days"],
    ["1y", 365 * DAY, "1 year"],
    ["2 years", 730 * DAY, "2 years"],
    ["1D", DAY, "1 day"],
    ["2W", 14 * DAY, "2 weeks"],
    ["1 d", DAY, "1 day"],
    ["2 weeks", 14 * DAY, "2 weeks"],
    ["2weeks", 14 * DAY, "2 weeks"],
    ["1 Week", 7 * DAY, "1 week"],
    ["12 HOURS", 12 * HOUR, "12 hours"],
    ["30 seconds", 30_000, "30 seconds"],
    ["1\tsecond", 1000, "1 second"],
    ["3\u00a0days", 3 * DAY, "3 days"],
  ];
  for (const [text, ms, words] of read)
    test(`reads ${JSON.stringify(text)} as ${words}`, () => {
      expect(parseDuration(text).ms).toBe(ms);
      expect(durationInWords(text)).toBe(words);
    });

  const refused = ["", " ", "0", "0s", "0d", "0h", "0w", "000", "abc", "d", "w2", "-1d", "+1d", "1.5d", "1,5d"];
  refused.push(
    "1e3",
    "1m",
    "1 month",
    "2 min",
    "1dd",
    "1 ds",
    "2 week s",
    "weeks 2",
    "1d1h",
    "1000000000d",
    "٣d",
    "１d",
    "1d\u0000",
    "Infinity",
  );
  for (const text of refused)
    test(`refuses ${JSON.stringify(text)} with a sentence that quotes it and names the units`, () => {
      expect(() => parseDuration(text)).toThrow(RangeError);
      expect(() => parseDuration(text)).toThrow(JSON.stringify(text));
      expect(() => parseDuration(text)).toThrow("s (seconds), h (hours), d (days), w (weeks), y (years)");
    });

  const short: [text: string, stored: string][] = [
    ["2w", "2w"],
    ["2 weeks", "2w"],
    ["1 YEAR", "1y"],
    ["12 hours", "12h"],
    ["30 seconds", "30s"],
    [" 3D ", "3d"],
    ["007d", "7d"],
    ["365", "365"],
    [" 30 ", "30"],
  ];
  for (const [text, stored] of short)
    test(`keeps ${JSON.stringify(text)} as ${stored}, which means the same`, () => {
      expect(shortDuration(text)).toBe(stored);
      expect(shortDuration(stored)).toBe(stored);
      expect(parseDuration(stored).ms).toBe(parseDuration(text).ms);
    });

  test("an age is counted in days, weeks and years only", () => {
    expect(parseDuration("2w", AGE_UNITS).ms).toBe(14 * DAY);
    expect(parseDuration("30", AGE_UNITS).ms).toBe(30 * DAY);
    expect(durationInWords("1d", AGE_UNITS)).toBe("1 day");
    expect(parseDuration("1y", AGE_UNITS).ms).toBe(365 * DAY);
    for (const text of ["12h", "30s", "12 hours", "1 second"]) {
      expect(() => parseDuration(text, AGE_UNITS)).toThrow("one of d (days), w (weeks), y (years)");
      expect(() => shortDuration(text, AGE_UNITS)).toThrow(RangeError);
      expect(() => durationInWords(text, AGE_UNITS)).toThrow(RangeError);
    }
  });
});
