import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { syntheticVideo } from "../../server/dashcam/simulator/simulated_video.ts";
import { DAY_TRIPS, TELEMETRY, type Telemetry, TRIP } from "../../server/domain/viewer/viewer_schema.ts";
import { NO_FILTER } from "../../server/domain/viewer/list_filter.ts";
import { dayTrips } from "../../server/engine/viewer/trip_summaries.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
  mkdirSync(join(app.destination, "2026-11-20"), { recursive: true });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const put = (name: string, content: string | Uint8Array = "") =>
  writeFileSync(join(app.destination, "2026-11-20", name), content);
const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/api/viewer/${path}`, { headers, decompress: false } as RequestInit);
const told = async (path: string): Promise<Telemetry> => v.parse(TELEMETRY, await (await ask(path)).json());

function gps(seconds: number, from = 0): string {
  const line = (at: number) =>
    `[${1_780_000_000_000 + at * 1000}]$GNRMC,080000.00,A,4800.${String(10_000 + (from + at) * 10)},N,01100.00000,E,${20 + (at % 5)},,201126,,,A*00\r\n`;
  return Array.from({ length: seconds }, (_, at) => line(at)).join("");
}

function gsensor(seconds: number, peak = 0): Uint8Array {
  const view = new DataView(new ArrayBuffer(seconds * 100));
  for (let at = 0; at < seconds * 10; at++) {
    view.setUint32(at * 10, at * 100);
    view.setInt16(at * 10 + 4, 128);
    view.setInt16(at * 10 + 8, at === 55 ? peak : 3);
  }
  return new Uint8Array(view.buffer);
}

test("a trip's telemetry has a part for each clip, with nothing where a file is missing, empty or foreign", async () => {
  put("20261120_080000_NF.mp4");
  put("20261120_080000_N.gps", gps(60));
  put("20261120_080000_N.3gf", gsensor(60));
  put("20261120_080100_EF.mp4");
  put("20261120_080100_E.gps", "not a single sentence");
  put("20261120_080100_E.3gf", gsensor(60, -259));
  put("20261120_080200_NF.mp4");
  put("20261120_080200_N.gps", "");
  put("20261120_080300_NF.mp4");
  put("20261120_080300_N.3gf", new Uint8Array([1, 2, 3]));
  const trip = await told("trips/20261120_080100_E/telemetry");
  expect(trip.segments.map(({ key, offset_seconds }) => [key, offset_seconds])).toEqual([
    ["20261120_080000_N", 0],
    ["20261120_080100_E", 60],
    ["20261120_080200_N", 120],
    ["20261120_080300_N", 180],
  ]);
  expect(trip.segments.map(({ track }) => track?.t.length ?? null)).toEqual([60, 0, 0, null]);
  expect(trip.segments.map(({ force }) => force?.t.length ?? null)).toEqual([600, 600, null, 0]);
  expect(trip.rest).toEqual({ x: 1, y: 0, z: 3 / 128 });
  expect(trip).toMatchObject({ fastest_knots: 24, strongest_g: 2.0469, distance_meters: 11 });
  expect(trip.box?.south).toBeCloseTo(48.0016667, 6);

  const journey = await told("recordings/20261120_080000_N/journey/telemetry");
  expect(journey.segments.map(({ key }) => key)).toEqual([
    "20261120_080000_N",
    "20261120_080200_N",
    "20261120_080300_N",
  ]);
  expect((await ask("recordings/20261120_090000_N/journey/telemetry")).status).toBe(404);
  expect(await (await ask("trips/none/telemetry")).json()).toMatchObject({ code: "RECORDING_NOT_FOUND" });
});

test("it comes compressed to those who take it, is not sent twice, and is another one once a file has changed", async () => {
  const path = "trips/20261120_080000_N/telemetry";
  const plain = await ask(path, { "accept-encoding": "identity" });
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(plain.headers.get("cache-control")).toBe("private, no-cache");
  expect(plain.headers.get("vary")).toBe("accept-encoding");
  const zipped = await ask(path, { "accept-encoding": "gzip, br" });
  expect(zipped.headers.get("content-encoding")).toBe("gzip");
  const bytes = Bun.gunzipSync(await zipped.arrayBuffer());
  expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(await plain.json());

  const tag = zipped.headers.get("etag") ?? "";
  const again = await ask(path, { "if-none-match": tag });
  expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", tag]);
  put("20261120_080200_N.gps", gps(30, 120));
  const changed = await ask(path, { "if-none-match": tag });
  expect(changed.status).toBe(200);
  expect(changed.headers.get("etag")).not.toBe(tag);
});

test("a list tells the same way and length of a trip as the trip itself, each moment once", async () => {
  const video = async (name: string) => put(name, await syntheticVideo(name, 5000, 60).read(0, 5000));
  for (const [key, from] of [
    ["20261120_100000_N", 0],
    ["20261120_100020_E", 20],
    ["20261120_100200_N", 120],
  ] as const) {
    await video(`${key}F.mp4`);
    put(`${key}.gps`, gps(60, from));
  }
  await video("20261120_100300_NF.mp4");
  put("20261120_100300_N.gps", "$GNRMC,080000.00,V,,,,,,,201126,,,N*53\r\n");
  const { distance_meters: meters } = await told("trips/20261120_100000_N/telemetry");
  const listed = async () => {
    const { days } = v.parse(DAY_TRIPS, await (await ask("trips?date=2026-11-20")).json());
    return days[0]?.trips.find(({ clips }) => clips.includes("20261120_100000_N"));
  };
  // 79 steps of some 18.5 cm, and 59 more.
  expect(meters).toBe(Math.round((79 + 59) * 0.1853));
  let summary = await listed();
  while (summary?.is_complete !== true) summary = await listed();
  expect(summary).toMatchObject({ distance_meters: meters, length_seconds: 240, fixes: 80 + 60 });
  const { segments } = v.parse(TRIP, await (await ask("trips/20261120_100000_N")).json());
  expect(segments.map(({ offset_seconds: offset }) => offset)).toEqual([0, 20, 120, 180]);

  // While one clip is still to be read, figures of the others are not shown as those of the trip.
  const known = app.app.segments;
  const parts: typeof app.app = Object.create(app.app, {
    segments: {
      value: {
        facts: (clips: Parameters<typeof known.facts>[0]) => known.facts(clips),
        telemetryFacts: async (clips: Parameters<typeof known.facts>[0]) =>
          (await known.telemetryFacts(clips)).map((facts, at) =>
            clips[at]?.key === "20261120_100200_N" ? null : facts,
          ),
      },
    },
  });
  const day = await dayTrips(parts, "2026-11-20", NO_FILTER, 5);
  expect(day?.trips.find(({ clips }) => clips.includes("20261120_100200_N"))).toMatchObject({
    is_complete: false,
    distance_meters: null,
    fixes: null,
    fastest_knots: null,
    strongest_g: null,
    clock_offset_seconds: null,
  });
});

test("a file that leads out of the recordings, or cannot be read, is as good as none", async () => {
  writeFileSync(join(app.folder, "elsewhere.gps"), gps(60));
  put("20261120_120000_NF.mp4");
  symlinkSync(join(app.folder, "elsewhere.gps"), join(app.destination, "2026-11-20", "20261120_120000_N.gps"));
  put("20261120_120100_NF.mp4");
  put("20261120_120100_N.3gf", gsensor(60));
  mkdirSync(join(app.destination, "2026-11-20", "20261120_120100_N.gps"));
  put("20261120_120200_NF.mp4");
  put("20261120_120200_N.3gf", gsensor(60));
  chmodSync(join(app.destination, "2026-11-20", "20261120_120200_N.3gf"), 0);
  const trip = await told("trips/20261120_120000_N/telemetry");
  expect(trip.segments.map(({ track }) => track)).toEqual([null, null, null]);
  // Root may read everything.
  const unreadable = process.getuid?.() === 0 ? 600 : null;
  expect(trip.segments.map(({ force }) => force?.t.length ?? null)).toEqual([null, 600, unreadable]);

  rmSync(join(app.destination, "2026-11-20"), { recursive: true });
  const gone = await ask("trips/20261120_120000_N/telemetry");
  expect([200, 404]).toContain(gone.status);
});
