import { describe, expect, test } from "bun:test";
import { placeText, typedPlace } from "../../../server/domain/places/typed_place.ts";

describe("a place that is typed", () => {
  const rows: readonly [text: string, lat: number, lon: number][] = [
    ["52.5163, 13.3777", 52.5163, 13.3777],
    ["52.5163 13.3777", 52.5163, 13.3777],
    [" -33.86,151.2 ", -33.86, 151.2],
    ["52,5163; 13,3777", 52.5163, 13.3777],
    ["33.86° S, 151.2° E", -33.86, 151.2],
    ["40.7N/74w", 40.7, -74],
    ["+1, -1", 1, -1],
    ["999, 999", 999, 999],
  ];
  for (const [text, lat, lon] of rows)
    test(`is understood as ${text}`, () => {
      expect(typedPlace(text)).toEqual({ lat, lon });
    });

  for (const text of ["", "Berlin", "52.5", "52.5163,", "1, 2, 3", "1e3, 2", "52 30 0, 13 22 0", "1, 2 x"])
    test(`is not ${JSON.stringify(text)}`, () => {
      expect(typedPlace(text)).toBeNull();
    });

  test("is written so that it can be read again, to a metre", () => {
    const place = { lat: -12.3456789, lon: 0.000004 };
    expect(placeText(place)).toBe("-12.34568, 0.00000");
    expect(typedPlace(placeText(place))).toEqual({ lat: -12.34568, lon: 0 });
  });
});
