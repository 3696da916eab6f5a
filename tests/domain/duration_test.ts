import { describe, expect, test } from "bun:test";
import { AGE_UNITS, durationInWords, parseDuration } from "../../server/domain/duration.ts";

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
  ];
  for (const [text, ms, words] of read)
    test(`reads ${JSON.stringify(text)} as ${words}`, () => {
      expect(parseDuration(text).ms).toBe(ms);
      expect(durationInWords(text)).toBe(words);
    });

  const refused = ["", " ", "0", "0s", "0d", "0h", "0w", "000", "abc", "d", "w2", "-1d", "+1d", "1.5d", "1,5d"];
  refused.push("1e3", "1 d", "1D", "2W", "1m", "1y", "1dd", "1d1h", "1000000000d", "٣d", "１d", "1d\u0000", "Infinity");
  for (const text of refused)
    test(`refuses ${JSON.stringify(text)} with a sentence that quotes it and names the units`, () => {
      expect(() => parseDuration(text)).toThrow(RangeError);
      expect(() => parseDuration(text)).toThrow(`"${text}"`);
      expect(() => parseDuration(text)).toThrow("s (seconds), h (hours), d (days), w (weeks)");
    });

  test("an age is counted in days and weeks only", () => {
    expect(parseDuration("2w", AGE_UNITS).ms).toBe(14 * DAY);
    expect(parseDuration("30", AGE_UNITS).ms).toBe(30 * DAY);
    expect(durationInWords("1d", AGE_UNITS)).toBe("1 day");
    for (const text of ["12h", "30s"]) {
      expect(() => parseDuration(text, AGE_UNITS)).toThrow("one of d (days), w (weeks)");
      expect(() => durationInWords(text, AGE_UNITS)).toThrow(RangeError);
    }
  });
});
