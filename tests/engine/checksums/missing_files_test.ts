import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Checksums } from "../../../server/engine/checksums/checksums.ts";
import { ALL_FILES } from "../../../server/engine/checksums/library_files.ts";
import { findMissing } from "../../../server/engine/checksums/missing_files.ts";
import { fileAt, pathOfFile } from "../../../server/store/destination/sums_rows.ts";
import { Trash } from "../../../server/store/destination/trash.ts";
import { SumsBench, untilSettled, video } from "../../support/disk/sums_bench.ts";

const HOUR = 3_600_000;
const FILES = ["20260607_101500_NF.mp4", "20260607_101500_N.gps", "20260608_101500_NF.mp4"] as const;
const [FRONT, GPS, OTHER] = FILES;

/** Three files with their checksums, and a trash that they go to. */
async function openBench() {
  const bench = new SumsBench();
  for (const [at, path] of FILES.entries()) bench.put(path, video(5000, at + 1));
  await bench.library.refresh();
  const checksums = bench.checksums();
  for (const path of FILES) await checksums.check(fileAt(path), bench.pace(), "keep");
  await checksums.sums.write();
  const { root, clock, log, library } = bench;
  const trash = new Trash({ root, clock, log, home: library, leaving: (moments) => checksums.noteLeaving(moments) });
  await trash.prepare();
  const remove = async (path: string) => {
    const { moment } = fileAt(path);
    const [set] = [...library.folderContents].flatMap(({ path: folder, moments }) =>
      folder === "" ? (moments.get(moment) ?? []) : [],
    );
    if (set === undefined) throw new Error(`${path} is not at home`);
    await trash.take([{ moment, folder: "", set }], { cause: "hand", by: null, keep: {} });
  };
  const missing = async () => {
    await library.refresh();
    const { missing: gone } = await findMissing({ library, clock, checksums, trash }, ALL_FILES);
    return gone.map(pathOfFile).sort();
  };
  return { bench, checksums, trash, remove, missing };
}

const known = (checksums: Checksums) =>
  FILES.filter((path) => checksums.sums.read((rows) => rows.find(fileAt(path)), null));

describe("files that are not where they were", () => {
  test("are missing until they are put back", async () => {
    const { bench, checksums, missing } = await openBench();
    using _bench = bench;
    const aside = join(bench.folder, "aside");
    renameSync(join(bench.root, FRONT), aside);
    rmSync(join(bench.root, GPS));
    expect(await missing()).toEqual([FRONT, GPS].sort());
    renameSync(aside, join(bench.root, FRONT));
    expect(await missing()).toEqual([GPS]);
    expect((await checksums.check(fileAt(FRONT), bench.pace(), "past")).kind).toBe("whole");
    await checksums.close();
  });

  test("are not missed when they went to the trash, nor when that was emptied, and are forgotten an hour later", async () => {
    const { bench, checksums, trash, remove, missing } = await openBench();
    using _bench = bench;
    await remove(FRONT);
    expect([await missing(), known(checksums)]).toEqual([[], [...FILES]]);
    await trash.purge(await trash.entries());
    expect([await missing(), known(checksums)]).toEqual([[], [...FILES]]);
    bench.clock.pass(HOUR);
    expect([await missing(), known(checksums)]).toEqual([[], [OTHER]]);
    await checksums.close();
  });

  test("are not missed when the clock was ahead as they were read", async () => {
    const { bench, checksums, trash, remove, missing } = await openBench();
    using _bench = bench;
    bench.clock.jump(-100 * HOUR);
    await remove(FRONT);
    await trash.purge(await trash.entries());
    expect(await missing()).toEqual([]);
    bench.clock.pass(HOUR);
    expect([await missing(), known(checksums)]).toEqual([[], [OTHER]]);
    await checksums.close();
  });

  test("and that came back from the trash are read again, and missed from then on", async () => {
    const { bench, checksums, trash, remove, missing } = await openBench();
    using _bench = bench;
    const lacking = async () => (await Array.fromAsync(checksums.lacking())).map(pathOfFile).sort();
    await remove(FRONT);
    bench.clock.pass(60_000);
    await trash.putBack(
      (await trash.entries()).map((entry) => ({ entry, folder: "" })),
      () => null,
    );
    await bench.library.refresh();
    expect(await lacking()).toEqual([FRONT, GPS].sort());
    bench.damage(FRONT);
    expect((await checksums.check(fileAt(FRONT), bench.pace(), "past")).kind).toBe("damaged");
    expect((await checksums.check(fileAt(GPS), bench.pace(), "past")).kind).toBe("whole");
    await checksums.sums.write();
    expect([await lacking(), await missing()]).toEqual([[], []]);
    rmSync(join(bench.root, GPS));
    expect(await missing()).toEqual([GPS]);
    await checksums.close();
  });

  test("are not missed when another program was writing checksums while they left", async () => {
    const { bench, checksums, trash, remove, missing } = await openBench();
    using _bench = bench;
    const other = new Database(join(bench.root, ".dashdock", "sums.db"));
    other.run("begin immediate");
    await remove(FRONT);
    other.run("rollback");
    other.close();
    await checksums.sums.write();
    await trash.purge(await trash.entries());
    bench.clock.pass(HOUR);
    expect(await missing()).toEqual([]);
    await checksums.close();
  });

  test("are not missed when they left while they were read, or before their checksums were written down", async () => {
    const { bench, checksums, trash, remove, missing } = await openBench();
    using _bench = bench;
    const late = "20260609_101500_NF.mp4";
    bench.put(late, video(5000, 9));
    await bench.library.refresh();
    checksums.noteCame(late, "");
    await untilSettled(bench, checksums.settled());
    await checksums.check(fileAt(late), bench.pace(), "keep");
    await remove(late);
    await checksums.sums.write();
    await trash.purge(await trash.entries());
    expect(await missing()).toEqual([]);
    await checksums.close();
  });

  test("in a folder that is empty or cannot be read are not called missing: a disk may belong there", async () => {
    const { bench, checksums } = await openBench();
    using _bench = bench;
    bench.put(`nas/${OTHER}`, video(5000, 8));
    await bench.library.refresh();
    await checksums.check(fileAt(`nas/${OTHER}`), bench.pace(), "keep");
    await checksums.sums.write();
    rmSync(join(bench.root, OTHER));
    rmSync(join(bench.root, "nas", OTHER));
    await bench.library.refresh();
    const { library, clock } = bench;
    const found = await findMissing(
      { library, clock, checksums, trash: { entries: async () => [], problem: null } },
      ALL_FILES,
    );
    expect([found.missing.map(pathOfFile), found.unknown.map(pathOfFile)]).toEqual([[OTHER], [`nas/${OTHER}`]]);
    await checksums.close();
  });
});
