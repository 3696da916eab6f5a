import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onBothInterfaces } from "../../support/app/interfaces.ts";
import { cardOf, FILES_OF, OURS, SyncBench, VIDEOS } from "../../support/app/sync.ts";
import { mayMount, SmallDisk } from "../../support/disk/disks.ts";

const MB = 1024 * 1024;

onBothInterfaces((generation) => {
  describe.skipIf(!mayMount())("on a disk of its own (needs the right to mount)", () => {
    /** Four videos of 2 MB for a disk of 8 MB, of which something else takes 3 MB. */
    const bigCard = () => SyncBench.open({ generation, card: cardOf(VIDEOS, 2 * MB) });
    function tight(bench: SyncBench, filler: string): SmallDisk {
      const disk = new SmallDisk(bench.destination, "8m");
      bench.put(filler, new Uint8Array(3 * MB));
      return disk;
    }

    test("a file whose size is known and does not fit is not begun, and comes when there is room", async () => {
      await using bench = await bigCard();
      using disk = tight(bench, "filler");
      const card = bench.offered().filter((name) => name.endsWith(".mp4"));
      const result = await bench.sync({ skipMetadata: ["t", "3", "g"] });
      expect(result.failure).toMatchObject({ kind: "trouble", reason: "disk" });
      expect(result.failure?.message).toMatch(/the file needs 2.*MB and the disk has room for/);
      // The file, and the run: with so little left nothing else would fit either.
      expect(result.run.failures.disk).toBe(2);
      expect((await bench.home()).whole).toEqual(card.slice(0, 2));
      expect((await bench.home()).partials).toEqual({});
      expect(bench.told("ERROR")).toHaveLength(1);

      disk.remount("size=20m");
      expect((await bench.sync({ skipMetadata: ["t", "3", "g"] })).failure).toBeNull();
      expect((await bench.home()).whole).toEqual(card);
    });

    test("a video without a length that fills the disk leaves no partial, and waits", async () => {
      await using bench = await bigCard();
      using disk = tight(bench, "filler");
      // Without a length it cannot be known beforehand.
      bench.simulator.fault("chunked");
      const result = await bench.sync();
      expect(result.failure).toMatchObject({ kind: "trouble", reason: "disk" });
      expect(result.failure?.message).toMatch(/names no length and sent .*, and the disk has room for no more/);
      const { whole, wrong, partials, markers } = await bench.home();
      expect({ wrong, partials }).toEqual({ wrong: [], partials: {} });
      // With so little left nothing else would fit either.
      expect(whole).toEqual(bench.offered().filter((name) => !name.includes("_101600_E")));
      expect(markers).toEqual([`${VIDEOS[2]}.failed`]);

      const before = bench.simulator.requests.length;
      await bench.sync();
      expect(bench.asked(before)).not.toContain(VIDEOS[2]);

      rmSync(join(bench.destination, "filler"));
      disk.remount("size=20m");
      expect((await bench.sync({ retryFailedAfterMs: 0 })).failure).toBeNull();
      expect((await bench.home()).whole).toEqual(bench.offered());
    });

    test("retention makes room in the middle of a run that may delete, and the run goes on", async () => {
      await using bench = await bigCard();
      using _ = tight(bench, "20250101_120000_NF.mp4");
      const videos = VIDEOS.slice(0, 3);
      const rules = { include: ["NF", "NR", "EF"], skipMetadata: ["t", "3", "g"] };
      const result = await bench.sync({ ...rules, deletes: true, cutoff: "2026-01-01" });
      expect(result.failure).toBeNull();
      expect(result.counts).toMatchObject({ completed: 3, failed: 0, removed: 1 });
      expect(bench.topic.value).toMatchObject({ files_total: 3, files_completed: 3, files_failed: 0 });
      expect((await bench.home()).whole).toEqual([...videos]);
    });

    test("a read-only disk fails in one plain line", async () => {
      await using bench = await bigCard();
      using disk = tight(bench, "filler");
      disk.remount("ro");
      const result = await bench.sync();
      expect(result.failure).toMatchObject({ kind: "trouble", reason: "unknown" });
      expect(result.failure?.message).toMatch(/read-only/);
      expect(bench.told("WARNING", "ERROR")).toEqual([expect.stringMatching(/^Sync failed: .*read-only/)]);
      expect(bench.simulator.requests).toEqual([]);
      expect(bench.tree()).toEqual(["filler"]);
    });

    test("a group folder on another disk gets whole files, and nothing is left on either", async () => {
      await using bench = await SyncBench.open({ generation });
      using _ = new SmallDisk(join(bench.destination, "2026-06"), "8m");
      expect((await bench.sync({ grouping: "monthly" })).failure).toBeNull();
      expect((await bench.home()).whole).toEqual(bench.offered());
      expect(readdirSync(join(bench.destination, "2026-06")).sort()).toEqual(bench.offered());
      expect(bench.tree().filter((path) => path.startsWith("."))).toEqual([...OURS]);
      expect((await bench.sync({ grouping: "none" })).counts).toMatchObject({
        present: FILES_OF[generation],
        completed: 0,
      });
    });

    test("a group folder on another disk that is full keeps the partial", async () => {
      await using bench = await SyncBench.open({ generation, card: cardOf(VIDEOS, 2 * MB) });
      using disk = new SmallDisk(join(bench.destination, "2026-06"), "1m");
      const result = await bench.sync({ grouping: "monthly" });
      expect(result.failure).toMatchObject({ kind: "trouble", reason: "disk" });
      const home = await bench.home();
      expect(home.wrong).toEqual([]);
      // The next ones may be under way while the first is put in its place.
      expect(home.partials).toMatchObject({ [VIDEOS[0]]: 2 * MB });
      expect(readdirSync(join(bench.destination, "2026-06")).filter((name) => name.endsWith(".mp4"))).toEqual([]);
      disk.remount("size=20m");
      const before = bench.simulator.requests.length;
      expect((await bench.sync({ grouping: "monthly" })).failure).toBeNull();
      expect(bench.rangesOf(VIDEOS[0], before)).toEqual([`bytes=${2 * MB - 65_536}-${2 * MB - 1}`]);
      expect((await bench.home()).whole).toEqual(bench.offered());
    });
  });

  describe("a destination that goes away in the middle of a run", () => {
    async function expectGone(bench: SyncBench): Promise<void> {
      bench.put("20250101_120000_NF.mp4", "old");
      const { failure } = await bench.sync({ grouping: "daily", deletes: true, cutoff: "2026-01-01" });
      expect(failure).toMatchObject({ kind: "trouble", reason: "disk" });
      expect(failure?.message).toMatch(/destination folder is gone/);
      expect(existsSync(bench.destination)).toBe(false);
      expect(bench.told("ERROR")).toHaveLength(1);
      bench.onLine = () => {};
      expect((await bench.sync()).failure).toBeNull();
      expect((await bench.home()).whole).toEqual(bench.offered());
    }

    test("between two files ends it in plain words and is not made anew", async () => {
      await using bench = await SyncBench.open({ generation });
      bench.onLine = ({ message }) => {
        if (message.startsWith("Downloaded")) rmSync(bench.destination, { recursive: true, force: true });
      };
      await expectGone(bench);
    });

    test("while the list is fetched ends it in plain words and is not made anew", async () => {
      await using bench = await SyncBench.open({ generation });
      void bench.simulator.asked(/vod/).then(() => rmSync(bench.destination, { recursive: true }));
      await expectGone(bench);
    });

    test("in the middle of a body", async () => {
      await using bench = await SyncBench.open({ generation, rate: 100_000 });
      const begun = bench.until(({ current_file }) => (current_file?.downloaded_bytes ?? 0) > 0);
      const work = bench.sync();
      await begun;
      rmSync(bench.destination, { recursive: true });
      bench.simulator.rate = null;
      const { failure } = await work;
      expect(failure).toMatchObject({ kind: "trouble" });
      expect(failure?.message).toMatch(/destination folder is gone/);
      expect(existsSync(bench.destination)).toBe(false);
    });
  });
});
