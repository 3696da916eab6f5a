import { expect, test } from "bun:test";
import { distanceInWords, speedInWords } from "../../../server/domain/viewer/distance_text.ts";

test("speeds over ground stand in whole kilometres or miles an hour", () => {
  const rows: [knots: number, kmh: string, mph: string][] = [
    [12.34, "23 km/h", "14 mph"],
    [21.598, "40 km/h", "25 mph"],
    [0, "0 km/h", "0 mph"],
  ];
  for (const [knots, kmh, mph] of rows)
    expect([speedInWords(knots, "kmh"), speedInWords(knots, "mph")]).toEqual([
      kmh.replace(" ", "\u00a0"),
      mph.replace(" ", "\u00a0"),
    ]);
});

test("ways have a decimal below a hundred", () => {
  expect([distanceInWords(24_649, "kmh"), distanceInWords(99_960, "kmh"), distanceInWords(24_649, "mph")]).toEqual([
    "24.6\u00a0km",
    "100\u00a0km",
    "15.3\u00a0mi",
  ]);
});
