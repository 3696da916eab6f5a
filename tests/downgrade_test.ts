import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { EARLIER, filesIn, putEarlier } from "./support/earlier.ts";
import { dashdock, type Place, temporaryPlace } from "./support/process.ts";
import { feed, serveArgs } from "./support/service.ts";

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
  const { user_version } = db.query<{ user_version: number }, []>("pragma user_version").get() ?? { user_version: 0 };
  db.run(`pragma user_version = ${user_version + 1}`);
};

/** Every file that carries the version of its shape, and what a newer program writes there. */
const VERSIONED: readonly [file: string, age: (place: Place) => void][] = [
  ["config/settings.json", inText("config/settings.json")],
  ["config/stats.db", inDatabase("config/stats.db")],
  ["config/library.db", inDatabase("config/library.db")],
  ["config/camera-list.txt", inText("config/camera-list.txt")],
  ["recordings/.dashdock/kept.json", inText("recordings/.dashdock/kept.json")],
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
  expect(synced.err).toContain(`${place.at("recordings/.dashdock/kept.json")}: it is of version 2`);
  const password = await feed(place, ["password", "--stdin", "--config", place.at("config")], "another password\n");
  expect(password.code).not.toBe(0);
  expect(password.err).toContain(REMEDY);
  expect(filesIn(place)).toEqual(before);
});
