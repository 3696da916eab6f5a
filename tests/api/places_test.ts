import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { simulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { MAP_DRIVES, MAP_PASSES, MOMENTS } from "../../server/domain/places/places_schema.ts";
import { DAY_TRIPS, TRIP } from "../../server/domain/viewer/viewer_schema.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { readDay } from "../support/app/read_day.ts";
import { carAndVan } from "../support/app/several_cameras.ts";
import { gpsText, gsensorBytes, type WrittenFix, type WrittenForce } from "../support/camera/written_telemetry.ts";

const UTC = Date.UTC(2026, 5, 7, 6);
const settings = { retention: { keep: "" }, schedule: { paused: true, timezone: "Europe/Berlin" } };

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({ settings });
  mkdirSync(app.destination, { recursive: true });
  await app.client.open("/");
});
afterAll(() => app[Symbol.asyncDispose]());

function put(
  key: string,
  fixes: readonly WrittenFix[] | null,
  forces: readonly WrittenForce[] | null = null,
  into = app.destination,
  utc = UTC,
) {
  writeFileSync(join(into, `${key}F.mp4`), "");
  if (fixes) writeFileSync(join(into, `${key}.gps`), gpsText(fixes, utc));
  if (forces) writeFileSync(join(into, `${key}.3gf`), gsensorBytes(forces));
}

/** A minute to the north, ten metres a second. */
const north = (from: { lat: number; lon: number }, seconds = 60): WrittenFix[] =>
  Array.from({ length: seconds }, (_, t) => ({ t, lat: from.lat + t * 9e-5, lon: from.lon, knots: 19.4 }));

async function asked<S extends v.GenericSchema>(schema: S, path: string): Promise<v.InferOutput<S>> {
  await app.app.library.refresh();
  for (;;) {
    const answer = await app.client.fetch(path);
    expect([path, answer.status]).toEqual([path, 200]);
    const found = v.parse(schema, await answer.json());
    if ((found as { indexing: unknown }).indexing === null) return found;
  }
}
const drives = (query: string) => asked(MAP_DRIVES, `/api/map/drives?${query}`);
const passes = (query: string) => asked(MAP_PASSES, `/api/map/passes?${query}`);
const NO_COUNTS = { brake: 0, accelerate: 0, turn: 0, bump: 0, impact: 0, parked_bump: 0 };
const moments = (query = "") => asked(MOMENTS, `/api/viewer/moments?${query}`);

test("an empty library has no drives, passes and moments", async () => {
  expect(await drives("")).toEqual({ drives: [], cut: false, indexing: null });
  expect(await passes("bbox=-180,-90,180,90")).toEqual({ passes: [], next: null, indexing: null });
  expect(await moments()).toEqual({ moments: [], counts: NO_COUNTS, next: null, indexing: null });
});

test("a drive is a line, and each time through a box is a pass with its second, time, speed and course", async () => {
  put("20260607_080000_N", north({ lat: 48, lon: 11 }));
  put("20260607_080100_N", north({ lat: 48.0054, lon: 11 }), null, app.destination, UTC + 60_000);
  const found = await drives("bbox=10.9,47.9,11.1,48.1&zoom=12");
  expect(found).toEqual({
    drives: [
      {
        trip: "20260607_080000_N",
        camera: "main",
        date: "2026-06-07",
        points: [
          [48, 11, 19.4],
          [48.01071, 11, 19.4],
        ],
      },
    ],
    cut: false,
    indexing: null,
  });
  expect((await drives("bbox=11.5,47.9,11.6,48.1")).drives).toEqual([]);
  expect((await passes("bbox=10.9,48.0009,11.1,48.0018")).passes).toEqual([
    {
      trip: "20260607_080000_N",
      key: "20260607_080000_N",
      seconds: 10,
      at: new Date(UTC + 10_000).toISOString(),
      speed: 19.4,
      heading: 0,
      thumb: null,
      name: "Dießen am Ammersee to Landsberg am Lech",
      camera: "main",
    },
  ]);
  // From one clip into the next one is one pass.
  const whole = (await passes("bbox=10.9,47,11.1,49")).passes;
  expect(whole.map(({ key, seconds }) => [key, seconds])).toEqual([["20260607_080000_N", 0]]);
  const late = (await passes("bbox=10.9,48.0063,11.1,49")).passes;
  expect(late.map(({ key, seconds }) => [key, seconds])).toEqual([["20260607_080100_N", 10]]);
});

test("trips are narrowed by the kinds of their recordings, and passes have the name of their trip", async () => {
  const box = "bbox=23.9,47.9,24.1,48.1";
  put("20260603_080000_N", north({ lat: 48, lon: 24 }));
  put("20260603_100000_N", north({ lat: 48, lon: 24 }));
  put("20260603_100100_E", null);
  put("20260603_120000_N", north({ lat: 48, lon: 24 }));
  put("20260603_120100_M", north({ lat: 48.0054, lon: 24 }));
  put("20260603_120300_P", null);
  const { drives: all } = await drives(box);
  expect(all.map(({ trip, types }) => [trip, types])).toEqual([
    ["20260603_120000_N", "MNP"],
    ["20260603_100000_N", "EN"],
    ["20260603_080000_N", undefined],
  ]);
  for (const [kind, hours] of [
    ["normal", ["12", "10", "08"]],
    ["event", ["10"]],
    ["manual,event", ["12", "10"]],
    ["parking", ["12"]],
  ] as const) {
    expect((await drives(`${box}&kind=${kind}`)).drives.map(({ trip }) => trip.slice(9, 11))).toEqual([...hours]);
    const found = (await passes(`${box}&kind=${kind}`)).passes;
    expect(found.map(({ trip }) => trip.slice(9, 11))).toEqual([...hours]);
  }
  const name = async () => (await passes(`${box}&kind=event`)).passes.map((pass) => pass.name);
  const trip = async () => (await (await app.client.fetch("/api/viewer/trips/20260603_100000_N")).json()).name;
  expect(await name()).toEqual([await trip()]);
  const list = [{ name: "Home", lat: 48, lon: 24, radius: 150 }];
  expect((await app.client.send("PATCH", "/api/settings/places", { list })).status).toBe(200);
  const [named] = await name();
  expect(named).toBe("From Home");
  expect(named).toBe(await trip());
  expect((await app.client.send("PATCH", "/api/settings/places", { list: [] })).status).toBe(200);
});

test("a trip tells how far the camera's clock is from the satellites", async () => {
  const offset = async (key: string) => {
    const answer = await app.client.fetch(`/api/viewer/trips/${key}`);
    return v.parse(TRIP, await answer.json()).clock_offset_seconds;
  };
  expect(await offset("20260607_080000_N")).toBe(0);
  put("20260607_070210_N", north({ lat: 48, lon: 13 }));
  put("20260607_050000_N", null);
  await app.app.library.refresh();
  expect(await offset("20260607_070210_N")).toBe(130 - 3600);
  expect(await offset("20260607_050000_N")).toBeNull();
  // The page says so from its beginning, before the files of the list have been read.
  const page = async (key: string) => await (await app.client.fetch(`/viewer?key=${key}`)).text();
  expect(await page("20260607_070210_N")).toContain("data-clock-error");
  expect(await page("20260607_050000_N")).not.toContain("data-clock-error");
  await readDay(app, "2026-06-07");
  const list = await app.client.fetch("/api/viewer/trips?date=2026-06-07");
  const [day] = v.parse(DAY_TRIPS, await list.json()).days;
  expect(day?.trips.map(({ clips, clock_offset_seconds: seconds }) => [clips[0], seconds])).toEqual([
    ["20260607_080000_N", 0],
    ["20260607_070210_N", 130 - 3600],
    ["20260607_050000_N", null],
  ]);
  // Read by now: each tells the same as the list.
  expect(await offset("20260607_070210_N")).toBe(130 - 3600);
});

test("days count by the camera's clock, both counted in", async () => {
  put("20260608_235900_N", north({ lat: 48, lon: 12 }));
  put("20260609_000000_N", north({ lat: 48.0054, lon: 12 }));
  const box = "bbox=11.9,47.9,12.1,48.1";
  const listed = async (span: string) => (await drives(`${box}&${span}`)).drives.map(({ date }) => date);
  expect(await listed("from=2026-06-08")).toEqual(["2026-06-08"]);
  expect(await listed("from=2026-06-08&to=2026-06-08")).toEqual(["2026-06-08"]);
  expect(await listed("to=2026-06-07")).toEqual([]);
  const late = "bbox=11.9,48.0055,12.1,48.1";
  expect((await passes(`${late}&to=2026-06-08`)).passes).toEqual([]);
  expect((await passes(`${late}&from=2026-06-09`)).passes.map(({ key }) => key)).toEqual(["20260609_000000_N"]);
});

test("a drive over the date line is found from both sides, and in a box across it", async () => {
  const fixes = Array.from({ length: 60 }, (_, t): WrittenFix => {
    const lon = 179.997 + t * 1e-4;
    return { t, lat: -17, lon: lon > 180 ? lon - 360 : lon, knots: 20 };
  });
  put("20260610_080000_N", fixes);
  for (const [bbox, seconds, heading] of [
    ["179.9985,-18,-179.9985,-16", 15, 90],
    ["-180,-18,-179,-16", 30, 90],
    ["179,-18,180,-16", 0, 90],
    ["-180,-90,180,90", 0, 90],
  ] as const) {
    expect((await drives(`bbox=${bbox}&from=2026-06-10`)).drives).toHaveLength(1);
    const { passes: found } = await passes(`bbox=${bbox}&from=2026-06-10`);
    expect(found.map((pass) => [pass.seconds, pass.heading])).toEqual([[seconds, heading]]);
  }
});

const still = (seconds: number): WrittenForce[] => Array.from({ length: seconds * 10 }, () => [1, 0.02, -0.05]);

/** A drive that gains and loses speed, and brakes hard in its fortieth second. */
function braked(): { fixes: WrittenFix[]; forces: WrittenForce[] } {
  const gain = (t: number) => (t >= 40 && t < 42 ? -0.5 : 0.12 * Math.sin(t / 3));
  let knots = 40;
  const fixes = Array.from({ length: 60 }, (_, t): WrittenFix => {
    const fix = { t, lat: 50 + t * 9e-5, lon: 9, knots };
    knots = Math.max(0, knots + gain(t) * 19.06);
    return fix;
  });
  const forces = Array.from({ length: 600 }, (_, at): WrittenForce => [1, 0.02, -0.05 + gain(Math.floor(at / 10))]);
  return { fixes, forces };
}

describe("moments", () => {
  test("have kind, strength, speeds and place; knocks of the parked car have the place before", async () => {
    const { fixes, forces } = braked();
    put("20260611_080000_N", fixes, forces);
    const knocked = still(20).map((force, at): WrittenForce => (at === 100 ? [1, 0.9, -0.05] : force));
    put("20260611_120000_P", null, knocked);
    const { moments: found } = await moments("from=2026-06-11");
    expect(found).toEqual([
      {
        key: "20260611_120000_P",
        seconds: 10,
        kind: "parked_bump",
        strength: 0.875,
        speed: null,
        speed_before: null,
        speed_after: null,
        lat: expect.closeTo(50.00531, 5),
        lon: 9,
        place_inferred: true,
        place: expect.any(String),
        thumb: null,
        camera: "main",
      },
      expect.objectContaining({ key: "20260611_080000_N", kind: "brake", place_inferred: false, lon: 9 }),
    ]);
    const [, brake] = found;
    expect(brake?.strength).toBeCloseTo(0.5, 1);
    expect(brake?.seconds).toBeGreaterThanOrEqual(40);
    expect(brake?.seconds).toBeLessThan(42);
    expect((brake?.speed_before ?? 0) - (brake?.speed_after ?? 0)).toBeGreaterThan(10);
  });

  test("a knock in the midst of a trip has the place that the car had reached, not that where the trip ends", async () => {
    const knocked = still(20).map((force, at): WrittenForce => (at === 100 ? [1, 0.9, -0.05] : force));
    put("20260401_070000_N", north({ lat: 51, lon: 9 }));
    put("20260401_080000_P", null, knocked);
    put("20260401_080100_N", north({ lat: 52, lon: 9 }));
    put("20260401_080200_P", null, knocked);
    put("20260401_080300_N", north({ lat: 52.02, lon: 9 }));
    const { moments: found } = await moments("to=2026-04-01");
    expect(found.map(({ key, lat }) => [key, lat])).toEqual([
      ["20260401_080200_P", expect.closeTo(52.00531, 5)],
      ["20260401_080000_P", expect.closeTo(51.00531, 5)],
    ]);
    for (const file of readdirSync(app.destination))
      if (file.startsWith("20260401")) rmSync(join(app.destination, file));
  });

  test("are narrowed by kind and strength, sorted by strength, and come in pages", async () => {
    const kinds = async (query: string) => (await moments(query)).moments.map(({ kind }) => kind);
    expect(await kinds("kind=brake")).toEqual(["brake"]);
    expect(await kinds("kind=turn")).toEqual([]);
    expect(await kinds("kind=turn,brake")).toEqual(["brake"]);
    expect((await moments("kind=turn")).counts).toEqual({ ...NO_COUNTS, brake: 1, parked_bump: 1 });
    expect((await moments("min=0.6&limit=1")).counts).toEqual({ ...NO_COUNTS, parked_bump: 1 });
    expect(await kinds("min=0.6")).toEqual(["parked_bump"]);
    expect(await kinds("order=strength")).toEqual(["parked_bump", "brake"]);
    for (const order of ["time", "strength"]) {
      const first = await moments(`limit=1&order=${order}`);
      expect(first.moments).toHaveLength(1);
      const second = await moments(`limit=1&order=${order}&next=${first.next}`);
      expect([second.moments.map(({ kind }) => kind), second.next]).toEqual([["brake"], null]);
    }
    expect((await moments("next=nonsense")).moments).toEqual([]);
  });

  test("follow the thresholds", async () => {
    const change = (body: object) => app.client.send("PATCH", "/api/settings/moments", body);
    expect((await change({ brake: 0, parked_bump: 1 })).status).toBe(200);
    expect((await moments()).moments).toEqual([]);
    expect((await change({ brake: 0.4, parked_bump: 0.3 })).status).toBe(200);
    expect((await moments()).moments).toHaveLength(2);
    for (const wrong of [{ brake: -1 }, { turn: 17 }, { bump: "much" }]) expect((await change(wrong)).status).toBe(422);
  });
});

test("recordings that were deleted, replaced or moved meanwhile are followed", async () => {
  const seen = async () =>
    (await drives("bbox=19,47,21,49&from=2026-06-12")).drives.map(({ trip, points }) => [trip, points.length]);
  put("20260612_080000_N", north({ lat: 48, lon: 20 }));
  put("20260612_100000_N", north({ lat: 48, lon: 20 }));
  expect(await seen()).toEqual([
    ["20260612_100000_N", 2],
    ["20260612_080000_N", 2],
  ]);
  expect((await app.client.send("DELETE", "/api/recordings/20260612_080000_N")).status).toBe(200);
  expect(await seen()).toEqual([["20260612_100000_N", 2]]);
  mkdirSync(join(app.destination, "2026-06-12"), { recursive: true });
  for (const ending of ["F.mp4", ".gps"]) rmSync(join(app.destination, `20260612_100000_N${ending}`));
  put("20260612_100000_N", north({ lat: 48, lon: 20 }), null, join(app.destination, "2026-06-12"));
  expect(await seen()).toEqual([["20260612_100000_N", 2]]);
  expect((await passes("bbox=19,47,21,49&from=2026-06-12")).passes).toHaveLength(1);
});

test("what is no box, zoom, day, kind or strength is refused with a code of its own", async () => {
  const box = "bbox=1,2,3,4";
  for (const [path, code] of [
    ["map/passes", "INVALID_BBOX"],
    ["map/passes?bbox=", "INVALID_BBOX"],
    ["map/passes?bbox=1,2,3", "INVALID_BBOX"],
    ["map/drives?bbox=1,4,3,2", "INVALID_BBOX"],
    ["map/drives?bbox=1,2,3,x", "INVALID_BBOX"],
    ["map/drives?zoom=23", "INVALID_ZOOM"],
    ["map/drives?zoom=1.5", "INVALID_ZOOM"],
    ["map/drives?from=yesterday", "INVALID_DATE"],
    [`map/passes?${box}&to=2026-02-30`, "INVALID_DATE"],
    ["viewer/moments?from=2026", "INVALID_DATE"],
    ["map/drives?kind=crash", "INVALID_KIND"],
    [`map/passes?${box}&kind=event,`, "INVALID_KIND"],
    ["viewer/moments?kind=crash", "INVALID_KIND"],
    ["viewer/moments?kind=brake,crash", "INVALID_KIND"],
    ["viewer/moments?min=-1", "INVALID_MIN"],
    ["viewer/moments?min=much", "INVALID_MIN"],
  ]) {
    const answer = await app.client.fetch(`/api/${path}`);
    expect([path, answer.status, (await answer.json()).code]).toEqual([path, 422, code]);
  }
  expect((await passes(`${box}&next=%2e%2e%2f`)).passes).toEqual([]);
});

test("all cameras answer together, each item says whose it is, and pages go on over both", async () => {
  await using both = await carAndVan({ settings });
  const theirs = both.app.cameras.of("van")?.recordings.root ?? "";
  for (const [root, lat] of [
    [both.destination, 48],
    [theirs, 48.001],
  ] as const) {
    mkdirSync(root, { recursive: true });
    put("20260501_080000_N", north({ lat, lon: 11 }), null, root);
    put("20260501_100000_N", north({ lat, lon: 11 }), null, root);
  }
  for (const one of both.app.cameras.all) await one.library.refresh();
  const ask = async (path: string) => (await both.client.fetch(path)).json();
  const span = "from=2026-05-01&to=2026-05-01&camera=all";
  const whole = async (path: string) => {
    for (;;) {
      const answer = await ask(path);
      if (answer.indexing === null) return answer;
    }
  };
  const { drives: found } = await whole(`/api/map/drives?${span}`);
  expect(found.map((drive: { trip: string; camera: string }) => [drive.camera, drive.trip])).toEqual([
    ["main", "20260501_100000_N"],
    ["van", "van~20260501_100000_N"],
    ["main", "20260501_080000_N"],
    ["van", "van~20260501_080000_N"],
  ]);
  const keys: string[] = [];
  let next: string | null = "";
  while (next !== null) {
    const page: { passes: { key: string }[]; next: string | null } = await whole(
      `/api/map/passes?bbox=10,47,12,49&limit=1&${span}&next=${next}`,
    );
    keys.push(...page.passes.map(({ key }) => key));
    next = page.next;
  }
  expect(keys.toSorted()).toEqual([
    "20260501_080000_N",
    "20260501_100000_N",
    "van~20260501_080000_N",
    "van~20260501_100000_N",
  ]);
  expect((await ask("/api/viewer/moments?camera=van")).moments).toEqual([]);
});

test("satellites that tell another year are not believed, and nor is a force that no sensor feels", async () => {
  const forces = Array.from({ length: 600 }, (_, at): WrittenForce => [1, at === 300 ? 200 : 0, at === 500 ? 3 : 0]);
  put("20260606_080000_N", north({ lat: 47, lon: 14 }), forces, app.destination, Date.UTC(2006, 9, 21));
  const { passes: found } = await passes("bbox=13.9,46.9,14.1,47.1");
  expect(found.map(({ key, at }) => [key, at])).toEqual([["20260606_080000_N", null]]);
  const { moments: felt } = await moments("from=2026-06-06&to=2026-06-06");
  expect(felt.map(({ kind, seconds, strength }) => [kind, seconds, strength])).toEqual([["impact", 50, 3]]);
});

test("recordings that a sync brought home are looked through, with knocks at the parked car", async () => {
  await using brought = await startApp({
    settings,
    card: simulatedCard({ recordings: 120, now: Date.UTC(2026, 5, 7, 10, 20), footage: syntheticFootage(20_000) }),
  });
  await brought.client.open("/");
  brought.app.job.start("manual");
  await brought.synced();
  const whole = async (path: string) => {
    for (;;) {
      const answer = await (await brought.client.fetch(path)).json();
      if (answer.indexing === null) return answer;
    }
  };
  const { drives: found } = v.parse(MAP_DRIVES, await whole("/api/map/drives"));
  expect(found.length).toBeGreaterThan(0);
  for (const { points } of found)
    for (const [lat, lon] of points) expect([Math.round(lat), Math.round(lon)]).toEqual([-24, -15]);
  const { moments: told } = v.parse(MOMENTS, await whole("/api/viewer/moments"));
  const knocks = told.filter(({ kind }) => kind === "parked_bump");
  const impacts = [...(await brought.app.segments.all())].filter(({ key }) => key.endsWith("_I"));
  expect(knocks.map(({ key }) => key)).toEqual(impacts.map(({ key }) => key));
  for (const { strength } of knocks) expect(strength).toBeGreaterThan(0.8);
});

test("before the first sync nothing waits to be read, and reading has not stopped", async () => {
  await using fresh = await startApp({ settings: { schedule: { paused: true } } });
  await fresh.client.open("/map");
  const answer = await fresh.client.fetch("/api/map/drives?bbox=-180,-90,180,90");
  expect(await answer.json()).toEqual({ drives: [], cut: false, indexing: null });
});
