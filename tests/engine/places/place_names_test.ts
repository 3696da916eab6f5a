import { expect, test } from "bun:test";
import { packTowns, TownTable } from "../../../server/domain/places/town_table.ts";
import type { OwnPlace } from "../../../server/domain/settings/own_places.ts";
import { PlaceNames } from "../../../server/engine/places/place_names.ts";

const HOME: OwnPlace = { name: "Home", lat: 50.01, lon: 10, radius: 200 };

function namesWith(list: readonly OwnPlace[]) {
  let loads = 0;
  const names = new PlaceNames({
    settings: { current: { places: { list, in_messages: false } } },
    towns: async () => {
      loads++;
      return new TownTable(packTowns([{ name: "Town", lat: 50, lon: 10, size: 3 }]));
    },
  });
  return { names, loads: () => loads };
}

test("an own place goes before the town that it lies in, and needs no table of towns", async () => {
  const { names, loads } = namesWith([HOME]);
  expect(await names.ofTrip({ first: HOME, last: HOME })).toBe("Home");
  expect(loads()).toBe(0);
  expect(await names.ofTrip({ first: HOME, last: { lat: 50, lon: 10 } })).toBe("Home to Town");
  expect(await names.at({ lat: 50.02, lon: 10 })).toBe("Town");
});

test("without own places towns name both ends, and far from all of them there is no name", async () => {
  const { names } = namesWith([]);
  expect(await names.ofTrip({ first: HOME, last: { lat: 50, lon: 10 } })).toBe("Town");
  expect(await names.ofTrip({ first: { lat: 1, lon: 1 }, last: HOME })).toBe("To Town");
  expect(await names.ofTrip({ first: { lat: 1, lon: 1 }, last: { lat: 2, lon: 2 } })).toBeNull();
  expect(await names.ofTrip(null)).toBeNull();
});

test("a part of the map has own places before towns, also over 180 degrees, and no more than asked for", async () => {
  const { names } = namesWith([HOME, { name: "Island", lat: 0, lon: -179.9, radius: 100 }]);
  const inBox = async (west: number, south: number, east: number, north: number, most = 9) =>
    (await names.inBox({ west, south, east, north }, most)).map(({ name, own }) => [name, own]);
  expect(await inBox(9, 49, 11, 51)).toEqual([
    ["Home", true],
    ["Town", false],
  ]);
  expect(await inBox(9, 49, 11, 51, 1)).toEqual([["Home", true]]);
  expect(await inBox(179, -1, 181, 1)).toEqual([["Island", true]]);
  expect(await inBox(20, 49, 21, 51)).toEqual([]);
});
