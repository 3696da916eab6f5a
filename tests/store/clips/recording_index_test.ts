import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathOf, type Segment } from "../../../server/store/library/recording_files.ts";
import { nextTurn } from "../../../server/turns.ts";
import { Shelf } from "../../support/app/viewer.ts";

let shelf: Shelf;
beforeEach(() => {
  shelf = new Shelf();
});
afterEach(() => shelf[Symbol.dispose]());

const keysOf = (segments: readonly Segment[] = []) => segments.map(({ key, folder }) => join(folder, key));
const dayOf = async (date: string | null = null) => (await shelf.segments.day(date))?.segments;
/** The only segment, with the names of its files. */
async function only() {
  const found = await dayOf();
  expect(found).toHaveLength(1);
  const [segment] = found ?? [];
  if (!segment) throw new Error("There is no segment");
  const { videos, thumbnail, gps, gsensor } = segment.parts;
  return {
    videos: Object.fromEntries(videos.map(({ direction, ending }) => [direction, ending])),
    thumbnail,
    gps,
    gsensor,
  };
}

describe("a segment", () => {
  const cases: [sentence: string, endings: string[], expected: Awaited<ReturnType<typeof only>>][] = [
    [
      "has a video per direction, and what lies beside",
      ["NF.mp4", "NR.mp4", "N.gps", "NF.thm"],
      { videos: { F: "F.mp4", R: "R.mp4" }, thumbnail: "F.thm", gps: ".gps", gsensor: null },
    ],
    [
      "may have upload flags, and its thumbnail from the rear",
      ["NFL.mp4", "NRS.mp4", "NR.thm", "N.gps", "N.3gf"],
      { videos: { F: "FL.mp4", R: "RS.mp4" }, thumbnail: "R.thm", gps: ".gps", gsensor: ".3gf" },
    ],
    [
      "may have a thumbnail with the flag of its video",
      ["NFL.mp4", "NFL.thm"],
      { videos: { F: "FL.mp4" }, thumbnail: "FL.thm", gps: null, gsensor: null },
    ],
    [
      "prefers the video without a flag",
      ["NFL.mp4", "NF.mp4", "NFS.mp4"],
      { videos: { F: "F.mp4" }, thumbnail: null, gps: null, gsensor: null },
    ],
    [
      "prefers live to the substream",
      ["NFS.mp4", "NFL.mp4"],
      { videos: { F: "FL.mp4" }, thumbnail: null, gps: null, gsensor: null },
    ],
    [
      "may be rear only",
      ["NR.mp4", "NR.thm"],
      { videos: { R: "R.mp4" }, thumbnail: "R.thm", gps: null, gsensor: null },
    ],
    [
      "takes companions that keep the flag, as some cameras write them, after those that do not",
      ["NFL.mp4", "NL.gps", "NS.3gf", "N.3gf"],
      { videos: { F: "FL.mp4" }, thumbnail: null, gps: "L.gps", gsensor: ".3gf" },
    ],
    [
      "takes no thumbnail of a direction without a video",
      ["NR.mp4", "NF.thm"],
      { videos: { R: "R.mp4" }, thumbnail: null, gps: null, gsensor: null },
    ],
    [
      "sorts directions by letter and takes the front's thumbnail, or else the first",
      ["NR.mp4", "NO.mp4", "NI.mp4", "NF.mp4", "NO.thm", "NI.thm"],
      { videos: { F: "F.mp4", I: "I.mp4", O: "O.mp4", R: "R.mp4" }, thumbnail: "I.thm", gps: null, gsensor: null },
    ],
    [
      "is not changed by failure markers",
      ["NF.mp4", "NR.mp4.failed", "N.gps.failed"],
      { videos: { F: "F.mp4" }, thumbnail: null, gps: null, gsensor: null },
    ],
  ];
  test.each(cases)("%s", async (_, endings, expected) => {
    shelf.putAll(...endings.map((ending) => `20260607_101500_${ending}`));
    expect(await only()).toEqual(expected);
  });

  test("needs a video, a possible date and a folder that is not hidden", async () => {
    shelf.putAll("20260607_101500_N.gps", "20260607_101500_NF.thm", ".20260607_101500_NF.mp4");
    shelf.putAll("20261307_101500_NF.mp4", "20260230_101500_NF.mp4", "@eaDir/20260607_101500_NF.mp4");
    shelf.putAll("#recycle/20260607_101500_NF.mp4", ".trash/20260607_101500_NF.mp4", "20260607_101500_NF.MP4");
    expect(await shelf.segments.days()).toEqual([]);
    expect(await dayOf()).toBeUndefined();
  });

  test("is the moment and the type, in one folder", async () => {
    shelf.putAll("20260607_101500_NF.mp4", "20260607_101500_EF.mp4", "a/20260607_101500_NF.mp4");
    shelf.put("b/20260607_101500_NR.mp4");
    expect(keysOf(await dayOf())).toEqual([
      "b/20260607_101500_N",
      "a/20260607_101500_N",
      "20260607_101500_N",
      "20260607_101500_E",
    ]);
    expect((await shelf.segments.find("20260607_101500_N"))?.folder).toBe("b");
  });

  test("is found where its video is, not where only its companions are", async () => {
    shelf.putAll("a/20260607_101500_NF.mp4", "z/20260607_101500_N.gps");
    expect(await shelf.segments.find("20260607_101500_N")).toMatchObject({ folder: "a", parts: { gps: null } });
    expect(await shelf.segments.find("20260607_101500_E")).toBeNull();
    expect(await shelf.segments.find("20260608_101500_N")).toBeNull();
  });
});

describe("days", () => {
  test("are those of the names, newest first, and count moments", async () => {
    shelf.putAll("2026-06-01/20260607_235959_NF.mp4", "2026-06-01/20260607_235959_NR.mp4", "20260608_000000_NF.mp4");
    shelf.putAll("20260607_101500_EF.mp4", "2025/20251231_235959_PF.mp4");
    expect(await shelf.segments.days()).toEqual([
      { date: "2026-06-08", count: 1 },
      { date: "2026-06-07", count: 2 },
      { date: "2025-12-31", count: 1 },
    ]);
  });

  test("come one at a time, newest segment first, the newest day by default", async () => {
    shelf.putAll(
      "20260607_101500_NF.mp4",
      "20260607_101700_EF.mp4",
      "20260607_101600_NF.mp4",
      "20260601_101600_NF.mp4",
    );
    expect(keysOf(await dayOf())).toEqual(["20260607_101700_E", "20260607_101600_N", "20260607_101500_N"]);
    expect(keysOf(await dayOf("2026-06-01"))).toEqual(["20260601_101600_N"]);
    expect(await dayOf("2026-06-02")).toBeUndefined();
  });

  test("follow the folders", async () => {
    shelf.putAll("a/20260607_101500_NF.mp4", "b/20260608_101500_NF.mp4");
    expect(await shelf.segments.days()).toHaveLength(2);
    shelf.putAll("a/20260609_101500_NF.mp4", "a/20260607_101500_N.gps");
    renameSync(join(shelf.root, "b"), join(shelf.root, ".b"));
    await shelf.later();
    expect(await shelf.segments.days()).toEqual([
      { date: "2026-06-09", count: 1 },
      { date: "2026-06-07", count: 1 },
    ]);
    expect((await shelf.segments.find("20260607_101500_N"))?.parts.gps).toBe(".gps");
    rmSync(shelf.root, { recursive: true });
    await shelf.later();
    expect(await shelf.segments.days()).toEqual([]);
  });

  test("show at once what this program changed, and in two seconds what another one did", async () => {
    const ours = "20260607_101500_NF.mp4";
    const theirs = "20260608_101500_NF.mp4";
    expect(await shelf.segments.days()).toEqual([]);
    shelf.putAll(ours, theirs);
    shelf.library.noteAdded(ours, "");
    expect(await shelf.segments.days()).toEqual([{ date: "2026-06-07", count: 1 }]);
    await shelf.clock.advance(1999);
    expect(await shelf.segments.days()).toEqual([{ date: "2026-06-07", count: 1 }]);
    await shelf.clock.advance(1);
    expect(keysOf(await dayOf())).toEqual(["20260608_101500_N"]);
    rmSync(join(shelf.root, theirs));
    shelf.library.noteRemoved(theirs, "");
    expect(keysOf(await dayOf())).toEqual(["20260607_101500_N"]);
    rmSync(join(shelf.root, ours));
    expect(await shelf.viewed.journey("20260607_101500_N", true)).toHaveLength(1);
    await shelf.later();
    expect(await shelf.viewed.journey("20260607_101500_N", true)).toEqual([]);
  });

  test("find at once what a link asks for by its key", async () => {
    expect(await shelf.segments.days()).toEqual([]);
    shelf.put("20260607_101500_NF.mp4");
    expect(await shelf.segments.find("20260607_101500_N")).not.toBeNull();
    expect(await shelf.segments.find("20260607_101600_N")).toBeNull();
  });

  test("are right for everyone who asks at once while files arrive", async () => {
    const answers: Promise<number>[] = [];
    for (let minute = 10; minute < 40; minute++) {
      shelf.put(`20260607_10${minute}00_NF.mp4`);
      const wanted = minute - 9;
      answers.push(shelf.segments.days().then(([day]) => Math.max(0, wanted - (day?.count ?? 0))));
    }
    await Promise.all(answers);
    expect((await shelf.segments.days())[0]?.count).toBe(30);
  });
});

describe("names that were given again", () => {
  test("are in no range or journey of the first ones", async () => {
    for (const name of ["20180101_000010_NF", "20180101_000110_NF"]) shelf.putAll(`${name}.mp4`, `${name}.2.mp4`);
    const first = "20180101_000010_N";
    const last = "20180101_000110_N";
    for (const of of ["", ".2"]) {
      const keys = [first + of, last + of];
      expect(keysOf(await shelf.segments.between(first + of, last + of, 10))).toEqual(keys);
      expect(keysOf(await shelf.viewed.journey(first + of, true))).toEqual(keys);
    }
  });
});

describe("a journey", () => {
  test("crosses midnight and folders, and takes each moment once", async () => {
    shelf.putAll("2026-06-07/20260607_235900_NF.mp4", "2026-06-08/20260608_000000_NF.mp4", "20260608_000100_NR.mp4");
    shelf.putAll("copy/20260608_000000_NF.mp4", "20260608_000200_PF.mp4", "20260608_000500_NF.mp4");
    const journey = (key: string, allTypes: boolean) => shelf.viewed.journey(key, allTypes).then(keysOf);
    const chain = ["2026-06-07/20260607_235900_N", "copy/20260608_000000_N", "20260608_000100_N"];
    expect(await journey("20260607_235900_N", false)).toEqual(chain);
    expect(await journey("20260607_235900_N", true)).toEqual([...chain, "20260608_000200_P"]);
    expect(await journey("20260608_000200_P", false)).toEqual(["20260608_000200_P"]);
    expect(await journey("20260607_235900_E", true)).toEqual([]);
  });
});

describe("sizes and lengths", () => {
  const facts = async () => shelf.segments.facts((await dayOf()) ?? []);

  test("are those of the videos: bytes of all, seconds of the front's", async () => {
    await shelf.putVideo("20260607_101500_NF.mp4", 5000, 60.5);
    await shelf.putVideo("20260607_101500_NR.mp4", 3000, 59);
    await shelf.putVideo("20260607_101400_NI.mp4", 3000, 30);
    shelf.put("20260607_101500_N.gps", "x".repeat(100));
    expect(await facts()).toMatchObject([
      { sizeBytes: 8000, durationSeconds: 60.5 },
      { sizeBytes: 3000, durationSeconds: 30 },
    ]);
  });

  test("are told as far as they can be read", async () => {
    shelf.put("20260607_101500_NF.mp4", "no video");
    await shelf.putVideo("20260607_101500_NR.mp4", 3000, 59);
    shelf.put("20260607_101400_NF.mp4");
    expect(await facts()).toMatchObject([
      { sizeBytes: 3008, durationSeconds: 59 },
      { sizeBytes: 0, durationSeconds: null },
    ]);
  });

  test("stay unknown for a video that has gone since", async () => {
    shelf.put("20260607_101500_NF.mp4", "video");
    const day = (await dayOf()) ?? [];
    rmSync(join(shelf.root, "20260607_101500_NF.mp4"));
    expect(await shelf.segments.facts(day)).toMatchObject([{ sizeBytes: null, durationSeconds: null, codecs: null }]);
  });

  test("are not read again while nothing changed, and follow a video that was replaced", async () => {
    await shelf.putVideo("20260607_101500_NF.mp4", 5000, 60);
    await facts();
    await shelf.putVideo("20260607_101500_NF.mp4", 6000, 30);
    expect(await facts()).toMatchObject([{ sizeBytes: 5000 }]);
    await shelf.clock.advance(31_000);
    await facts();
    // The old ones are told until the new ones have been read.
    while ((await facts())[0]?.sizeBytes === 5000) await nextTurn();
    expect(await facts()).toMatchObject([{ sizeBytes: 6000, durationSeconds: 30 }]);
  });

  test("stay known through a library of 20,000 groups", async () => {
    const keys = Array.from({ length: 200 }, (_, at) => `20260607_1${100 + Math.floor(at / 50)}${10 + (at % 50)}_N`);
    shelf.putAll(...keys.map((key) => `${key}F.mp4`));
    const day = (await dayOf()) ?? [];
    expect(day).toHaveLength(200);
    // The same files under a hundred spellings of their folder: so many files would take the disk longer than the test.
    for (let spelling = 0; spelling < 100; spelling++)
      await shelf.segments.facts(day.map((segment) => ({ ...segment, folder: "./".repeat(spelling) })));
    // Facts of a file stay until it is looked at again.
    for (const { key } of day) shelf.put(`${key}F.mp4`, "a video that was replaced");
    expect((await shelf.segments.facts(day)).filter(({ sizeBytes }) => sizeBytes !== 0)).toEqual([]);
  });

  test("do not keep anybody waiting: what is late is told the next time", async () => {
    for (let minute = 10; minute < 40; minute++) await shelf.putVideo(`20260607_10${minute}00_NF.mp4`, 5000, 60);
    const day = (await dayOf()) ?? [];
    const first = shelf.segments.facts(day);
    // The time is over before the disk was even asked.
    await shelf.clock.advance(50);
    expect((await first).filter(({ sizeBytes }) => sizeBytes === null).length).toBeGreaterThan(0);
    expect((await shelf.segments.facts(day)).every(({ sizeBytes }) => sizeBytes === 5000)).toBe(true);
  });
});

describe("recent()", () => {
  const recent = async (limit = 5) => (await shelf.segments.recent(limit)).recordings.map(({ path }) => path);
  const START = 1_780_000_000;

  test("has the videos written last, whatever their names say", async () => {
    shelf.put("20260607_101500_NF.mp4", "", START + 2.5);
    shelf.put("2026/20200101_101500_EF.mp4", "", START + 3);
    shelf.put("20260607_101600_NRL.mp4", "", START + 1);
    shelf.put("20260607_101700_N.gps", "", START + 9);
    shelf.put("holiday.mp4", "", START + 9);
    shelf.put("@eaDir/20260607_101500_NF.mp4", "", START + 9);
    expect(await shelf.segments.recent(5)).toEqual({
      recordings: [
        { filename: "20200101_101500_EF.mp4", mtime: START + 3, path: "2026/20200101_101500_EF.mp4" },
        { filename: "20260607_101500_NF.mp4", mtime: START + 2.5, path: "20260607_101500_NF.mp4" },
        { filename: "20260607_101600_NRL.mp4", mtime: START + 1, path: "20260607_101600_NRL.mp4" },
      ],
      total: 3,
    });
    expect((await shelf.segments.recent(1)).recordings).toHaveLength(1);
  });

  test("follows what arrives and what goes", async () => {
    for (let minute = 10; minute < 20; minute++) shelf.put(`20260607_10${minute}00_NF.mp4`, "", START + minute);
    expect(await recent(2)).toEqual(["20260607_101900_NF.mp4", "20260607_101800_NF.mp4"]);
    rmSync(join(shelf.root, "20260607_101900_NF.mp4"));
    shelf.put("20260607_101000_NR.mp4", "", START + 18.5);
    expect(await recent(3)).toEqual(["20260607_101000_NR.mp4", "20260607_101800_NF.mp4", "20260607_101700_NF.mp4"]);
  });

  test("looks again when most of those it remembers were deleted", async () => {
    for (let index = 0; index < 300; index++) {
      const minute = String(Math.floor(index / 60)).padStart(2, "0");
      const second = String(index % 60).padStart(2, "0");
      shelf.put(`20260607_10${minute}${second}_NF.mp4`, "", START + index);
    }
    expect(await recent(1)).toEqual(["20260607_100459_NF.mp4"]);
    for (let index = 60; index < 300; index++) {
      rmSync(
        join(
          shelf.root,
          `20260607_10${String(Math.floor(index / 60)).padStart(2, "0")}${String(index % 60).padStart(2, "0")}_NF.mp4`,
        ),
      );
    }
    await recent(50);
    expect(await recent(50)).toHaveLength(50);
    expect((await recent(50))[0]).toBe("20260607_100059_NF.mp4");
  });

  test("is empty without a destination", async () => {
    rmSync(shelf.root, { recursive: true });
    expect(await shelf.segments.recent(5)).toEqual({ recordings: [], total: 0 });
  });
});

test("a path is put together from folder, key and ending", () => {
  expect(pathOf({ key: "20260607_101500_N", folder: "" }, "F.mp4")).toBe("20260607_101500_NF.mp4");
  expect(pathOf({ key: "20260607_101500_N", folder: "a/b" }, ".gps")).toBe("a/b/20260607_101500_N.gps");
});
