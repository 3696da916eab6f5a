import { expect, test } from "bun:test";
import { packTowns, TownTable } from "../../../server/domain/places/town_table.ts";
import { STEPS_PER_DEGREE } from "../../../server/domain/places/trip_line.ts";
import { VisitedTowns } from "../../../server/engine/places/visited_towns.ts";
import { fixesToBytes } from "../../../server/store/config/line_bytes.ts";
import type { PlacedTrip } from "../../../server/store/config/places_database.ts";
import { FakeClock } from "../../support/app/clock.ts";

const TOWNS = new TownTable(
  packTowns([
    { name: "West", lat: 50, lon: 10, size: 0 },
    { name: "Middle", lat: 50, lon: 10.5, size: 0 },
    { name: "East", lat: 50, lon: 11, size: 0 },
    { name: "Beyond", lat: 50, lon: -179.9, size: 0 },
  ]),
);

/** A line of fixes on one parallel. */
function lineOf(...lons: readonly number[]): Uint8Array {
  const column = (values: readonly number[]) => Int32Array.from(values);
  return fixesToBytes({
    t: column(lons.map((_, at) => at * 1000)),
    lat: column(lons.map(() => 50 * STEPS_PER_DEGREE)),
    lon: column(lons.map((lon) => Math.round(lon * STEPS_PER_DEGREE))),
    speed: column(lons.map(() => 0)),
    level: column(lons.map(() => 0)),
  });
}

function databaseOf(lines: Map<number, Uint8Array>) {
  let reads = 0;
  let isAway = false;
  return {
    turn: (isOff: boolean) => {
      isAway = isOff;
    },
    generation: 1,
    trips: () =>
      [...lines.keys()]
        .sort((one, other) => other - one)
        .map((id) => ({ id, first: `2026060${id}_080000_N`, counts: [1] }) as unknown as PlacedTrip),
    lines: (trips: readonly number[]) => {
      reads += trips.length;
      if (isAway) return new Map<number, readonly Uint8Array[]>();
      return new Map(trips.map((id) => [id, [lines.get(id) ?? new Uint8Array()]]));
    },
    reads: () => reads,
  };
}

test("towns along a line are found between far fixes too, counted by trip, and read once", async () => {
  const lines = new Map([
    [1, lineOf(10, 11)],
    [2, lineOf(10.5, 10.5001, 10.5002)],
    [3, lineOf(179.9, 180.2)],
    [4, new Uint8Array([200])],
  ]);
  const database = databaseOf(lines);
  const visited = new VisitedTowns({ database, clock: new FakeClock(0) });
  const told = async () => (await visited.all(TOWNS)).map(({ name, trips, last }) => `${name} ${trips} ${last}`).sort();
  expect(await told()).toEqual([
    "Beyond 1 20260603_080000_N",
    "East 1 20260601_080000_N",
    "Middle 2 20260602_080000_N",
    "West 1 20260601_080000_N",
  ]);
  expect(database.reads()).toBe(4);
  lines.delete(2);
  lines.set(5, lineOf(11));
  expect(await told()).toEqual([
    "Beyond 1 20260603_080000_N",
    "East 2 20260605_080000_N",
    "Middle 1 20260601_080000_N",
    "West 1 20260601_080000_N",
  ]);
  expect(database.reads()).toBe(5);
  // What cannot be read for a moment is read later.
  lines.set(6, lineOf(10));
  database.turn(true);
  expect(await told()).toHaveLength(4);
  database.turn(false);
  expect(await told()).toContain("West 2 20260606_080000_N");
});
