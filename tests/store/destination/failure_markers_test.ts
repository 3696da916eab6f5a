import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Log } from "../../../server/log.ts";
import { FailureMarkers, parseMarker } from "../../../server/store/destination/failure_markers.ts";
import { Library } from "../../../server/store/library/library.ts";
import { FakeClock } from "../../support/app/clock.ts";

const NAME = "20260607_101500_NF.mp4";
const HOUR = 3_600_000;

let root: string;
let clock: FakeClock;
let log: Log;
let library: Library;
let markers: FailureMarkers;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "markers-"));
  clock = new FakeClock("2026-06-07T10:15:00Z");
  log = new Log(clock);
  library = new Library({ root, clock, log });
  markers = new FailureMarkers({ library, clock, log });
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe("a failure", () => {
  test("blocks until its time is over", async () => {
    await library.refresh();
    expect(await markers.blocks(NAME, "2026", HOUR)).toBe(false);
    await markers.write(NAME, "2026");
    expect(readFileSync(join(root, "2026", `${NAME}.failed`), "utf8")).toBe("2026-06-07T10:15:00.000Z");
    expect(await markers.blocks(NAME, "2026", HOUR)).toBe(true);
    expect(await markers.blocks(NAME, "", HOUR)).toBe(false);
    await clock.advance(HOUR - 1);
    expect(await markers.blocks(NAME, "2026", HOUR)).toBe(true);
    await clock.advance(1);
    expect(await markers.blocks(NAME, "2026", HOUR)).toBe(false);
    expect(await markers.blocks(NAME, "2026", HOUR, clock.now() - 1)).toBe(true);
  });

  test("is counted by the library at once, and forgotten at once", async () => {
    await library.refresh();
    await markers.write(NAME, "");
    expect([...library.markers()]).toEqual([{ name: `${NAME}.failed`, folder: "" }]);
    await markers.remove(NAME, "");
    expect([...library.markers()]).toEqual([]);
    expect(existsSync(join(root, `${NAME}.failed`))).toBe(false);
    expect(await markers.blocks(NAME, "", HOUR)).toBe(false);
    await markers.remove(NAME, "");
    expect(log.lines).toEqual([]);
  });

  test("begins anew when the file fails again", async () => {
    await markers.write(NAME, "");
    await clock.advance(HOUR);
    await markers.write(NAME, "");
    expect(await markers.blocks(NAME, "", HOUR)).toBe(true);
  });

  test("that somebody else removed does not block and is removed without complaint", async () => {
    await markers.write(NAME, "");
    rmSync(join(root, `${NAME}.failed`));
    expect(await markers.blocks(NAME, "", HOUR)).toBe(false);
    await markers.remove(NAME, "");
    expect(log.lines).toEqual([]);
  });
});

describe("a marker found on disk", () => {
  const localNow = () => {
    const at = new Date(clock.now() - 60_000);
    const two = (value: number) => String(value).padStart(2, "0");
    const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
    return `${day}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  };
  const rows: [string, () => string, boolean][] = [
    ["UTC, now", () => "2026-06-07T10:15:00.000Z", true],
    ["UTC with a line feed", () => "2026-06-07T10:14:00Z\n", true],
    ["with an offset", () => "2026-06-07T12:14:00+02:00", true],
    ["the old form, local with microseconds", () => `${localNow()}.123456`, true],
    ["the old form without a fraction", localNow, true],
    ["too old", () => "2026-06-07T09:15:00.000Z", false],
    ["from the future", () => "2026-06-07T10:15:00.001Z", false],
    ["no date", () => "2026-13-45T10:15:00Z", false],
    ["words", () => "yesterday", false],
    ["a number", () => "1780000000", false],
    ["empty", () => "", false],
    ["huge", () => "2026-06-07T10:15:00.000Z".repeat(100_000), false],
  ];
  test.each(rows)("%s: blocks as it should", async (_, content, blocks) => {
    writeFileSync(join(root, `${NAME}.failed`), content());
    await library.refresh();
    expect(await markers.blocks(NAME, "", HOUR)).toBe(blocks);
    expect(log.lines).toEqual([]);
  });
});

test("what cannot be written or removed is a warning and nothing more", async () => {
  writeFileSync(join(root, "2026"), "a file where a folder should be");
  await markers.write(NAME, "2026");
  mkdirSync(join(root, `${NAME}.failed`));
  library.noteAdded(`${NAME}.failed`, "");
  await markers.write(NAME, "");
  await markers.remove(NAME, "");
  expect(await markers.blocks(NAME, "", HOUR)).toBe(false);
  expect(log.lines.map(({ level }) => level)).toEqual(["WARNING", "WARNING", "WARNING"]);
});

test("a marker is never written through a link, neither the folder's nor its own", async () => {
  const outside = mkdtempSync(join(tmpdir(), "outside-"));
  symlinkSync(outside, join(root, "2026"));
  symlinkSync(join(outside, "marker"), join(root, `${NAME}.failed`));
  await markers.write(NAME, "2026");
  await markers.write(NAME, "");
  expect(readdirSync(outside)).toEqual([]);
  expect(library.has(`${NAME}.failed`)).toBe(false);
  expect(log.lines.map(({ level }) => level)).toEqual(["WARNING", "WARNING"]);
  expect(log.lines[0]?.message).toMatch(/the folder 2026 is a link/);
  rmSync(outside, { recursive: true });
});

test("a vanished destination is not made anew by a marker", async () => {
  rmSync(root, { recursive: true });
  await markers.write(NAME, "2026");
  await markers.write(NAME, "");
  expect(existsSync(root)).toBe(false);
  expect(log.lines).toHaveLength(2);
});

test("the old form means this machine's own time, the new one UTC", () => {
  expect(parseMarker("2026-06-07T10:15:00.123456")).toBe(new Date(2026, 5, 7, 10, 15, 0, 123).getTime());
  expect(parseMarker("2026-06-07T10:15:00.123Z")).toBe(Date.UTC(2026, 5, 7, 10, 15, 0, 123));
});
