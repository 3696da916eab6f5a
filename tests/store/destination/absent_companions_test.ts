import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AbsentCompanions } from "../../../server/store/destination/absent_companions.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 5, 7);
const NAME = "20260607_101500_NF.thm";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "absent-"));
  mkdirSync(join(root, ".dashdock"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const path = () => join(root, ".dashdock", "absent");
const open = () => AbsentCompanions.open(root);

/** Facts that runs at these times learn, as the next one reads them. */
async function notedAt(...times: number[]): Promise<AbsentCompanions> {
  for (const at of times) {
    const absent = await open();
    absent.note(NAME, "a", at);
    await absent.save();
  }
  return await open();
}

describe("a companion the camera does not have", () => {
  test("is unknown at first", async () => {
    const absent = await open();
    expect(absent.isEmpty).toBe(true);
    expect(absent.has(NAME, "a", NOW)).toBe(false);
  });

  const rows: [times: number[], at: number, has: boolean][] = [
    [[NOW], NOW, true],
    [[NOW], NOW + HOUR - 1, true],
    [[NOW], NOW + HOUR, false],
    [[NOW], NOW - 1, false],
    [[NOW, NOW + HOUR], NOW + HOUR, true],
    [[NOW, NOW + HOUR], NOW + HOUR + DAY - 1, true],
    [[NOW, NOW + HOUR], NOW + HOUR + DAY, false],
    [[NOW, NOW + HOUR], NOW, false],
    [[NOW, NOW + HOUR, NOW + 2 * DAY], NOW + 2 * DAY, true],
    [[NOW, NOW + HOUR, NOW + 2 * DAY], NOW + 5000 * DAY, true],
    // After the last answer the clock says nothing any more.
    [[NOW, NOW + HOUR, NOW + 2 * DAY], NOW - 5000 * DAY, true],
  ];
  test.each(rows)("said so at %p, at %p it need not be asked: %p", async (times, at, has) => {
    expect((await notedAt(...times)).has(NAME, "a", at)).toBe(has);
  });

  test("is asked for again when the list of its moment has changed, and counted anew", async () => {
    const absent = await notedAt(NOW, NOW + HOUR, NOW + 2 * DAY);
    expect(absent.has(NAME, "b", NOW + 3 * DAY)).toBe(false);
    absent.note(NAME, "b", NOW + 3 * DAY);
    expect(absent.has(NAME, "b", NOW + 3 * DAY)).toBe(true);
    expect(absent.has(NAME, "b", NOW + 3 * DAY + HOUR)).toBe(false);
  });

  test("says nothing of others", async () => {
    expect((await notedAt(NOW)).has("20260607_101500_NR.thm", "a", NOW)).toBe(false);
  });

  test("is forgotten with its recording", async () => {
    const absent = await notedAt(NOW);
    absent.note("20260608_101500_NF.thm", "a", NOW);
    absent.keepOnly((name) => name.startsWith("20260608"));
    await absent.save();
    const next = await open();
    expect(next.has(NAME, "a", NOW)).toBe(false);
    expect(next.has("20260608_101500_NF.thm", "a", NOW)).toBe(true);
  });
});

describe("the file in which it is remembered", () => {
  test("is not written when nothing is new", async () => {
    const absent = await notedAt(NOW);
    const { ino } = statSync(path());
    absent.keepOnly(() => true);
    await absent.save();
    expect(statSync(path()).ino).toBe(ino);
  });

  test("may be damaged: what can be read of it counts", async () => {
    await notedAt(NOW);
    const good = readFileSync(path(), "utf8");
    const lines = [
      "\0\0\0\0",
      "nothing",
      `${NAME} 0 5 a`,
      `${NAME} x 5 a`,
      `${NAME} 1 -5 a`,
      "20260607_101500_NR.thm 1",
    ];
    writeFileSync(path(), `${lines.join("\n")}\n${good}20260607_1015`);
    const absent = await open();
    expect(absent.has(NAME, "a", NOW)).toBe(true);
    expect(absent.has("20260607_101500_NR.thm", "a", NOW)).toBe(false);
  });

  test("may be a folder, or not to be written: then nothing is remembered, and nothing else goes wrong", async () => {
    mkdirSync(path());
    const absent = await open();
    expect(absent.isEmpty).toBe(true);
    absent.note(NAME, "a", NOW);
    await absent.save();
    expect(absent.has(NAME, "a", NOW)).toBe(true);
    expect((await open()).isEmpty).toBe(true);
  });

  test("holds the companions of a full card", async () => {
    const absent = await open();
    const names = Array.from({ length: 20_000 }, (_, at) => `20260607_${String(100_000 + at)}_PF.thm`);
    for (const name of names) absent.note(name, "1f3a", NOW);
    await absent.save();
    const next = await open();
    expect(names.filter((name) => !next.has(name, "1f3a", NOW))).toEqual([]);
  });
});

test("nothing is written through a link in the place of our folder", async () => {
  const foreign = join(root, "pupils");
  mkdirSync(foreign);
  writeFileSync(join(foreign, "absent"), "Ada, Grace");
  rmSync(join(root, ".dashdock"), { recursive: true });
  symlinkSync(foreign, join(root, ".dashdock"));
  await notedAt(NOW);
  expect(readFileSync(join(foreign, "absent"), "utf8")).toBe("Ada, Grace");
});
