import { describe, expect, test } from "bun:test";
import { PART_BYTES, partBytesOf, partCount, partSpan } from "../../../server/domain/offsite/part_bytes.ts";

const MIB = 1024 * 1024;

describe("parts", () => {
  const rows: readonly (readonly [size: number, part: number, count: number])[] = [
    [0, 8 * MIB, 1],
    [1, 8 * MIB, 1],
    [8 * MIB, 8 * MIB, 1],
    [8 * MIB + 1, 8 * MIB, 2],
    [80_000 * MIB, 8 * MIB, 10_000],
    [80_000 * MIB + 1, 16 * MIB, 5001],
    [160_000 * MIB + 1, 32 * MIB, 5001],
  ];
  for (const [size, part, count] of rows)
    test(`of ${size} bytes are ${count} of ${part}`, () =>
      expect([partBytesOf(size), partCount(size, partBytesOf(size))]).toEqual([part, count]));

  test("cover a file without a gap, all but the last of the same size", () => {
    const size = 3 * PART_BYTES + 17;
    const spans = [1, 2, 3, 4].map((number) => partSpan(number, PART_BYTES, size));
    expect(spans.map(({ from, to }) => to - from)).toEqual([PART_BYTES, PART_BYTES, PART_BYTES, 17]);
    expect(spans.map(({ from }) => from)).toEqual([0, 1, 2, 3].map((at) => at * PART_BYTES));
    expect(spans.at(-1)?.to).toBe(size);
  });
});
