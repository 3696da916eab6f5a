import { expect, test } from "bun:test";
import {
  parseStillFile,
  parseStillName,
  stillFile,
  stillFormat,
  stillName,
} from "../../../server/domain/recordings/still_name.ts";

const STILL = { key: "20260607_101500_N.2", direction: "F", milliseconds: 12_345, format: "jpg" } as const;

test("a picture's file names its recording, its camera and its moment", () => {
  expect([stillName(STILL), stillFile(STILL)]).toEqual(["F_00012345.jpg", "20260607_101500_N.2_F_00012345.jpg"]);
  expect(parseStillFile(stillFile(STILL))).toEqual(STILL);
  expect(parseStillName(STILL.key, stillName(STILL))).toEqual(STILL);
});

test.each([
  "",
  "F_00012345.jpg",
  "20260607_101500_N_X_00012345.jpg",
  "20260607_101500_N_F_12345.jpg",
  ".20260607_101500_N_F_00012345.jpg.0011223344556677.tmp",
  "20260607_101500_N_F_00012345.gif",
])("%p is no picture's file", (name) => {
  expect(parseStillFile(name)).toBeNull();
});

test.each([
  [[0xff, 0xd8, 0xff, 0xdb], "jpg"],
  [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "png"],
  [[0x89, 0x50, 0x4e, 0x47], null],
  [[0x47, 0x49, 0x46, 0x38], null],
  [[], null],
] as const)("bytes that begin with %p are %p", (bytes, format) => {
  expect(stillFormat(Uint8Array.from(bytes))).toBe(format);
});
