import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../server/clock.ts";
import type { MapBox } from "../../../server/domain/places/map_box.ts";
import { readGps } from "../../../server/domain/recordings/gps_file.ts";
import { readGsensor } from "../../../server/domain/recordings/gsensor_file.ts";
import { secondsOf } from "../../../server/domain/recordings/recording_name.ts";
import { forceOf } from "../../../server/domain/viewer/force.ts";
import { trackOf } from "../../../server/domain/viewer/track.ts";
import { placedTripSteps, type ReadClip } from "../../../server/engine/places/placed_trip.ts";
import { Places } from "../../../server/engine/places/places.ts";
import type { PlacesFiller } from "../../../server/engine/places/places_filler.ts";
import { Log } from "../../../server/log.ts";
import { PlacesDatabase } from "../../../server/store/config/places_database.ts";
import { stagedDrive, wanderingDrive } from "../../support/camera/staged_drives.ts";
import { gpsText, gsensorBytes, randomFrom } from "../../support/camera/written_telemetry.ts";

const DRIVES = 1000;
const MINUTES = 3;
const THRESHOLDS = { brake: 0.4, accelerate: 0.35, turn: 0.4, bump: 0.6, impact: 2, parked_bump: 0.3 };
const EARLY = Date.UTC(2026, 0, 1);

/** A fix as a reader with no other thought than the file's text has it. */
interface PlainFix {
  readonly key: string;
  readonly seconds: number;
  readonly t: number;
  readonly lat: number;
  readonly lon: number;
}

let folder: string;
let database: PlacesDatabase;
let places: Places;
const drives: PlainFix[][] = [];

const keyAt = (ms: number) => `${new Date(ms).toISOString().replaceAll(/[-:]/g, "").slice(0, 15).replace("T", "_")}_N`;

/** The drives are around three places: one of them on the date line, one near a pole. */
const TOWNS = [
  { lat: 48.1, lon: 11.5 },
  { lat: -16.8, lon: 179.99 },
  { lat: 78.2, lon: 15.6 },
] as const;

function store(clips: readonly ReadClip[]): void {
  const steps = placedTripSteps(clips, {
    thresholds: THRESHOLDS,
    zone: null,
    mountingsNear: (at) => database.mountingsNear(at),
  });
  let step = steps.next();
  while (!step.done) step = steps.next();
  for (const _ of database.put({ ...step.value, signature: "", stamps: "" }, null));
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dashdock-places-"));
  database = new PlacesDatabase({ path: join(folder, "places.db"), log: new Log(systemClock) });
  const library = { group: (key: string) => ({ key, folder: "", endings: ["F.mp4"] }) };
  places = new Places({ camera: "main", database, library, filler: {} as PlacesFiller });
  for (let drive = 0; drive < DRIVES; drive++) {
    const begin = EARLY + drive * 3_600_000;
    const written = wanderingDrive(drive, MINUTES, TOWNS[drive % TOWNS.length] ?? TOWNS[0]);
    const clips = written.map((fixes, minute) => {
      const { points, startUtc } = readGps(new TextEncoder().encode(gpsText(fixes, begin + minute * 60_000)));
      return { key: keyAt(begin + minute * 60_000), points, utc: startUtc };
    });
    store(clips.map(({ key, points, utc }) => ({ key, track: trackOf(points), utc, force: null })));
    drives.push(
      clips.flatMap(({ key, points }, minute) =>
        // A strange place is a whole degree away from the one before.
        points
          .filter(({ lat }) => Math.abs(lat - (TOWNS[drive % TOWNS.length]?.lat ?? 0)) < 0.5)
          .map(({ t, lat, lon }) => ({ key, seconds: t, t: minute * 60 + t, lat, lon })),
      ),
    );
  }
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

/** Passes by trying every step: where it crosses an edge, and whether the middle of each piece is inside. */
function plainPasses(fixes: readonly PlainFix[], box: MapBox): { at: number; t: number }[] {
  const found: { from: number; to: number }[] = [];
  for (let at = 1; at < fixes.length; at++) {
    const from = fixes[at - 1];
    const to = fixes[at];
    if (!from || !to || to.t - from.t > 10) continue;
    if (Math.max(from.lat, to.lat) < box.south || Math.min(from.lat, to.lat) > box.north) continue;
    const lonTo = to.lon - from.lon > 180 ? to.lon - 360 : to.lon - from.lon < -180 ? to.lon + 360 : to.lon;
    for (const turn of [-360, 0, 360]) {
      const place = (u: number) =>
        [from.lat + u * (to.lat - from.lat), from.lon + turn + u * (lonTo - from.lon)] as const;
      const crossings = [
        (box.south - from.lat) / (to.lat - from.lat),
        (box.north - from.lat) / (to.lat - from.lat),
        (box.west - from.lon - turn) / (lonTo - from.lon),
        (box.east - from.lon - turn) / (lonTo - from.lon),
      ].filter((u) => u > 0 && u < 1);
      const cuts = [0, ...crossings.sort((one, other) => one - other), 1];
      for (let cut = 1; cut < cuts.length; cut++) {
        const [begin = 0, end = 0] = [cuts[cut - 1], cuts[cut]];
        const [lat, lon] = place((begin + end) / 2);
        if (lat < box.south || lat > box.north || lon < box.west || lon > box.east) continue;
        found.push({ from: from.t + begin * (to.t - from.t), to: from.t + end * (to.t - from.t) });
      }
    }
  }
  const passes: { from: number; to: number }[] = [];
  for (const one of found.sort((a, b) => a.from - b.from)) {
    const last = passes.at(-1);
    if (last && one.from - last.to < 10) last.to = Math.max(last.to, one.to);
    else passes.push({ ...one });
  }
  return passes.map(({ from }) => ({ at: secondsOf(fixes[0]?.key ?? "") - (fixes[0]?.t ?? 0), t: from }));
}

test("passes of 1,000 drives are those that reading the same files step by step finds", async () => {
  const random = randomFrom(99);
  let seen = 0;
  for (let round = 0; round < 40; round++) {
    const town = TOWNS[round % TOWNS.length] ?? TOWNS[0];
    const size = 0.0005 + random() * 0.02;
    const [south, west] = [town.lat + (random() - 0.5) * 0.02, town.lon + (random() - 0.5) * 0.03];
    const box = { west, south, north: south + size, east: west + size * 1.5 };
    const expected = drives
      .flatMap((fixes, drive) => plainPasses(fixes, box).map(({ t }) => ({ drive, t })))
      .map(({ drive, t }) => Math.round((EARLY / 1000 + drive * 3600 + t) * 10))
      .sort((one, other) => other - one);
    const found = await places.passes(box, { from: null, to: null }, null, 5000);
    const told = found.map(({ key, seconds }) => Math.round((secondsOf(key) + seconds) * 10));
    expect(told.length).toBe(expected.length);
    // Both round to a tenth of a second.
    for (const [at, time] of told.entries()) expect(Math.abs(time - (expected[at] ?? 0))).toBeLessThanOrEqual(2);
    seen += told.length;
  }
  expect(seen).toBeGreaterThan(2000);
});

test("pages of passes are the whole list, whatever their size", async () => {
  const box = { west: 11.49, south: 48.09, east: 11.51, north: 48.11 };
  const all = await places.passes(box, { from: null, to: null }, null, 5000);
  const pages = [];
  let after = null;
  for (let page = await places.passes(box, { from: null, to: null }, after, 37); ; ) {
    pages.push(...page.slice(0, 37));
    if (page.length <= 37) break;
    after = places.positionOfPass(page[36] as (typeof page)[number]);
    page = await places.passes(box, { from: null, to: null }, after, 37);
  }
  expect(pages).toEqual(all);
  expect(all.length).toBeGreaterThan(300);
});

test("passes tell the second by the satellites, and the trip", async () => {
  const found = await places.passes(
    { west: 11, south: 48, east: 12, north: 49 },
    { from: "2026-01-02", to: "2026-01-02" },
    null,
    10,
  );
  expect(new Set(found.map(({ trip }) => trip)).size).toBeGreaterThan(6);
  for (const { trip } of found) expect(trip.slice(0, 8)).toBe("20260102");
  for (const { key, seconds, at } of found)
    expect(Date.parse(at ?? "")).toBeCloseTo((secondsOf(key) + seconds) * 1000, -3);
});

describe("drives", () => {
  const EARTH = { west: -180, south: -90, east: 180, north: 90 };
  const all = { from: null, to: null };

  test("are cut to 5,000 points and 300 kB, the newest stay, and coarser lines come before that", async () => {
    const { drives: found, cut } = await places.drives(EARTH, 14, all);
    const points = found.reduce((sum, drive) => sum + drive.points.length, 0);
    expect(points).toBeLessThanOrEqual(5000);
    expect(JSON.stringify(found).length).toBeLessThan(300_000);
    expect(cut).toBe(false);
    expect(new Set(found.map(({ trip }) => trip)).size).toBeGreaterThan(950);
    expect(found.map(({ trip }) => trip)).toEqual(
      found
        .map(({ trip }) => trip)
        .toSorted()
        .reverse(),
    );
  });

  test("are whole trips whose line touches the box, by brute force", async () => {
    const random = randomFrom(5);
    for (let round = 0; round < 20; round++) {
      const town = TOWNS[round % TOWNS.length] ?? TOWNS[0];
      const [south, west] = [town.lat + (random() - 0.5) * 0.02, town.lon + (random() - 0.5) * 0.03];
      const box = { west, south, north: south + 0.003, east: west + 0.004 };
      const expected = drives.filter((fixes) => plainPasses(fixes, box).length > 0).map(([first]) => first?.key);
      const { drives: found } = await places.drives(box, 0, all);
      const trips = new Set(found.map(({ trip }) => trip));
      const firsts = new Set(expected.map((key) => `${key?.slice(0, 11)}`));
      expect(new Set([...trips].map((trip) => trip.slice(0, 11)))).toEqual(firsts);
    }
  });

  test("have longitudes of the earth, speeds and a day", async () => {
    const { drives: found } = await places.drives({ west: 179.9, south: -17, east: 180.1, north: -16 }, 16, {
      from: "2026-01-03",
      to: "2026-01-03",
    });
    expect(found.length).toBeGreaterThan(3);
    for (const { date, points } of found) {
      expect(date).toBe("2026-01-03");
      for (const [, lon] of points) expect(Math.abs(lon)).toBeLessThanOrEqual(180);
      expect(points.some(([, , speed]) => speed !== null)).toBe(true);
    }
  });
});

test("moments of staged drives are found, and nothing else, however the camera is mounted", async () => {
  const wrong: string[] = [];
  const found: string[] = [];
  const staged: string[] = [];
  for (let seed = 0; seed < 25; seed++) {
    const drive = stagedDrive(seed);
    const clips = drive.clips.map(({ fixes, forces }, minute): ReadClip => {
      const { points, startUtc } = readGps(new TextEncoder().encode(gpsText(fixes, EARLY)));
      const force = forceOf(readGsensor(gsensorBytes(forces)));
      return { key: keyAt(EARLY + minute * 60_000), track: trackOf(points), utc: startUtc, force };
    });
    const steps = placedTripSteps(clips, { thresholds: THRESHOLDS, zone: null, mountingsNear: () => [] });
    let step = steps.next();
    while (!step.done) step = steps.next();
    const told = step.value.moments.map(({ kind, at }) => ({ kind, at: at - EARLY / 1000 }));
    const rest = [...told];
    for (const { kind, at } of drive.staged) {
      staged.push(`${seed} ${kind} ${at}`);
      const index = rest.findIndex((one) => one.kind === kind && one.at >= at - 1 && one.at <= at + 3);
      if (index >= 0) found.push(...rest.splice(index, 1).map(() => `${seed} ${kind} ${at}`));
    }
    wrong.push(...rest.map(({ kind, at }) => `${seed} ${kind} ${at}`));
  }
  expect(staged.length).toBeGreaterThan(300);
  expect(found.length / staged.length).toBeGreaterThanOrEqual(0.95);
  expect(found.length / (found.length + wrong.length)).toBeGreaterThanOrEqual(0.95);
});
