import { describe, expect, test } from "bun:test";
import { boundsOf, flatDrivesOf, isIn, partInside } from "../../../islands/map/flat_drives.ts";
import { flatBoxOfEarth, scaleOf } from "../../../islands/map/map_view.ts";
import { Cells, type Frame, OftenCells, oftenClassOf } from "../../../islands/map/often.ts";
import { drawBySpeed, fastParts, speedStepOf } from "../../../islands/map/speed_lines.ts";

/** The lines of a pen as text, in whole pixels. */
class WrittenPen {
  text = "";
  moveTo(x: number, y: number): void {
    this.text += `M${Math.round(x)} ${Math.round(y)}`;
  }
  lineTo(x: number, y: number): void {
    this.text += `L${Math.round(x)} ${Math.round(y)}`;
  }
}

/** Degrees of a pixel on the equator at zoom 10. */
const PIXEL = 360 / (256 * 1024);
const FRAME: Frame = { scale: scaleOf({ zoom: 10 }), left: 128 * 1024, top: 128 * 1024 - 100, width: 300, height: 200 };

/** A drive through these pixels of the frame. */
const through = (trip: string, pixels: readonly (readonly [x: number, y: number, speed?: number | null])[]) => ({
  trip,
  camera: "main",
  date: "2026-11-20",
  points: pixels.map(([x, y, speed = 30]): [number, number, number | null] => [(100 - y) * PIXEL, x * PIXEL, speed]),
});

const key = (number: number) => `20261120_08${String(number % 60).padStart(2, "0")}00_N`;

function drawn(drives: readonly ReturnType<typeof through>[]): string[] {
  const flat = flatDrivesOf(drives);
  const cells = new OftenCells(FRAME);
  for (const drive of flat) cells.count(drive, 0);
  const pens = [1, 2, 3, 4, 5].map(() => new WrittenPen());
  for (const drive of flat) cells.draw(drive, 0, pens);
  return pens.map(({ text }) => text);
}

describe("how often", () => {
  test("classes begin at 1, 3, 10, 30 and 100 drives", () => {
    expect([0, 1, 2, 3, 9, 10, 29, 30, 99, 100, 5000].map(oftenClassOf)).toEqual([1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
  });

  test("a drive alone is one thin line through its corners", () => {
    const [thin, ...others] = drawn([
      through(key(1), [
        [20, 50],
        [150, 50],
        [150, 150],
      ]),
    ]);
    expect(thin).toBe("M20 50L150 50L150 150");
    expect(others).toEqual(["", "", "", ""]);
  });

  test("a road that three drives share is wider as far as they share it, though they are some pixels apart", () => {
    const [thin = "", wide = ""] = drawn([
      through(key(1), [
        [0, 50],
        [100, 50],
        [200, 10],
      ]),
      through(key(2), [
        [0, 53],
        [100, 53],
        [200, 100],
      ]),
      through(key(3), [
        [0, 48],
        [100, 48],
      ]),
    ]);
    expect(wide).toMatch(/^M0 50L100 50/);
    expect(wide.match(/M/g)?.length).toBe(3);
    // Each of the two that leave goes on thin, and begins where the wide part ends.
    expect(thin).toMatch(/^M1[0-2]\d \d+L200 10M1[0-2]\d \d+L200 100$/);
  });

  test("parts of one trip count once", () => {
    const again = [1, 2, 3, 4].map(() =>
      through(key(1), [
        [0, 50],
        [100, 50],
      ]),
    );
    expect(drawn(again)[1]).toBe("");
    const others = [1, 2, 3, 4].map((number) =>
      through(key(number), [
        [0, 50],
        [100, 50],
      ]),
    );
    expect(drawn(others)[0]).toBe("");
  });

  test("of many drives on one road three lines are drawn", () => {
    const many = Array.from({ length: 40 }, (_, number) =>
      through(key(number), [
        [0, 50],
        [100, 50],
      ]),
    );
    expect(drawn(many)).toEqual(["", "", "", "M0 50L100 50".repeat(3), ""]);
  });

  test("a line from far outside is drawn as far as it is on the canvas", () => {
    const [thin] = drawn([
      through(key(1), [
        [-5000, 50],
        [5000, 50],
      ]),
    ]);
    expect(thin).toBe("M-6 50L306 50");
  });
});

describe("the flat world", () => {
  test("leads the short way round: a drive over 180° is one short line", () => {
    const [drive] = flatDrivesOf([
      {
        trip: key(1),
        camera: "main",
        date: "2026-11-20",
        points: [
          [-17, 179.9, 10],
          [-17, -179.9, 10],
          [-17, -179.8, 10],
        ],
      },
    ]);
    const { left = 0, right = 0 } = drive?.bounds ?? {};
    expect(right - left).toBeCloseTo(0.3 / 360, 10);
  });

  test("finds all drives on the nearest copies", () => {
    const box = boundsOf(
      flatDrivesOf([
        {
          trip: key(1),
          camera: "main",
          date: "2026-11-20",
          points: [
            [-17, 179, 1],
            [-17, 179.5, 1],
          ],
        },
        {
          trip: key(2),
          camera: "main",
          date: "2026-11-20",
          points: [
            [-16, -179, 1],
            [-16, -178, 1],
          ],
        },
      ]),
    );
    expect((box?.right ?? 0) - (box?.left ?? 0)).toBeCloseTo(3 / 360, 10);
    expect(boundsOf([])).toBeNull();
  });

  test("knows whether a line leads through a part, also between two places and on another copy", () => {
    const [drive] = flatDrivesOf([
      {
        trip: key(1),
        camera: "main",
        date: "2026-11-20",
        points: [
          [50, 7, 1],
          [50.2, 7.4, 1],
        ],
      },
    ]);
    if (!drive) throw new Error("There is no drive.");
    const box = flatBoxOfEarth({ west: 7.15, south: 50.05, east: 7.25, north: 50.15 });
    expect(isIn(box, drive)).toBe(true);
    expect(isIn({ ...box, left: box.left + 2, right: box.right + 2 }, drive)).toBe(true);
    expect(isIn(flatBoxOfEarth({ west: 7.3, south: 50, east: 7.4, north: 50.1 }), drive)).toBe(false);
  });

  test("tells the part of a line within a rectangle", () => {
    const box = { left: 0, top: 0, right: 10, bottom: 10 };
    expect(partInside([-10, 5, 30, 5], box)).toEqual([0.25, 0.5]);
    expect(partInside([2, 2, 8, 8], box)).toEqual([0, 1]);
    expect(partInside([-10, 5, -1, 5], box)).toBeNull();
    expect(partInside([-5, 8, 5, 18], box)).toBeNull();
    expect(partInside([5, -5, 5, 20], box)).toEqual([0.2, 0.6]);
  });
});

describe("speed", () => {
  test("has five colours from round numbers on, and one for not known", () => {
    const knots = (kmh: number) => kmh / 1.852;
    expect([0, 19.9, 20, 50, 79, 80, 110, 240].map((kmh) => speedStepOf(knots(kmh), "kmh"))).toEqual([
      1, 1, 2, 3, 3, 4, 5, 5,
    ]);
    expect(speedStepOf(Number.NaN, "kmh")).toBe(0);
    expect(speedStepOf(70 / 1.15078, "mph")).toBe(5);
  });

  test("changes along a line, which stays whole", () => {
    const [drive] = flatDrivesOf([
      through(key(1), [
        [0, 50, 0],
        [50, 50, 0],
        [100, 50, 60],
        [150, 50, null],
      ]),
    ]);
    if (!drive) throw new Error("There is no drive.");
    const pens = [0, 1, 2, 3, 4, 5].map(() => new WrittenPen());
    drawBySpeed(drive, 0, new Cells(FRAME, pens.length), "kmh", pens);
    expect(pens.map(({ text }) => text)).toEqual(["", "M0 50L50 50", "", "M50 50L100 50", "", "M100 50L150 50"]);
  });

  test("of at least so much leaves those parts of a drive", () => {
    const [drive] = flatDrivesOf([
      through(key(1), [
        [0, 50, 60],
        [50, 50, 60],
        [100, 50, 5],
        [150, 50, 5],
        [200, 50, 70],
        [250, 50, 70],
      ]),
    ]);
    if (!drive) throw new Error("There is no drive.");
    expect(fastParts(drive, 0)).toEqual([drive]);
    const parts = fastParts(drive, 50).map(({ knots }) => [...knots]);
    expect(parts).toEqual([
      [60, 60],
      [70, 70],
    ]);
    expect(fastParts(drive, 90)).toEqual([]);
  });
});
