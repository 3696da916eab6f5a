import { describe, expect, test } from "bun:test";
import {
  boxAfterDrag,
  boxAfterKey,
  boxAround,
  boxBetween,
  boxInMiddle,
  nameNear,
  pixelsOf,
  sizeInWords,
} from "../../../islands/map/drawn_box.ts";
import { type FlatBox, flatBoxOfEarth } from "../../../islands/map/map_view.ts";

const SIZE = { width: 800, height: 400 };
const VIEW = { x: 0.53, y: 0.33, zoom: 13.4 };

/** Corners of a box in whole pixels. */
function corners(box: FlatBox | null): number[] {
  if (box === null) return [];
  const { from, to } = pixelsOf(box, VIEW, SIZE);
  return [from.x, from.y, to.x, to.y].map(Math.round);
}

const MIDDLE = boxInMiddle(VIEW, SIZE);

test("a box begins in the middle, a quarter as wide and high", () => {
  expect(corners(MIDDLE)).toEqual([300, 150, 500, 250]);
});

describe("a box after a key", () => {
  const rows: readonly (readonly [key: string, shift: boolean, corners: number[]])[] = [
    ["ArrowLeft", false, [284, 150, 484, 250]],
    ["ArrowRight", false, [316, 150, 516, 250]],
    ["ArrowUp", false, [300, 134, 500, 234]],
    ["ArrowDown", false, [300, 166, 500, 266]],
    ["ArrowLeft", true, [300, 150, 484, 250]],
    ["ArrowRight", true, [300, 150, 516, 250]],
    ["ArrowUp", true, [300, 150, 500, 234]],
    ["ArrowDown", true, [300, 150, 500, 266]],
    ["Home", false, []],
  ];
  for (const [key, shiftKey, found] of rows)
    test(`${shiftKey ? "Shift and " : ""}${key}`, () =>
      expect(corners(boxAfterKey(MIDDLE, { key, shiftKey }, VIEW, SIZE))).toEqual(found));

  test("never becomes nothing", () => {
    let box: FlatBox = MIDDLE;
    for (let press = 0; press < 40; press++)
      for (const key of ["ArrowLeft", "ArrowUp"]) box = boxAfterKey(box, { key, shiftKey: true }, VIEW, SIZE) ?? box;
    expect(corners(box)).toEqual([300, 150, 316, 166]);
  });
});

test("a box lies between two pixels, whichever is first", () => {
  for (const [one, other] of [
    [
      { x: 10, y: 20 },
      { x: 60, y: 90 },
    ],
    [
      { x: 60, y: 20 },
      { x: 10, y: 90 },
    ],
    [
      { x: 60, y: 90 },
      { x: 10, y: 20 },
    ],
  ] as const)
    expect(corners(boxBetween(VIEW, SIZE, one, other))).toEqual([10, 20, 60, 90]);
});

test("a tap makes a small box around its place", () => {
  expect(corners(boxAround(VIEW, SIZE, { x: 100, y: 200 }))).toEqual([78, 178, 122, 222]);
});

describe("a corner that is dragged", () => {
  for (const [corner, found] of [
    ["nw", [310, 170, 500, 250]],
    ["ne", [300, 170, 310, 250]],
    ["sw", [310, 150, 500, 170]],
    ["se", [300, 150, 310, 170]],
  ] as const)
    test(corner, () =>
      expect(corners(boxAfterDrag(MIDDLE, corner, { x: 310, y: 170 }, VIEW, SIZE))).toEqual([...found]),
    );

  test("over the opposite one turns the box", () =>
    expect(corners(boxAfterDrag(MIDDLE, "nw", { x: 520, y: 300 }, VIEW, SIZE))).toEqual([500, 250, 520, 300]));
});

test("a box is near the nearest name, unless that is far or the box is large", () => {
  const named = (name: string, lat: number, lon: number) => ({ name, lat, lon, own: false });
  const names = [named("City", 50.05, 7.05), named("Village", 50.001, 7.011), named("Far", 51, 7)];
  const box = (west: number, south: number, size: number) =>
    flatBoxOfEarth({ west, south, east: west + size, north: south + size });
  expect(nameNear(box(7, 50, 0.01), names)).toBe("Village");
  expect(nameNear(box(7.04, 50.04, 0.01), names)).toBe("City");
  expect(nameNear(box(7, 50.2, 0.01), names)).toBeNull();
  expect(nameNear(box(7, 50, 0.2), names)).toBeNull();
  expect(nameNear(box(179.99, 0, 0.005), [named("Island", 0, -179.99)])).toBe("Island");
  expect(nameNear(box(7, 50, 0.01), [])).toBeNull();
});

test("a box is as wide and high as people measure", () => {
  const at = (wide: number, high: number) => flatBoxOfEarth({ west: 7, east: 7 + wide, south: 0, north: high });
  const words = (box: FlatBox, unit: "kmh" | "mph") => sizeInWords(box, unit).replaceAll("\u00a0", " ");
  expect(words(at(0.0163, 0.0135), "kmh")).toBe("1.8 × 1.5 km");
  expect(words(at(0.0163, 0.0135), "mph")).toBe("1.1 × 0.9 mi");
  expect(words(at(0.0021, 0.0016), "kmh")).toBe("234 × 178 m");
  expect(words(at(0.0021, 0.0016), "mph")).toBe("767 × 584 ft");
});
