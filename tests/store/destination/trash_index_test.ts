import { expect, test } from "bun:test";
import { allMoments } from "../../../server/engine/retention/due.ts";
import { asNames, BATCH, KEY, MOMENT, OTHER, TRASH, TrashBench } from "../../support/disk/trash_bench.ts";

test("while recordings move, what was read of the trash a moment ago is old", async () => {
  using bench = new TrashBench();
  bench.put([...MOMENT, OTHER]);
  const { library, trash } = await bench.open();
  await trash.prepare();
  expect(await trash.entries()).toEqual([]);
  const seen: Promise<boolean>[] = [];
  const onMoved = (moment: number) =>
    seen.push(trash.entries().then((all) => all.some((entry) => entry.moment === moment)));
  await trash.take(allMoments(library), { cause: "age", by: null, keep: {} }, { onMoved });
  expect(await Promise.all(seen)).toEqual([true, true]);
});

test("a purged key takes everything of its moment with it, and a batch nothing that was not asked for", async () => {
  for (const isWhole of [false, true]) {
    using bench = new TrashBench();
    bench.put(isWhole ? `${KEY}F.mp4` : [`${KEY}F.mp4`, OTHER]);
    await bench.take();
    const { trash } = await bench.open();
    await trash.prepare();
    const wanted = (await trash.entries()).filter(({ key }) => key === KEY);
    // Files that the index has not seen yet.
    bench.put(asNames(`${TRASH}/${BATCH}`, MOMENT.slice(1)));
    if (isWhole) bench.put(`${TRASH}/${BATCH}/${OTHER}`);
    await trash.purge(wanted);
    expect(bench.inTrash().filter((path) => path.endsWith(".mp4") || path.includes(KEY))).toEqual([
      `${BATCH}/${OTHER}`,
    ]);
  }
});
