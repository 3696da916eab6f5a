import { describe, expect, test } from "bun:test";
import {
  boxOfText,
  boxText,
  earthBoxOf,
  flatAt,
  flatBoxOf,
  flatBoxOfEarth,
  metersOf,
  metersPerPixel,
  nearCopy,
  pixelOf,
  pushed,
  viewOfBox,
  zoomed,
} from "../../../islands/map/map_view.ts";

const SIZE = { width: 1000, height: 600 };
const BERLIN = { west: 13.2, south: 52.4, east: 13.6, north: 52.6 };
const FIJI = { west: 178, south: -18.5, east: -178.5, north: -17 };

describe("a box of the earth", () => {
  for (const [name, box] of [
    ["on one side", BERLIN],
    ["over 180°", FIJI],
    ["from pole to pole", { west: -180, south: -85, east: 180, north: 85 }],
  ] as const)
    test(`${name} is the same after it was laid flat`, () => {
      const again = earthBoxOf(flatBoxOfEarth(box));
      for (const side of ["west", "south", "east", "north"] as const) expect(again[side]).toBeCloseTo(box[side], 8);
    });

  test("over 180° leads on beyond the edge of the flat world", () => {
    const { left, right } = flatBoxOfEarth(FIJI);
    expect(right - left).toBeCloseTo(3.5 / 360, 10);
    expect(right).toBeGreaterThan(1);
  });

  test("is written and read as west, south, east, north", () => {
    expect(boxText(BERLIN)).toBe("13.2,52.4,13.6,52.6");
    expect(boxText({ west: 1 / 3, south: -0.000001, east: 2, north: 3 })).toBe("0.33333,0,2,3");
    expect(boxOfText("178,-18.5,-178.5,-17")).toEqual(FIJI);
  });

  for (const text of [null, "", "1,2,3", "1,2,3,4,5", "1,2,3,x", "181,0,0,1", "0,-91,1,1", "0,2,1,1", ",,,"])
    test(`is none of ${text}`, () => expect(boxOfText(text)).toBeNull());
});

describe("a view", () => {
  test("shows a whole box as large as it fits", () => {
    const flat = flatBoxOfEarth(BERLIN);
    const view = viewOfBox(flat, SIZE);
    const seen = flatBoxOf(view, SIZE);
    expect(seen.left).toBeLessThanOrEqual(flat.left + 1e-12);
    expect(seen.bottom).toBeGreaterThanOrEqual(flat.bottom - 1e-12);
    const fills = [
      (flat.right - flat.left) / (seen.right - seen.left),
      (flat.bottom - flat.top) / (seen.bottom - seen.top),
    ];
    expect(Math.max(...fills)).toBeCloseTo(1, 8);
  });

  test("of a single place is not closer than a drive can be seen", () => {
    const place = flatBoxOfEarth({ west: 13, south: 52, east: 13, north: 52 });
    expect(viewOfBox(place, SIZE, 48).zoom).toBe(15);
  });

  test("keeps the place under the pointer when it comes closer", () => {
    const view = viewOfBox(flatBoxOfEarth(BERLIN), SIZE);
    const at = { x: 130, y: 555 };
    const before = flatAt(view, SIZE, at);
    const closer = zoomed(view, SIZE, 1.7, at);
    expect(closer.zoom).toBeCloseTo(view.zoom + 1.7, 10);
    const after = pixelOf(closer, SIZE, before);
    expect([after.x, after.y].map((part) => Math.round(part * 1000) / 1000)).toEqual([130, 555]);
  });

  test("ends at the closest and at the farthest look", () => {
    const view = { x: 0.5, y: 0.3, zoom: 12 };
    expect(zoomed(view, SIZE, 99, { x: 0, y: 0 }).zoom).toBe(19);
    expect(zoomed(view, SIZE, -99, { x: 0, y: 0 }).zoom).toBe(1);
  });

  test("moves with the hand, round the world and not over the poles", () => {
    const view = { x: 0.5, y: 0.5, zoom: 2 };
    expect(pushed(view, 256, 0).x).toBeCloseTo(0.25, 10);
    expect(pushed(view, -3 * 1024, 0).x).toBeCloseTo(3.5, 10);
    expect(pushed(view, 0, 1e6).y).toBe(0);
  });

  test("of the whole world and more asks for the whole world", () => {
    const { west, east } = earthBoxOf(flatBoxOf({ x: 7.3, y: 0.5, zoom: 1 }, SIZE));
    expect([west, east]).toEqual([-180, 180]);
  });

  test("beyond 180° asks for places of the earth", () => {
    const { west, east } = earthBoxOf(flatBoxOf({ x: 1.0001, y: 0.5, zoom: 10 }, SIZE));
    expect(west).toBeGreaterThan(179);
    expect(east).toBeLessThan(-179);
  });
});

test("metres are those of the equator at the equator, and fewer in the north", () => {
  expect(metersPerPixel({ x: 0.5, y: 0.5, zoom: 0 })).toBeCloseTo(156_543, 0);
  const { wide, high } = metersOf(flatBoxOfEarth(BERLIN));
  expect(Math.round(wide / 100)).toBe(271);
  expect(Math.round(high / 100)).toBe(223);
});

test("a box is shown on the copy of the world that is looked at", () => {
  const { left } = nearCopy({ left: 0.1, right: 0.2, top: 0, bottom: 1 }, { x: 3.4 });
  expect(left).toBeCloseTo(3.1, 10);
});
