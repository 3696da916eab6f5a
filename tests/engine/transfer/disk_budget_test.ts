import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DiskBudget } from "../../../server/engine/transfer/disk_budget.ts";
import { DiskReservations } from "../../../server/engine/transfer/disk_reservations.ts";
import { readDisk } from "../../../server/store/destination/disk_usage.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { mayMount, SmallDisk } from "../../support/disk/disks.ts";

test.each([
  [0.98765, 98, "98.8 % full and the limit is 98 %"],
  [0.98749, 98, "98.7 % full and the limit is 98 %"],
  [0.9, 90, "90 % full and the limit is 90 %"],
])("a disk that is used to %d is told as the storage card tells it", async (ratio, limit, says) => {
  let written = 0;
  const reservations = new DiskReservations();
  const budget = new DiskBudget({ root: tmpdir(), clock: new FakeClock(), written: () => written, reservations });
  await budget.read();
  // Bytes written by the run since then are added, whatever is on the disk of the test.
  written = (ratio - (budget.lastUsedRatio ?? 0)) * (await readDisk(tmpdir())).totalBytes;
  expect(budget.full(limit).message.replaceAll("\u00a0", " ")).toContain(`the disk is ${says}`);
});

test.skipIf(!mayMount())(
  "what others write is seen after a second, what a run writes at once (needs the right to mount)",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "budget-"));
    try {
      using disk = new SmallDisk(join(folder, "disk"), "1m");
      const clock = new FakeClock();
      let written = 0;
      const reservations = new DiskReservations();
      const budget = new DiskBudget({ root: disk.path, clock, written: () => written, reservations });
      expect([(await budget.reserve(100, 0)).room, await budget.isOver(50)]).toEqual([1_048_576, false]);
      writeFileSync(join(disk.path, "others"), Buffer.alloc(524_288));
      written = 100_000;
      await clock.advance(1000);
      expect([(await budget.reserve(100, 0)).room, await budget.isOver(50)]).toEqual([948_576, false]);
      await clock.advance(1);
      expect([(await budget.reserve(100, 0)).room, await budget.isOver(50)]).toEqual([524_288, true]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test.skipIf(!mayMount())(
  "who takes all the room there is gets none that small files fill with whole blocks (needs the right to mount)",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "budget-"));
    try {
      using disk = new SmallDisk(join(folder, "disk"), "1m");
      let written = 0;
      const reservations = new DiskReservations();
      const budget = new DiskBudget({
        root: disk.path,
        clock: new FakeClock(),
        written: () => written,
        reservations,
      });
      await budget.read();
      for (let file = 0; file < 16; file++) writeFileSync(join(disk.path, `small-${file}`), "1");
      written = 16;
      const { reservation } = await budget.reserve(50, 1, 1_048_576);
      expect(reservation?.left).toBe(524_288 - 16 * 4096);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
