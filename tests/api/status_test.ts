import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { SimulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { progressed } from "../support/browser/frames.ts";

setDefaultTimeout(20_000);

type Flat = Record<string, unknown>;

describe("GET /api/status", () => {
  test("is one flat answer, in the same words before and after a sync", async () => {
    const clock = new FakeClock("2026-06-07T10:14:00Z");
    await using running = await startApp({ clock });
    await running.client.open("/");
    const status = async () => (await (await running.client.fetch("/api/status")).json()) as Flat;
    const before = await status();
    expect(before).toEqual({
      state: "idle",
      camera_online: true,
      last_seen: "2026-06-07T10:14:00.000Z",
      pending_files: null,
      pending_bytes: null,
      recordings_on_camera: null,
      recordings_chosen: null,
      recordings_home: null,
      recordings_waiting: null,
      disk_used_percent: null,
      last_run_state: null,
      last_run_at: null,
      last_run_message: null,
      next_run_at: "2026-06-07T10:15:00.000Z",
      eta_seconds: null,
    });
    await running.client.send("POST", "/api/sync/now");
    await running.synced();
    await clock.advance(11_000);
    const after = await status();
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(after).toMatchObject({
      state: "idle",
      last_run_state: "completed",
      last_run_at: "2026-06-07T10:14:00.000Z",
    });
    expect(after["disk_used_percent"]).toBeWithin(0, 100.1);
  });

  test("tells a camera that is away from a failure, and what is still to come", async () => {
    const clock = new FakeClock("2026-06-07T10:14:00Z");
    await using running = await startApp({ clock });
    await running.client.open("/");
    const status = async () => (await (await running.client.fetch("/api/status")).json()) as Flat;
    await running.simulator.goAway();
    await running.client.send("POST", "/api/sync/now");
    await running.synced();
    expect(await status()).toMatchObject({ state: "failed", camera_online: false, last_seen: null });
    expect(await status()).toMatchObject({ last_run_state: "offline" });
    await running.client.send("POST", "/api/schedule/pause");
    expect(await status()).toMatchObject({ next_run_at: null });
    const overview = await (await running.client.fetch("/api/overview")).json();
    expect(overview).toMatchObject({ paused: true, next_at: null });
  });

  test("does not take another device at the address for the camera, nor does any page, until a run finds the camera", async () => {
    const clock = new FakeClock("2026-06-07T10:14:00Z");
    await using running = await startApp({ clock });
    const seen = async ({ client }: RunningApp) => {
      await client.open("/");
      const told = async (path: string) => (await (await client.fetch(path)).json()) as Flat;
      const card = await (await client.fetch("/hx/dashcam-card")).text();
      const { last_seen, camera_online } = await told("/api/status");
      return [last_seen, (await told("/api/overview"))["last_seen_at"], camera_online, /Last seen/.test(card)];
    };
    const heal = running.simulator.fault("list-html");
    await running.client.open("/");
    await running.client.send("POST", "/api/sync/now");
    await running.synced();
    expect(await seen(running)).toEqual([null, null, false, false]);
    // The probe goes on telling what it hears.
    expect(await (await running.client.fetch("/api/health/dashcam")).json()).toMatchObject({ reachable: true });
    expect(running.app.history.latestReached()).toBeNull();
    heal();
    await running.client.send("POST", "/api/sync/now");
    await running.synced();
    const at = clock.now();
    expect(await seen(running)).toEqual([new Date(at).toISOString(), at, true, true]);
  });

  test("says what is pending while a sync runs, and after it was stopped", async () => {
    await using running = await startApp({
      rate: 100_000,
      settings: { retention: { keep: "" }, sync: { metadata_first: false } },
    });
    await running.client.open("/");
    const status = async () => (await (await running.client.fetch("/api/status")).json()) as Flat;
    await running.client.send("POST", "/api/sync/now");
    await progressed(running.client, ({ bytes_downloaded_total: bytes }) => Number(bytes) > 0);
    const now = await status();
    expect(now).toMatchObject({ state: "running", camera_online: true, pending_files: 12 });
    // The first video tells its length, and of the others no more is known.
    expect(Number(now["pending_bytes"])).toBeGreaterThan(4 * 100_000);
    const overview = async () => (await (await running.client.fetch("/api/overview")).json()) as Flat;
    expect(await overview()).toMatchObject({
      mood: "busy",
      more: "",
      action: null,
      sentence: expect.stringMatching(/^Downloading 4.recordings/),
      detail: expect.stringMatching(/^Started \d\d:\d\d, just now\. The drive of 10:17: 0 of 4 home\.$/),
    });
    await running.client.send("POST", "/api/sync/stop");
    await running.synced();
    expect(await status()).toMatchObject({ state: "failed", last_run_state: "failed" });
    expect(Number((await status())["pending_files"])).toBeGreaterThanOrEqual(11);
    expect(await overview()).toMatchObject({ mood: "attention", sentence: "The sync was stopped." });
  });

  test("tells the latest drive by the gap that the settings name", async () => {
    const card = new SimulatedCard(syntheticFootage(2000));
    for (const minute of ["10", "22", "34"]) card.record(`20260607_10${minute}00_NF.mp4`);
    await using running = await startApp({
      card,
      clock: new FakeClock("2026-06-07T10:40:00Z"),
      settings: { retention: { keep: "" } },
    });
    await running.client.open("/");
    await running.client.send("POST", "/api/sync/now");
    await running.synced();
    const drive = async () => (await (await running.client.fetch("/api/overview")).json()) as Flat;
    expect(await drive()).toMatchObject({ detail: expect.stringContaining("The drive of 10:34 is home.") });
    await running.client.send("PATCH", "/api/settings/viewer", { trip_gap_minutes: 15 });
    expect(await drive()).toMatchObject({ detail: expect.stringContaining("The drive of 10:10 is home.") });
  });
});
