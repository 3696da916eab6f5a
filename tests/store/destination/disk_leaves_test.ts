import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { openRetention } from "../../../server/engine/retention/retention_parts.ts";
import { DestinationIdentity } from "../../../server/store/destination/destination_identity.ts";
import { TrashUnusable } from "../../../server/store/destination/own_folder_guard.ts";
import { Library } from "../../../server/store/library/library.ts";
import { listTree } from "../../support/sync.ts";
import { KEY, MOMENT, OTHER, TrashBench } from "../../support/trash_bench.ts";

const LEFT = "the recordings folder was taken away while it was in use; is its disk mounted?";

let bench: TrashBench;
beforeEach(() => {
  bench = new TrashBench();
  bench.put(MOMENT.map((name) => `2026-11/${name}`));
  bench.put(OTHER);
});
afterEach(() => bench[Symbol.dispose]());

/** What works with the trash and the marks of a destination, as the service and `sync` have it. */
async function open() {
  const { root, clock, log } = bench;
  const library = new Library({ root, clock, log });
  await library.refresh();
  const identity = DestinationIdentity.withoutMemory({ root, library, log });
  const given = { consent: null, receipts: null, isOnCamera: () => null };
  return openRetention({ root, library, identity, clock, log, command: "serve" }, given);
}

/** As when a disk leaves: what is at its path is the folder it was mounted on, with what earlier versions wrote there. */
function unmount(): string[] {
  renameSync(bench.root, join(bench.elsewhere, "away"));
  mkdirSync(join(bench.root, ".dashdock/trash"), { recursive: true });
  return listTree(bench.root);
}

describe("when the disk leaves nothing is written in its place, and the sentence says so", () => {
  test("in the middle of a purge, which removes nothing that is there instead", async () => {
    await bench.take();
    const { guard, trash } = await open();
    let there: string[] = [];
    const work = guard.run(async () => {
      await trash.prepare();
      const entries = await trash.entries();
      there = unmount();
      await trash.purge(entries.slice(1));
    });
    await expect(work).rejects.toThrow(new TrashUnusable(LEFT));
    expect(listTree(bench.root)).toEqual(there);
  });

  test("in the middle of a restore, which says of none that it is back", async () => {
    await bench.take();
    const { guard, trash } = await open();
    let there: string[] = [];
    const work = guard.run(async () => {
      await trash.prepare();
      const entries = await trash.entries();
      there = unmount();
      return await trash.putBack(
        entries.map((entry) => ({ entry, folder: entry.folder })),
        () => null,
      );
    });
    await expect(work).rejects.toThrow(new TrashUnusable(LEFT));
    expect(listTree(bench.root)).toEqual(there);
  });

  test("between two recordings of a restore", async () => {
    await bench.take();
    const { guard, trash } = await open();
    let there: string[] = [];
    const done = await guard.run(async () => {
      await trash.prepare();
      const entries = await trash.entries();
      const back = trash.putBack(
        entries.map((entry) => ({ entry, folder: entry.folder })),
        () => null,
      );
      // The note about them is written by now.
      while (bench.notes().every((name) => !name.endsWith(".restoring"))) await new Promise(setImmediate);
      there = unmount();
      return await back;
    });
    expect(listTree(bench.root)).toEqual(there);
    expect(done.restored).toEqual([]);
    expect(new Set(done.failed.map(({ reason }) => reason))).toEqual(new Set([`it cannot be moved (${LEFT})`]));
  });

  test("in the middle of a deletion, which says of none that it is deleted", async () => {
    const { guard, trash, library } = await open();
    let there: string[] = [];
    const work = guard.run(async () => {
      await trash.prepare();
      const moments = [...library.folderContents].flatMap(({ path, moments }) =>
        [...moments].map(([moment, set]) => ({ moment, folder: path, set })),
      );
      there = unmount();
      return await trash.take(moments, { cause: "age", by: null, keep: {} });
    });
    await expect(work).rejects.toThrow(new TrashUnusable(LEFT));
    expect(listTree(bench.root)).toEqual(there);
  });

  test("when something is kept, or remembered as deleted", async () => {
    const { guard, kept, deleted } = await open();
    let there: string[] = [];
    const mark = guard.run(async () => {
      there = unmount();
      await kept.change(new Map([[KEY, { at: "2026-11-22T03:00:00Z", note: null }]]));
    });
    await expect(mark).rejects.toThrow(new TrashUnusable(LEFT));
    await expect(deleted.change({ add: [20261101100000] })).rejects.toThrow(TrashUnusable);
    expect(listTree(bench.root)).toEqual(there);
  });

  test("when work begins after the disk has left, also where nothing is remembered of it", async () => {
    const { guard } = await open();
    await guard.run(async () => {});
    const there = unmount();
    await expect(guard.run(async () => {})).rejects.toThrow(new TrashUnusable(LEFT));
    expect(listTree(bench.root)).toEqual(there);
  });
});
