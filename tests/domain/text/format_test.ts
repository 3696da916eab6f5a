import { describe, expect, test } from "bun:test";
import {
  agoInWords,
  aheadInWords,
  counted,
  formatBytes,
  formatCount,
  formatRate,
  formatSeconds,
  withinInWords,
} from "../../../server/domain/text/format.ts";

/** No-break and narrow no-break spaces as plain ones, to be read here. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

describe("formatBytes()", () => {
  const cases: [bytes: number, text: string][] = [
    [0, "0 B"],
    [1, "1 B"],
    [999, "999 B"],
    [1000, "1 kB"],
    [1049, "1 kB"],
    [1050, "1.1 kB"],
    [1234, "1.2 kB"],
    [9999, "10 kB"],
    [99_949, "99.9 kB"],
    [99_950, "100 kB"],
    [123_456, "123 kB"],
    [999_499, "999 kB"],
    [999_500, "1 MB"],
    [1_000_000, "1 MB"],
    [52_000_000, "52 MB"],
    [52_340_000, "52.3 MB"],
    [999_499_999, "999 MB"],
    [999_500_000, "1 GB"],
    [4_200_000_000, "4.2 GB"],
    [999_500_000_000, "1 TB"],
    [12_345_000_000_000, "12.3 TB"],
    [5_000_000_000_000_000, "5000 TB"],
    [-1, "0 B"],
    [0.4, "0 B"],
    [12.6, "13 B"],
    [999.4, "999 B"],
    [999.7, "1 kB"],
  ];
  for (const [bytes, text] of cases)
    test(`${bytes} bytes are ${text}`, () => expect(plain(formatBytes(bytes))).toBe(text));

  test("value and unit never part at a line's end", () => expect(formatBytes(1500)).toBe("1.5\u00a0kB"));

  test("never grows by more than rounding from one byte count to the next", () => {
    const units = ["B", "kB", "MB", "GB", "TB"];
    const size = (text: string) => {
      const [value, unit = ""] = plain(text).split(" ");
      return Number(value) * 1000 ** units.indexOf(unit);
    };
    for (let bytes = 1; bytes < 1e14; bytes = Math.ceil(bytes * 1.013)) {
      expect(Math.abs(size(formatBytes(bytes)) - bytes) / bytes).toBeLessThanOrEqual(0.05);
      expect(plain(formatBytes(bytes)).length).toBeLessThanOrEqual(7);
    }
  });
});

describe("formatRate()", () => {
  for (const [rate, text] of [
    [0, "0 B/s"],
    [999.9, "1 kB/s"],
    [12_000_000, "12 MB/s"],
    [2_097_152, "2.1 MB/s"],
  ] as const)
    test(`${rate} is ${text}`, () => expect(plain(formatRate(rate))).toBe(text));
});

describe("formatCount() and counted()", () => {
  for (const [count, text] of [
    [0, "0"],
    [7, "7"],
    [999, "999"],
    [1000, "1 000"],
    [3918, "3 918"],
    [999_999, "999 999"],
    [1_234_567, "1 234 567"],
    [2.5, "3"],
  ] as const)
    test(`${count} is written ${text}`, () => expect(plain(formatCount(count))).toBe(text));

  test("one is singular, all else plural", () => {
    expect(plain(counted(1, "file"))).toBe("1 file");
    expect(plain(counted(0, "file"))).toBe("0 files");
    expect(plain(counted(3918, "file"))).toBe("3 918 files");
    expect(plain(counted(2, "entry", "entries"))).toBe("2 entries");
  });
});

describe("formatSeconds()", () => {
  const cases: [seconds: number, text: string][] = [
    [-3, "0 s"],
    [0, "0 s"],
    [0.4, "0 s"],
    [45, "45 s"],
    [59.4, "59 s"],
    [59.6, "1 min"],
    [60, "1 min"],
    [540, "9 min"],
    [3540, "59 min"],
    [3569, "59 min"],
    [3570, "1 h 00 min"],
    [3600, "1 h 00 min"],
    [3900, "1 h 05 min"],
    [86_340, "23 h 59 min"],
    [86_399, "1 d 0 h"],
    [86_400, "1 d 0 h"],
    [273_600, "3 d 4 h"],
    [31_536_000, "365 d 0 h"],
  ];
  for (const [seconds, text] of cases)
    test(`${seconds} s are ${text}`, () => expect(plain(formatSeconds(seconds))).toBe(text));
});

describe("aheadInWords() and withinInWords()", () => {
  const cases: [seconds: number, ahead: string, within: string][] = [
    [Number.NaN, "now", "in under a second"],
    [-3600, "now", "in under a second"],
    [0, "now", "in under a second"],
    [0.4, "now", "in under a second"],
    [0.5, "in 1 s", "in 1 s"],
    [45, "in 45 s", "in 45 s"],
    [540, "in 9 min", "in 9 min"],
  ];
  for (const [seconds, ahead, within] of cases)
    test(`${seconds} s are ${ahead}, and ${within}`, () =>
      expect([aheadInWords(seconds), withinInWords(seconds)].map(plain)).toEqual([ahead, within]));
});

describe("agoInWords()", () => {
  const cases: [seconds: number, text: string][] = [
    [Number.NaN, "just now"],
    [-3600, "just now"],
    [0, "just now"],
    [59.9, "just now"],
    [60, "1 min ago"],
    [119, "1 min ago"],
    [3599, "59 min ago"],
    [3600, "1 h ago"],
    [86_399, "23 h ago"],
    [86_400, "1 d ago"],
    [86_400 * 1234, "1 234 d ago"],
  ];
  for (const [seconds, text] of cases)
    test(`${seconds} s are ${text}`, () => expect(plain(agoInWords(seconds))).toBe(text));
});
