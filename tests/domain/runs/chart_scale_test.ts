import { describe, expect, test } from "bun:test";
import { PERCENT_SCALE, scaleOf } from "../../../server/domain/runs/chart_scale.ts";

describe("scaleOf()", () => {
  const cases: [most: number, of: "bytes" | "count" | "seconds", labels: string][] = [
    [0, "bytes", "0 1"],
    [900, "bytes", "0 200 400 600 800 1000 B"],
    [400e6, "bytes", "0 100 200 300 400 MB"],
    [999e6, "bytes", "0 200 400 600 800 1000 MB"],
    [1e9, "bytes", "0 0.2 0.4 0.6 0.8 1.0 GB"],
    [2e9, "bytes", "0 0.5 1.0 1.5 2.0 GB"],
    [11e9, "bytes", "0 5 10 15 GB"],
    [110e9, "bytes", "0 25 50 75 100 125 GB"],
    [1.1e12, "bytes", "0 0.5 1.0 1.5 TB"],
    [1, "count", "0 1"],
    [3, "count", "0 1 2 3"],
    [65, "count", "0 20 40 60 80"],
    [96, "count", "0 20 40 60 80 100"],
    [0.4, "seconds", "0 0.1 0.2 0.3 0.4 s"],
    [41, "seconds", "0 10 20 30 40 50 s"],
    [200, "seconds", "0 1 2 3 4 min"],
    [1330, "seconds", "0 5 10 15 20 25 min"],
    [7000, "seconds", "0 0.5 1.0 1.5 2.0 h"],
    [200_000, "seconds", "0 12 24 36 48 60 h"],
    [5_000_000, "seconds", "0 288 576 864 1152 1440 h"],
  ];
  for (const [most, of, labels] of cases)
    test(`of ${most} ${of} is ${labels}`, () => {
      const { ticks, top } = scaleOf(most, of);
      expect(ticks.map(({ label }) => label.replace("\u00a0", " ")).join(" ")).toBe(labels);
      expect(top).toBeGreaterThanOrEqual(most);
      expect(ticks.at(-1)?.at).toBe(top);
    });

  test("never leaves more than a line's room above the largest value, and has few lines", () => {
    for (const of of ["bytes", "count", "seconds"] as const)
      for (let most = 1; most < 1e13; most *= 1.37) {
        const { ticks, top } = scaleOf(most, of);
        expect(ticks.length).toBeLessThanOrEqual(6);
        expect(top).toBeGreaterThanOrEqual(most * (1 - 1e-9));
        expect(top - most).toBeLessThanOrEqual((ticks[1]?.at ?? 0) + 1e-6);
      }
  });

  test("of one scale among several names what is counted", () => {
    const labels = (most: number) => scaleOf(most, "count", 2, "failed").ticks.map(({ label }) => label);
    expect([labels(4), labels(0)]).toEqual([
      ["0", "2", "4\u00a0failed"],
      ["0", "1\u00a0failed"],
    ]);
  });

  test("of shares goes to a hundred", () => {
    expect(PERCENT_SCALE.ticks.map(({ at }) => at)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(PERCENT_SCALE.ticks.at(-1)?.label).toBe("100\u00a0%");
  });
});
