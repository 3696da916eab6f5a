import { expect, test } from "bun:test";
import { scaleOf } from "../../../islands/map/map_view.ts";
import { labelsOf, type Pixels } from "../../../islands/map/name_labels.ts";
import type { Frame } from "../../../islands/map/often.ts";

/** Degrees of a pixel on the equator at zoom 10. */
const PIXEL = 360 / (256 * 1024);
const FRAME: Frame = { scale: scaleOf({ zoom: 10 }), left: 128 * 1024, top: 128 * 1024 - 100, width: 300, height: 200 };

const at = (name: string, x: number, y: number, own = false) => ({
  name,
  own,
  lon: x * PIXEL,
  lat: (100 - y) * PIXEL,
});
const shown = (names: Parameters<typeof labelsOf>[0], frame = FRAME, covered: readonly Pixels[] = []) =>
  labelsOf(names, frame, (name) => name.length * 8, covered).map(({ name, x, y }) => [
    name,
    Math.round(x),
    Math.round(y),
  ]);

test("names stand at their places, and the first of two that would cover each other stays", () => {
  const names = [at("Home", 100, 100, true), at("Town", 110, 105), at("Village", 100, 140), at("Far", 400, 50)];
  expect(shown(names)).toEqual([
    ["Home", 100, 100],
    ["Village", 100, 140],
  ]);
  expect(shown(names.toReversed()).map(([name]) => name)).toEqual(["Village", "Town"]);
});

test("names are on the copy of the world that is looked at", () => {
  const other = { ...FRAME, left: FRAME.left + 3 * FRAME.scale };
  expect(shown([at("Home", 100, 100)], other)).toEqual([["Home", 100, 100]]);
});

test("a name that the edge of the map would cut stands at the left of its place, and a town's is left out where that is cut, too", () => {
  // The map is the middle of the canvas, from 62 to 238 and from 41 to 159.
  const sides = (...names: Parameters<typeof labelsOf>[0]) =>
    labelsOf(names, FRAME, (name) => name.length * 8).map(({ name, isLeft }) => [name, isLeft]);
  expect(sides(at("Town", 180, 100), at("Edge", 220, 60), at("Home", 70, 60, true))).toEqual([
    ["Town", false],
    ["Edge", true],
    ["Home", false],
  ]);
  expect(sides(at("Left", 55, 60), at("Low", 150, 155), at("A very long name of a town", 150, 100))).toEqual([]);
  expect(sides(at("Home", 225, 155, true), at("Beyond", 20, 20))).toEqual([
    ["Home", false],
    ["Beyond", false],
  ]);
});

test("no name of a town stands below the buttons of the map, but an own place does", () => {
  const names = [at("Town", 80, 60), at("Home", 80, 100, true), at("Free", 180, 60)];
  expect(shown(names, FRAME, [[10, 10, 40, 80]]).map(([name]) => name)).toEqual(["Home", "Free"]);
});
