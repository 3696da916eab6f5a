import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openRetention } from "../../../server/engine/retention/retention_parts.ts";
import { AbsentCompanions } from "../../../server/store/destination/absent_companions.ts";
import { DestinationIdentity } from "../../../server/store/destination/destination_identity.ts";
import { FailureMarkers } from "../../../server/store/destination/failure_markers.ts";
import { NamesakesFile } from "../../../server/store/destination/namesakes_file.ts";
import { TrashUnusable } from "../../../server/store/destination/own_folder_guard.ts";
import { PartialRecords } from "../../../server/store/destination/partial_records.ts";
import { RestoredRecordings } from "../../../server/store/destination/restored_recordings.ts";
import { UnprovenCompanions } from "../../../server/store/destination/unproven_companions.ts";
import { Library } from "../../../server/store/library/library.ts";
import { listTree } from "../../support/app/sync.ts";
import { KEY, MOMENT, OTHER, TrashBench } from "../../support/disk/trash_bench.ts";

const LEFT = "the recordings folder was taken away while it was in use; is its disk mounted?";

let bench: TrashBench;
beforeEach(() => {
  bench = new TrashBench();
  bench.put(MOMENT.map((name) => `2026-11/${name}`));
  bench.put(OTHER);
});
afterEach(() => bench[Symbol.dispose]());

/** Trash and marks of a destination, opened as the service and `sync` open them. */
async function open() {
  const { root, clock, log } = bench;
  const library = new Library({ root, clock, log });
  await library.refresh();
  const identity = DestinationIdentity.withoutMemory({ root, library, log });
  const given = { consent: null, receipts: null, isOnCamera: () => null };
  return openRetention({ root, library, identity, clock, log, command: "serve" }, given);
}

/** Leaves the folder that the disk was mounted on, with files of earlier versions, as when a disk leaves. */
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
    let home: string[] = [];
    const done = await guard.run(async () => {
      await trash.prepare();
      const entries = await trash.entries();
      const back = trash.putBack(
        entries.map((entry) => ({ entry, folder: entry.folder })),
        () => null,
      );
      // The note about them is written by now.
      while (bench.notes().every((name) => !name.endsWith(".restoring"))) await new Promise(setImmediate);
      home = listTree(bench.root);
      there = unmount();
      return await back;
    });
    expect(listTree(bench.root)).toEqual(there);
    // On a busy machine a first one is home before the disk leaves: it alone may be said to be back.
    const atHome = home.filter((path) => !path.startsWith(".dashdock"));
    expect(done.restored.filter(({ key }) => !atHome.some((path) => path.includes(key)))).toEqual([]);
    for (const { reason } of done.failed) expect(reason).toBe(`it cannot be moved (${LEFT})`);
    expect(done.failed.length + done.restored.length).toBe(2);
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

  const VIDEO = "20261122_030000_NF.mp4";
  const SEEN = { etag: null, lastModified: null, total: 10, unfinished: null };
  const RESTORED = { by: "age", until: 1_800_000_000_000, rule: "4w" } as never;
  const NOTES: [what: string, note: (notes: Awaited<ReturnType<typeof openNotes>>) => unknown][] = [
    ["a partial", ({ records }) => records.write(VIDEO, SEEN)],
    ["a failure", ({ markers }) => markers.write(VIDEO, "")],
    ["a failure in a group folder", ({ markers }) => markers.write(VIDEO, "2026-11")],
    ["companions that the camera lacks", ({ absent }) => absent.save()],
    ["companions in doubt", ({ unproven }) => unproven.add(["20261122_030000_N.gps"])],
    ["names that were given again", ({ namesakes }) => namesakes.save()],
    ["what came back", ({ restored }) => restored.add(new Map([[1, RESTORED]]), () => true)],
    ["whose folder it is", ({ identity }) => identity.use()],
  ];

  /** All that notes something there, with something to note. */
  async function openNotes() {
    const { root, clock, log } = bench;
    const library = new Library({ root, clock, log });
    await library.refresh();
    const file = join(bench.elsewhere, "destination.json");
    const identity = await DestinationIdentity.open({ root, library, log, file });
    await identity.use();
    const absent = await AbsentCompanions.open(root, identity);
    absent.note("20261122_030000_N.gps", "1", 0);
    const namesakes = await NamesakesFile.open(root, identity);
    namesakes.set(VIDEO, { ordinal: 2, length: 10, isDue: false });
    return {
      identity,
      absent,
      namesakes,
      records: new PartialRecords(root, identity),
      markers: new FailureMarkers({ library, clock, log, place: identity }),
      unproven: await UnprovenCompanions.open(root, identity),
      restored: new RestoredRecordings(root, identity),
    };
  }

  for (const [what, note] of NOTES)
    test(`when ${what} is to be noted, neither in an empty folder nor on another disk`, async () => {
      for (const isOther of [false, true]) {
        const notes = await openNotes();
        const away = join(bench.elsewhere, `away-${isOther}`);
        renameSync(bench.root, away);
        mkdirSync(bench.root);
        if (isOther) mkdirSync(join(bench.root, ".dashdock", "partials"), { recursive: true });
        const there = listTree(bench.root);
        await Promise.resolve()
          .then(() => note(notes))
          .catch(() => {});
        expect(listTree(bench.root)).toEqual(there);
        rmSync(bench.root, { recursive: true });
        renameSync(away, bench.root);
      }
    });

  test("when work begins after the disk has left, also where nothing is remembered of it", async () => {
    const { guard } = await open();
    await guard.run(async () => {});
    const there = unmount();
    await expect(guard.run(async () => {})).rejects.toThrow(new TrashUnusable(LEFT));
    expect(listTree(bench.root)).toEqual(there);
  });
});
