import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allMoments } from "../../../server/engine/retention/due.ts";
import { ANY_FOLDER } from "../../../server/store/destination/destination_place.ts";
import { TrashUnusable } from "../../../server/store/destination/own_folder_guard.ts";
import { inOrder } from "../../../server/store/destination/trash_journal.ts";
import { moveBack } from "../../../server/store/destination/trash_moves.ts";
import { asPlainUser, mayMount, SmallDisk } from "../../support/disk/disks.ts";
import { asNames, BATCH, KEY, MOMENT, OTHER, TRASH, TrashBench } from "../../support/disk/trash_bench.ts";

setDefaultTimeout(20_000);

describe("moving", () => {
  test("takes a moment with all its files, from every folder that has it, and nothing else", async () => {
    using bench = new TrashBench();
    bench.put([...MOMENT, ...asNames("2026-11", [`${KEY}F.mp4`]), OTHER, "holiday.mp4", "2026-11/notes.txt"]);
    bench.put(`${KEY}R.mp4.failed`);
    const { moved, failed, batch } = await bench.take([KEY]);
    expect(failed).toEqual([]);
    expect(moved.map(({ folder, sizes }) => [folder, sizes.videos]).sort()).toEqual([
      ["", 2],
      ["2026-11", 1],
    ]);
    expect(batch.id).toBe(BATCH);
    expect(bench.inTrash()).toEqual([...asNames(BATCH, MOMENT), `${BATCH}/2026-11/${KEY}F.mp4`].sort());
    expect(bench.atHome()).toEqual(["2026-11/notes.txt", OTHER, "holiday.mp4"]);
    expect(bench.notes()).toEqual([]);
    const { trash } = await bench.open();
    const [root, folder] = [...(await trash.entries())].sort((one, other) => (one.folder < other.folder ? -1 : 1));
    expect(root).toMatchObject({ key: KEY, folder: "", videos: 2, bytes: 2 * `${KEY}F.mp4`.length });
    expect(root?.batch).toEqual({ ...batch, keep: { normal: "2w" } });
    expect(folder).toMatchObject({ key: KEY, folder: "2026-11", videos: 1 });
  });

  test("two at the same moment are two batches, and neither touches the other's later", async () => {
    using bench = new TrashBench();
    bench.put(`${KEY}F.mp4`);
    await bench.take();
    bench.put(MOMENT);
    const { batch } = await bench.take();
    expect(batch.id).toBe(`${BATCH}-2`);
    expect(bench.notes()).toEqual([]);
    // The file is here once more: files that no deletion named must not follow those before them.
    bench.put([`${KEY}F.mp4`, `${KEY}R.mp4`]);
    const { trash } = await bench.open();
    await trash.prepare();
    expect(bench.atHome()).toEqual([`${KEY}F.mp4`, `${KEY}R.mp4`]);
  });

  test("a video that is a folder by then stays, all of its moment with it, and is told", async () => {
    using bench = new TrashBench();
    bench.put([...MOMENT, OTHER]);
    const { library, trash } = await bench.open();
    await trash.prepare();
    rmSync(join(bench.root, `${KEY}R.mp4`));
    bench.put(`${KEY}R.mp4/inside.txt`);
    const home = bench.atHome().filter((path) => path !== OTHER);
    const going = allMoments(library);
    const { moved, failed } = await trash.take(going, { cause: "age", by: null, keep: {} });
    expect(failed).toEqual([{ key: KEY, code: "EISDIR" }]);
    expect(moved).toHaveLength(1);
    expect(bench.atHome()).toEqual(home);
    expect(bench.inTrash()).toEqual([`${BATCH}/${OTHER}`]);
    expect((await trash.entries()).map(({ key }) => key)).toEqual([OTHER.slice(0, 17)]);
  });

  test("where nothing could be moved, no batch is left", async () => {
    using bench = new TrashBench();
    bench.put([`${KEY}F.mp4`]);
    const { library, trash } = await bench.open();
    await trash.prepare();
    const going = allMoments(library);
    rmSync(join(bench.root, `${KEY}F.mp4`));
    bench.put(`${KEY}F.mp4/inside.txt`);
    expect((await trash.take(going, { cause: "hand", by: null, keep: {} })).moved).toEqual([]);
    expect(Object.keys(bench.files())).toEqual([`${KEY}F.mp4/inside.txt`]);
  });

  test("a signal ends it between two recordings; what went is whole in the trash, the rest at home", async () => {
    using bench = new TrashBench();
    for (let minute = 10; minute < 40; minute++)
      bench.put([`20261101_10${minute}00_NF.mp4`, `20261101_10${minute}00_NF.thm`]);
    const { library, trash } = await bench.open();
    await trash.prepare();
    const going = allMoments(library);
    const stop = new AbortController();
    const onMoved = () => stop.abort();
    const { moved } = await trash.take(going, { cause: "age", by: null, keep: {} }, { signal: stop.signal, onMoved });
    expect(moved.length).toBeGreaterThan(0);
    expect(moved.length).toBeLessThan(30);
    expect(bench.inTrash()).toHaveLength(2 * moved.length);
    expect(bench.atHome()).toHaveLength(60 - 2 * moved.length);
    expect(bench.notes()).toEqual([]);
  });
});

describe("restoring", () => {
  test("puts all back, byte by byte, and leaves nothing behind", async () => {
    using bench = new TrashBench();
    bench.put([...MOMENT, ...asNames("2026-11", MOMENT), ...asNames("holiday/spain", MOMENT)]);
    const before = bench.files();
    await bench.take();
    expect(bench.atHome()).toEqual([]);
    const { restored, failed } = await bench.putBack();
    expect([restored.length, failed]).toEqual([3, []]);
    expect(bench.files()).toEqual(before);
    expect(bench.notes()).toEqual([]);
  });

  test.each(MOMENT)("never writes over %s that came home meanwhile: all of the moment stays", async (name) => {
    using bench = new TrashBench();
    bench.put(MOMENT);
    await bench.take();
    bench.put(name, "fetched again");
    const { restored, failed } = await bench.putBack();
    expect(restored).toEqual([]);
    expect(failed.map(({ reason }) => reason)).toEqual(["it is here already, and nothing is written over"]);
    expect(bench.files()).toMatchObject({ [name]: "fetched again", [`${TRASH}/${BATCH}/${name}`]: name });
    expect(bench.atHome()).toEqual([name]);
    expect(bench.inTrash()).toEqual(asNames(BATCH, MOMENT).sort());
  });

  test("nor over one that comes home in the very moment", async () => {
    using bench = new TrashBench();
    bench.put(MOMENT);
    await bench.take();
    const { library, trash } = await bench.open();
    await trash.prepare();
    const [entry] = await trash.entries();
    if (!entry) throw new Error("nothing is in the trash");
    const ways = { from: join(trash.root, entry.place), to: bench.root, home: library, place: ANY_FOLDER };
    const back = moveBack({ ...entry, folder: "" }, ways);
    // The one that goes first, right after it was looked for.
    const name = KEY + inOrder(entry.set.endings)[0];
    bench.put(name, "fetched again");
    expect(await back).toMatch(/^it cannot be moved/);
    expect(bench.atHome()).toEqual([name]);
    expect(bench.files()).toMatchObject({ [name]: "fetched again" });
    expect(bench.inTrash()).toEqual(asNames(BATCH, MOMENT).sort());
  });

  test("of a recording that was deleted twice, one comes back and the other stays", async () => {
    using bench = new TrashBench();
    bench.put(`${KEY}F.mp4`, "the first");
    await bench.take();
    await bench.clock.advance(86_400_000);
    bench.put(`${KEY}F.mp4`, "the second");
    await bench.take();
    const { restored, failed } = await bench.putBack();
    expect([restored.length, failed.length]).toEqual([1, 1]);
    const contents = Object.entries(bench.files()).filter(([path]) => path.endsWith(".mp4"));
    expect(contents.map(([, content]) => content).sort()).toEqual(["the first", "the second"]);
    expect(bench.files()[`${KEY}F.mp4`]).toBe("the second");
  });

  test("a folder that is refused keeps its entry in the trash", async () => {
    using bench = new TrashBench();
    bench.put([`${KEY}F.mp4`, OTHER]);
    await bench.take();
    const { trash } = await bench.open();
    await trash.prepare();
    const entries = await trash.entries();
    const { failed } = await trash.putBack(
      entries.map((entry) => ({ entry, folder: entry.key === KEY ? "link" : "" })),
      (folder) => (folder === "link" ? "it is a link" : null),
    );
    expect(failed.map(({ entry, reason }) => [entry.key, reason])).toEqual([[KEY, "it is a link"]]);
    expect(bench.atHome()).toEqual([OTHER]);
    expect(bench.inTrash()).toEqual([`${BATCH}/${KEY}F.mp4`]);
  });
});

describe("purging", () => {
  test("removes what it is told and nothing else, of one batch and of several", async () => {
    using bench = new TrashBench();
    bench.put([...MOMENT, OTHER]);
    await bench.take();
    await bench.clock.advance(1000);
    bench.put(["20261102_100000_NF.mp4", "20261103_100000_NF.mp4"]);
    await bench.take();
    bench.put("20261104_100000_NF.mp4");
    const { trash } = await bench.open();
    await trash.prepare();
    await trash.purge((await trash.entries()).filter(({ key }) => key === KEY || key.startsWith("20261102")));
    expect(bench.inTrash()).toEqual([`${BATCH}/${OTHER}`, "20261122T030001000Z-age/20261103_100000_NF.mp4"].sort());
    expect(bench.atHome()).toEqual(["20261104_100000_NF.mp4"]);
    await trash.purge(await trash.entries());
    expect(Object.keys(bench.files())).toEqual(["20261104_100000_NF.mp4"]);
  });
});

describe("the list of a batch", () => {
  test.each([
    ["is missing", null],
    ["is empty", ""],
    ["is no text", Buffer.from([0, 255, 10, 0, 13, 10, 1]).toString("latin1")],
    ["is of another batch", `{"by":3,"keep":[]}\n20250101_000000_N x y z\nnothing\n`],
  ])("%s: what lies there counts, with the sizes of the disk", async (_what, text) => {
    using bench = new TrashBench();
    bench.put(MOMENT);
    await bench.take();
    const path = join(bench.root, TRASH, BATCH, "list");
    if (text === null) rmSync(path);
    else writeFileSync(path, text);
    const { trash } = await bench.open();
    await trash.prepare();
    expect(await trash.entries()).toMatchObject([
      { key: KEY, videos: 2, bytes: 2 * `${KEY}F.mp4`.length, batch: { cause: "age", by: null, keep: {} } },
    ]);
    expect((await bench.putBack()).restored).toHaveLength(1);
    expect(bench.atHome()).toHaveLength(MOMENT.length);
  });
});

test.skipIf(!mayMount())(
  "a full disk can be deleted from: a rename takes no room (needs the right to mount)",
  async () => {
    using bench = new TrashBench();
    using disk = new SmallDisk(bench.root, "1m");
    bench.put([...MOMENT, ...asNames("2026-11", [OTHER])]);
    const { trash } = await bench.open();
    await trash.prepare();
    disk.fill();
    const { moved, failed } = await bench.take();
    expect([moved.length, failed]).toEqual([2, []]);
    expect(bench.inTrash()).toHaveLength(MOMENT.length + 1);
    expect(bench.atHome()).toEqual(["fill"]);
    disk.free();
    expect((await bench.putBack()).restored).toHaveLength(2);
  },
);

describe("a trash that cannot be used", () => {
  /** Nothing may have gone, and the sentence must say why. */
  async function refuses(bench: TrashBench, says: RegExp): Promise<void> {
    const home = bench.atHome();
    const problem = await bench.take().then(
      () => null,
      (error: unknown) => error,
    );
    expect(problem).toBeInstanceOf(TrashUnusable);
    expect((problem as Error).message).toMatch(says);
    expect(bench.atHome()).toEqual(home);
  }

  test("since it is a file", async () => {
    using bench = new TrashBench();
    bench.put([...MOMENT, TRASH]);
    await refuses(bench, /trash folder .* cannot be used/);
    expect(bench.files()[TRASH]).toBe(TRASH);
  });

  test.each([true, false])("since it is a link to another folder, wanted or not: %p", async (isWanted) => {
    using bench = new TrashBench();
    bench.put([...MOMENT, `elsewhere/${BATCH}/${OTHER}`, `elsewhere/.purge-${BATCH}/mine.txt`]);
    mkdirSync(join(bench.root, ".dashdock"));
    symlinkSync(join(bench.root, "elsewhere"), join(bench.root, TRASH));
    const { trash } = await bench.open();
    const problem = await trash.prepare(isWanted).then(
      () => null,
      (error: unknown) => error,
    );
    expect(problem).toBeInstanceOf(TrashUnusable);
    // The link itself is one of ours.
    expect(bench.atHome()).toHaveLength(MOMENT.length + 2);
    expect(bench.files()).toMatchObject({ [`elsewhere/.purge-${BATCH}/mine.txt`]: expect.any(String) });
  });

  test.skipIf(!mayMount())("since it is on another disk (needs the right to mount)", async () => {
    using bench = new TrashBench();
    bench.put(MOMENT);
    using _disk = new SmallDisk(join(bench.root, TRASH), "1m");
    await refuses(bench, /on another disk than the recordings/);
  });

  test.skipIf(!mayMount())("since the disk is read-only by now (needs the right to mount)", async () => {
    using bench = new TrashBench();
    using disk = new SmallDisk(bench.root, "1m");
    bench.put([...MOMENT, ".dashdock/id"]);
    disk.remount("ro");
    await refuses(bench, /EROFS/);
    disk.remount("rw");
  });

  test("since this user may not write it", async () => {
    using bench = new TrashBench();
    bench.put(MOMENT);
    mkdirSync(join(bench.root, TRASH), { recursive: true });
    await asPlainUser(bench.root, async () => {
      Bun.spawnSync(["chmod", "555", join(bench.root, TRASH)]);
      await refuses(bench, /EACCES/);
    });
  });
});
