import { expect, test } from "bun:test";
import { parseStillFile, parseStillName, stillFile, stillName } from "../../../server/domain/recordings/still_name.ts";

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
