import { expect, test } from "bun:test";
import { usualStops } from "../../../server/domain/places/usual_stops.ts";

const stop = (key: string, lat: number, lon: number) => ({ key, place: { lat, lon } });

test("places at which trips end often come first, without those that have a name, the latest clip with each", () => {
  const latestFirst = [
    stop("6", 52, 13),
    stop("5", 48, 11),
    stop("4", 48.001, 11),
    stop("3", 40, 10),
    stop("2", 48.0005, 11.0005),
    stop("1", 40, 10.01),
  ];
  const home = { name: "Home", lat: 52, lon: 13.0001, radius: 100 };
  const found = usualStops(latestFirst, [home], 2);
  expect(found.map(({ key, count }) => [key, count])).toEqual([
    ["5", 3],
    ["3", 1],
  ]);
  expect(usualStops(latestFirst, [], 9)).toHaveLength(4);
  expect(usualStops([], [], 9)).toEqual([]);
});
