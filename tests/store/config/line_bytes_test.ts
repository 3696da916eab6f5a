import { expect, test } from "bun:test";
import { fixesFromBytes, fixesToBytes } from "../../../server/store/config/line_bytes.ts";
import { randomFrom } from "../../support/camera/written_telemetry.ts";

const column = (values: readonly number[]) => Int32Array.from(values);

test("fixes are read as they were written, at the ends of every range, too", () => {
  const random = randomFrom(3);
  const wild = Array.from({ length: 500 }, () => Math.floor((random() - 0.5) * 2 ** 32));
  for (const values of [[], [0], [-1], [2 ** 31 - 1, -(2 ** 31), 0, 2 ** 31 - 1], wild]) {
    const given = {
      t: column(values),
      lat: column(values),
      lon: column(values.toReversed()),
      speed: column(values),
      level: column(values),
    };
    expect(fixesFromBytes(fixesToBytes(given))).toEqual(given);
  }
});

test("a minute of driving takes less than a kilobyte", () => {
  const seconds = Array.from({ length: 60 }, (_, t) => t);
  const fixes = {
    t: column(seconds.map((t) => 600_000 + t * 1000)),
    lat: column(seconds.map((t) => 480_000_000 + t * 1300)),
    lon: column(seconds.map((t) => 110_000_000 - t * 900)),
    speed: column(seconds.map((t) => 27_000 + (t % 7) * 150)),
    level: column(seconds.map((t) => t % 23)),
  };
  expect(fixesToBytes(fixes).length).toBeLessThan(700);
});

test("bytes that are cut or of something else are refused", () => {
  const bytes = fixesToBytes({
    t: column([1, 2]),
    lat: column([3, 4]),
    lon: column([5, 6]),
    speed: column([7, 8]),
    level: column([9, 9]),
  });
  for (const wrong of [
    new Uint8Array(),
    bytes.slice(0, -1),
    new Uint8Array([255, 255, 255, 255, 255, 255, 1]),
    new Uint8Array([200, 1]),
  ])
    expect(() => fixesFromBytes(wrong)).toThrow(RangeError);
});
