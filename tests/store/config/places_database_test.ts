import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../server/clock.ts";
import { Log } from "../../../server/log.ts";
import { type NewTrip, PlacesDatabase } from "../../../server/store/config/places_database.ts";
import { PLACES_VERSION } from "../../../server/store/file_versions.ts";

let folder: string;
let path: string;
let log: Log;
let database: PlacesDatabase;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dashdock-places-"));
  path = join(folder, "places.db");
  log = new Log(systemClock);
  database = new PlacesDatabase({ path, log });
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const ENDS = { first: { lat: 47, lon: 10 }, last: { lat: 48, lon: 11 } };
const BOX = { west: 11, south: 48, east: 11.01, north: 48.01 };
const EARTH = { west: -180, south: -90, east: 180, north: 90 };
const BEGIN = Date.UTC(2026, 5, 7) / 1000;

function trip(hour: number, more: Partial<NewTrip> = {}): NewTrip {
  const begin = BEGIN + hour * 3600;
  const first = `20260607_${String(hour).padStart(2, "0")}0000_N`;
  const parts = Array.from({ length: 250 }, (_, at) => ({
    box: BOX,
    from: at,
    to: at + 1,
    fixes: new Uint8Array([at]),
  }));
  const moment = {
    speed: 20,
    speedBefore: 30,
    speedAfter: 10,
    lat: 48,
    lon: 11,
    kind: "brake",
    strength: 0.5,
  } as const;
  return {
    first,
    signature: "a",
    stamps: "b",
    begin,
    end: begin + 60,
    box: BOX,
    counts: [2, 5, 9],
    clips: [{ key: first, begin: 0, utc: null }],
    stretches: [{ from: 0, to: 250, speed: null, heading: 90 }],
    up: null,
    front: null,
    lines: [new Uint8Array([1]), new Uint8Array([1, 2]), new Uint8Array([1, 2, 3])],
    parts,
    moments: [{ ...moment, at: begin + 5, key: first, seconds: 5 }],
    types: "EN",
    ends: ENDS,
    ...more,
  };
}

const put = (one: NewTrip, replaced: number | null = null) => [...database.put(one, replaced)].length;
const firsts = () => database.trips().map(({ first }) => first.slice(9, 11));
const near = () => database.partsNear(EARTH, 0, 2 ** 33);
const told = () =>
  database.moments({ from: 0, to: 2 ** 33, kinds: ["brake"], min: 0, order: "at", most: 2 ** 33, limit: 10 });

test("a trip is read as it was written, also after the file was opened again", () => {
  expect(put(trip(8))).toBeGreaterThan(1);
  put(trip(9));
  const check = () => {
    expect(firsts()).toEqual(["09", "08"]);
    const [, one] = database.trips();
    expect(one).toEqual({
      id: 1,
      first: "20260607_080000_N",
      begin: trip(8).begin,
      end: trip(8).end,
      box: BOX,
      counts: [2, 5, 9],
      clips: 1,
      types: "EN",
    });
    expect([...database.details([1])]).toEqual([
      [1, { clips: [...trip(8).clips], stretches: [...trip(8).stretches], ends: ENDS }],
    ]);
    const lengths = (zoom: number) =>
      database
        .lines([1], zoom)
        .get(1)
        ?.map(({ length }) => length);
    expect([0, 8, 9, 12, 16].map(lengths)).toEqual([[1], [1], [2], [2], [3]]);
    expect(lengths(17)).toHaveLength(250);
    expect(near().filter((part) => part.trip === 2)).toHaveLength(250);
    expect(told().map(({ key, seconds }) => [key, seconds])).toEqual([
      ["20260607_090000_N", 5],
      ["20260607_080000_N", 5],
    ]);
  };
  check();
  database.close();
  database = new PlacesDatabase({ path, log });
  check();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a trip takes the place of another one, and one that is removed leaves nothing", () => {
  put(trip(8));
  put(trip(9));
  put(trip(8, { moments: [], signature: "c" }), 1);
  expect(database.known().map(({ first, signature }) => [first.slice(9, 11), signature])).toEqual([
    ["09", "a"],
    ["08", "c"],
  ]);
  expect(near().map((part) => part.trip)).not.toContain(1);
  expect(told()).toHaveLength(1);
  for (const { id } of database.known())
    for (const _ of database.remove(id)) {
    }
  expect([firsts(), near(), told()]).toEqual([[], [], []]);
});

test("moments of several kinds come in one order, and are counted anew when some came or went", () => {
  const moments = (first: string, begin: number): NewTrip["moments"] =>
    (
      [
        ["brake", 5, 0.5],
        ["bump", 5, 0.9],
        ["turn", 5, 0.5],
        ["turn", 9, 0.7],
      ] as const
    ).map(([kind, seconds, strength]) => {
      const rest = { speed: null, speedBefore: null, speedAfter: null, lat: null, lon: null };
      return { ...rest, kind, seconds, strength, key: first, at: begin + seconds };
    });
  const filled = (hour: number) => {
    const one = trip(hour);
    return { ...one, moments: moments(one.first, one.begin) };
  };
  const all = { from: 0, to: 2 ** 33, min: 0 };
  const asked = { ...all, kinds: ["turn", "bump", "brake"], most: 2 ** 33, limit: 5 } as const;
  const listed = (order: "at" | "strength", more = {}) =>
    database.moments({ ...asked, order, ...more }).map(({ at, kind }) => `${at - BEGIN - 8 * 3600} ${kind}`);
  const counts = (min = 0) => {
    const { brake, turn, bump } = database.momentCounts({ ...all, min });
    return [brake, turn, bump];
  };
  put(filled(8));
  expect(counts()).toEqual([1, 2, 1]);
  put(filled(9));
  expect([counts(), counts(0.6)]).toEqual([
    [2, 4, 2],
    [0, 2, 2],
  ]);
  expect(listed("at")).toEqual(["3609 turn", "3605 turn", "3605 bump", "3605 brake", "9 turn"]);
  expect(listed("strength")).toEqual(["3605 bump", "5 bump", "3609 turn", "9 turn", "3605 turn"]);
  expect(listed("strength", { kinds: ["brake"], to: BEGIN + 9 * 3600 })).toEqual(["5 brake"]);
  expect(listed("at", { min: 0.8, most: BEGIN + 9 * 3600 })).toEqual(["5 bump"]);
  for (const _ of database.remove(1));
  expect(counts()).toEqual([1, 2, 1]);
});

test("a part is found by place and by time", () => {
  put(trip(8));
  expect(database.partsNear({ ...BOX, west: 12, east: 13 }, 0, 2 ** 33)).toEqual([]);
  expect(database.partsNear(EARTH, BEGIN, BEGIN + 3600)).toEqual([]);
  expect(database.partsNear(EARTH, BEGIN + 8 * 3600, BEGIN + 9 * 3600)).toHaveLength(250);
});

test("the place of the last fix before a time is that of the trip before", () => {
  put(trip(8, { ends: { ...ENDS, last: { lat: 1, lon: 2 } } }));
  put(trip(9, { ends: null }));
  expect(database.lastPlaceBefore(BEGIN + 10 * 3600)).toEqual({ lat: 1, lon: 2 });
  expect(database.lastPlaceBefore(BEGIN)).toBeNull();
});

test("a trip that was half written when the program ended is not shown, and is tidied away", () => {
  put(trip(8));
  database.put(trip(9), null).next();
  expect(firsts()).toEqual(["08"]);
  database.close();
  database = new PlacesDatabase({ path, log });
  expect(near()).toHaveLength(350);
  for (const _ of database.tidy()) {
  }
  expect(near()).toHaveLength(250);
  put(trip(10));
  expect(firsts()).toEqual(["10", "08"]);
});

test("a damaged file and one of another version are begun anew, and say so by their generation", () => {
  const before = () => {
    put(trip(8));
    database.fingerprint = -5;
    expect(database.fingerprint).toBe(-5);
    database.close();
    database = new PlacesDatabase({ path, log });
  };
  for (const spoil of [
    () => writeFileSync(path, "nothing of the kind"),
    () => writeFileSync(path, readFileSync(path).fill(7, 100, 6000)),
    () => {
      const other = new Database(path);
      other.run(`pragma user_version = ${PLACES_VERSION + 1}`);
      other.close();
    },
    () => {
      const other = new Database(path);
      other.run("drop table moments");
      other.close();
    },
    () => {
      const other = new Database(path);
      other.run("update trips set clips = '[{' || x'aaaa'");
      other.close();
      expect(database.details([1])).toEqual(new Map());
    },
  ]) {
    before();
    spoil();
    expect(told()).toEqual([]);
    expect([firsts(), database.fingerprint]).toEqual([[], 0]);
    expect(database.generation).toBe(1);
    put(trip(9));
    expect(firsts()).toEqual(["09"]);
    database.close();
    rmSync(path);
    database = new PlacesDatabase({ path, log });
  }
});

test("a file that was deleted while it was open is begun anew", () => {
  put(trip(8));
  const { generation } = database;
  rmSync(path);
  put(trip(9));
  expect(database.known().map(({ first }) => first.slice(9, 11))).toEqual(["09"]);
  expect(database.generation).toBeGreaterThan(generation);
});

test("without a folder nothing is found, and it is said once", () => {
  rmSync(folder, { recursive: true });
  for (let turn = 0; turn < 20; turn++) expect(firsts()).toEqual([]);
  expect(database.put(trip(8), null).next()).toEqual({ done: true, value: false });
  expect(log.lines.filter(({ message }) => message.includes("places.db"))).toHaveLength(1);
  writeFileSync(folder, "");
});
