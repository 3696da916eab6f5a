import { describe, expect, test } from "bun:test";
import {
  isWithin,
  overlaps,
  partInside,
  readMapBox,
  turnsOf,
  WHOLE_EARTH,
} from "../../../server/domain/places/map_box.ts";

describe("readMapBox()", () => {
  const good: [string, readonly number[]][] = [
    ["11,48,12,49", [11, 48, 12, 49]],
    ["-180,-90,180,90", [-180, -90, 180, 90]],
    ["11.5,48,11.5,48", [11.5, 48, 11.5, 48]],
    ["179.5,-17,-179.5,-16", [179.5, -17, 180.5, -16]],
    [" 1e1, 4.8e1 ,12,49", [10, 48, 12, 49]],
  ];
  for (const [text, [west = 0, south = 0, east = 0, north = 0]] of good)
    test(`reads ${text}`, () => {
      expect(readMapBox(text)).toEqual({ west, south, east, north });
    });

  const bad = [
    ..."|1|1,2,3|1,2,3,4,5|a,b,c,d|11,48,12,|NaN,1,2,3|Infinity,1,2,3|0x1,1,2,3".split("|"),
    ..."181,1,2,3|1,-91,2,3|1,2,-181,3|1,2,3,90.1|1,3,2,2".split("|"),
  ];
  for (const text of bad)
    test(`refuses "${text}"`, () => {
      expect(readMapBox(text)).toBeNull();
    });
});

test("a box is found on lines that were counted on over the date line to either side", () => {
  const box = readMapBox("179,-17,-179,-16") ?? WHOLE_EARTH;
  const near = (lon: number) =>
    turnsOf(box).some((turn) => overlaps(turn, { west: lon, east: lon, south: -16.5, north: -16.5 }));
  expect([179.5, 180.5, -179.5, -180.5].map(near)).toEqual([true, true, true, true]);
  expect([178, 182, -178, 0].map(near)).toEqual([false, false, false, false]);
  expect(isWithin({ west: 179.5, east: 180.5, south: -16.5, north: -16.4 }, box)).toBe(true);
});

describe("partInside()", () => {
  const box = { west: 0, south: 0, east: 10, north: 10 };
  const step = (fromLon: number, fromLat: number, toLon: number, toLat: number) => ({ fromLon, fromLat, toLon, toLat });
  const rows: [string, ReturnType<typeof step>, readonly [number, number] | null][] = [
    ["all of a step in it", step(1, 1, 9, 9), [0, 1]],
    ["a step through it, without an end in it", step(-10, 5, 20, 5), [1 / 3, 2 / 3]],
    ["a step into it", step(-5, 5, 5, 5), [0.5, 1]],
    ["a step out of it", step(5, 5, 5, 25), [0, 0.25]],
    ["no part of one that passes a corner", step(-1, 9.5, 8, 20), null],
    ["no part of one beside it", step(11, 0, 11, 10), null],
    ["a place in it", step(5, 5, 5, 5), [0, 1]],
    ["no place beside it", step(15, 5, 15, 5), null],
    ["a step along its edge", step(0, 2, 0, 8), [0, 1]],
  ];
  for (const [name, given, part] of rows)
    test(`finds ${name}`, () => {
      expect(partInside(given, box)).toEqual(part);
    });
});
