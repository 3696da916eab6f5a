import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { systemClock } from "../../server/clock.ts";
import type { LogLine } from "../../server/domain/logs/log_line.ts";
import { Log } from "../../server/log.ts";
import { LastKnownFile } from "../../server/store/config/last_known_file.ts";
import { jsonFormat, RememberedFile, type RememberedFileParts } from "../../server/store/remembered_file.ts";

let folder: string;
let told: string[];
let log: Log;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "remembered-"));
  told = [];
  const sink = ({ level, message }: LogLine) => told.push(`${level} ${message.replace(`${folder}/`, "")}`);
  log = new Log(systemClock, [sink], { level: "DEBUG" });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Count {
  count: number;
}
const FORMAT = jsonFormat<Count>(v.object({ count: v.number() }));
const path = () => join(folder, "count.json");
const open = (parts: Partial<RememberedFileParts<Count>> = {}) =>
  new RememberedFile<Count>({ path: path(), log, logger: "test", format: FORMAT, loss: "it begins at 0", ...parts });

describe("a remembered file", () => {
  test("that is missing is null, and nothing is said", async () => {
    expect(await open().read({ count: 7 })).toBeNull();
    expect(told).toEqual([]);
  });

  test("that cannot be used is what the caller says, at the level it says", async () => {
    writeFileSync(path(), '{"count":"many"}');
    expect(await open().read()).toBeNull();
    expect(await open({ level: "debug" }).read({ count: 7 })).toEqual({ count: 7 });
    writeFileSync(path(), '{"count":1}      ');
    expect(await open({ mostBytes: 12 }).read()).toBeNull();
    rmSync(path());
    mkdirSync(path());
    expect(await open().read({ count: 7 })).toEqual({ count: 7 });
    expect(told).toEqual([
      "WARNING count.json is damaged; it begins at 0",
      "DEBUG count.json is damaged; it begins at 0",
      "WARNING count.json is damaged; it begins at 0",
      "WARNING count.json cannot be read (EISDIR); it begins at 0",
    ]);
  });

  test("is written with the latest value once the write before it has ended", async () => {
    const formatted: number[] = [];
    const file = open({
      format: {
        ...FORMAT,
        format: (value) => {
          formatted.push(value.count);
          return FORMAT.format(value);
        },
      },
    });
    const first = file.write({ count: 1 });
    await Promise.resolve();
    await Promise.all([first, file.write({ count: 2 }), file.write({ count: 3 })]);
    expect(formatted).toEqual([1, 3]);
    expect(readFileSync(path(), "utf8")).toBe('{"count":3}\n');
  });

  test("says once that it cannot be written, and again after it could be", async () => {
    const file = open({ unwritten: "a restart forgets it" });
    for (const _ of [1, 2]) {
      rmSync(path(), { force: true });
      mkdirSync(path());
      await file.write({ count: 1 });
      await file.write({ count: 2 });
      expect(file.isSaved).toBe(false);
      rmdirSync(path());
      await file.write({ count: 3 });
      expect(file.isSaved).toBe(true);
    }
    const line = "WARNING count.json could not be written (EISDIR); a restart forgets it";
    expect(told).toEqual([line, line]);
  });
});

test("a folder that was remembered with its clips is read again, and a damaged one is not", async () => {
  const counts = { home: 2, waiting: null, available_bytes: 5, used_percent: 41.5, kept: 0, trash_recordings: null };
  const clip = { key: "20260607_101500_N", mtime: null, cameras: ["F"], paths: ["a/b.mp4"], thumb: null };
  const known = { path: "/recordings", at: 1, recordings: 2, newest: "20260607_101500", ...counts };
  const folderFile = new LastKnownFile(join(folder, "last-known.json"), log);
  await folderFile.write({ ...known, clips: [{ ...clip, duration_seconds: 60 }] });
  expect(await folderFile.read()).toEqual({ ...known, clips: [{ ...clip, duration_seconds: 60 }] });
  writeFileSync(join(folder, "last-known.json"), JSON.stringify({ ...known, clips: [clip] }));
  expect(await folderFile.read()).toBeNull();
  expect(told).toEqual([expect.stringMatching(/^DEBUG last-known.json is damaged/)]);
});
