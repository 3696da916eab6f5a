import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dashdock, type Place, temporaryPlace } from "./support/app/process.ts";
import { feed, serveArgs } from "./support/app/service.ts";
import { OURS, SyncBench } from "./support/app/sync.ts";
import { EARLIER, filesIn, putEarlier } from "./support/disk/earlier.ts";

/** Has the latest of all files. */
const LATEST = EARLIER.at(-1) ?? "";

const inText = (path: string) => (place: Place) => {
  const text = readFileSync(place.at(path), "utf8");
  const newer = text.replace(/("version": ?)([0-9]+)/, (_, name, version) => `${name}${Number(version) + 1}`);
  expect(newer).not.toBe(text);
  writeFileSync(place.at(path), newer);
};
const inDatabase = (path: string) => (place: Place) => {
  using db = new Database(place.at(path));
  // Newer than this program's too, which may be newer than the file.
  db.run("pragma user_version = 1000");
};

/** Every file that carries the version of its shape, and what a newer program writes there. */
const VERSIONED: readonly [file: string, age: (place: Place) => void][] = [
  ["config/settings.json", inText("config/settings.json")],
  ["config/stats.db", inDatabase("config/stats.db")],
  ["config/library.db", inDatabase("config/library.db")],
  ["config/camera-list.txt", inText("config/camera-list.txt")],
  ["recordings/.dashdock/kept.json", inText("recordings/.dashdock/kept.json")],
  ["recordings/.dashdock/format", (place) => writeFileSync(place.at("recordings/.dashdock/format"), "2\n")],
];

const REMEDY = "Use the program version that wrote it, or restore an older copy; the file is left as it is.";

describe.each(VERSIONED)("%s of a newer version", (file, age) => {
  test("is refused at the start with one line that names it and what helps, and everything stays as it is", async () => {
    await using place = await temporaryPlace();
    putEarlier(place, LATEST);
    age(place);
    const before = filesIn(place);
    const { code, out, err } = await dashdock(serveArgs(place), { cwd: place.cwd });
    expect([code, out, err.split("\n").length]).toEqual([2, "", 2]);
    expect(err).toStartWith("Dashdock cannot start: Cannot use ");
    expect(err).toContain(place.at(file));
    expect(err).toMatch(/is of version \d+, newer than version \d+ that this program reads\. /);
    expect(err).toEndWith(`${REMEDY}\n`);
    expect(filesIn(place)).toEqual(before);
  });
});

test("no command changes what a newer version wrote", async () => {
  await using place = await temporaryPlace();
  putEarlier(place, LATEST);
  for (const [, age] of VERSIONED) age(place);
  const before = filesIn(place);
  const synced = await dashdock(["sync", "127.0.0.1:1", "--destination", place.at("recordings")], { cwd: place.cwd });
  expect([synced.code, synced.err.split("\n").length]).toEqual([2, 2]);
  expect(synced.err).toContain(`${place.at("recordings/.dashdock/format")}: it is of version 2`);
  const password = await feed(place, ["password", "--stdin", "--config", place.at("config")], "another password\n");
  expect(password.code).not.toBe(0);
  expect(password.err).toContain(REMEDY);
  expect(filesIn(place)).toEqual(before);
});

describe("the format of a destination", () => {
  test.each([
    ["2\n", 2],
    ["17", 17],
    [" 2 and what a later program adds\n", 2],
    [`${"9".repeat(100_000)}\n`, 999_999_999],
  ])("%p is newer: no sync begins there", async (content, version) => {
    await using place = await temporaryPlace();
    putEarlier(place, LATEST);
    writeFileSync(place.at("recordings/.dashdock/format"), content);
    const before = filesIn(place);
    const { code, err } = await dashdock(["sync", "127.0.0.1:1", "--destination", place.at("recordings")], place);
    expect([code, err.split("\n").length, filesIn(place)]).toEqual([2, 2, before]);
    expect(err).toContain(`it is of version ${version}, newer than version 1 that this program reads`);
  });

  test.each(["", "\n", "{", "-2", "one", "1\n", "0"])(
    "%p is not: what can be brought home comes, and the number of this version is there then",
    async (content) => {
      await using bench = await SyncBench.open();
      bench.put(".dashdock/format", content);
      expect((await bench.sync()).failure).toBeNull();
      expect(readFileSync(join(bench.destination, ".dashdock/format"), "utf8")).toBe("1\n");
      expect(bench.tree()).toEqual([...OURS, ...bench.offered()].sort());
    },
  );

  test("is looked at by each run: the disk of a newer program may come while the service runs", async () => {
    await using bench = await SyncBench.open();
    bench.put(".dashdock/format", "2\n");
    const before = bench.tree();
    expect((await bench.sync()).failure).toMatchObject({
      reason: "unknown",
      message:
        "the recordings folder is of version 2, newer than version 1 that this program reads; use the program version that wrote it",
    });
    expect(bench.tree()).toEqual(before);
  });
});
