import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FakeClock } from "../support/app/clock.ts";
import { atHome, inTrash, put, run, send, state } from "../support/app/held.ts";
import { fromCard, KEY, NOW, OLD, own, start, VIDEOS } from "../support/app/retention.ts";
import { cardOf } from "../support/app/sync.ts";

setDefaultTimeout(30_000);

describe("deleted by hand", () => {
  test("it goes with all its files, is not fetched again, and forgotten when the camera has it no longer", async () => {
    await using running = await start();
    await run(running);
    expect(fromCard(running)).toEqual(VIDEOS);
    const key = "20260607_101500_N";
    const { status, body } = await send(running, "DELETE", `/api/recordings/${key}`);
    expect([status, body]).toEqual([200, { key, purge_at: "2026-06-14T10:30:00.000Z" }]);
    expect(fromCard(running)).toEqual(VIDEOS.slice(2));
    expect(readdirSync(running.destination).filter((name) => name.startsWith(key))).toEqual([]);
    expect(await send(running, "DELETE", `/api/recordings/${key}`)).toMatchObject({
      status: 404,
      body: { code: "RECORDING_NOT_FOUND" },
    });
    for (const trigger of ["manual", "schedule"] as const) {
      await run(running, trigger);
      expect(fromCard(running)).toEqual(VIDEOS.slice(2));
      expect(running.app.history.latest()?.leftOut?.deleted).toBe(2);
    }
    expect(own(running, "deleted")).toBe(`${key}\n`);
    // An empty list says nothing about the card.
    running.simulator.fault("list-empty");
    await run(running);
    running.simulator.clearFaults();
    expect(own(running, "deleted")).toBe(`${key}\n`);
    for (const name of VIDEOS.slice(0, 2)) running.simulator.card.remove(name);
    await run(running);
    expect(own(running, "deleted")).toBe("");
    expect((await state(running)).unseen).toEqual([]);
    expect((await state(running)).last).toMatchObject({ cause: "hand", recordings: 2 });
  });

  test("while a run brings it: what of it is not here yet does not come", async () => {
    const [front, rear] = VIDEOS.slice(0, 2) as [string, string];
    await using running = await start({ card: cardOf([front], 20_000) });
    await run(running);
    for (const name of [rear, VIDEOS[2] ?? ""]) running.simulator.card.record(name);
    await running.client.open("/");
    running.simulator.rate = 2000;
    running.app.job.start("schedule");
    await running.simulator.asked(new RegExp(rear));
    const key = front.slice(0, 17);
    expect((await send(running, "DELETE", `/api/recordings/${key}`)).status).toBe(200);
    expect(running.app.job.isRunning).toBe(true);
    running.simulator.rate = null;
    await running.synced();
    // Bytes that had arrived stay a partial: after a restore the camera may no longer have the recording.
    const left = readdirSync(running.destination).filter((name) => name.includes(key));
    expect(left.every((name) => name === `.${rear}`)).toBe(true);
    expect(fromCard(running)).toEqual(VIDEOS.slice(2));
    // Had back, the rest of it comes with the next run.
    expect((await send(running, "POST", "/api/trash/restore", { keys: [key] })).body).toMatchObject({
      restored: 1,
      failed: [],
    });
    await run(running);
    expect(fromCard(running)).toEqual(VIDEOS);
  });

  test("several at once are one deletion; those that cannot go are named", async () => {
    await using running = await start({ settings: { retention: { keep: "" } } });
    put(running, OLD);
    const keys = OLD.map((name) => name.slice(0, 17));
    await send(running, "PUT", `/api/recordings/${keys[0]}/keep`);
    const gone = "20260401_120000_N";
    const { body } = await send(running, "DELETE", "/api/recordings", { keys: [...keys, gone] });
    expect(body).toEqual({
      deleted: keys.slice(1),
      failed: [
        { key: keys[0], reason: expect.stringContaining("kept") },
        { key: gone, reason: expect.any(String) },
      ],
      purge_at: "2026-06-14T10:30:00.000Z",
    });
    expect(atHome(running)).toEqual(OLD.slice(0, 1));
    const { last } = await state(running);
    expect(last).toMatchObject({ cause: "hand", recordings: 2, bytes: 6 });
    expect((await send(running, "POST", "/api/trash/restore", { deletion: last?.id })).body).toMatchObject({
      restored: 2,
      failed: [],
    });
    expect(atHome(running)).toEqual(OLD);
    expect(own(running, "deleted")).toBe("");
    for (const bad of [{}, { keys: "all" }, { keys: [3] }, { keys: ["../../etc/passwd"] }])
      expect(await send(running, "DELETE", "/api/recordings", bad)).toMatchObject({ status: 400 });
  });

  test("with no days in the trash it is gone at once, and so is what a pass deletes", async () => {
    const clock = new FakeClock(NOW);
    await using running = await start({ clock, settings: { retention: { trash_days: 0 } } });
    put(running, OLD);
    expect((await send(running, "DELETE", `/api/recordings/${KEY}`)).body).toEqual({ key: KEY, purge_at: null });
    expect([atHome(running), inTrash(running)]).toEqual([OLD.slice(1), []]);
    clock.jump(1000);
    await run(running);
    expect([atHome(running), inTrash(running)]).toEqual([[], []]);
    expect((await state(running)).last).toMatchObject({ until: null, recordings: 2 });
  });

  test("where the trash cannot be used nothing goes, and what is missing of it still comes", async () => {
    await using running = await start();
    await run(running);
    writeFileSync(join(running.destination, ".dashdock", "trash"), "a file");
    const key = "20260607_101500_N";
    put(running, OLD);
    expect(await send(running, "DELETE", `/api/recordings/${key}`)).toMatchObject({
      status: 503,
      body: { code: "TRASH_UNUSABLE", error: expect.stringMatching(/^The trash folder .*\.$/) },
    });
    expect(fromCard(running)).toEqual(VIDEOS);
    rmSync(join(running.destination, VIDEOS[1] ?? ""));
    await run(running);
    expect(fromCard(running)).toEqual(VIDEOS);
    expect(atHome(running)).toEqual(OLD);
    expect(running.app.history.latest()?.success).toBe(true);
    expect((await state(running)).problem).toMatch(/^Nothing is deleted: the trash folder .*\.$/);
  });
});
