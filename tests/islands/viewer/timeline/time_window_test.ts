import { describe, expect, test } from "bun:test";
import { moved, percentAt, pinched, ticksOf, zoomed } from "../../../../islands/viewer/timeline/time_window.ts";
import { ZoneTime } from "../../../../server/domain/text/zone_time.ts";
import { JourneyClock } from "../../../../server/domain/viewer/journey_clock.ts";

const DAY = { from: 0, to: 100 };

describe("the window of the time line", () => {
  test("comes nearer around a time, which keeps its place, and not past the ends", () => {
    expect(zoomed(DAY, 0.5, 50, 100)).toEqual({ from: 25, to: 75 });
    expect(zoomed(DAY, 0.5, 0, 100)).toEqual({ from: 0, to: 50 });
    expect(zoomed({ from: 50, to: 100 }, 0.5, 90, 100)).toEqual({ from: 70, to: 95 });
    expect(zoomed(DAY, 0.001, 100, 100)).toEqual({ from: 90, to: 100 });
    expect(zoomed({ from: 40, to: 60 }, 10, 50, 100)).toBeNull();
    expect(zoomed({ from: 0, to: 4 }, 0.5, 1, 4)).toBeNull();
    expect(moved({ from: 40, to: 60 }, 1000, 100)).toEqual({ from: 80, to: 100 });
    expect(percentAt({ from: 0, to: 0 }, 5)).toBe(0);
  });

  test("keeps under two fingers what they took hold of, in whichever order they lie, and not past the ends", () => {
    expect(pinched([40, 60], [0.25, 0.75], 100)).toEqual({ from: 30, to: 70 });
    expect(pinched([60, 40], [0.75, 0.25], 100)).toEqual({ from: 30, to: 70 });
    // Both move to the left by a quarter of the width.
    expect(pinched([40, 60], [0, 0.5], 100)).toEqual({ from: 40, to: 80 });
    expect(pinched([0, 10], [0.5, 0.75], 100)).toEqual({ from: 0, to: 40 });
    expect(pinched([40, 60], [0.45, 0.55], 100)).toBeNull();
    expect(pinched([40, 60], [0.5, 0.5], 100)).toBeNull();
    expect(pinched([49.9, 50.1], [0, 1], 100)).toEqual({ from: 45, to: 55 });
  });

  test("has round times of the camera's clock, also where nothing was recorded", () => {
    const clock = new JourneyClock(
      ["20261120_075930_N", "20261120_080030_N", "20261120_081000_N"].map((key) => ({ key, duration_seconds: 60 })),
    );
    const all = ticksOf(clock, { from: 0, to: clock.length }, 8);
    expect(all.map(({ label }) => label)).toEqual(["08:00", "08:02", "08:04", "08:06", "08:08", "08:10"]);
    expect(all[0]?.percent).toBeCloseTo((30 / 690) * 100, 2);
    expect(ticksOf(clock, { from: 0, to: clock.length }, 3).map(({ label }) => label)).toEqual([
      "08:00",
      "08:05",
      "08:10",
    ]);
    expect(ticksOf(clock, { from: 20, to: 40 }, 8).map(({ label }) => label)[0]).toBe("07:59:50");
  });

  test("has no times of an hour that clocks leave out", () => {
    const clock = new JourneyClock(
      ["20260329_015900_N", "20260329_030000_N"].map((key) => ({ key, duration_seconds: 60 })),
      new ZoneTime("Europe/Berlin"),
    );
    const labels = ticksOf(clock, { from: 0, to: clock.length }, 8).map(({ label }) => label);
    expect(labels).toEqual([
      "01:59:00",
      "01:59:15",
      "01:59:30",
      "01:59:45",
      "03:00:00",
      "03:00:15",
      "03:00:30",
      "03:00:45",
      "03:01:00",
    ]);
  });
});
