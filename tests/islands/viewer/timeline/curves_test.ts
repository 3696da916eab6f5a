import { describe, expect, test } from "bun:test";
import { areaOf, barsOf, linesOf, niceTop, strokeOf } from "../../../../islands/viewer/timeline/curves.ts";

const DAY = { from: 0, to: 100 };
const column = (values: readonly (number | null)[], breaks: readonly number[] = []) => ({
  t: values.map((_, at) => at * 10),
  values,
  breaks: new Set(breaks),
});

describe("a curve", () => {
  test("is broken at gaps and where nothing is known", () => {
    const lines = linesOf(column([1, 2, null, 4, 5, 6], [4]), DAY, (value) => value);
    expect(strokeOf(lines)).toBe("M0 1L100 2M300 4h1M400 5L500 6");
    expect(areaOf(lines, 100)).toBe("M0 100L0 1L100 2L100 100ZM400 100L400 5L500 6L500 100Z");
  });

  test("leads out of the window on both sides", () => {
    const lines = linesOf(column([1, 2, 3, 4, 5, 6]), { from: 15, to: 35 }, (value) => value);
    expect(strokeOf(lines)).toBe("M-250 2L250 3L750 4L1250 5");
  });

  test("of very many values keeps the lowest and the highest of each stripe", () => {
    const values = Array.from({ length: 50_000 }, (_, at) => (at === 31_234 ? 99 : at === 40_000 ? -99 : at % 7));
    const [line = []] = linesOf(
      { t: values.map((_, at) => at / 500), values, breaks: new Set() },
      DAY,
      (value) => value,
    );
    expect(line.length).toBeLessThan(1100);
    const all = line.map(({ y }) => y);
    expect([Math.min(...all), Math.max(...all)]).toEqual([-99, 99]);
  });

  test("has bars of the value farthest from nothing, up and down", () => {
    const [up, down] = barsOf({ t: [0, 0.1, 50, 50.1], values: [0.1, 0.4, -0.2, -0.5] }, DAY, 100);
    expect(up).toBe("M0.9 50h4.4v-40h-4.4Z");
    expect(down).toBe("M500.9 50h4.4v50h-4.4Z");
  });

  test("of nothing is nothing", () => {
    expect(linesOf(column([]), DAY, (value) => value)).toEqual([]);
    expect(barsOf({ t: [], values: [] }, DAY, 1)).toEqual(["", ""]);
    expect(strokeOf(linesOf(column([1]), { from: 0, to: 0 }, (value) => value))).not.toContain("NaN");
  });

  test("ends at a round value", () => {
    expect([0, 20, 20.1, 999].map((value) => niceTop([20, 40, 80], value))).toEqual([20, 20, 40, 80]);
  });
});
