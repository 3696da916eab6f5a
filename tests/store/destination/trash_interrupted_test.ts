import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asNames, BATCH, KEY, MOMENT, OTHER, TRASH, TrashBench } from "../../support/disk/trash_bench.ts";

setDefaultTimeout(20_000);

describe("after kill -9", () => {
  const NOTE = `${TRASH}/.moving-${BATCH}`;
  /** The order in which a moment's files go: companions first. */
  const ORDER = [...MOMENT].sort((one, other) => Number(one.endsWith(".mp4")) - Number(other.endsWith(".mp4")));

  for (const folder of ["", "2026-11"]) {
    const home = folder;
    const place = folder === "" ? BATCH : `${BATCH}/${folder}`;
    for (let done = 0; done <= ORDER.length; done++)
      test(`moving, after ${done} renames in "${folder}": at home or in the trash, whole`, async () => {
        using bench = new TrashBench();
        bench.put([...asNames(home, MOMENT), ...asNames(home, [OTHER]), "mine.txt"]);
        bench.put(NOTE, "");
        mkdirSync(join(bench.root, TRASH, place), { recursive: true });
        for (const name of ORDER.slice(0, done))
          renameSync(join(bench.root, home, name), join(bench.root, TRASH, place, name));
        const { trash } = await bench.open();
        await trash.prepare();
        const whole = MOMENT.length;
        const none = 0;
        expect(bench.inTrash()).toHaveLength(done === 0 ? none : whole);
        expect(bench.atHome()).toHaveLength((done === 0 ? whole : none) + 2);
        expect(bench.files()).toMatchObject({
          "mine.txt": "mine.txt",
          [asNames(home, [OTHER])[0] ?? ""]: expect.any(String),
        });
        expect(bench.notes()).toEqual([]);
        expect((await trash.entries()).map(({ key, folder: was }) => [key, was])).toEqual(
          done === 0 ? [] : [[KEY, folder]],
        );
      });
  }

  test.each([
    ["after the note", []],
    ["after the folder", [`${BATCH}/`]],
    ["after the list", [`${BATCH}/`, `${BATCH}/list`]],
    ["after the list was cut short", [`${BATCH}/`, `${BATCH}/2026-11/`, `${BATCH}/list`]],
  ])("moving, %s: nothing has gone, and nothing of it is left", async (_when, made) => {
    using bench = new TrashBench();
    bench.put([...MOMENT, ...asNames("2026-11", [OTHER])]);
    const before = bench.files();
    bench.put(NOTE, "");
    for (const path of made)
      if (path.endsWith("/")) mkdirSync(join(bench.root, TRASH, path), { recursive: true });
      else writeFileSync(join(bench.root, TRASH, path), `{"by":null,"keep":{}}\n${KEY} 12 2`);
    const { trash } = await bench.open();
    await trash.prepare(false);
    expect(bench.files()).toEqual(before);
    expect(await trash.entries()).toEqual([]);
  });

  test("moving, and the recording was fetched again before anybody looked: it stays, the trash keeps what it had", async () => {
    using bench = new TrashBench();
    bench.put(NOTE, "");
    bench.put(`${TRASH}/${BATCH}/${KEY}F.mp4`, "deleted");
    bench.put([`${KEY}F.mp4`, `${KEY}R.mp4`, `${KEY}.gps`], "fetched again");
    const { trash } = await bench.open();
    await trash.prepare();
    expect(bench.atHome()).toEqual([`${KEY}.gps`, `${KEY}F.mp4`, `${KEY}R.mp4`]);
    expect(bench.files()[`${TRASH}/${BATCH}/${KEY}F.mp4`]).toBe("deleted");
    expect(bench.notes()).toEqual([]);
  });

  for (let done = 0; done <= ORDER.length; done++)
    test(`restoring, after ${done} renames: it comes home, whole`, async () => {
      using bench = new TrashBench();
      bench.put([...asNames("2026-11", MOMENT), OTHER]);
      const before = bench.files();
      await bench.take([KEY]);
      bench.put(`${TRASH}/.restoring`, `${KEY}\t${BATCH}/2026-11\t2026-11\n`);
      rmSync(join(bench.root, "2026-11"), { recursive: true, force: true });
      if (done > 0) mkdirSync(join(bench.root, "2026-11"));
      for (const name of ORDER.slice(0, done))
        renameSync(join(bench.root, TRASH, BATCH, "2026-11", name), join(bench.root, "2026-11", name));
      const { trash, library } = await bench.open();
      await trash.prepare();
      await library.refresh();
      const files = bench.files();
      delete files[`${TRASH}/${BATCH}/list`];
      expect(files).toEqual(before);
      expect(await trash.entries()).toEqual([]);
      expect(bench.notes()).toEqual([]);
    });

  test("restoring, and something else came there: neither is written over, and the trash can be used", async () => {
    using bench = new TrashBench();
    bench.put(MOMENT);
    await bench.take();
    bench.put(`${TRASH}/.restoring`, `${KEY}\t${BATCH}\t\n`);
    bench.put(`${KEY}R.mp4`, "mine");
    const { trash } = await bench.open();
    await trash.prepare();
    expect(bench.files()).toMatchObject({ [`${KEY}R.mp4`]: "mine", [`${TRASH}/${BATCH}/${KEY}R.mp4`]: `${KEY}R.mp4` });
    expect((await trash.entries()).map(({ key }) => key)).toEqual([KEY]);
  });

  test.each([
    ["is gone with the one around it", () => {}],
    ["is a file", (bench: TrashBench) => bench.put("holiday", "a file")],
    ["is a link", (bench: TrashBench) => symlinkSync(bench.elsewhere, join(bench.root, "holiday"))],
  ])("restoring into a folder that %s by now: it stays in the trash, which can be used", async (_what, make) => {
    using bench = new TrashBench();
    bench.put(asNames("holiday/spain", MOMENT));
    await bench.take();
    rmSync(join(bench.root, "holiday"), { recursive: true });
    make(bench);
    bench.put(`${TRASH}/.restoring`, `${KEY}\t${BATCH}/holiday/spain\tholiday/spain\n`);
    const { trash } = await bench.open();
    await trash.prepare();
    expect((await trash.entries()).map(({ key, videos }) => [key, videos])).toEqual([[KEY, 2]]);
    expect(bench.inTrash()).toHaveLength(MOMENT.length);
    expect(readdirSync(bench.elsewhere)).toEqual([]);
    expect(bench.notes()).toEqual([]);
  });

  for (let done = 0; done <= ORDER.length; done++)
    test(`purging one of two, after ${done} files: it is gone, the other is not`, async () => {
      using bench = new TrashBench();
      bench.put([...MOMENT, OTHER]);
      await bench.take();
      bench.put(`${TRASH}/.purging`, `${KEY}\t${BATCH}\n`);
      for (const name of ORDER.slice(0, done)) rmSync(join(bench.root, TRASH, BATCH, name));
      bench.put(`${KEY}F.mp4`, "fetched again");
      const { trash } = await bench.open();
      await trash.prepare();
      expect(bench.inTrash()).toEqual([`${BATCH}/${OTHER}`]);
      expect(bench.files()[`${KEY}F.mp4`]).toBe("fetched again");
      expect(bench.notes()).toEqual([]);
    });

  test("purging a whole batch, half of it removed: it is no part of the trash, and the rest goes", async () => {
    using bench = new TrashBench();
    bench.put([...MOMENT, OTHER]);
    await bench.take();
    renameSync(join(bench.root, TRASH, BATCH), join(bench.root, TRASH, `.purge-${BATCH}`));
    rmSync(join(bench.root, TRASH, `.purge-${BATCH}`, `${KEY}F.mp4`));
    const { trash } = await bench.open();
    expect(await trash.entries()).toEqual([]);
    await trash.prepare(false);
    expect(Object.keys(bench.files())).toEqual([]);
  });

  test("purging stopped by a folder of somebody's own: all else can be deleted and restored", async () => {
    using bench = new TrashBench();
    bench.put([`${KEY}F.mp4`, OTHER]);
    await bench.take();
    bench.put(`${TRASH}/${BATCH}/${KEY}R.mp4/inside.txt`, "mine");
    bench.put(`${TRASH}/.purging`, `${KEY}\t${BATCH}\n`);
    const { trash } = await bench.open();
    await trash.prepare();
    expect(bench.inTrash()).toEqual([`${BATCH}/${OTHER}`]);
    expect(bench.files()[`${TRASH}/${BATCH}/${KEY}R.mp4/inside.txt`]).toBe("mine");
  });
});
