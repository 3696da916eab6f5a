import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSimulator } from "../../server/dashcam/simulator/simulator.ts";
import { ROUTES } from "../../server/routes.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import type { Client } from "../support/app/client.ts";
import { FakeClock } from "../support/app/clock.ts";
import { countsOfDay, coveredApp, drive, MORNING, syncLater } from "../support/app/covered.ts";
import { temporaryPlace } from "../support/app/process.ts";
import { play, refused } from "../support/app/scenarios.ts";
import { openSettings, putSettings, serve } from "../support/app/service.ts";
import { sharedClip } from "../support/app/sharing.ts";
import { cardOf, VIDEOS } from "../support/app/sync.ts";
import { progressed } from "../support/browser/frames.ts";
import { mayMount, SmallDisk } from "../support/disk/disks.ts";

setDefaultTimeout(30_000);

const FULL = "The config folder's disk is full: runs and settings cannot be saved.";
const RETRY_MS = 10_000;

const json = async (client: Client, path: string) =>
  (await (await client.fetch(path)).json()) as Record<string, unknown>;
const text = async (client: Client, path: string) => await (await client.fetch(path)).text();

async function sync({ client, synced }: RunningApp): Promise<void> {
  await client.open("/");
  expect((await client.send("POST", "/api/sync/now")).status).toBe(202);
  await synced();
}

describe.skipIf(!mayMount())("while the disk of the config folder is full (needs the right to mount)", () => {
  let folder: string;
  let disk: SmallDisk;
  let clock: FakeClock;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "dashdock-test-"));
    disk = new SmallDisk(join(folder, "config"), "1m");
    clock = new FakeClock("2026-06-07T10:14:00Z");
  });
  afterEach(() => {
    disk[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test("a run that failed is told of all the same, and is in the history when there is room again", async () => {
    await using running = await startApp({ clock, folder });
    const { client, app } = running;
    await sync(running);
    await clock.advance(60_000);
    running.simulator.fault("list-500");
    disk.fill();
    await sync(running);
    await clock.advance(11_000);

    expect(await text(client, "/hx/sync/last-run-card")).toMatch(/is-failed.*list and answered with status 500/s);
    expect(await json(client, "/api/overview")).toMatchObject({
      mood: "failed",
      sentence: "Sync failed: the camera answered with an error.",
      detail: expect.stringContaining(FULL),
    });
    expect(await json(client, "/api/status")).toMatchObject({ last_run_state: "failed" });
    expect(await json(client, "/api/stats/series")).toMatchObject({ summary: { runs: 2, success_rate: 0.5 } });
    expect(await text(client, "/hx/stats/runs")).toMatch(/list and answered with status 500.*class="soft">/s);
    expect((await text(client, "/stats/runs.csv")).trimEnd().split("\r\n")).toHaveLength(3);

    // One that went through does not hide what is wrong.
    running.simulator.clearFaults();
    await sync(running);
    expect(await json(client, "/api/overview")).toMatchObject({
      mood: "attention",
      detail: expect.stringContaining(FULL),
    });
    const told = app.log.lines.filter(({ message }) => message.includes("stats.db"));
    expect(told.map(({ level, message }) => [level, message])).toEqual([
      ["WARNING", expect.stringMatching(/stats\.db cannot be written \(its disk is full\)/)],
    ]);

    disk.free();
    await clock.advance(RETRY_MS);
    expect(await json(client, "/api/overview")).toMatchObject({ mood: "fine" });
    const runs = app.history.since(0);
    await running.stop();
    await using again = await startApp({
      clock,
      folder,
      settings: { connection: { address: running.simulator.address } },
    });
    expect(again.app.history.since(0)).toEqual(runs);
    expect(runs.map(({ success }) => success)).toEqual([true, false, true]);
  });

  test("the ledger tells what it knew, and goes on when there is room", async () => {
    await using app = await coveredApp({ folder });
    app.simulator.fault({ name: "error-500", match: /080[0-2]/ });
    await syncLater(app);
    disk.fill();
    for (const name of MORNING.slice(0, 3)) app.simulator.card.overwrite(name);
    for (const name of drive("2026-06-07T10:00:00", 4)) app.simulator.card.record(name);
    for (let times = 0; times < 3; times++) await syncLater(app);
    expect(await countsOfDay(app)).toMatchObject({ coming: 3 });
    disk.free();
    await syncLater(app);
    expect(await countsOfDay(app)).toMatchObject({ recorded: 10, home: 7, coming: 3 });
    await syncLater(app);
    expect(await countsOfDay(app)).toMatchObject({ recorded: 10, home: 7, lost: 3 });
  });

  test("no link is made, and one that is revoked has ended, also after a restart when there was room again", async () => {
    const key = "20260607_101500_N";
    const settings = { share: { enabled: true }, schedule: { paused: true } };
    const running = await startApp({ clock, folder, settings });
    const { client } = running;
    mkdirSync(running.destination, { recursive: true });
    writeFileSync(join(running.destination, `${key}F.mp4`), sharedClip(1));
    await running.app.library.refresh();
    await client.open("/");
    const made = await client.send("POST", "/api/shares", { span: { key } });
    const { id, url } = (await made.json()) as { id: string; url: string };
    disk.fill();
    for (const [method, path, error] of [
      ["POST", "/api/shares", "The link could not be saved, so there is none."],
      ["DELETE", `/api/shares/${id}`, /^The link has ended, but that could not be saved/],
    ] as const) {
      const answer = await client.send(method, path, method === "POST" ? { span: { key } } : undefined);
      const told = (await answer.json()) as { code: string; error: string };
      expect([answer.status, told.code, told.error]).toEqual([500, "SHARE_NOT_SAVED", expect.stringMatching(error)]);
    }
    expect((await json(client, "/api/shares"))["shares"]).toEqual([]);
    expect((await fetch(url)).status).toBe(404);
    disk.free();
    await clock.advance(RETRY_MS);
    await running.stop();
    await using again = await startApp({ clock, folder });
    expect((await fetch(new URL(new URL(url).pathname, again.url))).status).toBe(404);
  });

  test("a pack is not made without a key, and is made when there is room", async () => {
    await using running = await startApp({ clock, folder, settings: { schedule: { paused: true } } });
    mkdirSync(running.destination, { recursive: true });
    writeFileSync(join(running.destination, "20260607_101500_NF.mp4"), sharedClip(1));
    await running.app.library.refresh();
    const ask = () => running.client.fetch("/api/viewer/export/pack?key=20260607_101500_N");
    disk.fill();
    const refused = await ask();
    expect([refused.status, (await refused.json()).code]).toEqual([503, "SIGNING_KEY_UNUSABLE"]);
    disk.free();
    const pack = await ask();
    expect([pack.status, (await pack.bytes()).length > 1000]).toEqual([200, true]);
  });

  test("no question is answered with an unexpected error", async () => {
    await using running = await startApp({ clock, folder });
    await sync(running);
    disk.fill();
    await sync(running);
    for (const { method, path } of ROUTES) {
      if (method !== "GET" || !path.startsWith("/api/") || /[:*]|stream$/.test(path)) continue;
      const { status } = await running.client.fetch(path);
      // A backup is made in the config folder, and says that there is no room.
      expect([path, status < 500 || (path === "/api/backup" && status === 507)]).toEqual([path, true]);
    }
  });

  test("retention can be lowered: it is in force, is said not to be saved, and is saved when there is room", async () => {
    await using running = await startApp({ clock, folder });
    const { client, app } = running;
    await client.open("/");
    const stored = async () => JSON.parse(await readFile(app.settings.path, "utf8")).retention.keep;
    const before = await stored();
    disk.fill();
    await play(client, {
      name: "in force",
      ask: ["PATCH", "/api/settings/retention", { keep: "3d" }],
      status: 507,
      is: {
        error: "The change is in force until the restart, but not saved: the disk that holds the settings is full",
        code: "STORAGE_FULL",
        details: {},
      },
    });
    expect(await json(client, "/api/settings")).toMatchObject({ retention: { keep: "3d" } });
    expect([app.settings.current.retention.keep, await stored()]).toEqual(["3d", before]);
    expect(await json(client, "/api/overview")).toMatchObject({
      mood: "attention",
      detail: expect.stringContaining(FULL),
    });
    // Other sections stay as they are.
    const ask = ["PATCH", "/api/settings/viewer", { speed_unit: "mph" }] as const;
    await play(client, { name: "viewer", ask, status: 507, is: refused("STORAGE_FULL", {}) });
    expect(await json(client, "/api/settings")).toMatchObject({ viewer: { speed_unit: "kmh" } });
    // Nor is a value that breaks a rule in force.
    await play(client, {
      name: "wrong",
      ask: ["PATCH", "/api/settings/retention", { keep: "soon" }],
      status: 422,
    });
    expect(app.settings.current.retention.keep).toBe("3d");

    disk.free();
    // The clock of the test stands still while the file is looked at.
    while (!app.settings.isSaved) {
      await clock.advance(1000);
      await app.settings.refresh();
    }
    expect(await stored()).toBe("3d");
    expect((await json(client, "/api/overview"))["detail"]).not.toContain(FULL);
  });

  test("what cannot be saved promises nothing: another folder is used until the restart, and the answer says so", async () => {
    await using running = await startApp({ clock, folder, settings: { retention: { keep: "" } } });
    const { client, app } = running;
    await sync(running);
    renameSync(running.destination, `${running.destination}.away`);
    mkdirSync(running.destination);
    disk.fill();
    const is = refused("STORAGE_FULL", {});
    await play(client, { name: "accept", ask: ["POST", "/api/destination/accept"], status: 507, is });
    expect(app.destination.standing).toBe("accepted");
  });

  test("SIGTERM in the middle of a file ends the service with 0 long before the file would end", async () => {
    await using camera = await openSimulator({ card: cardOf(VIDEOS), rate: 100_000 });
    await using place = await temporaryPlace();
    using config = new SmallDisk(place.at("config"), "1m");
    putSettings(place, openSettings(camera.address, { schedule: { paused: true } }));
    await using service = await serve(place);
    await service.client.open("/");
    await service.client.send("POST", "/api/sync/now");
    await progressed(service.client, ({ bytes_downloaded_total: bytes }) => Number(bytes) > 20_000);
    config.fill();
    camera.rate = 100;
    service.running.signal("SIGTERM");
    const { code, err } = await service.running.ended;
    expect(code).toBe(0);
    expect(err).toMatch(/WARNING .*stats\.db cannot be written \(its disk is full\)/);
    expect(err).not.toMatch(/\n\s+at |Unexpected/);

    config.fill();
    // Nor does it keep the next start from showing what is wrong.
    camera.fault("list-500");
    await using again = await serve(place);
    await again.client.open("/");
    await again.client.send("POST", "/api/sync/now");
    await progressed(again.client, ({ state }) => state === "failed");
    expect(await json(again.client, "/api/overview")).toMatchObject({
      sentence: "Sync failed: the camera answered with an error.",
      detail: expect.stringContaining(FULL),
    });
    again.running.signal("SIGTERM");
    expect((await again.running.ended).code).toBe(0);
  });
});
