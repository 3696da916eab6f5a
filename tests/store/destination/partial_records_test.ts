import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  hasChanged,
  isProven,
  NO_VALIDATORS,
  type PartialRecord,
  PartialRecords,
  type Validators,
} from "../../../server/store/destination/partial_records.ts";

const NAME = "20260607_101500_NF.mp4";
const RECORD: PartialRecord = {
  etag: '"5f1c"',
  lastModified: "Sun, 07 Jun 2026 10:15:00 GMT",
  total: 900_000,
  unfinished: { size: 400_000, at: 1_790_000_000_000 },
};

let root: string;
let records: PartialRecords;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "records-"));
  records = new PartialRecords(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const fileOf = (name: string) => join(root, ".dashdock", "partials", `${name}.json`);

describe("PartialRecords", () => {
  test("reads what it wrote, in another process too", () => {
    expect(records.write(NAME, RECORD)).toBe(true);
    expect(new PartialRecords(root).read(NAME)).toEqual(RECORD);
    expect(records.write(NAME, { ...NO_VALIDATORS, unfinished: null })).toBe(true);
    expect(records.read(NAME)).toEqual({ ...NO_VALIDATORS, unfinished: null });
  });

  test("makes its own folder, one level at a time, and never the destination", () => {
    expect(readdirSync(root)).toEqual([]);
    rmSync(root, { recursive: true });
    expect(records.write(NAME, RECORD)).toBe(false);
    expect(existsSync(root)).toBe(false);
  });

  test("knows nothing of a file it has not written", () => {
    expect(records.read(NAME)).toBeNull();
    expect(records.names()).toEqual([]);
    records.remove(NAME);
  });

  test("tells what is noted, and forgets it", () => {
    const others = ["20260607_101600_NF.mp4", "20260607_101700_NFL.mp4"];
    for (const name of [NAME, ...others]) records.write(name, RECORD);
    writeFileSync(join(root, ".dashdock", "partials", "something else"), "");
    expect(records.names().sort()).toEqual([NAME, ...others]);
    records.remove(NAME);
    expect(records.names().sort()).toEqual(others);
    expect(records.read(NAME)).toBeNull();
  });

  test("goes on without a note when something is in its place", () => {
    mkdirSync(fileOf(NAME), { recursive: true });
    expect(records.write(NAME, RECORD)).toBe(false);
    expect(records.read(NAME)).toBeNull();
    records.remove(NAME);
    writeFileSync(join(root, "file"), "");
    expect(new PartialRecords(join(root, "file")).write(NAME, RECORD)).toBe(false);
  });

  const empty: PartialRecord = { ...NO_VALIDATORS, unfinished: null };
  const damaged: [what: string, text: string, read: PartialRecord | null][] = [
    ["nothing", "", null],
    ["half of it", JSON.stringify(RECORD).slice(0, 40), null],
    ["zeros, as after a power cut", "\0".repeat(100), null],
    ["another kind of value", "17", null],
    ["null", "null", null],
    ["no fields", "{}", empty],
    ["a length that is none", '{"total":-1}', empty],
    ["a length with a fraction", '{"total":1.5}', empty],
    ["a length in words", '{"total":"900000"}', empty],
    ["an ETag that is a number", '{"etag":5,"total":7}', { ...empty, total: 7 }],
    ["a time that is none", '{"unfinished":{"size":5,"at":null}}', empty],
    ["a size without a time", '{"unfinished":{"size":5}}', empty],
    ["fields of a later version", '{"total":7,"colour":"red"}', { ...empty, total: 7 }],
  ];
  test.each(damaged)("reads %s as what can be used of it", (_what, text, read) => {
    records.write(NAME, RECORD);
    writeFileSync(fileOf(NAME), text);
    expect(records.read(NAME)).toEqual(read);
  });

  test("writes over a longer note without leaving its end", () => {
    records.write(NAME, { ...RECORD, etag: "x".repeat(500) });
    records.write(NAME, RECORD);
    expect(JSON.parse(readFileSync(fileOf(NAME), "utf8"))).toEqual({ ...RECORD });
  });
});

describe("whether the camera has another file now", () => {
  const before: Validators = { etag: '"a"', lastModified: "Sun", total: 100 };
  const rows: [what: string, before: Validators | null, now: Validators, changed: boolean, proven: boolean][] = [
    ["the same", before, before, false, true],
    ["another ETag", before, { ...before, etag: '"b"' }, true, false],
    ["another time", before, { ...before, lastModified: "Mon" }, true, true],
    ["another length", before, { ...before, total: 101 }, true, true],
    ["nothing is told now", before, NO_VALIDATORS, false, false],
    ["nothing was told then", NO_VALIDATORS, before, false, false],
    ["nothing was noted", null, before, false, false],
    ["no ETag, the same length", { ...before, etag: null }, { ...before, etag: null }, false, false],
    ["no ETag any more, the same length", before, { ...before, etag: null }, false, false],
    ["an ETag only now, another length", { ...before, etag: null }, { ...before, total: 5 }, true, false],
    ["a length of 0", { ...NO_VALIDATORS, total: 0 }, { ...NO_VALIDATORS, total: 5 }, true, false],
  ];
  test.each(rows)("%s", (_what, then, now, changed, proven) => {
    expect(hasChanged(then, now)).toBe(changed);
    expect(isProven(then, now)).toBe(proven);
  });
});
