import { describe, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DiskReading } from "../../../server/engine/transfer/disk_reading.ts";
import { DiskReservations } from "../../../server/engine/transfer/disk_reservations.ts";
import { StopRequested } from "../../../server/engine/transfer/failure_of_error.ts";
import { readDisk } from "../../../server/store/destination/disk_usage.ts";
import { startApp } from "../../support/app/app.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { onBothInterfaces } from "../../support/app/interfaces.ts";
import { cardOf, SyncBench, VIDEOS } from "../../support/app/sync.ts";

const OLD = ["20250101_120000_NF.mp4", "20250101_120000_NR.mp4", "20250102_120000_EF.mp4"];
const BYTES = 250_000;
const keeping = { deletes: true, cutoff: "2026-03-01" } as const;

/** Bytes in the trash by the ratio in a run's row. */
async function trashIn({ destination }: { readonly destination: string }, ratio: number | null | undefined) {
  const { totalBytes } = await readDisk(destination);
  return typeof ratio === "number" ? Math.round(ratio * totalBytes) : ratio;
}

onBothInterfaces((generation) => {
  async function benchWithOld(): Promise<SyncBench> {
    const bench = await SyncBench.open({ generation, card: cardOf(VIDEOS.slice(0, 1), 1000) });
    for (const name of OLD) bench.put(name, Buffer.alloc(BYTES));
    return bench;
  }

  describe("the trash in a run's row", () => {
    test("is what a pass has left there, and nothing once that is gone", async () => {
      await using bench = await benchWithOld();
      expect((await bench.sync()).run.trashRatio).toBe(0);
      const { run } = await bench.sync(keeping);
      expect(run.deleted?.recordings).toBe(3);
      expect(await trashIn(bench, run.trashRatio)).toBe(3 * BYTES);
      // Bytes left by an earlier run are told by runs that delete nothing, also by one that only looks.
      expect(await trashIn(bench, (await bench.sync()).run.trashRatio)).toBe(3 * BYTES);
      expect(await trashIn(bench, (await bench.sync({ ...keeping, dryRun: true })).run.trashRatio)).toBe(3 * BYTES);
      expect((await bench.sync({ ...keeping, trashMs: 0 })).run.trashRatio).toBe(0);
    });

    test("is told of a run whose camera is away, and of none that never saw the disk", async () => {
      await using bench = await benchWithOld();
      await bench.sync(keeping);
      await bench.simulator.goAway();
      expect(await trashIn(bench, (await bench.sync(keeping)).run.trashRatio)).toBe(3 * BYTES);
      const { run } = await bench.sync({ address: "" });
      expect([run.diskUsedRatio, run.trashRatio]).toEqual([null, null]);
    });

    test("makes no folder where there is none", async () => {
      await using bench = await SyncBench.open({ generation });
      const { run } = await bench.sync({ dryRun: true });
      expect([run.diskUsedRatio, run.trashRatio]).toEqual([null, null]);
      expect(existsSync(bench.destination)).toBe(false);
    });

    test("of a stopped run is that of its beginning", async () => {
      await using bench = await benchWithOld();
      await bench.sync(keeping);
      for (const path of bench.tree()) if (path.endsWith(".mp4")) rmSync(join(bench.destination, path));
      const stop = new AbortController();
      bench.topic.subscribe(({ phase }) => {
        if (phase === "downloading") stop.abort(new StopRequested());
      });
      const { run } = await bench.sync({ ...keeping, signal: stop.signal });
      expect(run.success).toBe(false);
      expect(run.diskUsedRatio).toBeGreaterThan(0);
      expect(await trashIn(bench, run.trashRatio)).toBe(3 * BYTES);
    });

    test("stands in the service's history", async () => {
      const clock = new FakeClock("2026-06-07T10:14:00Z");
      await using running = await startApp({ generation, clock, settings: { retention: { keep: "4w" } } });
      running.app.job.start("schedule");
      await running.synced();
      const { deleted, trashRatio } = running.app.history.latest() ?? {};
      expect([deleted, trashRatio]).toEqual([undefined, 0]);
    });
  });
});

describe("a reading", () => {
  const reading = (amount: () => Promise<{ recordings: number; bytes: number; entries: number }>, available = true) =>
    new DiskReading({
      root: import.meta.dir,
      clock: new FakeClock(),
      trash: { amount },
      library: { available },
      written: () => 0,
      reservations: new DiskReservations(),
    });
  const none = new AbortController().signal;
  const amountOf = (bytes: number) => Promise.resolve({ recordings: 1, bytes, entries: 1 });

  test("never fails for the trash", async () => {
    const disk = reading(() => Promise.reject(new Error("EIO")));
    await disk.read(none);
    expect(await disk.atEnd(none)).toEqual({ diskUsedRatio: expect.any(Number), trashRatio: null });
  });

  test("looks again at the end, unless the run was stopped or the folder has gone", async () => {
    const { totalBytes } = await readDisk(import.meta.dir);
    const cases: [again: number, available: boolean, isStopped: boolean][] = [
      [2000, true, false],
      [1000, true, true],
      [1000, false, false],
    ];
    for (const [bytes, available, isStopped] of cases) {
      let asked = 0;
      const disk = reading(() => amountOf(1000 * ++asked), available);
      await disk.read(none);
      const { trashRatio } = await disk.atEnd(isStopped ? AbortSignal.abort() : none);
      expect(Math.round((trashRatio ?? 0) * totalBytes)).toBe(bytes);
    }
  });

  test("that never began looks at nothing at the end", async () => {
    let asked = 0;
    const disk = reading(() => amountOf(++asked));
    expect(await disk.atEnd(none)).toEqual({ diskUsedRatio: null, trashRatio: null });
    expect(asked).toBe(0);
  });
});
