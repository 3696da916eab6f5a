import { describe, expect, test } from "bun:test";
import { chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { onBothInterfaces } from "../../support/app/interfaces.ts";
import { cardOf, OURS, SyncBench, VIDEOS } from "../../support/app/sync.ts";
import { asPlainUser, DeadDisk, mayMount } from "../../support/disk/disks.ts";

const OLD = ["20260501_101500_NF.mp4", "20260501_101500_NR.mp4"] as const;
const isOld = (name: string) => name.startsWith("20260501");

onBothInterfaces((generation) => {
  /** An old day and a new one, each of which gets a folder of its own. */
  function twoDays(): Promise<SyncBench> {
    return SyncBench.open({ generation, card: cardOf([...OLD, ...VIDEOS], 20_000) });
  }

  /** The run goes through, and all but the old day is at home. */
  async function expectOnlyOldMissing(bench: SyncBench): Promise<void> {
    const { failure } = await bench.sync({ grouping: "daily" });
    expect(failure).toBeNull();
    const home = await bench.home();
    expect(home.whole).toEqual(bench.offered().filter((name) => !isOld(name)));
    expect(home.wrong).toEqual([]);
  }

  describe("a file is never written over", () => {
    test("when another of its name came while it was fetched: that stays, the new one is a partial, others come", async () => {
      await using bench = await SyncBench.open({ generation, rate: 400_000 });
      const [first] = VIDEOS;
      void bench
        .until(({ current_file }) => (current_file?.downloaded_bytes ?? 0) > 0)
        .then(() => {
          bench.put(first, "mine");
          bench.simulator.rate = null;
        });
      const result = await bench.sync();
      expect(result.failure).toBeNull();
      expect(result.counts.failed).toBe(1);
      expect(bench.told("WARNING")).toEqual([
        `Failed ${first}: ${first} is there already and is never written over; the new one stays half-finished`,
      ]);
      expect(readFileSync(join(bench.destination, first), "utf8")).toBe("mine");
      const home = await bench.home();
      expect(home.whole).toEqual(bench.offered().filter((name) => name !== first));
      expect(home.partials).toEqual({ [first]: 200_000 });

      // It counts as the recording; when it is taken away, the whole partial is all that is needed.
      expect((await bench.sync()).counts.failed).toBe(0);
      expect(readFileSync(join(bench.destination, first), "utf8")).toBe("mine");
      rmSync(join(bench.destination, first));
      expect((await bench.sync()).failure).toBeNull();
      expect((await bench.home()).whole).toEqual(bench.offered());
    });
  });

  describe("the folder of an old day keeps back only what belongs into it", () => {
    test("when it is a link", async () => {
      await using bench = await twoDays();
      const elsewhere = join(dirname(bench.destination), "elsewhere");
      mkdirSync(elsewhere);
      mkdirSync(bench.destination);
      symlinkSync(elsewhere, join(bench.destination, "2026-05-01"));
      await expectOnlyOldMissing(bench);
      expect(readdirSync(elsewhere)).toEqual([]);
      expect(bench.told("WARNING").every((line) => line.includes("the folder 2026-05-01 is a link"))).toBe(true);
      rmSync(join(bench.destination, "2026-05-01"));
      expect((await bench.sync({ grouping: "daily" })).failure).toBeNull();
      expect((await bench.home()).whole).toEqual(bench.offered());
    });

    test.skipIf(process.getuid?.() !== 0)("when it is another user's (needs root, to make one)", async () => {
      await using bench = await twoDays();
      const old = join(bench.destination, "2026-05-01");
      bench.put("2026-05-01/theirs", "theirs");
      await asPlainUser(dirname(bench.destination), async () => {
        // Root owns the folder and lets others read it.
        process.seteuid?.(0);
        chownSync(old, 0, 0);
        process.seteuid?.(65_534);
        await expectOnlyOldMissing(bench);
        expect(readdirSync(old)).toEqual(["theirs"]);
      });
      expect(bench.told("WARNING").every((line) => line.includes("2026-05-01 is not writable for this user"))).toBe(
        true,
      );
      expect((await bench.sync({ grouping: "daily" })).failure).toBeNull();
      expect((await bench.home()).whole).toEqual(bench.offered());
    });

    test.skipIf(!mayMount("dead"))("when its disk broke off (needs the right to mount)", async () => {
      await using bench = await twoDays();
      {
        using _ = new DeadDisk(join(bench.destination, "2026-05-01"));
        const { failure, counts } = await bench.sync({ grouping: "daily", deletes: true, cutoff: "2020-01-01" });
        expect(failure).toBeNull();
        expect(counts.completed).toBe(bench.offered().filter((name) => !isOld(name)).length);
      }
      expect((await bench.home()).whole).toEqual(bench.offered().filter((name) => !isOld(name)));
      expect((await bench.sync({ grouping: "daily" })).failure).toBeNull();
      expect((await bench.home()).whole).toEqual(bench.offered());
    });
  });

  describe("a destination is marked by the first sync that uses it", () => {
    const idOf = (bench: SyncBench) => readFileSync(join(bench.destination, ".dashdock/id"), "utf8");
    const modeOf = (bench: SyncBench, path: string) => lstatSync(join(bench.destination, path)).mode & 0o777;

    test("with an id that everybody may read, and that stays", async () => {
      await using bench = await SyncBench.open({ generation });
      const umask = process.umask(0o077);
      await bench.sync();
      process.umask(umask);
      expect(bench.tree()).toEqual([...OURS, ...bench.offered()].sort());
      expect([modeOf(bench, ".dashdock"), modeOf(bench, ".dashdock/id")]).toEqual([0o755, 0o644]);
      const id = idOf(bench);
      expect(id).toMatch(/^[0-9a-f]{32}\n$/);
      await bench.sync();
      expect(idOf(bench)).toBe(id);
      bench.put(".dashdock/id", "");
      await bench.sync();
      expect(idOf(bench)).toMatch(/^[0-9a-f]{32}\n$/);
      expect(bench.told("WARNING", "ERROR")).toEqual([]);
    });

    test("but not by a dry run", async () => {
      await using bench = await SyncBench.open({ generation });
      mkdirSync(bench.destination);
      expect((await bench.sync({ dryRun: true })).failure).toBeNull();
      expect(bench.tree()).toEqual([]);
    });

    test("and one that cannot be marked is used all the same, with a warning; a link is not followed", async () => {
      await using bench = await SyncBench.open({ generation });
      const elsewhere = join(dirname(bench.destination), "elsewhere");
      mkdirSync(elsewhere);
      mkdirSync(bench.destination);
      symlinkSync(elsewhere, join(bench.destination, ".dashdock"));
      expect((await bench.sync()).failure).toBeNull();
      expect((await bench.home()).whole).toEqual(bench.offered());
      expect(readdirSync(elsewhere)).toEqual([]);
      expect(bench.told("WARNING")).toEqual([
        expect.stringMatching(/could not be marked: \.dashdock is not a folder$/),
        "checksums cannot be written down: .dashdock is not a folder",
      ]);
    });
  });
});
