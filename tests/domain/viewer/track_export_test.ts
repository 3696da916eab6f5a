import { describe, expect, test } from "bun:test";
import { type ExportedClip, GpxPoints, TelemetryLines } from "../../../server/domain/viewer/track_export.ts";

/** A clip with a fix and a sample each second, from so many seconds into it on. */
function clip(key: string, seconds: number): ExportedClip {
  const at = Array.from({ length: seconds }, (_, t) => t);
  const points = at.map((t) => ({ t, lat: 48 + t / 10_000, lon: 11, speed: 20 }));
  return {
    key,
    gps: { points, startUtc: null } as ExportedClip["gps"],
    force: at.map((t) => ({ t, x: 1, y: 0, z: 0 })),
    from: 0,
    to: Number.POSITIVE_INFINITY,
  };
}

const FIRST = clip("20261120_080000_N", 60);
/** It began before the first was over: an event with what was before it. */
const OVER = clip("20261120_080050_E", 30);
const NEXT = clip("20261120_080120_N", 60);
/** A clip of another drive: the camera gave the name again. */
const NAMESAKE = clip("20261120_080000_N.2", 60);

describe("of clips that overlap each moment is written once", () => {
  const all = [FIRST, OVER, NEXT];

  test("as points of a track, without a break where the second goes on", () => {
    const points = new GpxPoints();
    const text = all.map((one) => points.next(one));
    // Its first ten seconds are those that the clip before ends with.
    expect(text.map((part) => part.match(/<trkpt /g)?.length)).toEqual([60, 20, 60]);
    expect(text[1]).not.toContain("<trkseg>");
  });

  test("as lines of a table, each of fixes and samples", () => {
    const table = new TelemetryLines();
    const lines = all.map((one) => table.next(one).trimEnd().split("\r\n"));
    expect(lines.map(({ length }) => length)).toEqual([60, 20, 60]);
    expect(lines[1]?.[0]).toStartWith("20261120_080050_E,10,2026-11-20T08:01:00.000,");
    // The first has no samples: those of the second are not left out.
    const other = new TelemetryLines();
    other.next({ ...FIRST, force: null });
    expect(other.next(OVER).trimEnd().split("\r\n")).toHaveLength(30);
  });

  test("but clips in a row keep their last and first second, and names that were given again are other drives", () => {
    const points = new GpxPoints();
    // A receiver may tell the second after the end, too.
    points.next(clip("20261120_080000_N", 61));
    expect(points.next(clip("20261120_080100_N", 60)).match(/<trkpt /g)).toHaveLength(60);
    const drives = new GpxPoints();
    drives.next(FIRST);
    expect(drives.next(NAMESAKE).match(/<trkpt /g)).toHaveLength(60);
  });
});
