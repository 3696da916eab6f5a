import { describe, expect, test } from "bun:test";
import {
  type Box,
  bitsFor,
  fitted,
  mostBytes,
  type Size,
  sideLayout,
} from "../../../server/domain/viewer/side_layout.ts";

const LARGE = { width: 2560, height: 1440 };
const USUAL = { width: 1920, height: 1080 };
const SMALL = { width: 640, height: 360 };
const SQUARE = { width: 1440, height: 1440 };

const told = (box: Box | null) => box && `${box.width}×${box.height} at ${box.x},${box.y}`;

describe("sideLayout()", () => {
  const rows: readonly (readonly [
    what: string,
    pictures: readonly Size[],
    map: boolean,
    whole: string,
    boxes: readonly string[],
    mapBox: string | null,
  ])[] = [
    ["one camera fills it", [LARGE], false, "1920×1176", ["1920×1080 at 0,0"], null],
    ["a map alone takes a quarter", [LARGE], true, "1920×906", ["1440×810 at 0,0"], "480×810 at 1440,0"],
    ["two cameras are equal", [LARGE, USUAL], false, "1920×636", ["960×540 at 0,0", "960×540 at 960,0"], null],
    [
      "the second stands above the map",
      [LARGE, USUAL],
      true,
      "1920×816",
      ["1280×720 at 0,0", "640×360 at 1280,0"],
      "640×360 at 1280,360",
    ],
    [
      "two others stand one above the other",
      [LARGE, USUAL, USUAL],
      false,
      "1920×816",
      ["1280×720 at 0,0", "640×360 at 1280,0", "640×360 at 1280,360"],
      null,
    ],
    [
      "four cameras and a map",
      [LARGE, USUAL, USUAL, USUAL],
      true,
      "1920×960",
      ["1536×864 at 0,0", "384×216 at 1536,0", "384×216 at 1536,216", "384×216 at 1536,432"],
      "384×216 at 1536,648",
    ],
    [
      "small pictures are not made larger than text needs",
      [SMALL, SMALL],
      true,
      "960×408",
      ["640×360 at 0,0", "320×180 at 640,0"],
      "320×180 at 640,180",
    ],
    [
      "pictures higher than others keep some of their shape",
      [SQUARE, SQUARE],
      false,
      "1920×896",
      ["960×800 at 0,0", "960×800 at 960,0"],
      null,
    ],
  ];
  for (const [what, pictures, hasMap, whole, boxes, mapBox] of rows)
    test(what, () => {
      const layout = sideLayout({ pictures, hasMap });
      expect(`${layout.width}×${layout.height}`).toBe(whole);
      expect(layout.pictures.map(told)).toEqual([...boxes]);
      expect(told(layout.map)).toBe(mapBox);
      expect(layout.band.y + layout.band.height).toBe(layout.height);
    });

  test("gives even sizes, and boxes that lie beside each other within it, whatever the pictures", () => {
    for (let width = 300; width < 4000; width += 233)
      for (let height = 200; height < 2400; height += 171)
        for (const count of [1, 2, 3, 4])
          for (const hasMap of [false, true]) {
            const layout = sideLayout({ pictures: Array.from({ length: count }, () => ({ width, height })), hasMap });
            const boxes = [...layout.pictures, layout.band, ...(layout.map ? [layout.map] : [])];
            const area = boxes.reduce((sum, box) => sum + box.width * box.height, 0);
            const all = boxes.flatMap((box) => Object.values(box));
            expect([...all, layout.width, layout.height].filter((value) => value % 2 !== 0 || value < 0)).toEqual([]);
            expect([width, height, count, hasMap, area]).toEqual([
              width,
              height,
              count,
              hasMap,
              layout.width * layout.height,
            ]);
          }
  });
});

describe("fitted()", () => {
  const box = { x: 100, y: 50, width: 640, height: 360 };
  const rows: readonly (readonly [what: string, picture: Size, place: string])[] = [
    ["of the same shape fills it", USUAL, "640×360 at 100,50"],
    ["a higher one has bars beside it", SQUARE, "360×360 at 240,50"],
    ["a wider one has bars above and below", { width: 1920, height: 540 }, "640×180 at 100,140"],
    ["one without a size is nowhere", { width: 0, height: 0 }, "0×0 at 420,230"],
  ];
  for (const [what, picture, place] of rows) test(what, () => expect(told(fitted(box, picture))).toBe(place));
});

test("more pixels and more pictures get more bits, and none less than a million", () => {
  expect([
    bitsFor({ width: 1920, height: 816 }, 30),
    bitsFor({ width: 960, height: 408 }, 30),
    bitsFor(SMALL, 1),
  ]).toEqual([7_500_000, 1_900_000, 1_000_000]);
});

test("a minute of two usual cameras is at most 56 MB", () => {
  expect(mostBytes(60)).toBe(56_250_000);
});
