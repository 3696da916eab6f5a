import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CARD_IDS, CARDS_OF_DELETING } from "../../server/domain/status/card_ids.ts";
import { type AppOptions, type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { Frames } from "../support/browser/frames.ts";

setDefaultTimeout(20_000);

const KEEP_ALL = { retention: { keep: "" } };
const STREAM = "/api/sync/progress/stream";

/** The service with a client that reads its stream, from the first frame on. */
async function following(options: AppOptions = {}): Promise<{ running: RunningApp; frames: Frames; seq: number }> {
  const running = await startApp({ settings: KEEP_ALL, ...options });
  await running.client.open("/");
  const frames = await Frames.open(running.client, STREAM);
  const first = await frames.next();
  expect(first?.data).toMatchObject({ state: "idle", changed: [] });
  return { running, frames, seq: Number(first?.data["seq"]) };
}

/** A card as it is now; its spaces are plain ones. */
async function fragment({ client }: RunningApp, id: string): Promise<string> {
  const path = id === "last-run-card" || id === "status-card" ? `/hx/sync/${id}` : `/hx/${id}`;
  return (await (await client.fetch(path)).text()).replaceAll(/[\u00a0\u202f]/g, " ");
}

describe("the progress stream names the cards that changed", () => {
  test("when the schedule is paused and goes on, with the state of the job as it is", async () => {
    const clock = new FakeClock();
    const { running, frames, seq } = await following({ clock });
    await using _ = running;
    for (const [index, deed] of ["pause", "pause", "resume"].entries()) {
      expect((await running.client.send("POST", `/api/schedule/${deed}`)).status).toBe(200);
      // To pause what is paused changes nothing.
      if (index === 1) continue;
      await clock.advance(200);
      const changed = ["status-card", "next-scheduled-card", "hints-card"];
      expect((await frames.next())?.data).toMatchObject({ state: "idle", seq: seq + (index === 0 ? 1 : 2), changed });
      const isPaused = (await fragment(running, "next-scheduled-card")).includes("Paused");
      expect(isPaused).toBe(deed === "pause");
    }
    await using late = await Frames.open(running.client, STREAM);
    expect((await late.next())?.data).toMatchObject({ seq: seq + 2, changed: [] });
  });

  test("once each, for every reader, also those of frames that were left out", async () => {
    const clock = new FakeClock();
    const { running, frames } = await following({ clock });
    await using _ = running;
    const { cards } = running.app;
    await using other = await Frames.open(running.client, STREAM);
    await other.next();
    cards.publish(["storage-card"]);
    cards.publish(["receipts-card"]);
    cards.publish(["storage-card"]);
    await using late = await Frames.open(running.client, STREAM);
    expect((await late.next())?.data).toMatchObject({ changed: [] });
    cards.publish(["dashcam-card"]);
    await clock.advance(200);
    for (const reader of [frames, other])
      expect((await reader.next())?.data["changed"]).toEqual(["storage-card", "receipts-card", "dashcam-card"]);
    expect((await late.next())?.data["changed"]).toEqual(["dashcam-card"]);
    cards.publish(["status-card"]);
    await clock.advance(200);
    expect((await frames.next())?.data["changed"]).toEqual(["status-card"]);
  });

  test("at the end of a run all of them, when the run is in the history", async () => {
    const { running, frames } = await following();
    await using _ = running;
    await running.client.send("POST", "/api/sync/now");
    const { data } = await frames.until(({ state }) => state === "completed");
    expect(data["changed"]).toEqual(expect.arrayContaining([...CARD_IDS]));
    expect(running.app.history.latest()).toMatchObject({ success: true, files: 12 });
    expect(await fragment(running, "last-run-card")).toContain("4 recordings");
    expect(await fragment(running, "recent-activity-card")).toContain("All 2 clips");
  });

  test("and the disk is looked at anew with the card that shows it, once for all who tell of it", async () => {
    // Time stands still: one look would serve for ever.
    const { running } = await following({ clock: new FakeClock() });
    await using _ = running;
    const { app, client } = running;
    mkdirSync(running.destination);
    const told = async (path: string) => (await (await client.fetch(path)).json()) as Record<string, unknown>;
    let look = app.storage.read();
    app.cards.publish(["status-card"]);
    expect(app.storage.read()).toBe(look);
    const deeds = [
      async () => app.cards.publish(CARDS_OF_DELETING),
      async () => {
        await client.send("POST", "/api/sync/now");
        await running.synced();
      },
    ];
    for (const deed of deeds) {
      await deed();
      const overview = await told("/api/overview");
      const now = app.storage.read();
      expect(now).not.toBe(look);
      look = now;
      const { availableBytes, usedRatio } = await now;
      const percent = Math.round(usedRatio * 1000) / 10;
      expect(overview["available_bytes"]).toBe(availableBytes);
      expect(await told("/api/status")).toMatchObject({ disk_used_percent: percent });
      expect(await told("/api/health/storage")).toMatchObject({ available_bytes: availableBytes });
      expect(await fragment(running, "storage-card")).toContain(`${percent} % used`);
      expect(app.storage.read()).toBe(look);
    }
  });

  test("when the end of a run fades", async () => {
    const clock = new FakeClock();
    const { running, frames } = await following({ clock });
    await using _ = running;
    await running.client.send("POST", "/api/sync/now");
    await running.synced();
    await clock.advance(200);
    await frames.until(({ state }) => state === "completed");
    await clock.advance(10_000);
    const { data } = await frames.until(({ state }) => state === "idle");
    expect(data["changed"]).toEqual(["status-card", "last-run-card"]);
    expect(await fragment(running, "last-run-card")).not.toContain("Just now");
  });

  test("when the next run has moved on without a run", async () => {
    const clock = new FakeClock("2026-06-07T10:14:59Z");
    const { running, frames } = await following({
      clock,
      settings: { ...KEEP_ALL, schedule: { paused: true, cron_expression: "*/15 * * * *", timezone: "UTC" } },
    });
    await using _ = running;
    running.app.scheduler.start(running.app.job);
    await clock.advance(1000);
    await clock.advance(200);
    expect((await frames.next())?.data).toMatchObject({
      state: "idle",
      changed: ["status-card", "next-scheduled-card", "hints-card"],
    });
  });

  test("when settings are saved that may change anything", async () => {
    const { running, frames } = await following();
    await using _ = running;
    mkdirSync(running.destination);
    const answer = await running.client.send("PATCH", "/api/settings/retention", { max_used_disk_percent: 80 });
    expect(answer.status).toBe(200);
    expect((await frames.next())?.data["changed"]).toEqual([...CARD_IDS]);
    expect(await fragment(running, "storage-card")).toContain("syncing stops at 80 %");
  });

  test("when recordings are deleted, come back, and when that was seen", async () => {
    const { running, frames } = await following();
    await using _ = running;
    mkdirSync(running.destination, { recursive: true });
    const names = ["20260601_120000_NF.mp4", "20260602_120000_NF.mp4"];
    for (const name of names) writeFileSync(join(running.destination, name), "x".repeat(1000));
    await running.app.library.refresh();
    const told = (cards: readonly string[]) =>
      frames.until(({ changed }) => cards.every((card) => (changed as string[]).includes(card)));
    const DELETED = ["status-card", "storage-card", "recent-activity-card", "receipts-card"];
    expect((await running.client.send("DELETE", "/api/recordings/20260601_120000_N")).status).toBe(200);
    await told(DELETED);
    await running.client.send("POST", "/api/trash/restore", { all: true });
    await told(DELETED);
    expect(await fragment(running, "storage-card")).toContain("2 recordings");
    const { id } = running.app.history.deletions.latest() ?? {};
    expect((await running.client.send("POST", "/api/retention/seen", { id })).status).toBe(200);
    await told(["status-card", "receipts-card"]);
  });

  test("when the camera turns out to be away, and is back", async () => {
    const clock = new FakeClock();
    const { running, frames } = await following({ clock });
    await using _ = running;
    const ask = async () => {
      await fragment(running, "dashcam-card");
      await clock.advance(200);
    };
    await ask();
    const changed = ["status-card", "plan-card", "dashcam-card"];
    expect((await frames.next())?.data["changed"]).toEqual(changed);
    await running.simulator.goAway();
    await clock.advance(5000);
    await ask();
    expect((await frames.next())?.data["changed"]).toEqual(changed);
    expect(await fragment(running, "dashcam-card")).toContain("Camera away");
  });
});

describe("what the cards say of the camera", () => {
  const probes = ({ simulator }: RunningApp) =>
    simulator.requests.filter(({ method, path }) => method === "HEAD" || path === "/accessible").length;

  test("is what a run has just found out, without asking again", async () => {
    const { running, frames } = await following();
    await using _ = running;
    expect(await fragment(running, "dashcam-card")).toContain("Reachable");
    const asked = probes(running);
    await running.simulator.goAway();
    await running.client.send("POST", "/api/sync/now");
    const { data } = await frames.until(({ state }) => state === "failed");
    expect(data["changed"]).toEqual(expect.arrayContaining(["dashcam-card", "last-run-card"]));
    const card = await fragment(running, "dashcam-card");
    expect(card).toContain("Camera away");
    expect(card).toContain("The camera refused the connection.");
    expect(await fragment(running, "status-card")).not.toContain("The camera is at home");
    expect(probes(running)).toBe(asked);
  });

  test("is nothing while a run waits for its answer, and that it is there when the list has come", async () => {
    const { running, frames } = await following({ rate: 100_000 });
    await using _ = running;
    expect(await fragment(running, "dashcam-card")).toContain("Reachable");
    running.simulator.fault("never-answers");
    await running.client.send("POST", "/api/sync/now");
    await frames.until(({ state, changed }) => state === "running" && (changed as string[]).includes("dashcam-card"));
    expect(await fragment(running, "dashcam-card")).toContain("Asking the camera");
    const status = await fragment(running, "status-card");
    expect(status).toContain("Asking the camera");
    expect(status).not.toContain("The camera is at home");
    await running.client.send("POST", "/api/sync/stop");
    await running.synced();

    running.simulator.clearFaults();
    await running.client.send("POST", "/api/sync/now");
    await frames.until(
      ({ phase, changed }) => phase === "downloading" && (changed as string[]).includes("dashcam-card"),
    );
    expect(await fragment(running, "dashcam-card")).toContain("Sending");
    expect(await fragment(running, "status-card")).toContain("The drive of 10:17: 0 of 4 home");
    await running.client.send("POST", "/api/sync/stop");
    await running.synced();
  });
});
