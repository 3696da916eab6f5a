import { describe, expect, test } from "bun:test";
import { packTowns, sizeOf, type Town, TownTable } from "../../../server/domain/places/town_table.ts";
import { metersBetween } from "../../../server/domain/viewer/fix_steps.ts";

const town = (name: string, lat: number, lon: number, inhabitants = 1000): Town => ({
  name,
  lat,
  lon,
  size: sizeOf(inhabitants),
});
const tableOf = (...towns: Town[]) => new TownTable(packTowns(towns));

describe("a table of towns", () => {
  test("has every town at its place, within half a step, with its size", () => {
    const towns = [
      town("Nord", 89.9, 12, 3000),
      town("Süd", -89.95, -180, 900),
      town("Ost", -16.5, 179.999),
      town("West", -16.5, -180),
      town("Mitte", 0, 0, 5_000_000),
      town("Mitte", 0.001, 0.001, 40_000),
      town("Łódź", 51.77, 19.46, 700_000),
      town("東京", 35.69, 139.69, 9_000_000),
    ];
    const table = tableOf(...towns);
    expect(table.count).toBe(towns.length);
    const all = [...table.all()];
    for (const { name, lat, lon, size } of towns) {
      const found = all.filter((one) => one.name === name && one.size === size);
      expect([name, found.length]).toEqual([name, 1]);
      expect(metersBetween(found[0] ?? { lat: 0, lon: 0 }, { lat, lon })).toBeLessThan(400);
    }
  });

  const rows: readonly [name: string, lat: number, lon: number, found: string | null][] = [
    ["in its middle", 50, 10, "Town"],
    ["9 km beside it", 50, 10.125, "Town"],
    ["11 km beside it", 50, 10.16, null],
    ["in another cell, to the south", 49.95, 9.95, "Town"],
    ["over 180 degrees, from the west", -16.5, 179.96, "East end"],
    ["over 180 degrees, from the east", -16.5, -179.99, "East end"],
    ["at the pole, whatever the length is called", 90, -120, "Pole"],
    ["past the pole", 89.97, -168, "Pole"],
    ["at the other pole, where none is", -90, 0, null],
    ["in the middle of the sea", -40, -120, null],
    ["at the edge of the map", 0, 180, null],
  ];
  const table = tableOf(town("Town", 50, 10), town("East end", -16.5, -179.95), town("Pole", 89.95, 12));
  for (const [where, lat, lon, found] of rows)
    test(`finds ${found ?? "nothing"} ${where}`, () => {
      expect(table.nearest({ lat, lon })?.name ?? null).toBe(found);
    });

  test("has the largest towns of a part of the map, also over 180 degrees", () => {
    const all = tableOf(
      town("Hamlet", 50.1, 10.1, 1000),
      town("City", 50.9, 10.9, 900_000),
      town("Town", 50.5, 10.5, 30_000),
      town("Beside", 50.5, 11.5, 5_000_000),
      town("East end", -16.5, -179.95, 9000),
      town("West end", -16.5, 179.95, 2000),
    );
    const named = (west: number, south: number, east: number, north: number, most = 9) =>
      all.largestIn({ west, south, east, north }, most).map(({ name }) => name);
    expect(named(10, 50, 11, 51)).toEqual(["City", "Town", "Hamlet"]);
    expect(named(10, 50, 11, 51, 2)).toEqual(["City", "Town"]);
    expect(named(10.2, 50.2, 10.8, 50.8)).toEqual(["Town"]);
    expect(named(179, -17, 181, -16)).toEqual(["East end", "West end"]);
    expect(named(-180, -90, 180, 90, 1)).toEqual(["Beside"]);
    expect(named(0, 0, 1, 1)).toEqual([]);
  });

  test("gives the middle between a village and a city to the city, and the village to itself", () => {
    const both = tableOf(town("Village", 50, 10, 1000), town("City", 50, 10.1, 1_000_000));
    expect(both.nearest({ lat: 50, lon: 10.05 })?.name).toBe("City");
    expect(both.nearest({ lat: 50, lon: 10.005 })?.name).toBe("Village");
    // The city reaches no farther than any other town when it is alone.
    expect(both.nearest({ lat: 50, lon: 10.3 })).toBeNull();
  });

  test("finds nothing in an empty table, and refuses bytes that are none", () => {
    expect(tableOf().nearest({ lat: 0, lon: 0 })).toBeNull();
    const whole = packTowns([town("Town", 50, 10)]);
    for (const bytes of [new Uint8Array(), whole.slice(0, 3), whole.slice(0, 8), whole.slice(0, -1)])
      expect(() => new TownTable(bytes)).toThrow("table of towns");
  });

  test("agrees with a search through all towns, wherever one asks", () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const many = Array.from({ length: 400 }, (_, at) =>
      town(`Town ${at}`, 89.5 + random() / 2 - (at % 2) * 179.5, -180 + random() * 360, 1000 * 4 ** (random() * 5)),
    );
    const near = Array.from({ length: 400 }, (_, at) =>
      town(`Near ${at}`, 51 + random() / 3, ((179.8 + random() / 2 + 180) % 360) - 180, 1000 * 4 ** (random() * 5)),
    );
    const table = tableOf(...many, ...near);
    const all = [...table.all()];
    let hits = 0;
    for (let asked = 0; asked < 500; asked++) {
      const place =
        asked % 2 === 0
          ? { lat: (89.6 + random() / 2.5) * (asked % 4 === 0 ? 1 : -1), lon: -180 + random() * 360 }
          : { lat: 51 + random() / 3, lon: ((179.8 + random() / 2 + 180) % 360) - 180 };
      const measured = all
        .map((one) => ({ one, meters: metersBetween(one, place) }))
        .filter(({ meters }) => meters <= 10_000)
        .sort((a, b) => a.meters / 1.11 ** a.one.size - b.meters / 1.11 ** b.one.size);
      expect(table.nearest(place)?.name).toBe(measured[0]?.one.name);
      hits += Number(measured.length > 0);
    }
    expect(hits).toBeGreaterThan(200);
  });
});

test("a size counts how often a thousand inhabitants double", () => {
  expect([0, 999, 1400, 1500, 4000, 1_000_000, 24_000_000].map(sizeOf)).toEqual([0, 0, 0, 1, 2, 10, 15]);
});
