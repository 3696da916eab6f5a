import { describe, expect, test } from "bun:test";
import { type FileSum, isSameTime, judgeFile } from "../../../server/domain/checksums/file_judgement.ts";

const AT = Date.UTC(2026, 5, 7, 10, 15);
const HOUR = 3_600_000;
const FILE: FileSum = { size: 1000, modified: AT, sha256: "aa".repeat(32), crc: 1, isWholeVideo: true };
const OTHER = { sha256: "bb".repeat(32), crc: 2 };

describe("a file that is read again", () => {
  const rows: [string, Partial<FileSum>, ReturnType<typeof judgeFile>][] = [
    ["as it was", {}, "whole"],
    ["touched", { modified: AT + 5 * HOUR + 7000 }, "whole"],
    ["other bytes, same size and time", OTHER, "other_bytes"],
    ["other bytes, no video any more, same size and time", { ...OTHER, isWholeVideo: false }, "other_bytes"],
    ["other bytes, copied to a disk with coarse times", { ...OTHER, modified: AT - 2000 }, "other_bytes"],
    [
      "other bytes, on a disk with local time after the clocks changed",
      { ...OTHER, modified: AT + HOUR },
      "other_bytes",
    ],
    ["written since, same size", { ...OTHER, modified: AT + 60_000 }, "changed"],
    ["longer under the same time", { ...OTHER, size: 1001 }, "changed"],
    ["shorter, and still a whole video", { ...OTHER, size: 900, modified: AT + 60_000 }, "changed"],
    [
      "shorter, and its end is missing",
      { ...OTHER, size: 900, modified: AT + 60_000, isWholeVideo: false },
      "cut_short",
    ],
    [
      "longer, and not whole: its owner writes to it",
      { ...OTHER, size: 2000, modified: AT + 60_000, isWholeVideo: false },
      "changed",
    ],
    ["empty", { ...OTHER, size: 0, modified: AT + 60_000, isWholeVideo: false }, "cut_short"],
  ];
  for (const [what, change, judgement] of rows)
    test(`${what}: ${judgement}`, () => {
      expect(judgeFile(FILE, { ...FILE, ...change })).toBe(judgement);
    });

  test("a file that never was a whole video is not cut short", () => {
    const known = { ...FILE, isWholeVideo: false };
    expect(judgeFile(known, { ...known, ...OTHER, size: 10, modified: AT + 60_000 })).toBe("changed");
    expect(judgeFile(known, { ...known, ...OTHER, size: 0 })).toBe("cut_short");
  });
});

test("times are the same within two seconds, and by whole quarters of an hour up to the widest zones", () => {
  const same = [0, 1999, -2000, HOUR, -HOUR, 0.25 * HOUR, 5.75 * HOUR + 1500, 26 * HOUR, -26 * HOUR];
  const other = [2001, -60_000, HOUR + 2001, HOUR - 2001, 26.25 * HOUR, 7 * 24 * HOUR];
  expect(same.filter((apart) => !isSameTime(AT, AT + apart))).toEqual([]);
  expect(other.filter((apart) => isSameTime(AT, AT + apart))).toEqual([]);
});
