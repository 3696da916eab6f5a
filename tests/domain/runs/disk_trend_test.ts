import { describe, expect, test } from "bun:test";
import { DiskTrend, type ForecastLine, forecast } from "../../../server/domain/runs/disk_trend.ts";

const DAY = 86_400;
const NOW = 1_790_000_000.1;

/** The forecast of one run a day with these ratios, a day ahead for each two hours' point. */
function ahead(ratios: (number | null)[], limits: Partial<ForecastLine["limits"]> = {}, step = DAY) {
  const trend = new DiskTrend();
  for (const [index, ratio] of ratios.entries()) trend.add(NOW + index * step, ratio);
  return forecast(trend, { max_used_disk_percent: 1, keep_steady_state: null, ...limits }, 12 * DAY);
}
const disks = (...from: Parameters<typeof ahead>) => ahead(...from).projected.map(({ disk }) => disk);

describe("forecast()", () => {
  test("says nothing from fewer than three runs, but tells the limits", () => {
    const limits = { max_used_disk_percent: 0.9, keep_steady_state: 0.4 };
    expect(ahead([0.1, 0.2], limits)).toEqual({ projected: [], limits });
    expect(ahead([0.1, null, 0.2, null], limits).projected).toEqual([]);
  });

  test("goes on along the trend, in twelve even steps from the last run", () => {
    const { projected } = ahead([0.1, 0.12, 0.14]);
    expect(projected).toHaveLength(12);
    expect(projected[0]).toEqual({ ts: NOW + 3 * DAY, disk: 0.16 });
    expect(projected[11]).toEqual({ ts: NOW + 14 * DAY, disk: 0.38 });
  });

  test("starts at what was measured last, not on the line", () => {
    // The line through these is flat at 0.5; the disk is at 0.4.
    expect(disks([0.4, 0.7, 0.4])).toEqual(Array(12).fill(0.4));
  });

  test("passes over runs that did not look", () => {
    expect(disks([0.1, null, 0.12, null, 0.14])).toEqual(
      disks([0.1, 0.12, 0.14], {}, 2 * DAY).map((disk) => expect.closeTo(disk, 6) as unknown as number),
    );
  });

  test("stops at the lower of the two limits", () => {
    const rising = [0.5, 0.55, 0.6];
    expect(disks(rising, { max_used_disk_percent: 0.9 }).at(-1)).toBe(0.9);
    expect(disks(rising, { max_used_disk_percent: 0.9, keep_steady_state: 0.7 }).at(-1)).toBe(0.7);
    expect(disks(rising, { max_used_disk_percent: 0.65, keep_steady_state: 0.7 }).at(-1)).toBe(0.65);
  });

  test("stays where it is above a limit: a limit frees nothing", () => {
    expect(disks([0.5, 0.55, 0.6], { keep_steady_state: 0.3 })).toEqual(Array(12).fill(0.6));
    expect(disks([0.97, 0.96, 0.95], { max_used_disk_percent: 0.9 }).slice(0, 2)).toEqual([0.94, 0.93]);
  });

  test("never raises what falls, and never goes below nothing", () => {
    const falling = disks([0.3, 0.2, 0.1], { max_used_disk_percent: 0.9, keep_steady_state: 0.8 });
    expect(falling).toEqual([0, ...Array(11).fill(0)]);
    expect(disks([0.3, 0.29, 0.28], { keep_steady_state: 0.8 }).slice(0, 2)).toEqual([0.27, 0.26]);
  });

  test("never goes beyond a full disk", () => {
    expect(disks([0.2, 0.5, 0.8]).at(-1)).toBe(1);
  });

  test("is flat at the mean when all was measured at once", () => {
    expect(disks([0.2, 0.4, 0.6], {}, 0)).toEqual(Array(12).fill(0.4));
  });

  test("keeps its digits over years", () => {
    const trend = new DiskTrend();
    for (let index = 0; index < 350_000; index++) trend.add(NOW + index * 900, 0.1 + index * 1e-6);
    expect(trend.line?.slope).toBeCloseTo(1e-6 / 900, 15);
  });
});
