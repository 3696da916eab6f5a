import { expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SimulatedCard } from "../../server/dashcam/simulator/simulated_card.ts";
import type { Settings } from "../../server/domain/settings/settings.ts";
import { readDisk } from "../../server/store/destination/disk_usage.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { atHome, DAY, inTrash, namesFrom, put, run, send, state } from "../support/app/held.ts";
import { cardOf } from "../support/app/sync.ts";
import { mayMount, SmallDisk } from "../support/disk/disks.ts";

setDefaultTimeout(30_000);

const NOW = "2026-06-07T10:30:00Z";

/** Runs with a destination on a disk of 10 MB; the card brings nothing of weight. */
async function onSmallDisk(
  retention: Partial<Settings["retention"]>,
  then: (running: RunningApp, fill: (megabytes: number) => void, card: SimulatedCard) => Promise<void>,
): Promise<void> {
  const card = cardOf(["20260607_101500_NF.mp4"], 1000);
  const folder = mkdtempSync(join(tmpdir(), "retention-"));
  try {
    using _disk = new SmallDisk(join(folder, "recordings"), "10m");
    await using running = await startApp({
      folder,
      card,
      clock: new FakeClock(NOW),
      settings: { retention: { keep: "1y", ...retention }, schedule: { paused: true } },
    });
    const fill = (megabytes: number) =>
      writeFileSync(
        join(running.destination, "of another program"),
        Buffer.alloc(Math.round(megabytes * 1_000_000), 1),
      );
    await then(running, fill, card);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const HUNDRED_KB = Buffer.alloc(100_000, "x").toString("latin1");

test.skipIf(!mayMount())(
  "when other files alone exceed the share of the disk no recording goes for it, nor what is in the trash (needs the right to mount)",
  async () => {
    await onSmallDisk({ max_percent: 60 }, async (running, fill) => {
      const young = namesFrom("20260601", 12);
      put(running, young, HUNDRED_KB);
      await run(running);
      await send(running, "DELETE", "/api/recordings", { keys: ["20260601_000000_N"] });
      fill(8);
      await run(running);
      expect(atHome(running)).toEqual(young.slice(1));
      expect(inTrash(running)).toHaveLength(1);
      expect((await state(running)).problem).toMatch(
        /^Nothing is deleted for the limit of 60 % of the disk: it cannot be reached\. 8\.\d+.MB of other files stay\.$/,
      );
      // With less of them the limit holds again.
      fill(4);
      await run(running);
      expect([(await state(running)).problem, atHome(running).length]).toEqual([null, 11]);
    });
  },
);

test.skipIf(!mayMount())(
  "what would leave the disk for good is asked about when it is a large part of what is here, however few that are (needs the right to mount)",
  async () => {
    await onSmallDisk({ max_percent: 60 }, async (running, fill) => {
      const young = namesFrom("20260601", 30);
      put(running, young, HUNDRED_KB);
      // The first pass by rules that were just chosen is expected to be large.
      await run(running);
      fill(5);
      await run(running);
      expect(atHome(running)).toEqual(young);
      expect((await state(running)).held).toMatchObject({ reason: "many" });
      await send(running, "POST", "/api/retention/confirm");
      await run(running);
      const { last } = await state(running);
      expect(last).toMatchObject({ cause: "room", until: null });
      expect(atHome(running)).toEqual(young.slice(last?.recordings));
      expect(inTrash(running)).toEqual([]);
    });
  },
);

test("a clock that is weeks ahead takes neither all that is here nor what was deleted by hand", async () => {
  const clock = new FakeClock(NOW);
  const settings = { retention: { keep: "13d" }, schedule: { paused: true } };
  await using running = await startApp({ card: cardOf(["20260607_101500_NF.mp4"], 1000), clock, settings });
  const young = namesFrom("20260606", 12);
  put(running, young);
  await run(running);
  await send(running, "DELETE", "/api/recordings", { keys: ["20260606_000000_N"] });
  clock.jump(20 * DAY);
  await run(running);
  expect(atHome(running)).toContain(young[11] ?? "");
  expect([inTrash(running).length, (await state(running)).held]).toMatchObject([1, { reason: "clock" }]);
  clock.jump(-20 * DAY);
  await run(running);
  expect([inTrash(running).length, (await state(running)).held]).toEqual([1, null]);
});

test.skipIf(!mayMount())(
  "a disk without a byte left is no reason to keep the trash: rules and hands empty it (needs the right to mount)",
  async () => {
    await onSmallDisk({ max_percent: 95 }, async (running) => {
      const young = namesFrom("20260601", 40);
      put(running, young, HUNDRED_KB);
      await run(running);
      for (const key of ["20260601_000000_N", "20260601_000100_N", "20260601_000200_N"])
        await send(running, "DELETE", "/api/recordings", { keys: [key] });
      fillUp(running.destination);
      const [key] = inTrash(running).map((name) => name.slice(0, 17));
      expect(await send(running, "DELETE", "/api/trash", { keys: [key] })).toMatchObject({ status: 200 });
      expect(inTrash(running)).toHaveLength(2);
      fillUp(running.destination);
      await run(running);
      expect([inTrash(running), (await state(running)).problem]).toEqual([[], null]);
      expect(atHome(running).length).toBeWithin(30, 37);
    });
  },
);

test.skipIf(!mayMount())(
  "the trash is emptied for a run only when that makes it possible; else it stays, and the run says what fills the disk (needs the right to mount)",
  async () => {
    await onSmallDisk({ max_used_disk_percent: 70 }, async (running, fill, card) => {
      put(running, namesFrom("20260601", 20), HUNDRED_KB);
      await run(running);
      const first = "20260601_000000_N";
      const second = "20260601_000100_N";
      for (const key of [first, second]) await send(running, "DELETE", "/api/recordings", { keys: [key] });
      card.record("20260607_101600_EF.mp4");
      fill(8);
      await run(running);
      expect(inTrash(running)).toHaveLength(2);
      expect(running.app.history.latest()?.message).toMatch(
        /^the disk is \d+(\.\d)? % full and the limit is 70 %; .*; the disk holds 1\.8.MB of recordings, 200.kB in the trash and 8\.\d.MB of other files$/,
      );
      // Above it by less than the trash has: the oldest of it makes room, and what is new comes home.
      const { totalBytes, usedBytes } = await readDisk(running.destination);
      fill((totalBytes * 0.7 - (usedBytes - 8_000_000) + 50_000) / 1_000_000);
      await run(running);
      expect(running.app.history.latest()?.success).toBe(true);
      expect(existsSync(join(running.destination, "20260607_101600_EF.mp4"))).toBe(true);
      expect(inTrash(running)).toEqual([`${second}F.mp4`]);
    });
  },
);

/** Takes what room is left, to the last block. */
function fillUp(folder: string): void {
  for (const size of [100_000, 4096, 1]) {
    try {
      for (;;) appendFileSync(join(folder, "of another program"), Buffer.alloc(size, 1));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
}
