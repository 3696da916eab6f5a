import { expect, test } from "bun:test";
import { scaleOf } from "../../../islands/map/map_view.ts";
import { labelsOf } from "../../../islands/map/name_labels.ts";
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
const shown = (names: Parameters<typeof labelsOf>[0], frame = FRAME) =>
  labelsOf(names, frame, (name) => name.length * 8).map(({ name, x, y }) => [name, Math.round(x), Math.round(y)]);

test("names stand at their places, and the first of two that would cover each other stays", () => {
  const names = [at("Home", 100, 100, true), at("Town", 110, 105), at("Village", 100, 150), at("Far", 400, 50)];
  expect(shown(names)).toEqual([
    ["Home", 100, 100],
    ["Village", 100, 150],
  ]);
  expect(shown(names.toReversed()).map(([name]) => name)).toEqual(["Village", "Town"]);
});

test("names are on the copy of the world that is looked at", () => {
  const other = { ...FRAME, left: FRAME.left + 3 * FRAME.scale };
  expect(shown([at("Home", 100, 100)], other)).toEqual([["Home", 100, 100]]);
});
