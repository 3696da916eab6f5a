import { beforeAll, describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { TownTable } from "../../../server/domain/places/town_table.ts";
import { readTowns } from "../../../server/engine/places/towns.ts";

let towns: TownTable;
beforeAll(async () => {
  towns = await readTowns();
});

/** Places as people stand there, and the town that they would name. */
const PLACES: readonly [place: string, lat: number, lon: number, town: string | null][] = [
  ["the Brandenburg Gate", 52.5163, 13.3777, "Berlin"],
  ["the castle of Neuschwanstein", 47.5576, 10.7498, "Füssen"],
  ["Piccadilly Circus", 51.51, -0.1347, "London"],
  ["the harbour of Tórshavn", 62.0089, -6.7719, "Tórshavn"],
  ["Longyearbyen, far in the north", 78.2232, 15.6469, "Longyearbyen"],
  ["the middle of Reykjavík", 64.1466, -21.9426, "Reykjavík"],
  ["the pyramids' car park", 29.9773, 31.1325, "Giza"],
  ["the middle of Nairobi", -1.2864, 36.8172, "Nairobi"],
  ["Cape Town's station", -33.9221, 18.4258, "Cape Town"],
  ["the capital that was renamed", 51.1801, 71.446, "Astana"],
  ["Tokyo Tower", 35.6586, 139.7454, "Tokyo"],
  ["the middle of Mumbai", 19.0728, 72.8826, "Mumbai"],
  ["Alice Springs, alone in the desert", -23.698, 133.8807, "Alice Springs"],
  ["Ushuaia, far in the south", -54.8019, -68.303, "Ushuaia"],
  ["the middle of São Paulo", -23.5505, -46.6333, "São Paulo"],
  ["Denver's station", 39.7527, -105.0001, "Denver"],
  ["Whitehorse", 60.7212, -135.0568, "Whitehorse"],
  ["Suva, near 180 degrees", -18.1416, 178.4419, "Suva"],
  ["Labasa, nearer to it", -16.4164, 179.3648, "Labasa"],
  ["the middle of the Atlantic", 30, -40, null],
  ["the Sahara", 23.5, 9.5, null],
  ["the North Pole", 90, 0, null],
  ["the South Pole", -90, 180, null],
  ["where no fix is", 0, 0, null],
];

describe("the town of", () => {
  for (const [place, lat, lon, town] of PLACES)
    test(`${place} is ${town ?? "none"}`, () => {
      expect(towns.nearest({ lat, lon })?.name ?? null).toBe(town);
    });
});

test("there are some tens of thousands of towns, in at most 400 kB", () => {
  expect(towns.count).toBeGreaterThan(40_000);
  expect(statSync(join(import.meta.dir, "../../../assets/towns/towns.br")).size).toBeLessThan(400_000);
});

test("every town has a name of one line, without blanks around it", () => {
  for (const { name } of towns.all()) if (!/^\S(.*\S)?$/u.test(name)) expect(name).toBe("a name");
});
