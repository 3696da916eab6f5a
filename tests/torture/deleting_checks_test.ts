import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DeletingBook } from "./deleting_book.ts";
import { type Deed, type DeletingVisit, planDeleting } from "./deleting_plan.ts";

test("the same seed plans the same round, and rounds are of many kinds", () => {
  expect(planDeleting(7)).toEqual(planDeleting(7));
  const visits = Array.from({ length: 100 }, (_, seed) => planDeleting(seed).visits).flat();
  const deeds = new Set<Deed["does"]>(visits.flatMap((visit) => visit.deeds.map(({ does }) => does)));
  const kinds = ["confirm", "delete", "keep", "look", "purge", "restore", "retention", "sync", "unkeep"];
  expect([...deeds].sort()).toEqual(kinds as Deed["does"][]);
  const kills = new Set(visits.flatMap(({ kill }: DeletingVisit) => (kill ? [kill.of] : [])));
  expect([...kills].sort()).toEqual(["inside", "moves", "ms"]);
});

describe("the book of what was deleted", () => {
  const KEY = "20260607_101500_N";
  const VIDEO = `${KEY}F.mp4`;
  const REAR = `${KEY}R.mp4`;
  const GPS = `${KEY}.gps`;
  const TRASH = ".dashdock/trash";
  const BATCH = `${TRASH}/20261122T030000000Z-age`;
  let root = "";
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "torture-book-"));
    mkdirSync(join(root, BATCH), { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const put = (path: string, text = "") => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const move = (name: string, from = "", to = BATCH) => renameSync(join(root, from, name), join(root, to, name));
  const all = (from?: string, to?: string) => {
    for (const name of [VIDEO, REAR, GPS]) move(name, from, to);
  };

  /** Problems seen after this change to a recording that was at home before the visit. */
  function seen(happens: (book: DeletingBook) => void, passes = true): string[] {
    const book = new DeletingBook(root, { isForeign: (path) => path.startsWith("Keep/"), isOnCard: () => false });
    for (const name of [VIDEO, REAR, GPS]) put(name);
    book.begin(passes);
    happens(book);
    return book.check().map((problem) => problem.replace(/( \(|:|, in ).*/s, ""));
  }
  const marks = (...keys: string[]) =>
    put(
      ".dashdock/kept.json",
      JSON.stringify({ version: 1, recordings: Object.fromEntries(keys.map((key) => [key, {}])) }),
    );

  test.each<[string, (book: DeletingBook) => void, string[]]>([
    ["nothing where nothing happened", () => {}, []],
    ["nothing where all of it was moved", () => all(), []],
    [
      "nothing where one deletion took it from two folders",
      () => {
        mkdirSync(join(root, BATCH, "2026"));
        move(VIDEO, "", `${BATCH}/2026`);
        for (const name of [REAR, GPS]) move(name);
      },
      [],
    ],
    ["a half", () => move(GPS), [KEY, `${KEY} is half at home`]],
    ["a file that is gone", () => unlinkSync(join(root, GPS)), [KEY]],
    [
      "a file that is gone from the trash",
      () => {
        all();
        unlinkSync(join(root, BATCH, REAR));
      },
      [KEY],
    ],
    [
      "what is deleted for good, and nobody asked",
      () => [VIDEO, REAR, GPS].map((name) => unlinkSync(join(root, name))),
      [KEY],
    ],
    [
      "nothing where a purge of all was asked for",
      (book) => {
        book.purgeSent(null);
        for (const name of [VIDEO, REAR, GPS]) unlinkSync(join(root, name));
      },
      [],
    ],
    [
      "half of a purge",
      (book) => {
        all();
        book.purgeSent([KEY]);
        unlinkSync(join(root, BATCH, GPS));
      },
      [KEY],
    ],
    [
      "nothing where the trash keeps nothing",
      (book) => {
        book.trashDaysSent(0);
        for (const name of [VIDEO, REAR, GPS]) unlinkSync(join(root, name));
      },
      [],
    ],
    [
      "what was deleted by hand and is at home",
      (book) => book.deletionAnswered([KEY]),
      [`${KEY} was deleted by hand, and is at home`],
    ],
    [
      "a mark that was answered and is not there",
      (book) => book.markAnswered(KEY, true),
      [`${KEY} is not marked as kept`],
    ],
    ["a mark that nobody asked for", () => marks(KEY), [`${KEY} is marked as kept, and nobody asked for it`]],
    [
      "a marked one that left home",
      (book) => {
        marks(KEY);
        book.markAnswered(KEY, true);
        all();
      },
      [`${KEY} was marked as kept in this visit, and is not at home`],
    ],
    ["a broken list of marks", () => put(".dashdock/kept.json", '{"version":1,'), ["kept.json cannot be read"]],
    ["a note that is left", () => put(`${TRASH}/.restoring`), [".restoring is left in the trash"]],
  ])("finds %s", (_what, happens, expected) => {
    expect(seen(happens)).toEqual(expected);
  });

  test("knows of a kept recording from an earlier visit", () => {
    const book = new DeletingBook(root, { isForeign: () => false, isOnCard: () => false });
    for (const name of [VIDEO, REAR, GPS]) put(name);
    book.begin(true);
    book.markAnswered(KEY, true);
    marks(KEY);
    expect(book.check()).toEqual([]);
    book.begin(true);
    all();
    expect(book.check()).toEqual([expect.stringContaining(`${KEY} is kept, and `)]);
  });
});
