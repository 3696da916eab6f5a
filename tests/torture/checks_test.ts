import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { momentNumber } from "../../server/domain/recordings/moment_number.ts";
import { HistoryBook, SettingsBook } from "./check_config.ts";
import { checkFiles } from "./check_files.ts";
import { checkLedger } from "./check_ledger.ts";
import { planRound, type RoundPlan, type Trigger } from "./plan.ts";
import { Scene } from "./scene.ts";

const VIDEO = "20260607_101500_NF.mp4";
const PLAN: RoundPlan = {
  seed: 1,
  camera: {
    generation: "legacy",
    v1009: {},
    listCompanions: false,
    listSizes: false,
    keepAlive: true,
    validators: false,
  },
  card: [{ name: VIDEO, bytes: 5000, keepsFlag: false, without: ["gps", "3gf"] }],
  foreign: [
    { kind: "file", path: "notes.txt", bytes: 10 },
    { kind: "link", path: "link" },
  ],
  visits: [],
  last: "command",
};

let parent = "";
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "torture-checks-"));
});
afterEach(() => rmSync(parent, { recursive: true }));

test("the same seed plans the same round, and another seed another one", () => {
  expect(planRound(7)).toEqual(planRound(7));
  expect(planRound(7)).not.toEqual(planRound(8));
});

test("rounds are of many kinds", () => {
  const visits = Array.from({ length: 300 }, (_, seed) => planRound(seed).visits).flat();
  const triggers = new Set<Trigger["of"]>(visits.flatMap(({ end }) => (end ? [end.at.of] : [])));
  expect([...triggers].sort()).toEqual(["byte", "line", "patch answered", "patch sent", "request", "run ended"]);
  expect(new Set(visits.flatMap(({ faults }) => faults.map(({ name }) => name))).size).toBeGreaterThan(60);
  const happenings = new Set(visits.flatMap((visit) => visit.happenings.map(({ what }) => what.does)));
  expect([...happenings].sort()).toEqual(["away", "patch", "put", "rival", "stop", "update"]);
  const changes = new Set(visits.flatMap(({ card }) => card.map(({ does }) => does)));
  expect([...changes].sort()).toEqual(["overwrite", "record", "replace"]);
});

describe("the check of files", () => {
  /** Problems seen after this change to a home to which everything has come. */
  async function seen(spoil: (scene: Scene) => void, complete = false): Promise<string[]> {
    await using scene = await Scene.open(PLAN, parent, { port: 0, onTraffic: () => {} });
    for (const name of scene.card.names()) writeFileSync(scene.at(name), await scene.card.bytes(name));
    spoil(scene);
    return (await checkFiles(scene, complete)).map((problem) => problem.replace(/:.*/s, ""));
  }
  const thumbnail = VIDEO.replace("mp4", "thm");

  test("finds nothing where everything is right", async () => {
    expect(await seen(() => {}, true)).toEqual([]);
    const partials = (scene: Scene) => {
      mkdirSync(scene.at("2026"));
      writeFileSync(scene.at(".20110203_040506_EF.mp4"), "");
      writeFileSync(scene.at(".dashdock.lock"), "");
    };
    expect(await seen(partials, true)).toEqual([]);
  });

  test.each<[string, (scene: Scene) => void, string[]]>([
    ["a byte more", (scene) => appendFileSync(scene.at(VIDEO), "x"), [`recordings/${VIDEO} is not the camera's`]],
    [
      "other bytes in a folder",
      (scene) => {
        mkdirSync(scene.at("2026"));
        writeFileSync(scene.at(`2026/${VIDEO}`), "x".repeat(5000));
      },
      [`recordings/2026/${VIDEO} is not the camera's`],
    ],
    [
      "a partial of something else",
      (scene) => writeFileSync(scene.at(`.${VIDEO}`), "<html>"),
      [`recordings/.${VIDEO} is no beginning of the camera's`],
    ],
    [
      "a file of the user's gone",
      (scene) => unlinkSync(scene.at("notes.txt")),
      ["recordings/notes.txt of the user's is gone"],
    ],
    [
      "a file of the user's changed, behind a link",
      (scene) => writeFileSync(join(scene.at("link"), "20110203_040506_NF.mp4"), "x"),
      ["outside/20110203_040506_NF.mp4 of the user's was changed"],
    ],
    [
      "a file outside the destination",
      (scene) => writeFileSync(join(scene.folder, VIDEO), "x"),
      [`${VIDEO} was made outside the destination`],
    ],
    [
      "a name no camera has",
      (scene) => writeFileSync(scene.at("20200101_000000_NF.mp4"), "x"),
      ["recordings/20200101_000000_NF.mp4 has a name that was never on the card"],
    ],
  ])("finds %s", async (_what, spoil, expected) => {
    expect(await seen(spoil)).toEqual(expected);
  });

  test("finds what is missing and what is left over after an undisturbed run", async () => {
    const spoil = (scene: Scene) => {
      unlinkSync(scene.at(thumbnail));
      writeFileSync(scene.at(`${VIDEO}.failed`), "");
      writeFileSync(scene.at("something.tmp"), "");
      writeFileSync(scene.at(`.${thumbnail}`), "");
    };
    expect((await seen(spoil, true)).sort()).toEqual([
      `${thumbnail} did not come home`,
      `recordings/.${thumbnail} is left over`,
      `recordings/${VIDEO}.failed is left over`,
      "recordings/something.tmp is left over",
    ]);
    expect(await seen(spoil)).toEqual([]);
  });
});

describe("the check of settings", () => {
  test("takes what was acknowledged, or sent and never answered, and nothing else", () => {
    const path = join(parent, "settings.json");
    const book = new SettingsBook(parent, { sync: { grouping: "none" } });
    const stored = (grouping: string) => writeFileSync(path, JSON.stringify({ sync: { grouping } }));
    expect(book.check()).toEqual([]);
    const daily = { section: "sync", body: { grouping: "daily" } };
    book.sent(daily);
    expect(book.check()).toEqual([]);
    book.sent(daily);
    stored("daily");
    expect(book.check()).toEqual([]);
    stored("none");
    expect(book.check()).toEqual([expect.stringContaining('sync.grouping is "none", not "daily"')]);
    book.sent(daily);
    book.acknowledged(daily);
    expect(book.check()).toEqual([expect.stringContaining('sync.grouping is "none", not "daily"')]);
    writeFileSync(path, '{"sync":');
    expect(book.check()).toEqual([expect.stringContaining("settings.json cannot be read")]);
  });
});

describe("the check of history", () => {
  function bookOf(rows: readonly number[]) {
    const path = join(parent, "stats.db");
    using db = new Database(path);
    db.run("create table if not exists runs (ts_seconds real primary key)");
    for (const row of rows) db.run("insert or replace into runs values (?)", [row]);
    return { path, book: new HistoryBook(parent, join(parent, "scratch")) };
  }

  test("misses a run that is gone, and one that was killed and is not there after a start", () => {
    const { path, book } = bookOf([1, 2]);
    expect(book.check()).toEqual([]);
    book.started();
    book.began();
    expect(book.check()).toEqual([]);
    book.started();
    book.began();
    bookOf([3]);
    expect(book.check()).toEqual([]);
    for (const ts of [4, 5]) {
      book.started();
      book.ended();
      bookOf([ts]);
    }
    expect(book.check()).toEqual([]);
    {
      using db = new Database(path);
      db.run("delete from runs where ts_seconds < 3");
    }
    expect(book.check()).toEqual([
      "2 of 3 runs are gone from the history",
      "of 5 runs 3 are in the history",
      "the history has 3 runs, though 4 began before the last start or ended",
    ]);
  });

  test("sees a damaged file, and one that was set aside", () => {
    const { path, book } = bookOf([1, 2]);
    writeFileSync(path, "not a database", { flag: "r+" });
    expect(book.check().join()).toMatch(/stats\.db (cannot be read|is damaged)/);
    writeFileSync(`${path}.corrupt-20260607T101500Z`, "");
    expect(book.check().join()).toContain("was set aside as damaged");
  });
});

describe("the check of the ledger", () => {
  function ledgerOf(): string {
    using db = new Database(join(parent, "ledger.db"));
    db.run("create table recordings (moment integer, ending integer, state integer)");
    for (const [at, state] of [0, 3, 3].entries())
      db.run("insert into recordings values (?, 15, ?)", [momentNumber(`20260607_10150${at}_N`), state]);
    return join(parent, "scratch");
  }

  test("sees what is called lost and is on the card, and damage", () => {
    expect(checkLedger(parent, join(parent, "scratch"), [])).toEqual([]);
    const scratch = ledgerOf();
    const card = ["20260607_101500_NF.mp4", "20260607_101501_NF.mp4"];
    expect(checkLedger(parent, scratch, card)).toEqual([
      "ledger.db calls 20260607_101501_NF.mp4 lost, which is on the card",
    ]);
    expect(checkLedger(parent, scratch, card.slice(0, 1))).toEqual([]);
    writeFileSync(join(parent, "ledger.db"), "not a database", { flag: "r+" });
    expect(checkLedger(parent, scratch, card).join()).toMatch(/ledger\.db (cannot be read|is damaged)/);
  });
});
