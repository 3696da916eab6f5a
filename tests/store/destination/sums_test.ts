import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DestinationProblem } from "../../../server/store/destination/destination_problem.ts";
import { SumsFile, SumsUnusable } from "../../../server/store/destination/sums.ts";
import { fileAt, type SumRow } from "../../../server/store/destination/sums_rows.ts";
import { mayMount, SmallDisk } from "../../support/disk/disks.ts";
import { SumsBench } from "../../support/disk/sums_bench.ts";

const NAME = "20260607_101500_NF.mp4";

function rowOf(path: string, more: Partial<SumRow> = {}): SumRow {
  const facts = { size: 5, modified: 1000, sha256: "ab".repeat(32), crc: 7, isWholeVideo: true };
  return { ...fileAt(path), ...facts, takenAt: 1, checkedAt: 2, damage: null, damagedAt: null, ...more };
}

async function saved(bench: SumsBench, rows: readonly SumRow[]): Promise<void> {
  const file = bench.file();
  await file.prepare();
  file.change((all) => all.save(rows));
  file.close();
}

/** The path of a descriptor of this process; null for one that is closed by now. */
function linkOf(descriptor: string): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return null;
  }
}

/** The error that a work of the file throws, as a text; null for nothing. */
function refusal(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (!(error instanceof SumsUnusable)) throw error;
    return error.message;
  }
}

describe("checksums in a destination", () => {
  test("are there again for the next program, in the order of time", async () => {
    using bench = new SumsBench();
    const later = rowOf("2026-06/20260608_101500_PF.mp4", { damage: "unreadable", damagedAt: 9 });
    await saved(bench, [later, rowOf(NAME), rowOf(`mine/${NAME}`, { size: 6 })]);
    const file = bench.file();
    const rows = file.read((all) => all.after({ moment: -1, ending: "", folder: "" }, 9), []);
    expect(rows).toEqual([rowOf(NAME), rowOf(`mine/${NAME}`, { size: 6 }), later]);
    expect(file.read((all) => all.damaged(), [])).toEqual([later]);
    const { moment, ending } = later;
    expect(file.read((all) => all.takenIn("2026-06", moment, moment), [])).toEqual([{ moment, ending }]);
    expect(file.read((all) => all.takenIn("mine", moment, moment), [])).toEqual([]);
    file.close();
  });

  test("are not begun by reading, and leave nothing beside the file", async () => {
    using bench = new SumsBench();
    const file = bench.file();
    expect(file.read((all) => all.count(), -1)).toBe(-1);
    expect(existsSync(join(bench.root, ".dashdock"))).toBe(false);
    file.close();
    await saved(bench, [rowOf(NAME)]);
    expect(readdirSync(join(bench.root, ".dashdock"))).toEqual(["sums.db"]);
  });

  test("are closed when they are idle", async () => {
    using bench = new SumsBench();
    await saved(bench, [rowOf(NAME)]);
    const file = bench.file();
    expect(file.read((all) => all.count(), 0)).toBe(1);
    const path = join(bench.root, ".dashdock", "sums.db");
    const isOpen = () => readdirSync("/proc/self/fd").some((fd) => linkOf(fd) === path);
    expect(isOpen()).toBe(true);
    await bench.clock.advance(10_000);
    expect(isOpen()).toBe(false);
    expect(file.read((all) => all.count(), 0)).toBe(1);
    file.close();
  });

  test("of a killed program are whole: what it had half written is taken back", async () => {
    using bench = new SumsBench();
    await saved(bench, [rowOf(NAME)]);
    const path = join(bench.root, ".dashdock", "sums.db");
    // A journal as a kill leaves it: the file is written to, and the transaction did not end.
    const child = Bun.spawnSync([
      process.execPath,
      "-e",
      `const db = new (require("bun:sqlite").Database)(${JSON.stringify(path)});
       db.run("pragma cache_size = 1"); db.run("begin immediate"); db.run("update files set crc = 99");
       for (let i = 0; i < 2000; i++) db.run("insert into facts values (?, ?)", ["f" + i, "x".repeat(500)]);
       process.kill(process.pid, "SIGKILL");`,
    ]);
    expect(child.signalCode).toBe("SIGKILL");
    expect(existsSync(`${path}-journal`)).toBe(true);
    const file = bench.file();
    expect(file.read((all) => all.find(fileAt(NAME))?.crc, 0)).toBe(7);
    expect([file.problem, file.setAside, existsSync(`${path}-journal`)]).toEqual([null, null, false]);
    file.close();
  });

  test("that another program is writing are said to be busy, and are there afterwards", async () => {
    using bench = new SumsBench();
    await saved(bench, [rowOf(NAME)]);
    const other = new Database(join(bench.root, ".dashdock", "sums.db"));
    other.run("begin exclusive");
    const file = bench.file();
    try {
      file.read((all) => all.count(), 0);
      throw new Error("It was read");
    } catch (error) {
      expect(error).toMatchObject({ name: "SumsUnusable", isBusy: true });
    }
    other.run("rollback");
    other.close();
    expect([file.read((all) => all.count(), 0), file.problem]).toEqual([1, null]);
    expect(bench.lines).toEqual([]);
    file.close();
  });
});

describe("a file of checksums that cannot be used", () => {
  test("is set aside when it is damaged, and a new one begins", async () => {
    using bench = new SumsBench();
    await saved(
      bench,
      Array.from({ length: 500 }, (_, at) => rowOf(`f${at}/${NAME}`)),
    );
    const path = join(bench.root, ".dashdock", "sums.db");
    const bytes = readFileSync(path);
    bytes.fill(0xff, 4096, bytes.length);
    writeFileSync(path, bytes);
    const file = bench.file();
    expect(file.read((all) => all.after({ moment: -1, ending: "", folder: "" }, 999).length, -1)).toBe(-1);
    expect(file.setAside).toMatch(/^sums\.db\.corrupt-[0-9T]+Z$/);
    file.change((all) => all.save([rowOf(NAME)]));
    expect(file.read((all) => all.count(), 0)).toBe(1);
    expect(readFileSync(join(bench.root, ".dashdock", file.setAside ?? ""))).toEqual(bytes);
    expect(bench.lines).toEqual([expect.stringMatching(/^ERROR the checksums were damaged \(.*\); they are kept as /)]);
    file.close();
  });

  test("is left alone when a newer program has written it", async () => {
    using bench = new SumsBench();
    await saved(bench, [rowOf(NAME)]);
    const path = join(bench.root, ".dashdock", "sums.db");
    const db = new Database(path);
    db.run("pragma user_version = 2");
    db.close();
    const before = readFileSync(path);
    const file = bench.file();
    const why = /^\.dashdock\/sums\.db was written by a newer Dashdock \(it is of version 2,/;
    expect(refusal(() => file.read((all) => all.count(), 0))).toMatch(why);
    expect(refusal(() => file.change((all) => all.save([rowOf(NAME)])))).toMatch(why);
    expect(readFileSync(path)).toEqual(before);
    expect(bench.lines.length).toBe(1);
    file.close();
  });

  test("is not followed when it is a link, nor is its journal, nor the folder", async () => {
    for (const link of [".dashdock/sums.db", ".dashdock/sums.db-journal", ".dashdock"]) {
      using bench = new SumsBench();
      const elsewhere = join(bench.folder, "elsewhere");
      mkdirSync(elsewhere);
      if (link !== ".dashdock") mkdirSync(join(bench.root, ".dashdock"));
      symlinkSync(link === ".dashdock" ? elsewhere : join(elsewhere, "file"), join(bench.root, link));
      const file = bench.file();
      const change = async () => {
        await file.prepare();
        file.change((all) => all.save([rowOf(NAME)]));
      };
      await expect(change()).rejects.toThrow(SumsUnusable);
      expect([link, readdirSync(elsewhere)]).toEqual([link, []]);
      file.close();
    }
  });

  test("is not made in the folder that a disk has left behind", async () => {
    using bench = new SumsBench();
    const place = {
      requireSame() {
        throw new DestinationProblem("the destination folder is gone; is its disk mounted?", "disk");
      },
    };
    const { root, clock, log } = bench;
    const file = new SumsFile({ root, clock, log, place });
    await expect(file.prepare()).rejects.toThrow("is its disk mounted?");
    expect(refusal(() => file.change((all) => all.save([rowOf(NAME)])))).toBe(
      "the destination folder is gone; is its disk mounted?",
    );
    expect(readdirSync(root)).toEqual([]);
    file.close();
  });

  test.skipIf(!mayMount())("is read on a read-only disk, and told once when it cannot be written", async () => {
    using bench = new SumsBench();
    using disk = new SmallDisk(bench.root, "1m");
    await saved(bench, [rowOf(NAME)]);
    disk.remount("ro");
    const file = bench.file();
    expect(file.read((all) => all.count(), 0)).toBe(1);
    const change = () => refusal(() => file.change((all) => all.save([rowOf(NAME)])));
    const why = "checksums cannot be written down: .dashdock/sums.db is read-only for this user";
    expect([change(), change(), file.problem]).toEqual([why, why, why]);
    expect(bench.lines).toEqual([`WARNING ${why}`]);
    disk.remount("rw");
    expect([change(), file.problem]).toEqual([null, null]);
    file.close();
  });

  test.skipIf(!mayMount())("keeps what it has on a full disk", async () => {
    using bench = new SumsBench();
    using disk = new SmallDisk(bench.root, "1m");
    await saved(bench, [rowOf(NAME)]);
    disk.fill();
    const many = Array.from({ length: 3000 }, (_, at) => rowOf(`folder ${at}/${NAME}`));
    const file = bench.file();
    expect(refusal(() => file.change((all) => all.save(many)))).toBe(
      "checksums cannot be written down: the disk of the recordings is full",
    );
    expect(file.read((all) => all.count(), 0)).toBe(1);
    disk.free();
    expect(refusal(() => file.change((all) => all.save(many.slice(0, 100))))).toBeNull();
    expect(file.read((all) => all.count(), 0)).toBe(101);
    file.close();
  });
});
