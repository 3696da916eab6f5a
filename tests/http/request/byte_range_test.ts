import { expect, test } from "bun:test";
import { readByteRange } from "../../../server/http/request/byte_range.ts";

const SIZE = 10;
const cases: [header: string | null, range: [number, number] | "unsatisfiable" | null, size?: number][] = [
  ["bytes=0-4", [0, 4]],
  ["bytes=0-0", [0, 0]],
  ["bytes=5-", [5, 9]],
  ["bytes=-3", [7, 9]],
  ["bytes=-30", [0, 9]],
  ["bytes=8-100", [8, 9]],
  ["bytes=9-9", [9, 9]],
  ["Bytes=0-4", [0, 4]],
  [" bytes=0-4 ", [0, 4]],
  ["bytes = 0 - 4", [0, 4]],
  ["bytes=0-99999999999999999999999999", [0, 9]],
  ["bytes=10-", "unsatisfiable"],
  ["bytes=20-30", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  [`bytes=${"9".repeat(400)}-`, "unsatisfiable"],
  [null, null],
  ["", null],
  ["bytes=5-2", null],
  ["bytes=abc", null],
  ["bytes=-", null],
  ["bytes=", null],
  ["bytes=0-4x", null],
  ["bytes=0x0-4", null],
  ["bytes=1.5-4", null],
  ["bytes=0- 4 5", null],
  ["items=0-4", null],
  ["bytes=0-1,4-5", null],
  ["bytes=0-4", null, 0],
  ["bytes=-5", null, 0],
];
test.each(cases)("readByteRange() of %p is %p", (header, range, size = SIZE) => {
  const expected = Array.isArray(range) ? { start: range[0], end: range[1] } : range;
  expect(readByteRange(header, size)).toEqual(expected);
});
