import { expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type GuardParts, OwnFolderGuard, TrashUnusable } from "../../../server/store/destination/own_folder_guard.ts";
import { TrashBench } from "../../support/disk/trash_bench.ts";

function guardOf(bench: TrashBench, parts: Partial<GuardParts> = {}): OwnFolderGuard {
  return new OwnFolderGuard({ root: bench.root, clock: bench.clock, log: bench.log, ...parts });
}

/** The sentence of a refusal; null when there was none. */
async function refusal(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(TrashUnusable);
    return (error as Error).message;
  }
}

test("one piece of work after the other, also after one that failed", async () => {
  using bench = new TrashBench();
  const guard = guardOf(bench);
  const order: string[] = [];
  const piece = (name: string) => async () => {
    order.push(`${name} begins`);
    await new Promise(setImmediate);
    if (name === "second") throw new Error("trouble of its own");
    order.push(`${name} ends`);
    return name;
  };
  const done = await Promise.allSettled([
    guard.run(piece("first")),
    guard.run(piece("second")),
    guard.run(piece("third")),
  ]);
  expect(done.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(order).toEqual(["first begins", "first ends", "second begins", "third begins", "third ends"]);
});

test("two on one folder: the second is refused while the first works, and may afterwards", async () => {
  using bench = new TrashBench();
  const one = guardOf(bench);
  const other = guardOf(bench);
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const working = one.run(async () => {
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  const said = await refusal(other.run(async () => bench.put("never.txt")));
  expect(said).toBe("another Dashdock is moving recordings in this folder just now; try again");
  end.resolve();
  await working;
  expect(await refusal(other.run(async () => {}))).toBeNull();
  expect(bench.atHome()).toEqual([]);
});

test.each([
  [
    "the folder is another one",
    { identity: { refusalOfWork: async () => ["it is not the one", "disk"] as const } },
    "it is not the one",
  ],
  ["the folder is not there", { root: "/nowhere/at/all" }, "the recordings folder is not there; is its disk mounted?"],
])("nothing is done when %s", async (_what, parts, says) => {
  using bench = new TrashBench();
  expect(await refusal(guardOf(bench, parts).run(async () => bench.put("never.txt")))).toBe(says);
  expect(bench.files()).toEqual({});
});

test("nor when our own folder is a file or a link elsewhere", async () => {
  using bench = new TrashBench();
  writeFileSync(join(bench.root, ".dashdock"), "mine");
  expect(await refusal(guardOf(bench).run(async () => {}))).toContain(".dashdock");
  rmSync(join(bench.root, ".dashdock"));
  mkdirSync(join(bench.root, "elsewhere"));
  symlinkSync("elsewhere", join(bench.root, ".dashdock"));
  expect(await refusal(guardOf(bench).run(async () => {}))).toContain(".dashdock");
  expect(Object.keys(bench.files())).toEqual([".dashdock"]);
});
