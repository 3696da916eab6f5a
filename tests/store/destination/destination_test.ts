import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "../../../server/clock.ts";
import { failureOf } from "../../../server/engine/transfer/failure_of_error.ts";
import { Log } from "../../../server/log.ts";
import { Destination } from "../../../server/store/destination/destination.ts";
import { FileInTheWay, FolderProblem } from "../../../server/store/destination/destination_problem.ts";
import { removeEmptyFolders } from "../../../server/store/destination/empty_folders.ts";
import type { Renames } from "../../../server/store/destination/put_in_place.ts";
import { Library } from "../../../server/store/library/library.ts";
import { asPlainUser } from "../../support/disk/disks.ts";

const NAME = "20260107_101500_NF.mp4";
const OTHER = "20260107_101600_NF.mp4";

let base: string;
let root: string;
let outside: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "recordings-"));
  root = join(base, "recordings");
  outside = join(base, "outside");
  mkdirSync(root);
  mkdirSync(outside);
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

function open(clock: Clock = systemClock, renames?: Renames): Destination {
  const library = new Library({ root, clock, log: new Log(clock) });
  return new Destination({ root, library, clock, ...(renames && { renames }) });
}

/** Opens a disk that takes ten milliseconds for everything: after two operations the slow path is taken. */
function openSlow(renames?: Renames): Destination {
  let elapsed = 0;
  const recordings = open({ ...systemClock, elapsed: () => (elapsed += 10) }, renames);
  for (const _ of [1, 2]) recordings.openPartial(OTHER, 0).close();
  return recordings;
}

/** Names in a folder, sorted, without the partial that makes a disk slow. */
function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name !== `.${OTHER}`)
    .sort();
}

/** Brings a small file home as a download does. */
async function bring(recordings: Destination, folder: string, name = NAME): Promise<void> {
  const partial = recordings.openPartial(name, 0);
  try {
    await partial.append(new TextEncoder().encode("video"));
    await recordings.finish(partial, folder);
  } finally {
    partial.close();
  }
}

async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

const paces: [string, (renames?: Renames) => Destination][] = [
  ["on a quick disk", (renames) => open(systemClock, renames)],
  ["on a slow disk", openSlow],
];

/** A file system that renames only what these say, as unions and quotas do: anything else is EXDEV. */
function renamesOnly(may: (from: string) => boolean): Renames {
  const check = (from: string) => {
    if (!may(from)) throw Object.assign(new Error("EXDEV: cross-device link not permitted, rename"), { code: "EXDEV" });
  };
  return {
    renameSync(from, to) {
      check(from);
      renameSync(from, to);
    },
    async rename(from, to) {
      check(from);
      renameSync(from, to);
    },
  };
}

describe.each(paces)("a file is put into its group folder %s", (_, openRecordings) => {
  test("which is made when it is not there, and used when it is", async () => {
    const recordings = openRecordings();
    await bring(recordings, "2026-01");
    await bring(recordings, "2026-01", OTHER);
    await bring(openRecordings(), "2026-01", "20260107_101700_NF.mp4");
    expect(readdirSync(join(root, "2026-01")).sort()).toEqual([NAME, OTHER, "20260107_101700_NF.mp4"]);
    expect(recordings.library.folderOf(NAME)).toBe("2026-01");
  });

  test("but never when that is another camera's destination", async () => {
    mkdirSync(join(root, "2026-01", ".dashdock"), { recursive: true });
    writeFileSync(join(root, "2026-01", ".dashdock", "id"), "");
    const error = await thrownBy(() => bring(openRecordings(), "2026-01"));
    expect([error instanceof FolderProblem, filesIn("2026-01"), filesIn("")]).toEqual([
      true,
      [".dashdock"],
      [`.${NAME}`, "2026-01"],
    ]);
  });

  test("but never through a link: nothing is written outside, and the partial is kept", async () => {
    symlinkSync(outside, join(root, "2026-01"));
    const recordings = openRecordings();
    const error = await thrownBy(() => bring(recordings, "2026-01"));
    expect(error).toBeInstanceOf(FolderProblem);
    expect(error).toHaveProperty(
      "message",
      "the folder 2026-01 is a link; recordings are only put into real folders below the destination",
    );
    expect(readdirSync(outside)).toEqual([]);
    expect(recordings.library.has(NAME)).toBe(false);
    expect(recordings.partialSize(NAME)).toBe(5);
    await bring(recordings, "");
    expect(readFileSync(join(root, NAME), "utf8")).toBe("video");
  });

  test("but not through a link that leads nowhere or back into the destination", async () => {
    symlinkSync("nowhere", join(root, "2026-01"));
    mkdirSync(join(root, "real"));
    symlinkSync("real", join(root, "2026-02"));
    const recordings = openRecordings();
    expect(await thrownBy(() => bring(recordings, "2026-01"))).toBeInstanceOf(FolderProblem);
    expect(await thrownBy(() => bring(recordings, "2026-02"))).toBeInstanceOf(FolderProblem);
    expect(readdirSync(join(root, "real"))).toEqual([]);
    expect(existsSync(join(root, "nowhere"))).toBe(false);
  });

  test("and a plain file of the folder's name is named", async () => {
    writeFileSync(join(root, "2026-01"), "theirs");
    const recordings = openRecordings();
    const error = await thrownBy(() => bring(recordings, "2026-01"));
    expect(error).toBeInstanceOf(FileInTheWay);
    expect(error).toHaveProperty("message", "2026-01 is a file where a folder belongs; rename or remove it");
    expect(readFileSync(join(root, "2026-01"), "utf8")).toBe("theirs");
    expect(recordings.partialSize(NAME)).toBe(5);
  });

  test("and a folder that became a file or a link after it was used is noticed", async () => {
    const recordings = openRecordings();
    await bring(recordings, "2026-01");
    renameSync(join(root, "2026-01"), join(base, "away"));
    writeFileSync(join(root, "2026-01"), "");
    expect(await thrownBy(() => bring(recordings, "2026-01", OTHER))).toBeInstanceOf(FileInTheWay);

    rmSync(join(root, "2026-01"));
    symlinkSync(outside, join(root, "2026-01"));
    await recordings.prepare(true);
    expect(await thrownBy(() => bring(recordings, "2026-01", OTHER))).toBeInstanceOf(FolderProblem);
    expect(readdirSync(outside)).toEqual([]);
  });

  test.each(["", "2026-01"])("and a folder in the file's place is named, in %p", async (folder) => {
    const place = folder === "" ? NAME : `${folder}/${NAME}`;
    mkdirSync(join(root, place, "theirs"), { recursive: true });
    const recordings = openRecordings();
    const error = await thrownBy(() => bring(recordings, folder));
    expect(error).toBeInstanceOf(FileInTheWay);
    expect(error).toHaveProperty(
      "message",
      `${place} is a folder where a recording's file belongs; rename or remove it`,
    );
    expect(readdirSync(join(root, place))).toEqual(["theirs"]);
    expect(recordings.library.has(NAME)).toBe(false);
    await bring(recordings, folder, OTHER);
  });

  test("and a destination that vanished is the disk's own error and is not made anew", async () => {
    const recordings = openRecordings();
    for (const folder of ["", "2026-01"]) {
      mkdirSync(root, { recursive: true });
      const partial = recordings.openPartial(NAME, 0);
      rmSync(root, { recursive: true });
      expect(await thrownBy(() => recordings.finish(partial, folder))).toMatchObject({ code: "ENOENT" });
      expect(existsSync(root)).toBe(false);
    }
  });

  test.each(["", "2026-01"])(
    "but never over a file, in %p: that stays, and the new one is a partial",
    async (folder) => {
      const place = folder === "" ? NAME : `${folder}/${NAME}`;
      mkdirSync(join(root, folder), { recursive: true });
      writeFileSync(join(root, place), "good");
      const recordings = openRecordings();
      const error = await thrownBy(() => bring(recordings, folder));
      expect(error).toBeInstanceOf(FileInTheWay);
      expect(error).toHaveProperty(
        "message",
        `${place} is there already and is never written over; the new one stays half-finished`,
      );
      expect(readFileSync(join(root, place), "utf8")).toBe("good");
      expect(readFileSync(join(root, `.${NAME}`), "utf8")).toBe("video");
      await bring(recordings, folder, OTHER);
    },
  );

  test("and not over a link that leads nowhere either", async () => {
    symlinkSync("nowhere", join(root, NAME));
    const error = await thrownBy(() => bring(openRecordings(), ""));
    expect(error).toHaveProperty("message", `${NAME} is a link, which is not followed; remove it`);
    expect(filesIn("")).toEqual([`.${NAME}`, NAME]);
  });

  test.each(["", "2026-01"])(
    "where it cannot be renamed, in %p, by a copy of which nothing is left",
    async (folder) => {
      const recordings = openRecordings(renamesOnly((from) => from !== join(root, `.${NAME}`)));
      await bring(recordings, folder);
      expect(readFileSync(join(root, folder, NAME), "utf8")).toBe("video");
      expect(filesIn(folder)).toEqual([NAME]);
      expect(recordings.partialSize(NAME)).toBe(0);
      expect(recordings.library.hasIn(NAME, folder)).toBe(true);
    },
  );

  test.each(["", "2026-01"])("and where nothing can be renamed, in %p, the partial is kept", async (folder) => {
    const recordings = openRecordings(renamesOnly(() => false));
    const error = await thrownBy(() => bring(recordings, folder));
    expect(failureOf(error)).toMatchObject({ kind: "trouble", message: expect.stringMatching(/refuses to rename/) });
    expect(filesIn(folder)).toEqual(folder === "" ? [`.${NAME}`] : []);
    expect(readFileSync(join(root, `.${NAME}`), "utf8")).toBe("video");
    expect(recordings.library.has(NAME)).toBe(false);
  });

  test("nor is a copy put over a file that came in the meantime", async () => {
    const recordings = openRecordings(
      renamesOnly(() => {
        writeFileSync(join(root, NAME), "good");
        return false;
      }),
    );
    expect(await thrownBy(() => bring(recordings, ""))).toBeInstanceOf(FileInTheWay);
    expect(readFileSync(join(root, NAME), "utf8")).toBe("good");
    expect(filesIn("")).toEqual([`.${NAME}`, NAME]);
    expect(recordings.partialSize(NAME)).toBe(5);
  });

  test("and one that this user may not write is named", () =>
    asPlainUser(base, async () => {
      mkdirSync(join(root, "2026-01"), { mode: 0o555 });
      const recordings = openRecordings();
      const error = await thrownBy(() => bring(recordings, "2026-01"));
      expect(error).toBeInstanceOf(FolderProblem);
      expect(error).toHaveProperty(
        "message",
        "the folder 2026-01 is not writable for this user; check its owner and mode",
      );
      expect(recordings.partialSize(NAME)).toBe(5);
    }));

  test("and a destination that may no longer be written stays the disk's own error", () =>
    asPlainUser(base, async () => {
      const recordings = openRecordings();
      const partial = recordings.openPartial(NAME, 0);
      chmodSync(root, 0o555);
      expect(await thrownBy(() => recordings.finish(partial, ""))).toMatchObject({ code: "EACCES" });
      chmodSync(root, 0o755);
    }));
});

describe("a folder can be asked about before anything is fetched for it", () => {
  test("and one that is not there or a real one is fine", () => {
    mkdirSync(join(root, "2026-01"));
    const recordings = open();
    for (const folder of ["", "2026-01", "2026-02"]) recordings.checkFolder(folder);
    expect(readdirSync(root)).toEqual(["2026-01"]);
  });

  test("and a link or a file is not", async () => {
    symlinkSync(outside, join(root, "2026-01"));
    writeFileSync(join(root, "2026-02"), "");
    const recordings = open();
    expect(await thrownBy(() => recordings.checkFolder("2026-01"))).toBeInstanceOf(FolderProblem);
    expect(await thrownBy(() => recordings.checkFolder("2026-02"))).toBeInstanceOf(FileInTheWay);
  });

  test("and its answer holds until the next run begins or the folder is swept away", async () => {
    mkdirSync(join(root, "2026-01"));
    const recordings = open();
    await recordings.prepare(true);
    await recordings.library.refresh();
    recordings.checkFolder("2026-01");
    expect(await removeEmptyFolders(recordings)).toEqual(["2026-01"]);
    symlinkSync(outside, join(root, "2026-01"));
    expect(await thrownBy(() => recordings.checkFolder("2026-01"))).toBeInstanceOf(FolderProblem);
  });
});

describe("what lies in the place of a partial is named", () => {
  const rows: [string, (path: string) => void, RegExp][] = [
    ["a folder", (path) => mkdirSync(path), /^\.20260107_101500_NF\.mp4 is a folder .*remove it$/],
    ["a link", (path) => symlinkSync("../outside/file", path), /^\.20260107_101500_NF\.mp4 is a link.*remove it$/],
    ["a link to itself", (path) => symlinkSync(path, path), /^\.20260107_101500_NF\.mp4 is a link.*remove it$/],
  ];
  test.each(rows)("%s", async (_, put, message) => {
    put(join(root, `.${NAME}`));
    const recordings = open();
    const error = await thrownBy(() => recordings.openPartial(NAME, 0));
    expect(error).toBeInstanceOf(FileInTheWay);
    expect(error).toHaveProperty("message", expect.stringMatching(message));
    expect(readdirSync(outside)).toEqual([]);
    await bring(recordings, "", OTHER);
  });

  test("a file that this user may not write", () =>
    asPlainUser(base, async () => {
      writeFileSync(join(root, `.${NAME}`), "", { mode: 0o444 });
      const error = await thrownBy(() => open().openPartial(NAME, 0));
      expect(error).toBeInstanceOf(FileInTheWay);
      expect(error).toHaveProperty("message", expect.stringMatching(/^\.2026.* may not be changed by this user; /));
    }));

  test("but not when it is the destination that may not be written", () =>
    asPlainUser(base, async () => {
      chmodSync(root, 0o555);
      expect(await thrownBy(() => open().openPartial(NAME, 0))).toMatchObject({ code: "EACCES" });
      chmodSync(root, 0o755);
      writeFileSync(join(root, `.${NAME}`), "", { mode: 0o444 });
      chmodSync(root, 0o555);
      expect(await thrownBy(() => open().openPartial(NAME, 0))).toMatchObject({ code: "EACCES" });
      chmodSync(root, 0o755);
    }));

  test("but not when the destination is gone or became a file", async () => {
    const recordings = open();
    rmSync(root, { recursive: true });
    expect(await thrownBy(() => recordings.openPartial(NAME, 0))).toMatchObject({ code: "ENOENT" });
    writeFileSync(root, "");
    expect(await thrownBy(() => recordings.openPartial(NAME, 0))).toMatchObject({ code: "ENOTDIR" });
  });

  test("also when it is to be deleted", async () => {
    mkdirSync(join(root, `.${NAME}`));
    expect(await thrownBy(() => open().discardPartial(NAME))).toBeInstanceOf(FileInTheWay);
  });
});

test.skipIf(process.getuid?.() !== 0)(
  "what root brings home belongs to the owner of the folder that is there in that run (needs root)",
  async () => {
    const recordings = open();
    const ownerOf = (path: string) => {
      const { uid, gid } = statSync(join(root, path));
      return [uid, gid];
    };
    await recordings.prepare(false);
    await bring(recordings, "2026-01");
    chownSync(root, 12_345, 23_456);
    await recordings.prepare(false);
    await bring(recordings, "2026-02", OTHER);
    expect([ownerOf("2026-01"), ownerOf(`2026-01/${NAME}`)]).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect([ownerOf("2026-02"), ownerOf(`2026-02/${OTHER}`)]).toEqual([
      [12_345, 23_456],
      [12_345, 23_456],
    ]);
  },
);
