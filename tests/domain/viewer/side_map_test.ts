import { describe, expect, test } from "bun:test";
import { flatTrackOf } from "../../../server/domain/viewer/map_drawing.ts";
import type { MapTrack } from "../../../server/domain/viewer/map_track.ts";
import { fittedView, metersPerPixel, trackBetween } from "../../../server/domain/viewer/side_map.ts";

/** Fixes a second apart, each a little further east. */
function track(count: number, starts: readonly number[] = [0], step = 0.001): MapTrack {
  const all = Array.from({ length: count }, (_, at) => at);
  return {
    t: all,
    lat: all.map(() => 50),
    lon: all.map((at) => 8 + at * step),
    speed: all,
    course: all.map(() => 90),
    starts,
  };
}

describe("trackBetween()", () => {
  const rows: readonly (readonly [
    what: string,
    from: number,
    to: number,
    t: readonly number[],
    starts: readonly number[],
  ])[] = [
    ["all of it", 0, 9, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [0, 4, 8]],
    ["the fixes within, and none besides", 3.5, 6.5, [4, 5, 6], [0]],
    ["with its gap", 2, 5, [2, 3, 4, 5], [0, 2]],
    ["one fix", 8, 8.9, [8], [0]],
  ];
  for (const [what, from, to, t, starts] of rows)
    test(what, () => {
      const part = trackBetween(track(10, [0, 4, 8]), from, to);
      expect([part?.t, part?.speed, part?.starts]).toEqual([[...t], [...t], [...starts]]);
      for (const column of [part?.lat, part?.lon, part?.course]) expect(column).toHaveLength(t.length);
    });

  test("is null where there are no fixes", () => {
    expect([trackBetween(track(10), 20, 30), trackBetween(track(10), 3.2, 3.8)]).toEqual([null, null]);
  });
});

describe("fittedView()", () => {
  const places = (given: MapTrack, width: number, height: number) => {
    const flat = flatTrackOf(given);
    const view = fittedView(flat, width, height);
    return [...flat.x].map((x, at) => [x * view.scale - view.left, (flat.y[at] ?? 0) * view.scale - view.top]);
  };

  test("has the track in the middle, with a margin", () => {
    const all = places(track(101), 640, 360);
    expect(all[0]?.[0]).toBeCloseTo(64, 1);
    expect(all.at(-1)?.[0]).toBeCloseTo(576, 1);
    expect(all[0]?.[1]).toBeCloseTo(180, 1);
  });

  test("draws a car that stands as standing", () => {
    const all = places(track(10, [0], 0.000001), 640, 360);
    const least = Math.min(...all.map(([x = 0]) => x));
    const most = Math.max(...all.map(([x = 0]) => x));
    expect(most - least).toBeLessThan(3);
    expect((least + most) / 2).toBeCloseTo(320, 1);
  });

  test("tells how long a pixel is", () => {
    const flat = flatTrackOf(track(101));
    // 0.1 degrees at 50° north are 7.15 km, on 512 pixels.
    expect(metersPerPixel(fittedView(flat, 640, 360), 50)).toBeCloseTo(7155 / 512, 1);
  });
});
