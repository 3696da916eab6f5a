import { afterEach, beforeEach, describe, expect, type Mock, spyOn, test } from "bun:test";
import { join, relative } from "node:path";
import * as atomic from "../../../server/store/atomic_file.ts";
import { RenamedFolders } from "../../../server/store/destination/renamed_folders.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { cardOf, SyncBench } from "../../support/app/sync.ts";
import { asNames, BATCH, MOMENT, TRASH, TrashBench } from "../../support/disk/trash_bench.ts";

let synced: Mock<typeof atomic.syncFolders>;
beforeEach(() => {
  synced = spyOn(atomic, "syncFolders");
});
afterEach(() => {
  synced.mockRestore();
});

/** The folders that were written to the disk, below `root`, each time sorted; other tests' are others. */
function below(root: string): string[][] {
  const all = synced.mock.calls.map(([paths]) => [...paths].filter((path) => path.startsWith(root)));
  return all.filter((paths) => paths.length > 0).map((paths) => paths.map((path) => relative(root, path)).sort());
}

test("names of one second are written to the disk together, each folder once", async () => {
  const clock = new FakeClock();
  const renamed = new RenamedFolders(clock);
  for (const folder of ["/r/a", "/r/b", "/r/a"]) renamed.add("/r", folder);
  await clock.advance(999);
  expect(below("/r")).toEqual([]);
  await clock.advance(1);
  expect(below("/r")).toEqual([["", "a", "b"]]);
  renamed.add("/r/c");
  await renamed.settle();
  expect(below("/r").at(-1)).toEqual(["c"]);
  expect(clock.sleeping).toBe(0);
});

test("a run ends when the folders of all that came are on the disk, and not once for each file", async () => {
  const videos = Array.from({ length: 20 }, (_, minute) => `20260607_10${minute + 10}00_NF.mp4`);
  await using bench = await SyncBench.open({ card: cardOf(["20260501_101500_NF.mp4", ...videos], 2000) });
  expect((await bench.sync({ grouping: "daily" })).failure).toBeNull();
  expect(new Set(below(bench.destination).flat())).toEqual(new Set(["", "2026-05-01", "2026-06-07"]));
  expect(below(bench.destination).length).toBeLessThan(10);
});

describe("what is moved to the trash, and back, is on the disk before the note about it goes", () => {
  test("with the folders on the way to it", async () => {
    using bench = new TrashBench();
    bench.put(MOMENT.map((name) => join("2026-06", name)));
    await bench.take();
    expect(below(bench.root)).toEqual([[TRASH, join(TRASH, BATCH), join(TRASH, BATCH, "2026-06")]]);
    const { trash } = await bench.open();
    await trash.prepare();
    const entries = (await trash.entries()).map((entry) => ({ entry, folder: entry.folder }));
    expect((await trash.putBack(entries, () => null)).failed).toEqual([]);
    expect(below(bench.root).at(-1)).toEqual(["", "2026-06"]);
    expect(bench.notes()).toEqual([]);
    expect(asNames("2026-06", MOMENT).sort()).toEqual(bench.atHome());
  });
});
