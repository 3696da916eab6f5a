import { describe, expect, test } from "bun:test";
import { boxArrows } from "../../../islands/map/box_arrows.ts";
import { flatDrivesOf } from "../../../islands/map/flat_drives.ts";
import { flatBoxOfEarth } from "../../../islands/map/map_view.ts";

const [EAST, WEST, ROUND] = ["20261120_080000_N", "20261120_170000_N", "20261121_080000_N"] as const;
const drive = (trip: string, places: readonly (readonly [lat: number, lon: number])[]) => ({
  trip,
  camera: "main",
  date: "2026-11-20",
  types: "N",
  points: places.map(([lat, lon]): [number, number, number] => [lat, lon, 20]),
});
const road = [0, 1, 2, 3, 4, 5].map((at): [number, number] => [50, 7 + at / 10]);
/** To the east, to the north, and back to the west above the box. */
const round: [number, number][] = [
  [50, 7],
  [50, 7.3],
  [50.1, 7.3],
  [50.1, 7],
];
const BOX = flatBoxOfEarth({ west: 7.15, south: 49.95, east: 7.35, north: 50.05 });
const pass = (trip: string, heading: number | null) => ({ trip, heading });

function arrows(
  passes: readonly { trip: string; heading: number | null }[],
  drives: readonly Parameters<typeof flatDrivesOf>[0][number][],
  box = BOX,
) {
  return boxArrows(box, passes, flatDrivesOf(drives)).map(({ x, degrees }) => [
    Number((x * 360 - 180).toFixed(3)),
    Math.round(degrees),
  ]);
}

describe("arrows in the box", () => {
  test("stand on the line, a third of the way through it, so that those of the two ways of a road stand apart", () => {
    const both = [drive(EAST, road), drive(WEST, road.toReversed())];
    expect(arrows([pass(WEST, 270), pass(EAST, 90)], both)).toEqual([
      [7.21, 90],
      [7.29, 270],
    ]);
  });

  test("point as the line does where they stand, for a drive that turns in the box", () => {
    expect(arrows([pass(ROUND, 90)], [drive(ROUND, round)])).toEqual([[7.218, 90]]);
  });

  test("are of the stretch that leads as the pass does, when a drive comes through twice", () => {
    const wide = flatBoxOfEarth({ west: 7.1, south: 49.95, east: 7.2, north: 50.2 });
    expect(arrows([pass(ROUND, 270)], [drive(ROUND, round)], wide)).toEqual([[7.17, 270]]);
  });

  test("are none for a car that stood, for a drive that is not drawn, and for one beside the box", () => {
    expect(arrows([pass(EAST, null)], [drive(EAST, road)])).toEqual([]);
    expect(arrows([pass(WEST, 270)], [drive(EAST, road)])).toEqual([]);
    expect(
      arrows([pass(EAST, 90)], [drive(EAST, road)], flatBoxOfEarth({ west: 8, south: 50, east: 9, north: 51 })),
    ).toEqual([]);
  });

  test("are four at most, of the most frequent ways, and also over 180 degrees", () => {
    const star = [0, 45, 90, 135, 180].map((heading, at) => {
      const [north, east] = [Math.cos((heading * Math.PI) / 180), Math.sin((heading * Math.PI) / 180)];
      return {
        ...drive(`2026112${at}_080000_N`, [
          [-north / 10, 180 - east / 10],
          [north / 10, 180 + east / 10 > 180 ? -180 + east / 10 : 180 + east / 10],
        ]),
        heading,
      };
    });
    const passes = [...star.map(({ trip, heading }) => pass(trip, heading)), pass(star[4]?.trip ?? "", 180)];
    const found = arrows(passes, star, flatBoxOfEarth({ west: 179.95, south: -0.05, east: -179.95, north: 0.05 }));
    expect(found.map(([, degrees]) => degrees)).toEqual([180, 0, 45, 90]);
  });
});
