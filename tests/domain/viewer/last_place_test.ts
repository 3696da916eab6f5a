import { expect, test } from "bun:test";
import { isStillWanted, placeOf, placeText } from "../../../server/domain/viewer/last_place.ts";

const PLACE = { key: "20260607_101500_N", seconds: 12.34, newest: "20260607_101800_N" };
const clips = (...keys: string[]) => keys.map((key) => ({ key }));

test("a place is read as it was written, to a tenth of a second; anything else is none", () => {
  expect(placeText(PLACE)).toBe("20260607_101500_N~12.3~20260607_101800_N");
  expect(placeOf(placeText(PLACE))).toEqual({ ...PLACE, seconds: 12.3 });
  for (const text of [undefined, "", "~", "20260607_101500_N", "20260607_101500_N~-1~20260607_101800_N"])
    expect(placeOf(text)).toBeNull();
  expect(placeOf("20260607_101500_N~soon~20260607_101800_N")).toBeNull();
  expect(placeOf("<script>~1~20260607_101800_N")).toBeNull();
});

test("the viewer goes on where it was left until another trip has come", () => {
  expect(isStillWanted(PLACE, clips("20260607_101500_N", "20260607_101800_N"))).toBe(true);
  // The newest trip was there already, and another one was on show.
  expect(isStillWanted(PLACE, clips("20260607_101800_N"))).toBe(true);
  // It has grown since.
  expect(isStillWanted(PLACE, clips("20260607_101500_N", "20260607_101800_N", "20260607_101900_N"))).toBe(true);
  expect(isStillWanted(PLACE, clips("20260608_080000_N"))).toBe(false);
  expect(isStillWanted(PLACE, [])).toBe(true);
});
