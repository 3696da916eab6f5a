import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onBothInterfaces } from "../../support/app/interfaces.ts";
import { SyncBench, VIDEOS } from "../../support/app/sync.ts";
import { mayMount, SmallDisk } from "../../support/disk/disks.ts";

/** Leaves the empty folder at the path, as when a disk leaves the folder it was mounted on. */
function unmount({ destination }: SyncBench): void {
  renameSync(destination, `${destination}.away`);
  mkdirSync(destination);
}

function mount({ destination }: SyncBench): void {
  rmSync(destination, { recursive: true });
  renameSync(`${destination}.away`, destination);
}

const NBSP = "\u00a0";
const LEFT = "the recordings folder was taken away while it was in use; is its disk mounted?";

onBothInterfaces((generation) => {
  /** Calls it once, when the first file has come home. */
  function afterFirst(bench: SyncBench, what: () => void): void {
    bench.onLine = ({ message }) => {
      if (!message.startsWith("Downloaded")) return;
      bench.onLine = () => {};
      what();
    };
  }

  async function expectAllWithNext(bench: SyncBench): Promise<void> {
    expect((await bench.sync()).failure).toBeNull();
    const home = await bench.home();
    expect([home.whole, home.wrong, home.partials]).toEqual([bench.offered(), [], {}]);
  }

  describe("a disk that leaves in the middle of a run ends it, and nothing is written in its place", () => {
    test("between two files", async () => {
      await using bench = await SyncBench.open({ generation });
      afterFirst(bench, () => unmount(bench));
      const { failure, run } = await bench.sync();
      expect(failure).toMatchObject({ kind: "trouble", reason: "disk", cause: "folder", message: LEFT });
      expect(run.failures.disk).toBe(1);
      expect(bench.tree()).toEqual([]);
      expect(bench.told("ERROR")).toEqual([expect.stringContaining(`Sync failed: ${LEFT}; until then 1${NBSP}file`)]);
      mount(bench);
      await expectAllWithNext(bench);
    });

    test("in the middle of a body", async () => {
      await using bench = await SyncBench.open({ generation, rate: 100_000 });
      const begun = bench.until(({ current_file }) => (current_file?.downloaded_bytes ?? 0) > 0);
      const work = bench.sync();
      await begun;
      unmount(bench);
      bench.simulator.rate = null;
      expect((await work).failure).toMatchObject({ kind: "trouble", reason: "disk", message: LEFT });
      expect(bench.tree()).toEqual([]);
      mount(bench);
      await expectAllWithNext(bench);
    });

    test("while the list is fetched", async () => {
      await using bench = await SyncBench.open({ generation });
      void bench.simulator.asked(/vod/).then(() => unmount(bench));
      expect((await bench.sync()).failure).toMatchObject({ kind: "trouble", reason: "disk", message: LEFT });
      expect(bench.tree()).toEqual([]);
    });

    test("and nothing is deleted to make room on what is there instead", async () => {
      await using bench = await SyncBench.open({ generation });
      afterFirst(bench, () => {
        unmount(bench);
        bench.put("20250101_120000_NF.mp4", "old");
      });
      const { failure, counts } = await bench.sync({ deletes: true, cutoff: "2026-01-01" });
      expect(failure).toMatchObject({ reason: "disk" });
      expect([counts.removed, bench.tree()]).toEqual([0, ["20250101_120000_NF.mp4"]]);
    });

    test("and what lies there is told, with its path", async () => {
      await using bench = await SyncBench.open({ generation });
      afterFirst(bench, () => {
        unmount(bench);
        bench.put(`2026-06-07/${VIDEOS[0]}`, "came when the disk was away");
        bench.put(`.${VIDEOS[1]}`, "began when the disk was away");
        bench.put("notes.txt", "");
      });
      const lie = `2${NBSP}files of recordings lie in ${bench.destination} as it is now; a disk that is mounted there hides them`;
      expect((await bench.sync()).failure?.message).toBe(`${LEFT} ${lie}`);
    });

    test('nor are the totals of the figures, which "sync" has in the destination', async () => {
      await using bench = await SyncBench.open({ generation });
      afterFirst(bench, () => unmount(bench));
      const targets = { file: null, pushgatewayUrl: null, job: "", instance: "", timeoutMs: 1000 };
      const stateFile = join(bench.destination, ".dashdock.metrics-state.json");
      expect((await bench.sync({ metrics: { targets, stateFile } })).failure).toMatchObject({ reason: "disk" });
      expect(bench.tree()).toEqual([]);
    });

    test("also when another disk is there", async () => {
      await using bench = await SyncBench.open({ generation });
      afterFirst(bench, () => {
        unmount(bench);
        bench.put(".dashdock/id", `${"0".repeat(32)}\n`);
      });
      expect((await bench.sync()).failure).toMatchObject({ reason: "disk", message: LEFT });
      expect(bench.tree()).toEqual([".dashdock/", ".dashdock/id"]);
    });
  });

  test("the same disk with other numbers, mounted again, is the same", async () => {
    await using bench = await SyncBench.open({ generation });
    afterFirst(bench, () => {
      const { destination } = bench;
      renameSync(destination, `${destination}.old`);
      cpSync(`${destination}.old`, destination, { recursive: true });
    });
    expect((await bench.sync()).failure).toBeNull();
    await expectAllWithNext(bench);
  });

  test("a disk that is away while a file comes, and back at its end: no older partial passes for it", async () => {
    await using bench = await SyncBench.open({ generation, rate: 100_000 });
    const [first] = VIDEOS;
    await bench.sync({ dryRun: true });
    const begun = bench.until(({ current_file }) => (current_file?.downloaded_bytes ?? 0) > 0);
    const work = bench.sync();
    await begun;
    // The bytes go where the disk was not.
    renameSync(join(bench.destination, `.${first}`), join(bench.destination, "elsewhere"));
    await bench.putPartial(first, 1000);
    bench.simulator.rate = null;
    const { failure, counts } = await work;
    expect([failure, counts.failed]).toEqual([null, 1]);
    expect((await bench.home()).wrong).toEqual([]);
    expect((await bench.home()).partials).toEqual({ [first]: 1000 });
    await expectAllWithNext(bench);
  });

  test.skipIf(!mayMount())("a disk of its own that is unmounted (needs the right to mount)", async () => {
    await using bench = await SyncBench.open({ generation });
    const disk = new SmallDisk(bench.destination, "8m");
    afterFirst(bench, () => disk.detach());
    expect((await bench.sync()).failure).toMatchObject({ reason: "disk", message: LEFT });
    expect(readdirSync(bench.destination)).toEqual([]);
  });
});
