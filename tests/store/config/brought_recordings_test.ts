import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { Log } from "../../../server/log.ts";
import { BroughtRecordings } from "../../../server/store/config/brought_recordings.ts";
import { FakeClock } from "../../support/app/clock.ts";

let folder: string;
let path: string;
let log: Log;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "brought-"));
  path = join(folder, "brought.txt");
  log = new Log(new FakeClock());
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A library in which these videos lie. */
function here(...names: string[]) {
  const moments = new Map<number, { endings: string[]; markers: []; videos: number }>();
  for (const name of names) {
    const endings = [...(moments.get(momentNumber(name))?.endings ?? []), name.slice(17)];
    moments.set(momentNumber(name), { endings, markers: [], videos: endings.length });
  }
  return [{ moments }];
}

const ONE = { endings: ["F.mp4"], markers: [], videos: 1 };
const FRONT = "20260607_101500_NF.mp4";
const REAR = "20260607_101500_NR.mp4";
const OTHER = "20260607_101600_EF.mp4";

test("each video is on the disk before its name is made, and is known after a kill", async () => {
  const brought = await BroughtRecordings.open(path, log);
  expect(brought.isBegun).toBe(false);
  void brought.begin([]);
  await Promise.all([brought.note(FRONT), brought.note(OTHER)]);
  const { size } = statSync(path);
  await brought.note(FRONT);
  expect(statSync(path).size).toBe(size);
  // Nothing was closed, and a power cut tore the last line.
  appendFileSync(path, "20260607_10\0\0\0");
  const again = await BroughtRecordings.open(path, log);
  expect(again.isBegun).toBe(true);
  expect(again.hasAll(here(FRONT, OTHER))).toBe(true);
  expect(again.hasAll(here(FRONT, REAR))).toBe(false);
  expect(again.hasAll(here("20260608_101500_NF.mp4"))).toBe(false);
  // Thumbnails and GPS are no recordings, and what has two flags or a number is the same one.
  expect(again.hasAll(here("20260609_101500_N.gps", "20260609_101500_NF.thm", "20260607_101500_NFL.mp4"))).toBe(true);
});

test("a recording of a name that was given again is known by its number", async () => {
  const brought = await BroughtRecordings.open(path, log);
  await brought.begin([]);
  await brought.note("20180101_000010_NF.2.mp4");
  const second = [{ moments: new Map([[momentNumber("20180101_000010_N.2"), ONE]]) }];
  const first = [{ moments: new Map([[momentNumber("20180101_000010_N"), ONE]]) }];
  const again = await BroughtRecordings.open(path, log);
  expect([again.hasAll(second), again.hasAll(first)]).toEqual([true, false]);
  await again.add(first);
  expect((await BroughtRecordings.open(path, log)).hasAll([...first, ...second])).toBe(true);
});

test("a line that was torn does not swallow the next one", async () => {
  const brought = await BroughtRecordings.open(path, log);
  await brought.begin([]);
  appendFileSync(path, "20260607_10");
  const again = await BroughtRecordings.open(path, log);
  await again.note(FRONT);
  expect((await BroughtRecordings.open(path, log)).hasAll(here(FRONT))).toBe(true);
});

test("a list that was only added to does not count as begun", async () => {
  await (await BroughtRecordings.open(path, log)).note(FRONT);
  expect((await BroughtRecordings.open(path, log)).isBegun).toBe(false);
});

test("of many that are gone from the library the oldest are forgotten", async () => {
  const brought = await BroughtRecordings.open(path, log);
  const names: string[] = [];
  for (let at = 0; at < 25_000; at++) {
    const [hour, minute, second] = [Math.floor(at / 3600), Math.floor(at / 60) % 60, at % 60].map((part) =>
      String(part).padStart(2, "0"),
    );
    names.push(`20260101_${hour}${minute}${second}_NF.mp4`);
  }
  await brought.begin(here(...names));
  const [oldest = "", newest = ""] = [names[0], names.at(-1)];
  await brought.bound(here(oldest));
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines).toHaveLength(1 + 10_000 + 1);
  expect([brought.hasAll(here(oldest, newest)), brought.hasAll(here(names[1] ?? ""))]).toEqual([true, false]);
});

test("a list that cannot be written is told once, and holds until the restart", async () => {
  mkdirSync(path);
  const brought = await BroughtRecordings.open(path, log);
  await brought.note(FRONT);
  await brought.note(OTHER);
  expect(brought.hasAll(here(FRONT, OTHER))).toBe(true);
  expect(log.lines.map(({ message }) => message)).toEqual([
    expect.stringContaining("cannot be read (EISDIR)"),
    expect.stringMatching(/could not be written \(EISDIR\); after a restart Dashdock asks again before it deletes$/),
  ]);
});
