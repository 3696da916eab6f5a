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
