import { describe, expect, test } from "bun:test";
import { statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { GROUPINGS } from "../../../server/domain/recordings/date_folders.ts";
import { readDisk } from "../../../server/store/destination/disk_usage.ts";
import { onBothInterfaces, requestFor } from "../../support/app/interfaces.ts";
import { cardOf, OURS, SyncBench, VIDEOS } from "../../support/app/sync.ts";

const DAY = 24 * 3600 * 1000;
const CUTOFF = "2026-03-01";
onBothInterfaces((generation) => {
  const EMPTY_CARD = () => SyncBench.open({ generation, card: cardOf(VIDEOS.slice(0, 1), 1000) });
  const keeping = { deletes: true, cutoff: CUTOFF } as const;

  /** Files below the destination, without those of this run and Dashdock's own. */
  function left(bench: SyncBench): string[] {
    return bench.tree().filter((path) => !path.includes("20260607") && !OURS.includes(path));
  }

  describe("retention", () => {
    test("keeps the cutoff day and takes the day before, whatever the hour", async () => {
      await using bench = await EMPTY_CARD();
      const kept = ["20260301_000000_NF.mp4", "20260301_235959_PR.mp4", "20260302_000000_NF.mp4"];
      const gone = ["20260228_235959_NF.mp4", "20260228_000000_EF.mp4", "20250101_120000_NF.mp4"];
      for (const name of [...kept, ...gone]) bench.put(name, name);
      const result = await bench.sync(keeping);
      expect(result.failure).toBeNull();
      expect(result.counts.removed).toBe(3);
      expect(left(bench)).toEqual(kept);
      expect(
        bench
          .told("DEBUG")
          .filter((line) => /^Moved [0-9_]+_. to the trash$/.test(line))
          .sort(),
      ).toEqual(gone.map((name) => `Moved ${name.slice(0, 17)} to the trash`).sort());
      expect(bench.told("INFO").filter((line) => line.startsWith("Moved"))).toEqual([
        expect.stringMatching(
          /^Moved 3\srecordings to the trash, 66\sB, of 2025-01-01 to 2026-02-28 \(past their keep time\); they can be restored for [0-9]+\sdays?$/,
        ),
      ]);
      expect(bench.trashed()).toEqual([...gone].sort());
    });

    test("takes a moment's companions, all directions, flags and markers with it, in every layout of ours", async () => {
      await using bench = await EMPTY_CARD();
      const folders = ["", "2025-12-31/", "2025-12-29/", "2025-12/", "2025/", "holiday/2025/"];
      const endings = [
        "NF.mp4",
        "NR.mp4",
        "NFL.mp4",
        "NIS.mp4",
        "NF.thm",
        "NFL.thm",
        "N.gps",
        "NL.gps",
        "N.3gf",
        "NO.mp4.failed",
        "N.gps.failed",
      ];
      for (const [at, folder] of folders.entries())
        for (const ending of endings)
          bench.put(`${folder}20251231_1000${String(at).padStart(2, "0")}_${ending}`, "old");
      const result = await bench.sync(keeping);
      expect(result.failure).toBeNull();
      expect(result.counts.removed).toBe(folders.length - 1);
      // Only a dated folder of the destination itself is one that we made; moved elsewhere, a recording is kept.
      const kept = endings.map((ending) => `holiday/2025/20251231_1000${String(5).padStart(2, "0")}_${ending}`).sort();
      expect(left(bench)).toEqual(["holiday/", "holiday/2025/", ...kept]);
    });

    test("never touches what is not a recording's, and no folder that holds anything", async () => {
      await using bench = await EMPTY_CARD();
      const foreign = [
        "2023/photo.jpg",
        "2023/notes/diary.txt",
        "2023-05/20230501_100000.mp4",
        "2023-05-01/20230501_100000_NF.mp4.bak",
        "2023-05-01/20230501_100000_NF.srt",
        "20230501_100000_NF.mp4/inside.txt",
        "20231301_100000_NF.mp4",
        ".hidden/20230501_100000_NF.mp4",
        "@eaDir/20230501_100000_NF.mp4",
        "#recycle/20230501_100000_NF.mp4",
        "film.mp4",
      ];
      for (const path of foreign) bench.put(path, "mine");
      bench.put("2023/20230501_100000_NF.mp4", "old");
      const before = left(bench);
      for (const grouping of GROUPINGS) expect((await bench.sync({ ...keeping, grouping })).failure).toBeNull();
      expect(left(bench)).toEqual(before.filter((path) => path !== "2023/20230501_100000_NF.mp4"));
    });

    test("spares recordings of a camera whose clock was never set, and they are downloaded", async () => {
      const unset = ["19700101_000012_NF.mp4", "19990101_000500_PF.mp4"];
      await using bench = await SyncBench.open({ generation, card: cardOf([...unset, ...VIDEOS], 1000) });
      bench.put("19700102_000000_NF.mp4", "an earlier one");
      const result = await bench.sync(keeping);
      expect(result.failure).toBeNull();
      expect(result.counts.removed).toBe(0);
      expect((await bench.home()).whole).toEqual(bench.offered());
      expect(left(bench)).toContain("19700102_000000_NF.mp4");
    });

    test("is not for a run that may not delete, and fetches nothing that it would take", async () => {
      await using bench = await SyncBench.open({
        generation,
        card: cardOf(["20260228_100000_NF.mp4", ...VIDEOS], 1000),
      });
      bench.put("20250101_120000_NF.mp4", "old");
      const manual = await bench.sync({ ...keeping, deletes: false });
      expect(manual.counts.removed).toBe(0);
      expect(left(bench)).toEqual(["20250101_120000_NF.mp4"]);
      expect((await bench.sync(keeping)).counts.removed).toBe(1);
      expect(left(bench)).toEqual([]);
      expect(bench.asked().filter((name) => name.startsWith("20260228"))).toEqual([]);
    });

    test("comes after the downloads, and also when the camera is away", async () => {
      await using bench = await EMPTY_CARD();
      bench.put("2025/20250101_120000_NF.mp4", "old");
      await bench.simulator.goAway();
      const away = await bench.sync(keeping);
      expect(away.failure).toMatchObject({ kind: "away", reason: "network" });
      expect(away.counts.removed).toBe(1);
      expect(left(bench)).toEqual([]);

      await bench.simulator.comeBack();
      bench.put("20250101_120000_NF.mp4", "old");
      await bench.sync(keeping);
      const lines = bench.told("INFO", "DEBUG");
      const removed = lines.findLastIndex((line) => line.startsWith("Moved "));
      expect(removed).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith("Downloaded")));
    });
  });

  describe("of recordings that never came", () => {
    const orphans = ["20260201_100000_NF.thm", "20260201_100000_N.gps", "20260202_100000_NF.thm"];

    test("thumbnails and GPS go by age, and nothing tells of recordings that went", async () => {
      await using bench = await EMPTY_CARD();
      for (const name of orphans) bench.put(name, "0123456789");
      const { counts, run } = await bench.sync(keeping);
      expect([counts.removed, counts.deleted.recordings, run.deleted]).toEqual([2, 0, undefined]);
      expect([left(bench), bench.trashed()]).toEqual([[], [...orphans].sort()]);
      expect(bench.told("INFO").filter((line) => line.startsWith("Moved"))).toEqual([
        expect.stringMatching(/^Moved thumbnails and GPS without a video to the trash, 30\sB$/),
      ]);
    });

    test("they count towards a limit and go before any video, but not while the camera has the recording", async () => {
      const [video = "", other = ""] = [VIDEOS[2], VIDEOS[0]];
      await using bench = await SyncBench.open({ generation, card: cardOf([video, other], 1000) });
      bench.simulator.fault({ name: "error-500", match: new RegExp(`${other}$`) });
      for (const name of orphans) bench.put(name, new Uint8Array(500));
      bench.put("20260101_100000_NF.mp4", new Uint8Array(1000));
      // This file belongs to a recording that is here, in another folder.
      bench.put("2026/20260101_100000_NF.thm", new Uint8Array(500));
      const coming = other.replace(".mp4", ".thm");
      await bench.sync({ metadataFirst: true });
      expect(bench.tree()).toContain(coming);
      let bytes = 0;
      for (const path of bench.tree())
        if (/_101500_N.*[a-z3]$/.test(path) && !path.endsWith(".failed"))
          bytes += statSync(join(bench.destination, path)).size;
      const before = bench.tree();
      await bench.sync({ deletes: true, maxBytes: 1000 + 1000 + 500 + bytes });
      expect(bench.trashed()).toEqual([...orphans].sort());
      expect(bench.tree().filter((path) => !path.startsWith(".dashdock"))).toEqual(
        before.filter((path) => !orphans.includes(path) && !path.startsWith(".dashdock")),
      );
      // Then the oldest video.
      await bench.sync({ deletes: true, maxBytes: 1000 + 500 + bytes });
      expect(bench.trashed()).toContain("20260101_100000_NF.mp4");
      expect(await Bun.file(join(bench.destination, ".dashdock/deleted")).text()).not.toContain("20260607");
      expect(bench.tree()).toContain(coming);
      bench.simulator.clearFaults();
      await bench.sync({ retryFailedAfterMs: 0 });
      expect((await bench.home()).whole).toContain(other);
    });
  });

  describe("a partial", () => {
    const orphan = "20260501_100000_NF.mp4";
    const rows = [
      { what: "that the list names is kept however old it is", name: VIDEOS[0] },
      { what: "that the list no longer names is kept however old it is: it may be the only copy", name: orphan },
      { what: "of a companion that the list no longer names is kept, too", name: "20260501_100000_N.gps" },
    ];
    test.each(rows)("$what", async ({ name }) => {
      await using bench = await EMPTY_CARD();
      bench.simulator.fault({ name: "closed-without-answer", match: requestFor(VIDEOS[0]) });
      bench.put(`.${name}`, (await bench.card.bytes(VIDEOS[0])).subarray(0, 100));
      const then = new Date(Date.now() - 400 * DAY);
      utimesSync(join(bench.destination, `.${name}`), then, then);
      await bench.sync();
      expect(bench.tree()).toContain(`.${name}`);
    });

    test("goes when its recording is at home and begins with the same bytes, and stays when it does not", async () => {
      await using bench = await SyncBench.open({ generation });
      const one = VIDEOS[0];
      const other = VIDEOS[1];
      const content = await bench.card.bytes(one);
      bench.put(`2026-06/${one}`, content);
      bench.put(`2026-06/${other}`, "another recording of that name");
      bench.put(`.${one}`, content.subarray(0, 1000));
      bench.put(`.${other}`, (await bench.card.bytes(other)).subarray(0, 1000));
      expect((await bench.sync()).failure).toBeNull();
      expect(bench.tree()).not.toContain(`.${one}`);
      expect(bench.tree()).toContain(`.${other}`);
    });

    test("goes with its age in a run that deletes, and only then", async () => {
      await using bench = await EMPTY_CARD();
      bench.put(`.${orphan}`, "bytes");
      await bench.sync({ cutoff: "2026-05-02" });
      expect(bench.tree()).toContain(`.${orphan}`);
      await bench.sync({ cutoff: "2026-05-02", deletes: true });
      expect(bench.tree()).not.toContain(`.${orphan}`);
    });

    test("of somebody else is never touched, nor is any other hidden file", async () => {
      await using bench = await EMPTY_CARD();
      const hidden = [".20260501_100000_NF.mp4.swp", ".20260501_100000.mp4", ".DS_Store", ".20261399_100000_NF.mp4"];
      const longAgo = new Date(Date.now() - 9 * DAY);
      for (const name of hidden) {
        bench.put(name, "");
        utimesSync(join(bench.destination, name), longAgo, longAgo);
      }
      await bench.sync(keeping);
      expect(bench.tree()).toEqual(expect.arrayContaining(hidden));
    });
  });

  describe("the disk threshold", () => {
    test("stops at its percentage and above, before anything is fetched", async () => {
      await using bench = await EMPTY_CARD();
      bench.put(".keep", "");
      const { usedRatio } = await readDisk(bench.destination);
      const below = Math.max(0, Math.floor(usedRatio * 100));
      const { failure } = await bench.sync({ maxUsedDiskPercent: below });
      expect(failure).toMatchObject({
        kind: "trouble",
        reason: "disk",
        message: expect.stringMatching(/the limit is \d+ %/),
      });
      expect(bench.asked()).toEqual([]);
      const { failure: none, run } = await bench.sync({ maxUsedDiskPercent: Math.ceil(usedRatio * 100) + 2 });
      expect(none).toBeNull();
      expect(run.diskUsedRatio).toBeCloseTo(usedRatio, 1);
    });

    test("applies retention at once in a run that may delete, and looks again", async () => {
      await using bench = await EMPTY_CARD();
      bench.put("20250101_120000_NF.mp4", "old");
      const { failure, counts } = await bench.sync({ ...keeping, maxUsedDiskPercent: 0 });
      expect(failure?.reason).toBe("disk");
      expect(counts).toMatchObject({ removed: 1, completed: 0 });
      expect(left(bench)).toEqual([]);
    });
  });

  test("a dry run over the threshold tells once what retention would take", async () => {
    await using bench = await EMPTY_CARD();
    bench.put("20250101_120000_NF.mp4", "old");
    const { failure, counts } = await bench.sync({ ...keeping, maxUsedDiskPercent: 0, dryRun: true });
    expect(failure?.reason).toBe("disk");
    expect(counts.removed).toBe(1);
    expect(bench.told("INFO").filter((line) => line.startsWith("Would remove"))).toHaveLength(1);
    expect(left(bench)).toEqual(["20250101_120000_NF.mp4"]);
  });

  test("a wall clock that jumps back and forth in the middle of a run does no harm", async () => {
    await using bench = await SyncBench.open({ generation });
    bench.put("20260101_120000_NF.mp4", "old");
    let turn = 0;
    bench.onLine = () => {
      bench.clockOffset = [-30 * 365 * DAY, 10 * 365 * DAY, 0, -3600_000][turn++ % 4] ?? 0;
    };
    const result = await bench.sync(keeping);
    expect(result.failure).toBeNull();
    expect(result.run.durationSeconds).toBeGreaterThan(0);
    expect(result.run.durationSeconds).toBeLessThan(10);
    expect((await bench.home()).whole).toEqual(bench.offered());
    expect(result.counts.removed).toBe(1);
  });
});
