import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { simulatedCard, syntheticFootage } from "../server/dashcam/simulator/simulated_card.ts";
import { openSimulator, type Simulator } from "../server/dashcam/simulator/simulator.ts";
import type { Client } from "./support/app/client.ts";
import { type Place, temporaryPlace } from "./support/app/process.ts";
import { openSettings, putSettings, type Service, serve } from "./support/app/service.ts";
import { compareWithCard } from "./support/app/sync.ts";
import { progressed } from "./support/browser/frames.ts";

setDefaultTimeout(30_000);

let place: Place;
let camera: Simulator;
beforeEach(async () => {
  place = await temporaryPlace();
  const now = Date.UTC(2026, 5, 7, 10, 20);
  // The first is home long before the run is noted; the second is still coming.
  const footage = syntheticFootage((name) => (name.includes("F.") ? 80_000 : 320_000));
  camera = await openSimulator({ card: simulatedCard({ recordings: 2, now, footage }) });
  putSettings(place, openSettings(camera.address, { metrics: { scrape: true }, schedule: { paused: true } }));
});
afterEach(async () => {
  await camera.close();
  await place[Symbol.asyncDispose]();
});

async function start(client: Client): Promise<void> {
  await client.open("/");
  expect((await client.send("POST", "/api/sync/now")).status).toBe(202);
}

async function kill(service: Service): Promise<void> {
  // Disposing of a process is kill -9.
  await service[Symbol.asyncDispose]();
}

const json = async (client: Client, path: string) =>
  (await (await client.fetch(path)).json()) as Record<string, unknown>;
const csv = async (client: Client) =>
  (await (await client.fetch("/stats/runs.csv?range=all")).text()).trimEnd().split("\r\n").slice(1);

test("a sync whose service is killed is in the history after the next start, and counted once", async () => {
  // A camera that sends 100 kB a second, so that notes of the run are written while files come in.
  camera.rate = 100_000;
  const before = Date.now();
  {
    await using service = await serve(place);
    await start(service.client);
    // More than two seconds' worth.
    await progressed(service.client, ({ bytes_downloaded_total: bytes }) => Number(bytes) > 260_000);
    await kill(service);
  }
  const after = Date.now();
  camera.rate = null;
  await using service = await serve(place);
  const { client } = service;
  const rows = await csv(client);
  expect(rows).toHaveLength(1);
  const [started = "", ended = "", outcome, reason, files, bytes, took, ...rest] = rows[0]?.split(",") ?? [];
  expect([outcome, reason, rest.at(-3), rest.at(-4)]).toEqual(["Failed", "Interrupted", "interrupted", "false"]);
  expect(Date.parse(started)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(ended)).toBeLessThanOrEqual(after);
  // The last second may not be noted yet.
  expect(Number(took)).toBeGreaterThanOrEqual(1);
  // Files that the run says it brought are here.
  const home = await compareWithCard(place.at("recordings"), (name) => camera.card.bytes(name).catch(() => null));
  const here = [
    ...home.whole.map((name) => statSync(place.at("recordings", name)).size),
    ...Object.values(home.partials),
  ];
  expect(Number(bytes)).toBeGreaterThan(100_000);
  expect(Number(bytes)).toBeLessThanOrEqual(here.reduce((sum, size) => sum + size, 0));
  // Each file is noted as it comes; the last one may have its name already, and wait for its note.
  expect(Number(files)).toBeWithin(Math.max(1, home.whole.length - 1), home.whole.length + 1);

  // Every video that has its name is on the list of what this service brought.
  const list = readFileSync(place.at("config", "brought.txt"), "utf8");
  const videos = home.whole.filter((name) => name.endsWith(".mp4"));
  expect(videos.filter((name) => !list.includes(`\n${name.slice(0, 18)}`))).toEqual([]);
  expect(JSON.parse(readFileSync(place.at("config", "retention.json"), "utf8"))).toMatchObject({ adopted: false });

  expect(await json(client, "/api/status")).toMatchObject({
    last_run_state: "failed",
    last_run_message: "interrupted",
    last_run_at: ended,
  });
  expect(await json(client, "/api/overview")).toMatchObject({
    mood: "failed",
    sentence: "The last sync was interrupted.",
    // The list it had got is known, and what of it came home.
    on_camera: 2,
    chosen: 2,
    home: 1,
    waiting: 1,
    waiting_files: 2,
  });
  expect((await client.open("/")).text).toContain("Interrupted");
  const { summary } = (await json(client, "/api/stats/series?range=all")) as { summary: Record<string, unknown> };
  expect(summary).toMatchObject({ runs: 1, offline: 0, bytes: Number(bytes), files: Number(files) });
  const metrics = async () => await (await client.fetch("/metrics")).text();
  for (const line of ["runs_total 1", "runs_failed_total 1", "runs_offline_total 0", "last_run_success 0"])
    expect(await metrics()).toContain(`\ndashdock_${line}\n`);
  expect(await metrics()).toContain(`\ndashdock_bytes_downloaded_total ${bytes}\n`);

  await start(client);
  await progressed(client, ({ state }) => state === "completed");
  expect((await csv(client)).map((line) => line.split(",")[2])).toEqual(["Failed", "Fine"]);
  for (const line of ["runs_total 2", "runs_failed_total 1", "last_run_success 1"])
    expect(await metrics()).toContain(`\ndashdock_${line}\n`);
});

test("a sync that is killed before it brought anything is in the history too, and a second start adds nothing", async () => {
  camera.fault("list-stall");
  {
    await using service = await serve(place);
    await start(service.client);
    await camera.asked(/vod/);
    await kill(service);
  }
  for (let round = 0; round < 2; round++) {
    await using service = await serve(place);
    const rows = await csv(service.client);
    expect(rows.map((line) => line.split(",").slice(2, 6))).toEqual([["Failed", "Interrupted", "0", "0"]]);
    expect(await json(service.client, "/api/overview")).toMatchObject({ last_seen_at: null });
    await kill(service);
  }
});

test("what a kill left half in the trash is whole there after the next start, though nobody asks for anything", async () => {
  const batch = "20261122T030000000Z-hand";
  const key = "20260607_101500_N";
  const trash = place.at("recordings", ".dashdock", "trash");
  mkdirSync(`${trash}/${batch}`, { recursive: true });
  writeFileSync(`${trash}/.moving-${batch}`, "");
  writeFileSync(`${trash}/${batch}/${key}.gps`, "");
  for (const name of [`${key}F.mp4`, `${key}R.mp4`]) writeFileSync(place.at("recordings", name), name);
  await using service = await serve(place);
  // Waits for work in the background; each question takes a while, and the test may not last for ever.
  while (readdirSync(trash).includes(`.moving-${batch}`)) await fetch(`${service.url}/readyz`);
  expect(readdirSync(trash)).toEqual([batch]);
  expect(readdirSync(`${trash}/${batch}`).sort()).toEqual([`${key}.gps`, `${key}F.mp4`, `${key}R.mp4`]);
  expect(readdirSync(place.at("recordings")).filter((name) => name.startsWith(key))).toEqual([]);
});
