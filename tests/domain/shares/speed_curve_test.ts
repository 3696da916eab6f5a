import { describe, expect, test } from "bun:test";
import type { SharedFix } from "../../../server/domain/shares/shared_track.ts";
import { speedCurve } from "../../../server/domain/shares/speed_curve.ts";

const fix = (time: number, knots: number | null): SharedFix => [time, 48, 11, knots];

describe("speedCurve()", () => {
  test("draws the speed over the span, up to a round number above the fastest", () => {
    const curve = speedCurve([[fix(0, 0), fix(5, 28), fix(10, 14)]], 10, "kmh");
    expect(curve).toMatchObject({ top: 60, fastest: 52 });
    expect(curve?.line).toBe("M0.0 100.0L500.0 13.6L1000.0 56.8");
    expect(curve?.area).toBe("M0.0 100L0.0 100.0L500.0 13.6L1000.0 56.8L1000.0 100Z");
  });

  test("has no line where the track is not shown, and where no speed is known", () => {
    const curve = speedCurve(
      [
        [fix(0, 10), fix(1, 10), fix(2, null), fix(3, 10), fix(4, 10)],
        [fix(8, 10), fix(9, 10)],
      ],
      10,
      "mph",
    );
    expect(curve?.line.match(/M/g)).toHaveLength(3);
    expect(curve?.line).not.toContain("200.0 ");
  });

  test("is not drawn without speeds", () => {
    for (const stretches of [[], [[fix(0, null), fix(1, null)]], [[fix(0, 10)]]])
      expect(speedCurve(stretches, 10, "kmh")).toBeNull();
    expect(speedCurve([[fix(0, 1), fix(1, 1)]], 0, "kmh")).toBeNull();
  });
});
