import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { DAY_TRIPS, TRIP } from "../../server/domain/viewer/viewer_schema.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
  mkdirSync(app.destination, { recursive: true });
  // From Berlin to Potsdam, with a fix at 0,0 and a jump that do not count, and a stay in the sea.
  put("20261120_080000_N", [fix(0, 0), fix(52.5163, 13.3777), fix(52.5164, 13.3778), fix(52.5165, 13.3779)]);
  put("20261120_080100_N", [fix(52.5, 13.3), fix(52.5001, 13.3001), fix(10, 10)]);
  put("20261120_080600_N", [fix(52.4, 13.06), fix(52.4001, 13.0601)]);
  put("20261120_120000_P", [fix(30, -40), fix(30, -40)]);
  put("20261120_150000_N", ["V"]);
  // Stays without a fix: before a drive, behind it, and behind one without a fix.
  put("20261121_030000_P", []);
  put("20261121_080000_N", [fix(52.4, 13.06), fix(52.4001, 13.0601)]);
  put("20261121_090000_P", []);
  put("20261121_100000_N", ["V"]);
  put("20261121_110000_P", []);
  await app.app.library.refresh();
  await app.client.open("/");
});
afterAll(() => app[Symbol.asyncDispose]());

const fix = (lat: number, lon: number) => {
  const degrees = (value: number, width: number) => {
    const whole = Math.floor(Math.abs(value));
    return `${String(whole).padStart(width, "0")}${((Math.abs(value) - whole) * 60).toFixed(5).padStart(8, "0")}`;
  };
  return `A,${degrees(lat, 2)},${lat < 0 ? "S" : "N"},${degrees(lon, 3)},${lon < 0 ? "W" : "E"},20.0,`;
};

function put(key: string, fixes: readonly string[]): void {
  writeFileSync(join(app.destination, `${key}F.mp4`), "");
  const lines = fixes.map(
    (one, at) =>
      `[${1_780_000_000_000 + at * 1000}]$GNRMC,080000.00,${one === "V" ? "V,,,,,," : one},201126,,,A*00\r\n`,
  );
  writeFileSync(join(app.destination, `${key}.gps`), lines.join(""));
}

const ask = async (path: string) => (await app.client.fetch(path)).json();

/** The names of the day's trips, once all of their files are read. */
async function names(date = "2026-11-20"): Promise<(string | null)[]> {
  for (;;) {
    const [day] = v.parse(DAY_TRIPS, await ask(`/api/viewer/trips?date=${date}`)).days;
    if (day?.trips.every(({ is_complete: isComplete }) => isComplete)) return day.trips.map(({ name }) => name);
  }
}

test("trips are called by the towns where they begin and end, and far from all towns not at all", async () => {
  expect(await names()).toEqual([null, null, "Berlin to Potsdam"]);
  const { name } = v.parse(TRIP, await ask("/api/viewer/trips/20261120_080100_N"));
  expect(name).toBe("Berlin to Potsdam");
});

test("a parked car without a fix stands where the drive beside it ended or began, if that is known", async () => {
  expect(await names("2026-11-21")).toEqual([null, null, "Potsdam", "Potsdam", "Potsdam"]);
});

test("own places go before towns, as soon as they are set", async () => {
  const list = [
    { name: "Home", lat: 52.5163, lon: 13.3777, radius: 200 },
    { name: "The boat", lat: 30, lon: -40, radius: 5000 },
  ];
  expect((await app.client.send("PATCH", "/api/settings/places", { list })).status).toBe(200);
  expect(await names()).toEqual([null, "The boat", "Home to Potsdam"]);
  expect(v.parse(TRIP, await ask("/api/viewer/trips/20261120_080000_N")).name).toBe("Home to Potsdam");
});

test("no place is written to the log", () => {
  expect(JSON.stringify(app.app.log.lines)).not.toMatch(/Berlin|Potsdam|The boat|52\.5/);
});

test("a key that may not load recordings is told no names", async () => {
  const named = async (scope: string) => {
    const made = (await (await app.client.send("POST", "/api/keys", { name: scope, scope })).json()) as { key: string };
    const headers = { "x-api-key": made.key };
    const get = async (path: string) => (await fetch(app.url + path, { headers })).json();
    const [day] = v.parse(DAY_TRIPS, await get("/api/viewer/trips?date=2026-11-20")).days;
    return [day?.trips.at(-1)?.name, v.parse(TRIP, await get("/api/viewer/trips/20261120_080000_N")).name];
  };
  expect(await named("recordings")).toEqual(["Home to Potsdam", "Home to Potsdam"]);
  expect(await named("read")).toEqual([null, null]);
});
