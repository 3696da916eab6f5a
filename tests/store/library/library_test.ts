import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { Log } from "../../../server/log.ts";
import { Library } from "../../../server/store/library/library.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { asPlainUser, DeadDisk, mayMount } from "../../support/disk/disks.ts";

let root: string;
let clock: FakeClock;
let log: Log;
let library: Library;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "library-"));
  clock = new FakeClock(Date.now());
  log = new Log(clock);
  library = new Library({ root, clock, log });
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function put(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), "");
  }
}

/** Gives a folder an mtime of long ago, so that a listing of it counts as settled. */
function age(folder: string, seconds: number): void {
  utimesSync(join(root, folder), new Date(), new Date(clock.now() - seconds * 1000));
}

/** All that is known, as sorted relative paths. */
function known(): string[] {
  return [...library.groups()]
    .flatMap(({ key, folder, endings }) => endings.map((ending) => join(folder, key + ending)))
    .sort();
}

const warnings = () => log.lines.filter(({ level }) => level === "WARNING").map(({ message }) => message);

describe("what counts", () => {
  test("files of recordings are found at any depth, in any layout", async () => {
    put("20260607_101500_NF.mp4", "2026/20260607_101500_NR.mp4", "2026-06-07/deep/er/20260607_101500_N.gps");
    await library.refresh();
    expect(library.folderOf("20260607_101500_NF.mp4")).toBe("");
    expect(library.folderOf("20260607_101500_NR.mp4")).toBe("2026");
    expect(library.folderOf("20260607_101500_N.gps")).toBe("2026-06-07/deep/er");
    expect(library.folderOf("20260607_101500_N.3gf")).toBeNull();
    expect([...library.folders()].sort()).toEqual(["", "2026", "2026-06-07", "2026-06-07/deep", "2026-06-07/deep/er"]);
  });

  test("every kind of artifact is known with all its letters, a user's files are not", async () => {
    const ours = [
      "20260607_101500_N.3gf",
      "20260607_101500_N.gps",
      "20260607_101500_NF.mp4",
      "20260607_101500_NF.mp4.failed",
      "20260607_101500_NF.thm",
      "20260607_101500_NFL.mp4",
      "20260607_101500_NL.gps",
      "20260607_101501_ZQ.mp4",
    ];
    put(...ours);
    put(
      "holiday.mp4",
      "notes.failed",
      "20260607_101500_N.mp4",
      "20260607_101500_NF.mp4.part",
      "20260607_101500_NF.mov",
    );
    put("20260607_101500_NF.MP4", "20260607-101500_NF.mp4", "2026060７_101500_NF.mp4", "20260607_101500_");
    await library.refresh();
    expect(known()).toEqual(ours);
    expect(library.recordingCount).toBe(3);
    for (const name of ours) expect(library.has(name)).toBe(true);
    expect(library.has("holiday.mp4")).toBe(false);
  });

  test("a name is whole: its beginning and its end are not enough", async () => {
    put("20260607_101500_NF.mp4", "20260607_101500_N.gps");
    await library.refresh();
    for (const name of ["20260607_101500_NF.mp", "20260607_101500_N", "20260607_101500_NF.mp44", "F.mp4", ""]) {
      expect(library.has(name)).toBe(false);
    }
  });

  test("hidden folders and those a NAS keeps for itself are not walked", async () => {
    for (const folder of [".git", "@eaDir", "#recycle", "2026/.snapshot"]) put(`${folder}/20260607_101500_NF.mp4`);
    await library.refresh();
    expect(known()).toEqual([]);
    expect([...library.folders()].sort()).toEqual(["", "2026"]);
  });

  test("a folder named like a recording is a folder", async () => {
    mkdirSync(join(root, "20260607_101500_NF.mp4"));
    mkdirSync(join(root, ".20260607_101501_NF.mp4"));
    put("20260607_101500_NF.mp4/20260607_101500_NR.mp4");
    await library.refresh();
    expect(known()).toEqual(["20260607_101500_NF.mp4/20260607_101500_NR.mp4"]);
    expect(library.partials()).toEqual([]);
  });

  test("a link to a file counts, a link to a folder or to nothing does not", async () => {
    put("real/20260607_101500_NF.mp4");
    symlinkSync(join(root, "real/20260607_101500_NF.mp4"), join(root, "20260607_101501_NF.mp4"));
    symlinkSync(join(root, "real"), join(root, "linked"));
    symlinkSync(join(root, "real"), join(root, "20260607_101502_NF.mp4"));
    symlinkSync(join(root, "nowhere"), join(root, "20260607_101503_NF.mp4"));
    await library.refresh();
    expect(known()).toEqual(["20260607_101501_NF.mp4", "real/20260607_101500_NF.mp4"]);
  });

  test("the root itself may be a link", async () => {
    put("real/20260607_101500_NF.mp4");
    symlinkSync(join(root, "real"), join(root, "link"));
    const linked = new Library({ root: join(root, "link"), clock, log });
    await linked.refresh();
    expect(linked.has("20260607_101500_NF.mp4")).toBe(true);
  });

  test("a date that never was makes no recording, and is told once", async () => {
    put("20260230_101500_NF.mp4", "2026/20260230_101500_NF.mp4", "20260607_250000_NF.mp4", "00000101_000000_NF.mp4");
    put("20260607_101500_NR.mp4");
    await library.refresh();
    age("", 500);
    await library.refresh();
    expect(known()).toEqual(["20260607_101500_NR.mp4"]);
    expect(warnings().sort()).toEqual([
      "00000101_000000_NF.mp4 has a date that never was; it is not treated as a recording",
      "20260230_101500_NF.mp4 has a date that never was; it is not treated as a recording",
      "20260607_250000_NF.mp4 has a date that never was; it is not treated as a recording",
    ]);
  });

  test("hundreds of names with impossible dates do not flood the log", async () => {
    put(...Array.from({ length: 300 }, (_, n) => `20261345_10${String(n).padStart(4, "0")}_NF.mp4`));
    await library.refresh();
    expect(warnings()).toHaveLength(101);
  });

  test("moments of one second but another type, or in another folder, are separate", async () => {
    put("20260607_101500_NF.mp4", "20260607_101500_EF.mp4", "a/20260607_101500_NF.mp4", "b/20260607_101500_NR.mp4");
    await library.refresh();
    expect([...library.groups()].map(({ key, folder }) => `${folder}/${key}`).sort()).toEqual([
      "/20260607_101500_E",
      "/20260607_101500_N",
      "a/20260607_101500_N",
      "b/20260607_101500_N",
    ]);
    expect(library.folderOf("20260607_101500_NF.mp4")).toBe("a");
    expect(library.hasIn("20260607_101500_NF.mp4", "")).toBe(true);
    expect(library.hasIn("20260607_101500_NF.mp4", "b")).toBe(false);
    expect(library.group("20260607_101500_N")).toEqual({ key: "20260607_101500_N", folder: "b", endings: ["R.mp4"] });
    expect([...library.groups("a")]).toEqual([{ key: "20260607_101500_N", folder: "a", endings: ["F.mp4"] }]);
    expect(library.recordingCount).toBe(4);
  });

  test("markers and partials are told apart from recordings", async () => {
    put("2026/20260607_101500_NF.mp4.failed", "20260607_101500_NR.thm.failed", "20260607_101500_NR.thm");
    put(".20260607_101501_NF.mp4", ".20260607_101501_N.gps", ".hidden", "2026/.20260607_101502_NF.mp4");
    await library.refresh();
    expect([...library.markers()].sort((a, b) => a.folder.localeCompare(b.folder))).toEqual([
      { name: "20260607_101500_NR.thm.failed", folder: "" },
      { name: "20260607_101500_NF.mp4.failed", folder: "2026" },
    ]);
    expect([...library.partials()].sort()).toEqual(["20260607_101501_N.gps", "20260607_101501_NF.mp4"]);
    expect(library.recordingCount).toBe(0);
    expect(library.has("20260607_101501_NF.mp4")).toBe(false);
  });
});

describe("looking again", () => {
  test("what was added, renamed and deleted by others shows after a refresh", async () => {
    put("a/20260607_101500_NF.mp4", "b/20260607_101501_NF.mp4", "c/20260607_101502_NF.mp4");
    await library.refresh();
    const version = library.version;
    put("a/20260607_101500_NR.mp4", "d/20260607_101503_NF.mp4");
    renameSync(join(root, "b"), join(root, "e"));
    rmSync(join(root, "c"), { recursive: true });
    await library.refresh();
    expect(known()).toEqual([
      "a/20260607_101500_NF.mp4",
      "a/20260607_101500_NR.mp4",
      "d/20260607_101503_NF.mp4",
      "e/20260607_101501_NF.mp4",
    ]);
    expect([...library.folders()].sort()).toEqual(["", "a", "d", "e"]);
    expect(library.recordingCount).toBe(4);
    expect(library.has("20260607_101502_NF.mp4")).toBe(false);
    expect(library.version).toBeGreaterThan(version);
  });

  test("nothing changed: the version stays, and an old folder is not listed again", async () => {
    put("a/20260607_101500_NF.mp4", "b/file");
    symlinkSync("../b/file", join(root, "a/20260607_101500_NR.mp4"));
    clock.jump(60_000);
    await library.refresh();
    const version = library.version;
    // Only a listing of `a` would notice that the link leads nowhere now.
    rmSync(join(root, "b/file"));
    await library.refresh();
    expect(library.has("20260607_101500_NR.mp4")).toBe(true);
    expect(library.version).toBe(version);
    age("a", 59);
    await library.refresh();
    expect(library.has("20260607_101500_NR.mp4")).toBe(false);
  });

  test("what a restore put there shows, although it set the folder's time back", async () => {
    put("a/20260607_101500_NF.mp4");
    age("a", 3600);
    clock.jump(60_000);
    await library.refresh();
    const { mtime } = statSync(join(root, "a"));
    put("a/20260607_101500_NR.mp4");
    utimesSync(join(root, "a"), mtime, mtime);
    await library.refresh();
    expect(library.has("20260607_101500_NR.mp4")).toBe(true);
  });

  test("callers at the same time share one look", async () => {
    const first = library.refresh();
    expect(library.refresh()).toBe(first);
    await first;
    expect(library.refresh()).not.toBe(first);
  });

  test("a missing root is empty and not available, and shows when it comes back", async () => {
    const late = new Library({ root: join(root, "disk"), clock, log });
    expect(late.available).toBe(false);
    await late.refresh();
    expect(late.available).toBe(false);
    put("disk/20260607_101500_NF.mp4");
    await late.refresh();
    expect(late.available).toBe(true);
    expect(late.recordingCount).toBe(1);
    rmSync(join(root, "disk"), { recursive: true });
    await late.refresh();
    expect([late.available, late.recordingCount, late.folders()]).toEqual([false, 0, []]);
    expect(warnings()).toEqual([]);
  });

  test("a root that is a file is not available", async () => {
    put("file");
    const odd = new Library({ root: join(root, "file"), clock, log });
    await odd.refresh();
    expect(odd.available).toBe(false);
  });

  test("a disk's own lost+found is not looked into, and there is no warning of it", async () => {
    put("20260607_101500_NF.mp4", "lost+found/20260607_101501_NF.mp4");
    await asPlainUser(root, async () => {
      chmodSync(join(root, "lost+found"), 0);
      await library.refresh();
      chmodSync(join(root, "lost+found"), 0o755);
    });
    expect(known()).toEqual(["20260607_101500_NF.mp4"]);
    expect([library.unreadable, warnings()]).toEqual([[], []]);
  });
});

describe("what cannot be read is unknown, not gone", () => {
  const forbid = (path: string) => chmodSync(join(root, path), 0);
  const allow = (path: string) => chmodSync(join(root, path), 0o755);

  test("a folder, of which nothing was known: it is named, and looked at again", async () => {
    put("a/20260607_101500_NF.mp4", "b/20260607_101501_NF.mp4");
    await asPlainUser(root, async () => {
      forbid("a");
      await library.refresh();
      await library.refresh();
      expect(known()).toEqual(["b/20260607_101501_NF.mp4"]);
      expect([library.available, library.unreadable]).toEqual([true, ["a"]]);
      expect(warnings()).toEqual([`cannot read the folder ${join(root, "a")} (EACCES); what is known of it stays`]);
      allow("a");
      await library.refresh();
    });
    expect(known()).toHaveLength(2);
    expect(library.unreadable).toEqual([]);
    expect(log.lines.at(-1)?.message).toBe(`the folder ${join(root, "a")} can be read again`);
  });

  test("a folder with all below it: what was known of them stays, also what was unreadable before", async () => {
    const there = ["2026/06/20260607_101500_NF.mp4", "2026/20260501_101500_NF.mp4", "20260401_101500_NF.mp4"];
    put(...there, "2026/07/20260707_101500_NF.mp4");
    await asPlainUser(root, async () => {
      forbid("2026/07");
      await library.refresh();
      const version = library.version;
      forbid("2026");
      for (const _ of [1, 2]) {
        await library.refresh();
        expect(known()).toEqual(there);
        expect(library.unreadable).toEqual(["2026", "2026/07"]);
      }
      expect(library.version).toBeGreaterThan(version);
      library.noteAdded("20260607_101600_NF.mp4", "2026/06");
      await library.refresh();
      expect(library.folderOf("20260607_101600_NF.mp4")).toBe("2026/06");
      allow("2026");
      allow("2026/07");
      await library.refresh();
    });
    expect(known()).toEqual([...there.slice(0, 1), "2026/07/20260707_101500_NF.mp4", ...there.slice(1)]);
    expect(library.unreadable).toEqual([]);
  });

  test("one that is deleted while it cannot be read is gone", async () => {
    put("a/20260607_101500_NF.mp4");
    await asPlainUser(root, async () => {
      forbid("a");
      await library.refresh();
      allow("a");
      rmSync(join(root, "a"), { recursive: true });
      await library.refresh();
    });
    expect([known(), library.unreadable, library.folders()]).toEqual([[], [], [""]]);
    expect(log.lines.some(({ message }) => message.includes("read again"))).toBe(false);
  });

  test("the root: it is not available, says why, and keeps what was known", async () => {
    put("20260607_101500_NF.mp4", "a/20260607_101501_NF.mp4");
    await asPlainUser(root, async () => {
      await library.refresh();
      expect([library.available, library.rootProblem]).toEqual([true, null]);
      forbid("");
      await library.refresh();
      expect([library.available, library.rootProblem]).toEqual([false, { code: "EACCES" }]);
      expect([known(), library.unreadable]).toEqual([["20260607_101500_NF.mp4", "a/20260607_101501_NF.mp4"], []]);
      allow("");
      await library.refresh();
      expect([library.available, library.rootProblem]).toEqual([true, null]);
    });
  });

  test("a root that is not there or a file is told apart", async () => {
    put("file");
    for (const [name, code] of [
      ["nowhere", "ENOENT"],
      ["file", "ENOTDIR"],
    ] as const) {
      const other = new Library({ root: join(root, name), clock, log });
      expect(other.rootProblem).toBeNull();
      await other.refresh();
      expect(other.rootProblem).toEqual({ code });
    }
    expect(warnings()).toEqual([]);
  });

  test.skipIf(!mayMount("dead"))("a disk that broke off (needs the right to mount)", async () => {
    put("2026-06-07/20260607_101500_NF.mp4", "2026-06-08/20260608_101500_NF.mp4");
    await library.refresh();
    {
      using _ = new DeadDisk(join(root, "2026-06-07"));
      await library.refresh();
      expect(known()).toEqual(["2026-06-07/20260607_101500_NF.mp4", "2026-06-08/20260608_101500_NF.mp4"]);
      expect(library.unreadable).toEqual(["2026-06-07"]);
      expect(warnings()).toEqual([expect.stringContaining("(ENOTCONN)")]);
      expect(library.isUnknown(momentNumber("20260607_235959_N"), "none")).toBe(true);
      expect(library.isUnknown(momentNumber("20260608_000000_N"), "none")).toBe(false);
    }
    await library.refresh();
    expect(library.unreadable).toEqual([]);
    expect(library.isUnknown(momentNumber("20260607_235959_N"), "none")).toBe(false);
  });
});

describe("our own writes", () => {
  test("show at once and stay after the next look", async () => {
    await library.refresh();
    put("2026-06-07/20260607_101500_NF.mp4", ".20260607_101501_NF.mp4", "20260607_101502_NF.mp4.failed");
    const version = library.version;
    library.noteAdded("20260607_101500_NF.mp4", "2026-06-07");
    library.noteAdded(".20260607_101501_NF.mp4", "");
    library.noteAdded("20260607_101502_NF.mp4.failed", "");
    library.noteAdded("holiday.mp4", "photos");
    const expected = () => {
      expect(known()).toEqual(["2026-06-07/20260607_101500_NF.mp4", "20260607_101502_NF.mp4.failed"]);
      expect(library.partials()).toEqual(["20260607_101501_NF.mp4"]);
      expect([...library.folders()].sort()).toEqual(["", "2026-06-07"]);
      expect([...library.markers()]).toHaveLength(1);
      expect(library.recordingCount).toBe(1);
    };
    expected();
    expect(library.version).toBeGreaterThan(version);
    await library.refresh();
    expected();
  });

  test("removals show at once and stay after the next look", async () => {
    put("a/20260607_101500_NF.mp4", "a/20260607_101500_NR.mp4", "a/20260607_101501_NF.mp4", ".20260607_101502_NF.mp4");
    await library.refresh();
    for (const name of ["20260607_101500_NF.mp4", "20260607_101501_NF.mp4"]) {
      rmSync(join(root, "a", name));
      library.noteRemoved(name, "a");
    }
    rmSync(join(root, ".20260607_101502_NF.mp4"));
    library.noteRemoved(".20260607_101502_NF.mp4", "");
    library.noteRemoved("20260607_101509_NF.mp4", "nowhere");
    const expected = () => {
      expect(known()).toEqual(["a/20260607_101500_NR.mp4"]);
      expect(library.partials()).toEqual([]);
      expect(library.recordingCount).toBe(1);
    };
    expected();
    await library.refresh();
    expected();
  });

  test("noting the same twice changes nothing", async () => {
    put("20260607_101500_NF.mp4");
    await library.refresh();
    const version = library.version;
    library.noteAdded("20260607_101500_NF.mp4", "");
    library.noteRemoved("20260607_101500_NR.mp4", "");
    expect(library.version).toBe(version);
  });
});

describe("a folder that is a destination itself", () => {
  const names = ["20260607_101500_NF.mp4", "van/20260607_101500_NR.mp4", "van/2026/20260607_101600_NF.mp4"];

  test("is another camera's, and is not looked into", async () => {
    put(...names, "van/.dashdock/id");
    await library.refresh();
    expect([known(), library.folders()]).toEqual([["20260607_101500_NF.mp4"], [""]]);
    // Recordings that come home there are no news here.
    put("van/20260607_101700_NF.mp4");
    age("van", 10);
    await library.refresh();
    expect(known()).toEqual(["20260607_101500_NF.mp4"]);
  });

  test("becomes one while it is known, and is let go of", async () => {
    put(...names);
    for (const folder of ["van", ""]) age(folder, 3600);
    await library.refresh();
    expect(known()).toEqual(names.toSorted());
    put("van/.dashdock/id");
    await library.refresh();
    expect(known()).toEqual(["20260607_101500_NF.mp4"]);
    rmSync(join(root, "van/.dashdock"), { recursive: true });
    await library.refresh();
    expect(known()).toEqual(names.toSorted());
  });

  test("is not looked into without its id where the settings have it as another camera's", async () => {
    put(...names);
    symlinkSync(root, `${root}-link`);
    const linked = join(`${root}-link`, "van");
    library = new Library({ root, clock, log, homes: () => [root, linked] });
    await library.refresh();
    rmSync(`${root}-link`);
    expect([known(), library.folders()]).toEqual([["20260607_101500_NF.mp4"], [""]]);
  });

  test("is let go of when the settings get it", async () => {
    put(...names);
    for (const folder of ["van", ""]) age(folder, 3600);
    const homes = [root];
    library = new Library({ root, clock, log, homes: () => homes });
    await library.refresh();
    expect(known()).toEqual(names.toSorted());
    homes.push(join(root, "van"));
    await library.refresh();
    expect(known()).toEqual(["20260607_101500_NF.mp4"]);
  });

  test("is unknown, and not looked into, while its id cannot be asked for", async () => {
    put(...names, "van/.dashdock/id");
    await asPlainUser(root, async () => {
      chmodSync(join(root, "van/.dashdock"), 0o000);
      await library.refresh();
      chmodSync(join(root, "van/.dashdock"), 0o755);
      expect([known(), library.unreadable]).toEqual([["20260607_101500_NF.mp4"], ["van"]]);
    });
  });
});
