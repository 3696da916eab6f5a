import { describe, expect, test } from "bun:test";
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { GROUPINGS, groupFolder } from "../../../server/domain/recordings/date_folders.ts";
import { onBothInterfaces } from "../../support/app/interfaces.ts";
import { FILES_OF, OURS, SyncBench, VIDEOS } from "../../support/app/sync.ts";

const HOUR = 3600 * 1000;

/** Local wall time without a zone, with microseconds, as the older tool wrote it. */
function naive(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.123456`;
}

onBothInterfaces((generation) => {
  /** Number of files for `VIDEOS`, with the files beside them. */
  const ALL = FILES_OF[generation];

  describe("a library that is there already", () => {
    test("is not downloaded again when the grouping changes, and nothing of it is moved or lost", async () => {
      await using bench = await SyncBench.open({ generation });
      expect((await bench.sync({ grouping: "none" })).counts.completed).toBe(ALL);
      const before = bench.tree();
      bench.simulator.requests.length = 0;
      for (const grouping of GROUPINGS) {
        const result = await bench.sync({ grouping });
        expect(result.failure).toBeNull();
        expect(result.counts).toMatchObject({ completed: 0, present: ALL });
      }
      expect(bench.asked()).toEqual([]);
      expect(bench.tree()).toEqual(before);
    });

    test.each([...GROUPINGS])("comes to lie in the folders of its grouping: %s", async (grouping) => {
      await using bench = await SyncBench.open({ generation });
      expect((await bench.sync({ grouping })).failure).toBeNull();
      const folder = groupFolder("20260607_101500", grouping);
      const paths = bench.offered().map((name) => (folder === "" ? name : `${folder}/${name}`));
      expect(bench.tree()).toEqual([...OURS, ...(folder === "" ? [] : [`${folder}/`]), ...paths].sort());
      expect((await bench.home()).whole).toEqual(bench.offered());
    });

    test("is recognised in any mixture of groupings", async () => {
      await using bench = await SyncBench.open({ generation });
      const places = ["", "2026-06-07/", "2026-06-01/", "2026-06/", "2026/", "archive/summer/"];
      const names = bench.offered();
      for (const [at, name] of names.entries())
        if (at % 4 !== 3) bench.put(`${places[at % places.length]}${name}`, await bench.card.bytes(name));
      const missing = names.filter((_, at) => at % 4 === 3);
      const result = await bench.sync({ grouping: "weekly" });
      expect(result.failure).toBeNull();
      expect(result.counts).toMatchObject({ completed: missing.length, present: names.length - missing.length });
      expect([...new Set(bench.asked())].sort()).toEqual(missing);
      expect((await bench.home()).whole).toEqual(names);
    });

    test("with companions under flagged names is complete", async () => {
      await using bench = await SyncBench.open({ generation });
      bench.card.record("20260607_101700_NFL.mp4", null, true);
      for (const name of bench.offered()) bench.put(name, await bench.card.bytes(name));
      const result = await bench.sync({ grouping: "yearly" });
      expect(result.counts).toMatchObject({ completed: 0, present: bench.offered().length, absent: 0 });
      expect(bench.asked()).toEqual([]);
    });

    test("goes on with its partials, for which the folders do not matter", async () => {
      await using bench = await SyncBench.open({ generation });
      await bench.putPartial(VIDEOS[0], 150_000);
      await bench.putPartial("20260607_101600_E.gps", 4000);
      const result = await bench.sync({ grouping: "daily" });
      expect(result.failure).toBeNull();
      expect(bench.rangesOf(VIDEOS[0])).toEqual(["bytes=150000-"]);
      // A companion is small and always begins anew.
      expect(bench.rangesOf("20260607_101600_E.gps")).toEqual([null]);
      const home = await bench.home();
      expect(home.whole).toEqual(bench.offered());
      expect(home.partials).toEqual({});
    });

    test("keeps its failure markers in local time without a zone", async () => {
      await using bench = await SyncBench.open({ generation });
      bench.put(`2026-06-07/${VIDEOS[0]}.failed`, naive(Date.now() - 2 * HOUR));
      bench.put(`${VIDEOS[1]}.failed`, naive(Date.now() - 5 * HOUR));
      bench.put(`${VIDEOS[2]}.failed`, "not a time");
      const result = await bench.sync({ retryFailedAfterMs: 3 * HOUR });
      expect(result.counts).toMatchObject({ blocked: 1, completed: ALL - 1 });
      expect((await bench.home()).markers).toEqual([`2026-06-07/${VIDEOS[0]}.failed`]);
      expect((await bench.sync({ retryFailedAfterMs: HOUR })).counts).toMatchObject({ blocked: 0, completed: 1 });
      expect((await bench.home()).markers).toEqual([]);
      expect((await bench.home()).whole).toEqual(bench.offered());
    });

    test("keeps files that are there under a good name, whatever is in them", async () => {
      await using bench = await SyncBench.open({ generation });
      bench.put(`2026/${VIDEOS[0]}`, "cut by hand");
      expect((await bench.sync()).counts).toMatchObject({ completed: ALL - 1, present: 1 });
      expect(readFileSync(join(bench.destination, `2026/${VIDEOS[0]}`), "utf8")).toBe("cut by hand");
    });

    test("with odd names in it is read with a warning, and synced all the same", async () => {
      await using bench = await SyncBench.open({ generation });
      bench.put("20261345_250000_NF.mp4", "a date that never was");
      bench.put("20260607_101500_NX.mp4", "an unknown direction");
      bench.put("[2026] été/20260607_101500_QQ.mp4", "unknown letters");
      const result = await bench.sync({ deletes: true, cutoff: "2026-01-01" });
      expect(result.failure).toBeNull();
      expect(result.counts).toMatchObject({ completed: ALL, removed: 0 });
      expect(bench.tree()).toContain("20261345_250000_NF.mp4");
    });
  });

  test("a file that was moved away by hand comes home again, one that was moved elsewhere below does not", async () => {
    await using bench = await SyncBench.open({ generation });
    await bench.sync();
    bench.put("trips/.keep", "");
    renameSync(join(bench.destination, VIDEOS[0]), join(bench.destination, "trips", VIDEOS[0]));
    renameSync(join(bench.destination, VIDEOS[1]), join(bench.destination, "..", VIDEOS[1]));
    const before = bench.simulator.requests.length;
    expect((await bench.sync()).counts).toMatchObject({ completed: 1, present: ALL - 1 });
    expect(bench.asked(before)).toEqual([VIDEOS[1]]);
  });
});
