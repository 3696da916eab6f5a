import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "../../../server/clock.ts";
import { type OpenPlaces, openPlaces } from "../../../server/engine/places/open_places.ts";
import { PlacesWork } from "../../../server/engine/places/places_work.ts";
import { Log } from "../../../server/log.ts";
import { RecordingIndex } from "../../../server/store/clips/recording_index.ts";
import { TelemetryFiles } from "../../../server/store/clips/telemetry_files.ts";
import { Library } from "../../../server/store/library/library.ts";
import { gpsText } from "../../support/camera/written_telemetry.ts";

const EARTH = { west: -180, south: -90, east: 180, north: 90 };
const ALL = { from: null, to: null };

let folder: string;
let root: string;
let ahead: number;
let isHere: boolean;
let isBusy: boolean;
/** Keys of the clips whose files were read. */
let read: string[];
let gapMinutes: number;
let slept: () => void;
const opened: OpenPlaces[] = [];

/** Time can be put forward, and no test waits for a rest. */
const clock: Clock = {
  ...systemClock,
  elapsed: () => systemClock.elapsed() + ahead,
  sleep: async (_, signal) => {
    slept();
    await systemClock.sleep(1, signal);
  },
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dashdock-places-"));
  root = join(folder, "recordings");
  mkdirSync(root);
  [ahead, isHere, isBusy, read, gapMinutes, slept] = [0, true, false, [], 5, () => {}];
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  rmSync(folder, { recursive: true });
});

function parts() {
  const log = new Log(systemClock);
  const library = new Library({ root, clock, log });
  const segments = new RecordingIndex({ library, clock });
  const rules = () => ({
    thresholds: { brake: 0.4, accelerate: 0.35, turn: 0.4, bump: 0.6, impact: 2, parked_bump: 0.3 },
    gapMinutes,
    zone: null,
  });
  return { camera: "main", path: join(folder, "places.db"), clock, log, library, segments, rules };
}

function open(of = parts()): OpenPlaces {
  const files = new TelemetryFiles({ root });
  const telemetry: Pick<TelemetryFiles, "stamps" | "bytes"> = {
    stamps: (clips) => files.stamps(clips),
    bytes: (stamp, most) => {
      read.push(stamp.segment.key);
      return files.bytes(stamp, most);
    },
  };
  const one = openPlaces({ ...of, telemetry, isHere: () => isHere, isBusy: () => isBusy });
  opened.push(one);
  return one;
}

function put(key: string, lat = 48): void {
  writeFileSync(join(root, `${key}F.mp4`), "");
  const fixes = Array.from({ length: 60 }, (_, t) => ({ t, lat: lat + t * 9e-5, lon: 11, knots: 19 }));
  writeFileSync(join(root, `${key}.gps`), gpsText(fixes, Date.UTC(2026, 5, 7)));
}

/** Latitudes at which the drives begin, once all is looked through. */
async function begins({ places, filler }: OpenPlaces): Promise<unknown[]> {
  await places.indexing();
  await filler.done();
  const { drives } = await places.drives(EARTH, 14, ALL);
  return drives.map(({ points }) => points[0]?.[0]);
}

test("the newest are read first, and a program that begins again reads only what is missing", async () => {
  for (const hour of ["08", "10", "12"]) put(`20260607_${hour}0000_N`);
  expect(await begins(open())).toEqual([48, 48, 48]);
  expect(read).toEqual(["20260607_120000_N", "20260607_100000_N", "20260607_080000_N"]);
  for (const one of opened.splice(0)) await one.close();
  read = [];
  put("20260607_140000_N", 49);
  expect(await begins(open())).toEqual([49, 48, 48, 48]);
  expect(read).toEqual(["20260607_140000_N"]);
});

test("a file that another one took the place of is read again, and a trip that grew is read as a whole", async () => {
  put("20260607_080000_N");
  const one = open();
  expect(await begins(one)).toEqual([48]);
  put("20260607_080000_N", 50);
  ahead += 60_000;
  expect(await begins(one)).toEqual([50]);
  put("20260607_080100_N", 50.0054);
  ahead += 60_000;
  expect(await begins(one)).toEqual([50]);
  expect(read).toEqual(["20260607_080000_N", "20260607_080000_N", "20260607_080000_N", "20260607_080100_N"]);
});

test("trips follow the setting that cuts them", async () => {
  put("20260607_080000_N");
  put("20260607_081000_N", 48.01);
  const one = open();
  expect(await begins(one)).toEqual([48.01, 48]);
  gapMinutes = 30;
  await one.places.indexing();
  await one.filler.done();
  const { drives } = await one.places.drives(EARTH, 14, ALL);
  expect(drives.map(({ trip }) => trip)).toEqual(["20260607_080000_N", "20260607_080000_N"]);
});

test("while a run goes on nothing is read, and answers say what is to be done", async () => {
  put("20260607_080000_N");
  isBusy = true;
  const one = open();
  const { promise, resolve } = Promise.withResolvers<void>();
  slept = resolve;
  expect(await one.places.indexing()).toEqual({ done: 0, total: 1 });
  await promise;
  expect(read).toEqual([]);
  isBusy = false;
  expect(await begins(one)).toEqual([48]);
  expect(await one.places.indexing()).toBeNull();
});

test("of a folder that is away what is known stays", async () => {
  put("20260607_080000_N");
  const of = parts();
  const one = open(of);
  expect(await begins(one)).toEqual([48]);
  const readBefore = read.length;
  isHere = false;
  rmSync(join(root, "20260607_080000_N.gps"));
  ahead += 60_000;
  await one.places.indexing();
  await one.filler.done();
  put("20260607_080000_N");
  put("20260607_090000_N");
  expect(await one.places.indexing()).toEqual({ done: 1, total: 1, stopped: true });
  isHere = true;
  ahead += 60_000;
  expect(await begins(one)).toEqual([48, 48]);
  expect(await one.places.indexing()).toBeNull();
  expect(read.length).toBeLessThanOrEqual(readBefore + 2);
});

test("a disk that refuses the database is tried again after a minute, and answers say that nothing goes on meanwhile", async () => {
  put("20260607_080000_N");
  const path = join(folder, "none", "places.db");
  const one = open({ ...parts(), path });
  expect(await begins(one)).toEqual([]);
  expect(await one.places.indexing()).toEqual({ done: 0, total: 1, stopped: true });
  const tried = read.length;
  mkdirSync(join(folder, "none"));
  expect(await begins(one)).toEqual([]);
  expect(read.length).toBe(tried);
  ahead += 61_000;
  expect(await begins(one)).toEqual([48]);
  expect(await one.places.indexing()).toBeNull();
});

test("files that are damaged, foreign or full of nonsense hold nothing up", async () => {
  put("20260607_080000_N");
  for (const [hour, content] of [
    ["09", "nothing of the kind"],
    ["10", `[1]$GNRMC,,A,9999.99,N,99999.9,E,1e400,,999999,,,A*00\r\n`.repeat(1000)],
    [
      "11",
      "[999999999999999]$GNRMC,000000.00,A,4800.0,N,01100.0,E,1,,010126,,,A*00\r\n[1]$GNRMC,000000.00,A,4800.1,N,01100.0,E,1,,010126,,,A*00",
    ],
    ["12", ""],
  ] as const) {
    writeFileSync(join(root, `20260607_${hour}0000_NF.mp4`), "");
    writeFileSync(join(root, `20260607_${hour}0000_N.gps`), content);
    writeFileSync(join(root, `20260607_${hour}0000_N.3gf`), new Uint8Array(1_048_576).fill(hour === "09" ? 255 : 77));
  }
  const one = open();
  expect(await begins(one)).toEqual([48]);
  expect(await one.places.indexing()).toBeNull();
  expect(await one.places.passes(EARTH, ALL, null, 10)).toHaveLength(1);
});

test("work begins when recordings came or went, and nothing is opened while none did", async () => {
  put("20260607_080000_N");
  const of = parts();
  await of.library.refresh();
  let filled = 0;
  const look = async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const fill = async () => {
      filled++;
      const one = open(of);
      one.filler.start();
      await one.filler.done();
      await one.close();
    };
    const work = new PlacesWork({ ...of, fill });
    slept = resolve;
    work.start(5);
    await promise;
    await work.looked();
    await work.close();
    return filled;
  };
  expect(await look()).toBe(1);
  expect(await look()).toBe(1);
  put("20260607_100000_N");
  ahead += 60_000;
  await of.library.refresh();
  expect(await look()).toBe(2);
  gapMinutes = 9;
  expect(await look()).toBe(3);
  expect(await look()).toBe(3);
});
