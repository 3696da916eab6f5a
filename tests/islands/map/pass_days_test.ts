import { describe, expect, test } from "bun:test";
import type { Pass } from "../../../server/domain/places/places_schema.ts";
import { passDays, passWays, wayInWords, wayOf, windInWords, windOf } from "../../../islands/map/pass_days.ts";

const pass = (key: string, heading: number | null = 0): Pass => ({
  trip: key,
  key,
  seconds: 3,
  at: null,
  speed: 30,
  heading,
  thumb: null,
  name: null,
  camera: "main",
});

test("passes are grouped by the camera's day, in the order in which they came", () => {
  const days = passDays([
    pass("20261120_175100_N"),
    pass("van~20261120_174400_N"),
    pass("20261119_081200_N"),
    pass("20261118_180200_N.2"),
  ]);
  expect(days.map(({ date, passes }) => [date, passes.length])).toEqual([
    ["2026-11-20", 2],
    ["2026-11-19", 1],
    ["2026-11-18", 1],
  ]);
  expect(passDays([])).toEqual([]);
});

describe("a direction", () => {
  for (const [heading, wind, words] of [
    [0, "N", "north"],
    [62, "ENE", "north-east"],
    [128, "SE", "south-east"],
    [242, "WSW", "south-west"],
    [285, "WNW", "west"],
    [349, "N", "north"],
    [348, "NNW", "north"],
    [360, "N", "north"],
  ] as const)
    test(`of ${heading}° is ${wind}`, () => expect([windOf(heading), windInWords(heading)]).toEqual([wind, words]));

  test("is counted, the most frequent first and those that stood last", () => {
    const passes = [null, null, null, 242, 240, 62, 65, 50, 128].map((heading, at) =>
      pass(`20261120_17${10 + at}00_N`, heading),
    );
    expect(passWays(passes)).toEqual([
      { wind: 1, count: 3 },
      { wind: 5, count: 2 },
      { wind: 3, count: 1 },
      { wind: null, count: 3 },
    ]);
    expect(passWays(passes).map(({ wind }) => wayInWords(wind))).toEqual([
      "North-east",
      "South-west",
      "South-east",
      "Standing",
    ]);
    expect(wayOf({ heading: 359 })).toBe(0);
  });
});
