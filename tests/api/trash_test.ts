import { describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TrashUnusable } from "../../server/store/destination/own_folder_guard.ts";
import type { RunningApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { atHome, DAY, inTrash, put, run, send, state } from "../support/app/held.ts";
import { days, fromCard, KEY, NOW, OLD, start, VIDEOS } from "../support/app/retention.ts";

setDefaultTimeout(30_000);

describe("had back", () => {
  test("what a pass took comes back as one, without a mark it did not have, and the next pass leaves it", async () => {
    const clock = new FakeClock(NOW);
    await using running = await start({ clock });
    put(running, ["2026-04/20260401_000000_NF.mp4", "2026-04/20260401_000000_N.gps", ...OLD.slice(1)]);
    const before = readdirSync(join(running.destination, "2026-04")).sort();
    await run(running);
    expect(existsSync(join(running.destination, "2026-04"))).toBe(false);
    const { last } = await state(running);
    const { body } = await send(running, "POST", "/api/trash/restore", { deletion: last?.id });
    expect(body).toEqual({ restored: 3, recordings: 3, failed: [] });
    expect(readdirSync(join(running.destination, "2026-04")).sort()).toEqual(before);
    expect((await state(running)).kept.recordings).toBe(0);
    expect(await state(running)).toMatchObject({ unseen: [], trash: { recordings: 0, bytes: 0 } });
    clock.pass(DAY);
    await run(running);
    expect(atHome(running)).toEqual(["2026-04/20260401_000000_NF.mp4", ...OLD.slice(1)]);
  });

  test("one, several, all; what is not there is named; a second time there is nothing", async () => {
    await using running = await start();
    put(running, OLD);
    await run(running);
    const [first = "", second = ""] = OLD.map((name) => name.slice(0, 17));
    const restore = async (body: unknown) => (await send(running, "POST", "/api/trash/restore", body)).body;
    expect(await restore({ keys: [first, "20200101_000000_N"] })).toMatchObject({
      restored: 1,
      failed: [{ key: "20200101_000000_N", reason: "It is not in the trash." }],
    });
    // It came home by another way meanwhile.
    put(running, [`${second}F.mp4`], "another");
    expect(await restore({ all: true })).toMatchObject({
      restored: 1,
      failed: [{ key: second, reason: "It is here already, and nothing is written over." }],
    });
    expect(readFileSync(join(running.destination, `${second}F.mp4`), "utf8")).toBe("another");
    expect(inTrash(running)).toEqual([`${second}F.mp4`]);
    expect(await restore({ deletion: "nothing" })).toMatchObject({ restored: 0, failed: [] });
    for (const bad of [{}, { all: 1 }, { keys: [1] }, { deletion: 3 }])
      expect(await restore(bad)).toMatchObject({ code: "INVALID_BODY" });
  });

  test("of what was deleted twice the last comes back and stays, the other waits on", async () => {
    const clock = new FakeClock(NOW);
    await using running = await start({ clock });
    put(running, [`${KEY}F.mp4`], "the first");
    await run(running);
    clock.pass(60_000);
    put(running, [`${KEY}F.mp4`], "the second");
    await run(running);
    expect((await send(running, "POST", "/api/trash/restore", { keys: [KEY] })).body).toMatchObject({
      restored: 1,
      failed: [],
    });
    expect(readFileSync(join(running.destination, `${KEY}F.mp4`), "utf8")).toBe("the second");
    expect((await days(running)).flatMap(({ recordings }) => recordings)).toHaveLength(1);
    clock.pass(60_000);
    await run(running);
    expect(atHome(running)).toEqual([`${KEY}F.mp4`]);
  });

  test("where nothing can be put back everything stays in the trash", async () => {
    await using running = await start();
    put(running, OLD);
    await run(running);
    const refused = spyOn(running.app.retention.trash, "putBack").mockRejectedValue(new TrashUnusable("it is full"));
    expect((await send(running, "POST", "/api/trash/restore", { all: true })).status).not.toBe(200);
    refused.mockRestore();
    expect(inTrash(running)).toEqual(OLD);
  });

  test("while a sync runs, without waiting for it", async () => {
    await using running = await start();
    put(running, OLD);
    await run(running);
    rmSync(join(running.destination, VIDEOS[0] ?? ""));
    running.simulator.rate = 50;
    running.app.job.start("schedule");
    await running.simulator.asked(new RegExp(VIDEOS[0] ?? ""));
    expect((await send(running, "POST", "/api/trash/restore", { all: true })).body).toMatchObject({
      restored: 3,
      failed: [],
    });
    expect(running.app.job.isRunning).toBe(true);
    running.simulator.rate = null;
    await running.synced();
    expect(atHome(running)).toEqual(OLD);
    expect(fromCard(running)).toEqual(VIDEOS);
  });

  test("into the grouping's folder when its own is gone, and never through a link out of the destination", async () => {
    const folder = mkdtempSync(join(tmpdir(), "retention-"));
    try {
      await using running = await start({
        folder,
        settings: { retention: { keep: "" }, sync: { grouping: "monthly" } },
      });
      const names = [
        "holiday/spain/20260401_100000_NF.mp4",
        "holiday/20260402_100000_NF.mp4",
        "2026-04/20260403_100000_NF.mp4",
      ];
      put(running, names);
      const keys = names.map((name) => name.slice(-22, -5));
      expect((await send(running, "DELETE", "/api/recordings", { keys })).body).toMatchObject({ deleted: keys });
      mkdirSync(join(folder, "elsewhere", "spain"), { recursive: true });
      for (const name of ["holiday", "2026-04"]) rmSync(join(running.destination, name), { recursive: true });
      symlinkSync(join(folder, "elsewhere"), join(running.destination, "holiday"));
      expect((await send(running, "POST", "/api/trash/restore", { all: true })).body).toMatchObject({
        restored: 3,
        failed: [],
      });
      expect(atHome(running)).toEqual(names.map((name) => `2026-04/${name.slice(-22)}`));
      expect(readdirSync(join(folder, "elsewhere", "spain"))).toEqual([]);

      const [key = ""] = keys;
      await send(running, "DELETE", `/api/recordings/${key}/keep`);
      await send(running, "DELETE", `/api/recordings/${key}`);
      renameSync(join(running.destination, "2026-04"), join(running.destination, "mine"));
      symlinkSync(join(folder, "elsewhere"), join(running.destination, "2026-04"));
      expect((await send(running, "POST", "/api/trash/restore", { keys: [key] })).body).toMatchObject({
        restored: 0,
        failed: [{ key, reason: expect.stringContaining("is a link") }],
      });
      expect(readdirSync(join(folder, "elsewhere"))).toEqual(["spain"]);
      expect(inTrash(running)).toEqual([`2026-04/${key}F.mp4`]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("what came back is left alone by the rule that took it", () => {
  const restoreAll = (running: RunningApp) => send(running, "POST", "/api/trash/restore", { all: true });

  test("as long as that rule stays the same, and over restarts", async () => {
    const clock = new FakeClock(NOW);
    const folder = mkdtempSync(join(tmpdir(), "retention-"));
    try {
      {
        await using running = await start({ clock, folder });
        put(running, OLD);
        await run(running);
        expect((await restoreAll(running)).body).toMatchObject({ restored: 3 });
        for (let day = 0; day < 25; day += 5) {
          clock.pass(5 * DAY);
          await run(running);
          expect(atHome(running)).toEqual(OLD);
        }
        expect(await state(running)).toMatchObject({ held: null, kept: { recordings: 0 } });
      }
      await using running = await start({ clock, folder });
      await run(running);
      expect(atHome(running)).toEqual(OLD);
      // A week is over: another keep time is another rule.
      await send(running, "PATCH", "/api/settings/retention", { keep: "3w" });
      await run(running);
      expect(inTrash(running)).toEqual(expect.arrayContaining(OLD));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("for a week at least, whatever it becomes", async () => {
    const clock = new FakeClock(NOW);
    await using running = await start({ clock });
    put(running, OLD);
    await run(running);
    await restoreAll(running);
    await send(running, "PATCH", "/api/settings/retention", { keep: "3w" });
    clock.pass(7 * DAY - 1);
    await run(running);
    expect(atHome(running)).toEqual(OLD);
    clock.pass(1);
    await run(running);
    expect(inTrash(running)).toEqual(OLD);
  });

  test("and by it alone: a limit that took nothing of it may take it, and age takes what a limit took", async () => {
    const clock = new FakeClock(NOW);
    await using running = await start({ clock, settings: { retention: { keep: "" } } });
    put(running, OLD, "x".repeat(1000));
    // Recordings from the card weigh more than the limit.
    await send(running, "PATCH", "/api/settings/retention", { max_gb: 3e-6 });
    await run(running);
    expect(atHome(running)).toEqual([]);
    await restoreAll(running);
    await run(running);
    expect(atHome(running)).toEqual(OLD);
    await send(running, "PATCH", "/api/settings/retention", { keep: "4w" });
    await run(running);
    expect(inTrash(running)).toEqual(expect.arrayContaining(OLD));
  });

  test("what was deleted by hand comes back as if it had not been", async () => {
    const clock = new FakeClock(NOW);
    await using running = await start({ clock });
    put(running, OLD);
    await send(running, "DELETE", `/api/recordings/${KEY}`);
    await restoreAll(running);
    await run(running);
    expect(atHome(running)).toEqual(OLD.slice(0, 1));
  });
});

test("what a killed process had half deleted is finished at the start, and before it is marked as kept", async () => {
  for (const isStarted of [true, false]) {
    await using running = await start({ settings: { retention: { keep: "" } } });
    const batch = ".dashdock/trash/20260607T100000000Z-hand";
    put(running, [
      `${batch}/${KEY}.gps`,
      ".dashdock/trash/.moving-20260607T100000000Z-hand",
      `${KEY}F.mp4`,
      `${KEY}R.mp4`,
    ]);
    const moved = () => inTrash(running).length === 2;
    if (isStarted) {
      const finished = new Promise<void>((done) => {
        running.app.log.latest.subscribe((line) => {
          if (line?.message.startsWith("Finished what was interrupted")) done();
        });
      });
      running.app.start();
      await finished;
    } else
      expect(await send(running, "PUT", `/api/recordings/${KEY}/keep`)).toMatchObject({
        status: 404,
        body: { code: "RECORDING_NOT_FOUND" },
      });
    expect([moved(), atHome(running)]).toEqual([true, []]);
    expect((await send(running, "POST", "/api/trash/restore", { keys: [KEY] })).body).toMatchObject({
      restored: 1,
      failed: [],
    });
    expect(readdirSync(running.destination).filter((name) => name.startsWith(KEY))).toHaveLength(3);
  }
});

describe("removed for good", () => {
  test("some, all, and nothing by a body that cannot be read", async () => {
    await using running = await start();
    put(running, OLD);
    await run(running);
    const remove = (body?: unknown) => send(running, "DELETE", "/api/trash", body);
    for (const bad of [{ key: KEY }, { keys: KEY }, "{", "[]", "null"])
      expect([bad, (await remove(bad)).status]).toEqual([bad, 400]);
    expect((await remove({ keys: [] })).body).toEqual({ deleted: 0, bytes: 0 });
    expect(inTrash(running)).toEqual(OLD);
    expect((await remove({ keys: [KEY, "20200101_000000_N"] })).body).toEqual({ deleted: 1, bytes: 3 });
    expect(inTrash(running)).toEqual(OLD.slice(1));
    expect((await remove()).body).toEqual({ deleted: 2, bytes: 6 });
    expect(readdirSync(join(running.destination, ".dashdock", "trash"))).toEqual([]);
  });

  test("a key takes what an earlier deletion left of it without a video", async () => {
    await using running = await start();
    put(running, [`.dashdock/trash/20260606T100000000Z-age/${KEY}F.thm`, `${KEY}F.mp4`]);
    await send(running, "DELETE", `/api/recordings/${KEY}`);
    expect((await send(running, "DELETE", "/api/trash", { keys: [KEY] })).body).toEqual({ deleted: 1, bytes: 6 });
    expect(readdirSync(join(running.destination, ".dashdock", "trash"))).toEqual([]);
  });

  test("by age: on the day and not before; fewer days count for what is there", async () => {
    const clock = new FakeClock(NOW);
    await using running = await start({ clock });
    put(running, OLD);
    await run(running);
    clock.pass(7 * DAY - 1000);
    await run(running);
    expect(inTrash(running)).toEqual(OLD);
    clock.pass(1000);
    await run(running, "manual");
    expect(inTrash(running)).toEqual(OLD);
    await run(running);
    expect(inTrash(running)).toEqual([]);
    put(running, OLD);
    await run(running);
    clock.pass(3 * DAY);
    await send(running, "PATCH", "/api/settings/retention", { trash_days: 3 });
    expect(inTrash(running)).toEqual(OLD);
    await run(running);
    expect(inTrash(running)).toEqual([]);
  });
});
