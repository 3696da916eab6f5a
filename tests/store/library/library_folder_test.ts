import { expect, test } from "bun:test";
import { momentKey } from "../../../server/domain/recordings/moment_number.ts";
import { Folder, type FolderStamp } from "../../../server/store/library/library_folder.ts";
import { NameIndex } from "../../../server/store/library/name_index.ts";

const MINUTE = 60_000;

/** A folder that was changed then, in nanoseconds. */
function at(mtimeNs: number): FolderStamp {
  return { mtimeNs: BigInt(mtimeNs), ctimeNs: BigInt(mtimeNs), ino: 7n };
}

function namesIn(folder: Folder): string[] {
  return [...folder.moments]
    .flatMap(([moment, { endings }]) => endings.map((ending) => momentKey(moment) + ending))
    .sort();
}

async function folderWith(path: string, ...names: string[]): Promise<{ folder: Folder; index: NameIndex }> {
  const index = new NameIndex();
  const folder = new Folder(path, index);
  await folder.list(at(0), MINUTE, 0, async (into) => {
    for (const name of names) folder.take(name, into);
  });
  return { folder, index };
}

test("what we write while a folder is being listed holds against the older listing", async () => {
  const before = ["20260607_101500_NF.mp4", "20260607_101501_NF.mp4", ".20260607_101502_NF.mp4"];
  for (const moment of ["early", "late"]) {
    const { folder, index } = await folderWith("", ...before);
    const write = () => {
      folder.note("20260607_101500_NF.mp4", false);
      folder.note("20260607_101503_NF.mp4", true);
      folder.note("20260607_101504_NF.mp4", true);
      folder.note("20260607_101504_NF.mp4", false);
      folder.note(".20260607_101502_NF.mp4", false);
      folder.note(".20260607_101505_NF.mp4", true);
    };
    await folder.list(at(1), MINUTE, 0, async (into) => {
      if (moment === "early") write();
      for (const name of before) folder.take(name, into);
      if (moment === "late") write();
    });
    expect(namesIn(folder)).toEqual(["20260607_101501_NF.mp4", "20260607_101503_NF.mp4"]);
    expect([...folder.partials]).toEqual(["20260607_101505_NF.mp4"]);
    expect(index.videos).toBe(2);
    expect(index.folderOf("20260607_101500_NF.mp4")).toBeNull();
  }
});

test("what we write while a long listing is taking effect holds too", async () => {
  const { folder, index } = await folderWith("a");
  const name = (second: number) =>
    `20260607_${new Date(second * 1000).toISOString().slice(11, 19).replaceAll(":", "")}_NF.mp4`;
  const removed = name(9999);
  const added = name(20_000);
  const taking = folder.list(at(1), MINUTE, 0, async (into) => {
    for (let second = 0; second < 10_000; second++) folder.take(name(second), into);
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(folder.moments.size).toBeGreaterThan(0);
  expect(folder.moments.size).toBeLessThan(10_000);
  folder.note(removed, false);
  folder.note(added, true);
  await taking;
  expect(index.folderOf(removed)).toBeNull();
  expect(index.folderOf(added)).toBe("a");
  expect(folder.moments.size).toBe(10_000);
});

test("a listing that fails leaves the content and is due again", async () => {
  const { folder } = await folderWith("a", "20260607_101500_NF.mp4");
  expect(folder.isCurrent(at(0))).toBe(true);
  await expect(folder.list(at(0), MINUTE, 0, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(namesIn(folder)).toEqual(["20260607_101500_NF.mp4"]);
  expect(folder.isCurrent(at(0))).toBe(false);
});

test("a folder is listed again when its times or it itself are others, and once more while it may still change", async () => {
  const { folder } = await folderWith("a");
  expect(folder.isCurrent(at(0))).toBe(true);
  for (const other of [{ mtimeNs: 1n }, { ctimeNs: 1n }, { ino: 8n }])
    expect(folder.isCurrent({ ...at(0), ...other })).toBe(false);

  const list = (stamp: FolderStamp, now: number, elapsed: number) => folder.list(stamp, now, elapsed, async () => {});
  // Its own time is old, but the disk changed it just now: another file may come within the tick.
  const restored = { ...at(0), ctimeNs: BigInt(MINUTE) * 1_000_000n };
  await list(restored, MINUTE + 1999, 0);
  expect(folder.isCurrent(restored)).toBe(false);
  await list(restored, MINUTE + 2000, 1);
  expect(folder.isCurrent(restored)).toBe(true);
  // A disk whose clock is an hour ahead: it settles when it has been known for long enough.
  const ahead = { ...restored, mtimeNs: BigInt(60 * MINUTE) * 1_000_000n };
  await list(ahead, MINUTE, 10);
  expect(folder.isCurrent(ahead)).toBe(false);
  await list(ahead, MINUTE, 2010);
  expect(folder.isCurrent(ahead)).toBe(true);
});

test("an index counts a moment once per folder and forgets it with the last", async () => {
  const index = new NameIndex();
  const folders = ["b", "c", "a"].map((path) => new Folder(path, index));
  for (const folder of folders) folder.note("20260607_101500_NF.mp4", true);
  expect([index.videos, index.folderOf("20260607_101500_NF.mp4")]).toEqual([3, "c"]);
  for (const [folder, next] of [
    [folders[1], "b"],
    [folders[0], "a"],
    [folders[2], null],
  ] as const) {
    await folder?.clear();
    expect(index.folderOf("20260607_101500_NF.mp4")).toBe(next);
  }
  expect(index.videos).toBe(0);
});

test("a moment's number keeps all of its seventeen characters", () => {
  const { index, folder } = { index: new NameIndex(), folder: new Map() };
  for (const key of ["19700101_000000_A", "20260607_101500_N", "20241231_235959_Z", "99991231_235959_Z"]) {
    folder.clear();
    expect(index.collect(`${key}F.mp4`, folder)).toBe("taken");
    expect([...folder.keys()].map(momentKey)).toEqual([key]);
  }
});
