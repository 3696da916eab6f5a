import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { play } from "../support/app/scenarios.ts";
import { progressed } from "../support/browser/frames.ts";

setDefaultTimeout(20_000);

const JSON_TYPE = { "content-type": "application/json", "cache-control": "no-store" };
const STORAGE = ["GET", "/api/health/storage"] as const;
const DASHCAM = ["GET", "/api/health/dashcam"] as const;

const probes = ({ simulator }: RunningApp) =>
  simulator.requests.filter(({ method, path }) => method === "HEAD" || path === "/accessible").length;

describe("GET /api/health/storage", () => {
  test("says that there is no destination before there is one", async () => {
    await using running = await startApp();
    const is = { available: false, reason: "destination not configured" };
    await play(running.client, { name: "none", ask: STORAGE, status: 200, headers: JSON_TYPE, is });
  });

  test("tells the disk as the engine reckons it, and how many recordings there are", async () => {
    await using running = await startApp({ clock: new FakeClock() });
    await running.client.open("/");
    await running.client.send("POST", "/api/sync/now");
    await running.synced();
    const answer = (await (await running.client.fetch(STORAGE[1])).json()) as Record<string, number>;
    const { blocks, bfree, bsize } = statfsSync(running.destination);
    expect(Object.keys(answer)).toEqual([
      "available",
      "destination",
      "total_bytes",
      "free_bytes",
      "available_bytes",
      "used_bytes",
      "used_percent",
      "recording_count",
      "trash_bytes",
      "trash_recordings",
      "room_bytes",
      "waiting_bytes",
    ]);
    expect(answer).toMatchObject({ available: true, destination: running.destination, total_bytes: blocks * bsize });
    expect(answer).toMatchObject({
      recording_count: 4,
      trash_bytes: 0,
      trash_recordings: 0,
      waiting_bytes: 0,
      used_bytes: Number(answer["total_bytes"]) - Number(answer["free_bytes"]),
    });
    // Others write to this disk at the same time.
    expect(Math.abs(Number(answer["free_bytes"]) - bfree * bsize)).toBeLessThan(blocks * bsize * 0.05);
    const percent = (100 * Number(answer["used_bytes"])) / Number(answer["total_bytes"]);
    expect(answer["used_percent"]).toBe(Math.round(percent * 10) / 10);
  });

  test("counts what is in the trash apart", async () => {
    await using running = await startApp();
    mkdirSync(running.destination);
    for (const name of ["20260601_120000_NF.mp4", "20260601_120000_NR.mp4", "20260602_120000_NF.mp4"])
      writeFileSync(join(running.destination, name), "x".repeat(1000));
    await running.client.open("/");
    const all = { available: true, recording_count: 3, trash_bytes: 0, trash_recordings: 0 };
    await play(running.client, { name: "before", ask: STORAGE, status: 200, has: all });
    expect((await running.client.send("DELETE", "/api/recordings/20260601_120000_N")).status).toBe(200);
    const rest = { available: true, recording_count: 1, trash_bytes: 2000, trash_recordings: 2 };
    await play(running.client, { name: "in the trash", ask: STORAGE, status: 200, has: rest });
    expect((await running.client.send("DELETE", "/api/trash")).status).toBe(200);
    await play(running.client, { name: "gone", ask: STORAGE, status: 200, has: { ...all, recording_count: 1 } });
  });

  test("counts nothing in an empty destination", async () => {
    await using running = await startApp();
    mkdirSync(running.destination);
    await play(running.client, {
      name: "empty",
      ask: STORAGE,
      status: 200,
      has: { available: true, recording_count: 0 },
    });
  });
});

describe("GET /api/health/dashcam", () => {
  test("tells address and latency of a camera that answers, and asks it rarely", async () => {
    const clock = new FakeClock();
    await using running = await startApp({ clock });
    const { address } = running.simulator;
    const is = { reachable: true, address, latency_ms: expect.any(Number) };
    const row = { name: "there", ask: DASHCAM, status: 200, headers: JSON_TYPE, is };
    await Promise.all([play(running.client, row), play(running.client, row), play(running.client, row)]);
    await play(running.client, row);
    expect(probes(running)).toBe(1);
    await clock.advance(4000);
    await play(running.client, row);
    expect(probes(running)).toBe(2);
  });

  test("calls a camera there that answers with an error", async () => {
    await using running = await startApp();
    running.simulator.fault({ name: "error-500", match: /./ });
    await play(running.client, { name: "500", ask: DASHCAM, status: 200, has: { reachable: true } });
  });

  test("names no address, a refused connection, and a silence that a sync would bear", async () => {
    const clock = new FakeClock();
    await using running = await startApp({ clock, settings: { connection: { timeout_seconds: 60 } } });
    await running.client.open("/");
    const { address } = running.simulator;
    running.simulator.fault("never-answers");
    const silent = { reachable: false, address, reason: "timeout" };
    await play(running.client, { name: "silent", ask: DASHCAM, status: 200, is: silent });

    await running.simulator.goAway();
    await clock.advance(5000);
    const refused = { reachable: false, address, reason: "refused" };
    await play(running.client, { name: "away", ask: DASHCAM, status: 200, is: refused });

    await running.client.send("PATCH", "/api/settings/connection", { address: "" });
    const none = { reachable: false, reason: "no address configured" };
    await play(running.client, { name: "no address", ask: DASHCAM, status: 200, is: none });
  });

  test("both questions to a silent address share two seconds", async () => {
    await using running = await startApp();
    running.simulator.fault("never-answers");
    const began = performance.now();
    await play(running.client, { name: "silent", ask: DASHCAM, status: 200, has: { reason: "timeout" } });
    // One after the other with two seconds each they took four.
    expect(performance.now() - began).toBeLessThan(3500);
    expect(probes(running)).toBe(2);
  });

  test.each(["list-500", "list-html", "list-garbage"] as const)(
    "calls a camera there as soon as a run got an answer that is of no use (%s), though it was away before",
    async (fault) => {
      await using running = await startApp({ clock: new FakeClock() });
      await running.client.open("/");
      await running.simulator.goAway();
      await play(running.client, { name: "away", ask: DASHCAM, status: 200, has: { reachable: false } });
      await running.simulator.comeBack();
      running.simulator.fault(fault);
      await running.client.send("POST", "/api/sync/now");
      await running.synced();
      expect(running.app.probe.known(running.app.dashcam)).toMatchObject({ reachable: true });
    },
  );

  test("follows a changed address at once", async () => {
    await using running = await startApp();
    await using other = await startApp();
    await running.client.open("/");
    await play(running.client, { name: "one", ask: DASHCAM, status: 200, has: { address: running.simulator.address } });
    await running.client.send("PATCH", "/api/settings/connection", { address: other.simulator.address });
    await play(running.client, { name: "other", ask: DASHCAM, status: 200, has: { address: other.simulator.address } });
  });

  test("does not disturb the camera while a file comes in", async () => {
    await using running = await startApp({
      rate: 100_000,
      settings: { retention: { keep: "" }, sync: { metadata_first: false } },
    });
    await running.client.open("/");
    await running.client.send("POST", "/api/sync/now");
    await progressed(running.client, ({ bytes_downloaded_total: bytes }) => Number(bytes) > 0);
    // The run itself has asked which interface the camera speaks.
    running.simulator.requests.length = 0;
    await play(running.client, { name: "busy", ask: DASHCAM, status: 200, has: { reachable: true } });
    expect(probes(running)).toBe(0);
    await running.client.send("POST", "/api/sync/stop");
    await running.synced();
  });
});
