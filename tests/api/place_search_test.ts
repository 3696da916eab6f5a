import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { MAP_PASSES } from "../../server/domain/places/places_schema.ts";
import { SEARCH } from "../../server/domain/viewer/search_schema.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { gpsText, gsensorBytes, type WrittenFix, type WrittenForce } from "../support/camera/written_telemetry.ts";

const UTC = Date.UTC(2026, 5, 8, 6);
const HOME = { name: "Home, sweet home", lat: 52.5163, lon: 13.3777, radius: 200 };

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({
    settings: { retention: { keep: "" }, schedule: { paused: true }, places: { list: [HOME] } },
  });
  mkdirSync(app.destination, { recursive: true });
  const put = (key: string, fixes: readonly WrittenFix[]) => {
    writeFileSync(join(app.destination, `${key}F.mp4`), "");
    writeFileSync(join(app.destination, `${key}.gps`), gpsText(fixes, UTC));
  };
  const drive = (lat: number, lon: number): WrittenFix[] =>
    Array.from({ length: 60 }, (_, t) => ({ t, lat: lat + t * 1e-4, lon, knots: 20 }));
  put("20260608_080000_N", drive(52.5163, 13.3777));
  put("20260609_080000_N", drive(52.5163, 13.3777));
  put("20260610_080000_N", drive(48.1371, 11.5754));
  // A push against the parked car.
  put("20260611_030000_P", []);
  const forces = Array.from({ length: 600 }, (_, at): WrittenForce => [1, at === 300 ? 0.9 : 0, 0]);
  writeFileSync(join(app.destination, "20260611_030000_P.3gf"), gsensorBytes(forces));
  await app.app.library.refresh();
  await app.client.open("/");
  for (;;) {
    const answer = await app.client.fetch("/api/map/passes?bbox=-180,-90,180,90");
    if (v.parse(MAP_PASSES, await answer.json()).indexing === null) break;
  }
});
afterAll(() => app[Symbol.asyncDispose]());

async function found(q: string, headers: Record<string, string> = {}): Promise<string[]> {
  const answer = await app.client.fetch(`/api/search?${new URLSearchParams({ q })}`, { headers });
  return v
    .parse(SEARCH, await answer.json())
    .results.map(({ group, title, detail }) => `${group}: ${title}, ${detail}`);
}
const year = new Date().getUTCFullYear() === 2026 ? "" : "\u00a02026";

test("own places and towns that the car has been to are found by the beginnings of their words", async () => {
  expect(await found("swe")).toEqual(["place: Home, sweet home, Your own place, 2\u00a0passes"]);
  expect(await found("BERL")).toEqual([`place: Berlin, 2\u00a0trips, the last on Tue 9\u00a0Jun${year}`]);
  expect(await found("mun")).toEqual([`place: Munich, 1\u00a0trip, the last on Wed 10\u00a0Jun${year}`]);
  // A town where the car never was.
  expect(await found("tokyo")).toEqual([]);
  expect(await found("b")).toEqual([]);
});

test("a place leads to its passes on the map", async () => {
  const answer = await app.client.fetch("/api/search?q=swe");
  const [first] = v.parse(SEARCH, await answer.json()).results;
  const { pathname, searchParams } = new URL(first?.href ?? "", app.url);
  expect(pathname).toBe("/map");
  const passes = await app.client.fetch(`/api/map/passes?bbox=${searchParams.get("box")}`);
  expect(v.parse(MAP_PASSES, await passes.json()).passes).toHaveLength(2);
});

test("a kind of moment leads to the newest one", async () => {
  expect(await found("knock")).toEqual([`kind: Last knock while parked, Thu 11\u00a0Jun${year}, 03:00, 0.90\u00a0g`]);
  const answer = await app.client.fetch("/api/search?q=knock");
  expect(v.parse(SEARCH, await answer.json()).results[0]?.href).toBe("/viewer?key=20260611_030000_P&t=30");
});

test("a key that may not load recordings finds no place and no moment", async () => {
  const made = async (scope: string) => {
    const answer = await app.client.send("POST", "/api/keys", { name: scope, scope });
    return { "x-api-key": ((await answer.json()) as { key: string }).key };
  };
  const [read, recordings] = [await made("read"), await made("recordings")];
  expect([await found("berlin", read), await found("knock", read), await found("swe", read)]).toEqual([[], [], []]);
  expect(await found("berlin", recordings)).toHaveLength(1);
});

test("neither a question nor a place is in the log or in the metrics", async () => {
  const metrics = await (await app.client.fetch("/metrics")).text();
  expect(JSON.stringify(app.app.log.lines) + metrics).not.toMatch(/berl|munich|tokyo|sweet|52\.5|knock/i);
});
