import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../server/clock.ts";
import { MOMENT_KINDS } from "../../server/domain/places/moments.ts";
import { dateOf } from "../../server/domain/recordings/recording_name.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { placesFound } from "../../server/engine/places/found_places.ts";
import { openPlaces } from "../../server/engine/places/open_places.ts";
import { PlaceNames } from "../../server/engine/places/place_names.ts";
import { readTowns } from "../../server/engine/places/towns.ts";
import { clipsFound } from "../../server/engine/viewer/search.ts";
import { ViewedRecordings } from "../../server/engine/viewer/viewed_recordings.ts";
import { Log } from "../../server/log.ts";
import { RecordingIndex } from "../../server/store/clips/recording_index.ts";
import { TelemetryFiles } from "../../server/store/clips/telemetry_files.ts";
import { Library } from "../../server/store/library/library.ts";
import { whenAsked } from "../../server/when_asked.ts";
import { stagedDrive } from "../support/camera/staged_drives.ts";
import { gpsText, gsensorBytes, type WrittenFix } from "../support/camera/written_telemetry.ts";
import { median } from "./measure.ts";
import type { Part } from "./part.ts";
import { MEMORY } from "./stage.ts";
import { threadMs } from "./thread_clock.ts";

const ROUNDS = 25;
const THRESHOLDS = { brake: 0.4, accelerate: 0.35, turn: 0.4, bump: 0.6, impact: 2, parked_bump: 0.3 };
const METERS_PER_DEGREE = 111_195;
const HOME = { lat: 48, lon: 11 };

interface PlacesFigures {
  /** Processor time of the first filling. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** Time at most between two turns of the event loop meanwhile, and of that what the program worked itself. */
  readonly awayMs: number;
  readonly busyMs: number;
  /** Looking through it again when nothing changed. */
  readonly againSeconds: number;
  readonly megabytes: number;
  /** The slowest of several boxes and zooms. */
  readonly drivesMs: number;
  readonly drivesKilobytes: number;
  readonly passesMs: number;
  /** With all counts, also of a kind of which there is none. */
  readonly momentsMs: number;
  /** Finding the towns along all trips, the first time. */
  readonly townsMs: number;
  /** A search that means towns and three own places. */
  readonly searchMs: number;
  /** A search for a time at which no clip of any day was made. */
  readonly timeMs: number;
}

/** Where the car was and what happened, of so many clips of a minute with 60 fixes and 600 samples each. */
export async function benchPlaces(clips: number): Promise<PlacesFigures> {
  const folder = mkdtempSync(join(MEMORY, "dashdock-bench-places-"));
  try {
    const root = join(folder, "recordings");
    mkdirSync(root);
    fill(root, clips);
    const log = new Log(systemClock);
    const library = new Library({ root, clock: systemClock, log });
    const segments = new RecordingIndex({ library, clock: systemClock });
    await segments.inDays(0);
    const open = () =>
      openPlaces({
        camera: "main",
        path: join(folder, "places.db"),
        clock: systemClock,
        log,
        library,
        segments,
        telemetry: new TelemetryFiles({ root }),
        rules: () => ({ thresholds: THRESHOLDS, gapMinutes: 5, zone: null }),
        isHere: () => true,
        isBusy: () => false,
      });
    const first = open();
    const before = process.cpuUsage();
    const loop = watchLoop();
    const began = performance.now();
    first.filler.start();
    await first.filler.done();
    const wallSeconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(before);
    const { awayMs, busyMs } = loop.end();
    await first.close();
    const again = open();
    const looked = performance.now();
    again.filler.start();
    await again.filler.done();
    const againSeconds = (performance.now() - looked) / 1000;
    const { places } = again;
    const all = { from: null, to: null };
    const boxes = [
      { west: -180, south: -90, east: 180, north: 90 },
      { west: 10.8, south: 47.9, east: 11.3, north: 48.4 },
      { west: 10.99, south: 47.99, east: 11.02, north: 48.02 },
      { west: 11.0, south: 48.05, east: 11.002, north: 48.052 },
    ];
    let [drivesMs, drivesKilobytes, passesMs] = [0, 0, 0];
    for (const box of boxes) {
      for (const zoom of [2, 10, 14, 18]) {
        drivesMs = Math.max(drivesMs, await medianOf(() => places.drives(box, zoom, all)));
        const answer = JSON.stringify(await places.drives(box, zoom, all));
        drivesKilobytes = Math.max(drivesKilobytes, answer.length / 1000);
      }
      passesMs = Math.max(passesMs, await medianOf(() => places.passes(box, all, null, 500)));
    }
    let momentsMs = 0;
    for (const order of ["time", "strength"] as const)
      for (const kinds of [MOMENT_KINDS, ["impact"] as const, ["parked_bump"] as const]) {
        let min = 0.3;
        const asked = async () => {
          // Another one each time: counts of the same question are kept.
          min -= 0.001;
          const found = await places.moments({ ...all, kinds, min, order, after: null, limit: 500 });
          return [found, places.momentCounts({ ...all, min })];
        };
        momentsMs = Math.max(momentsMs, await medianOf(asked));
      }
    const home = { name: "Munich home", ...HOME, radius: 200 };
    const settings = { current: { places: { list: [home, home, home], in_messages: false } } };
    const names = new PlaceNames({ settings, towns: whenAsked(readTowns) });
    const towns = await names.towns();
    const walked = performance.now();
    while ((await again.visited.all(towns)).length === 0);
    const townsMs = performance.now() - walked;
    const parts = {
      places: async () => again,
      placeNames: async () => names,
      zone: new ZoneTime("UTC"),
      clock: systemClock,
    };
    const searchMs = await medianOf(() => placesFound([parts], "mun", null));
    await again.close();
    const coming = { version: 0, all: () => [], of: () => null };
    const viewed = new ViewedRecordings({ segments, library, coming, zone: () => null });
    const retention = { kept: { shown: async () => new Map() } };
    const timeMs = await medianOf(() => clipsFound({ ...parts, viewed, retention }, "05:12", 20));
    return {
      cpuSeconds: (user + system) / 1e6,
      wallSeconds,
      awayMs,
      busyMs,
      againSeconds,
      megabytes: Bun.file(join(folder, "places.db")).size / 1e6,
      drivesMs,
      drivesKilobytes,
      passesMs,
      momentsMs,
      townsMs,
      searchMs,
      timeMs,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Drives of twenty clips around one home, in every direction, six a day. */
function fill(root: string, clips: number): void {
  const staged = stagedDrive(1).clips.map(({ forces }) => gsensorBytes(forces));
  const folders = new Set<string>();
  let place = HOME;
  for (let at = 0; at < clips; at++) {
    const drive = Math.floor(at / 20);
    const minute = at % 20;
    if (minute === 0) place = { ...HOME };
    const ms = Date.UTC(2026, 5, 7, 6) - Math.floor(drive / 6) * 86_400_000 + (drive % 6) * 7_200_000 + minute * 60_000;
    const stamp = new Date(ms).toISOString().replaceAll(/[-:]/g, "");
    const key = `${stamp.slice(0, 8)}_${stamp.slice(9, 15)}_N`;
    const folder = join(root, dateOf(key));
    if (!folders.has(folder)) mkdirSync(folder);
    folders.add(folder);
    const base = join(folder, key);
    writeFileSync(`${base}F.mp4`, "");
    writeFileSync(`${base}.gps`, gpsText(fixesOf(drive, minute, place), ms));
    writeFileSync(`${base}.3gf`, staged[minute % staged.length] ?? new Uint8Array());
  }
  const before = new Date(Date.now() - 3_600_000);
  for (const folder of [root, ...folders]) utimesSync(folder, before, before);
}

/** A minute of a drive; the place is moved on. */
function fixesOf(drive: number, minute: number, at: { lat: number; lon: number }): WrittenFix[] {
  return Array.from({ length: 60 }, (_, t) => {
    const second = minute * 60 + t;
    const course = drive * 2.4 + 0.6 * Math.sin(second / 90) + 0.4 * Math.sin(second / 17);
    at.lat += (10 * Math.cos(course)) / METERS_PER_DEGREE;
    at.lon += (10 * Math.sin(course)) / (METERS_PER_DEGREE * 0.67);
    return { t, ...at, knots: 20 + 15 * Math.sin(second / 20) };
  });
}

/** The longest time between two turns of the event loop, and what the program worked itself in one. */
function watchLoop() {
  let [awayMs, busyMs] = [0, 0];
  let [before, worked] = [performance.now(), threadMs()];
  const looking = setInterval(() => {
    const [now, busy] = [performance.now(), threadMs()];
    awayMs = Math.max(awayMs, now - before - 1);
    busyMs = Math.max(busyMs, busy - worked);
    [before, worked] = [now, busy];
  }, 1);
  return {
    end() {
      clearInterval(looking);
      return { awayMs, busyMs };
    },
  };
}

async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return median(times);
}

const one = (value: number) => value.toFixed(1);

/** The index of places. */
export const PLACES_PARTS: readonly Part[] = [
  {
    name: "places",
    async measure(add) {
      const found = await benchPlaces(100_000);
      add(
        "places of 100,000 clips: first filling on the processor / on the clock / event loop away (working itself) / looking through it again",
        `${one(found.cpuSeconds / 60)} min / ${one(found.wallSeconds / 60)} min / ${one(found.awayMs)} (${one(found.busyMs)}) ms / ${one(found.againSeconds)} s`,
        "≤ 10 min / – / ≤ 20 ms / –",
      );
      add(
        "the same: drives of the slowest box / the longest answer / passes / moments / the database",
        `${one(found.drivesMs)} ms / ${one(found.drivesKilobytes)} kB / ${one(found.passesMs)} / ${one(found.momentsMs)} ms / ${one(found.megabytes)} MB`,
        "≤ 50 ms / ≤ 300 kB / ≤ 30 / ≤ 20 ms / –",
      );
      add(
        "the same: the towns along all trips, once / a search for towns and three own places / for a time of any day",
        `${one(found.townsMs / 1000)} s / ${one(found.searchMs)} ms / ${one(found.timeMs)} ms`,
        "– / ≤ 30 ms / ≤ 30 ms",
      );
    },
  },
];

if (import.meta.main) console.log(await benchPlaces(Number(process.argv[2] ?? 100_000)));
