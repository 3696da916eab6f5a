import { expect, test } from "bun:test";
import { pictureAlone } from "../../../server/domain/mqtt/picture_alone.ts";

const segment = (marker: number, body: string) => {
  const bytes = Buffer.from(body, "latin1");
  return [0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 0xff, ...bytes];
};
const START = [0xff, 0xd8];
const OWN = segment(0xe0, "JFIF\0");
const TABLE = segment(0xdb, "a table");
// Among pixels 0xff is followed by 0, or by a marker that only begins them anew.
const PIXELS = [...segment(0xda, "head"), 1, 2, 0xff, 0x00, 0xd9, 0xff, 0xd0, 3];
const END = [0xff, 0xd9];
const alone = (...parts: readonly number[][]) => [...pictureAlone(new Uint8Array(parts.flat()))];

test("a picture keeps its own, and loses what stands beside it", () => {
  const place = segment(0xe1, "Exif\0\0 55.1 N 8.2 E");
  const comment = segment(0xfe, "made at home");
  const colours = segment(0xee, "Adobe");
  expect(alone(START, OWN, place, colours, [0xff], TABLE, comment, PIXELS, END, segment(0xe1, "55.1"))).toEqual(
    [START, OWN, colours, TABLE, PIXELS, END].flat(),
  );
});

test("one that is damaged ends there, whatever is in it", () => {
  const rows = [
    [
      [START, OWN, PIXELS],
      [START, OWN, PIXELS],
    ],
    [
      [START, OWN, [0, 0, 0, 0]],
      [START, OWN],
    ],
    [[START, [0xff, 0xe1, 0xff, 0xff], PIXELS], [START]],
    [[START, [0xff, 0xe1]], [START]],
    [
      [START, [0xff, 0xdb, 0, 0, 0, 0]],
      [START, [0xff, 0xdb]],
    ],
    [[START], [START]],
    [[], []],
  ] as const;
  for (const [damaged, left] of rows) expect(alone(...damaged.map((part) => [...part]))).toEqual(left.flat());
});
