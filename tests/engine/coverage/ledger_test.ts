import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LossCause, RecordingState } from "../../../server/domain/coverage/recording_state.ts";
import { type CoveredApp, coverage, coveredApp, dayOfCoverage, drive } from "../../support/app/covered.ts";
import { Dice } from "../../torture/dice.ts";

setDefaultTimeout(30_000);

const HOUR = 3_600_000;
const OLD = drive("2026-06-01T08:00:00", 10);
const NEW = drive("2026-06-05T08:00:00", 10);

let app: CoveredApp;
beforeEach(async () => {
  app = await coveredApp({ videos: [] });
  mkdirSync(app.destination, { recursive: true });
});
afterEach(() => app[Symbol.asyncDispose]());

/** Hands a list to the service as a run does that brings nothing; returns whether it is believed. */
async function list(names: readonly string[], strangeLines = 0): Promise<boolean> {
  app.clock.pass(HOUR);
  await app.app.library.refresh();
  const files = names.map((name) => ({ name, size: null }));
  const listing = { version: "1.00", files, strange: [], strangeCount: strangeLines };
  const learned = { isAbsent: () => true, isUnsure: () => false };
  const isBelieved = await app.app.listed.takeList(app.app.dashcam.address, listing, learned);
  if (isBelieved) await app.app.ledger.takeList(strangeLines);
  return isBelieved;
}

function bring(...names: string[]): void {
  for (const name of names) {
    writeFileSync(join(app.destination, name), "");
    app.app.library.noteAdded(name, "");
  }
}

/** Names of all recordings in a state. */
async function inState(names: readonly string[], state: RecordingState | null): Promise<string[]> {
  const states = await Promise.all(names.map((name) => app.app.ledger.stateOf(name)));
  return names.filter((_, at) => states[at] === state);
}

async function causesOf(date: string): Promise<LossCause[]> {
  return (await dayOfCoverage(app, date)).causes.map(({ cause }) => cause);
}

describe("what a list lacks", () => {
  const rest = OLD.slice(3);
  test.each([
    ["is lost after two lists", [rest, rest], 3],
    ["is not lost after one", [rest], 0],
    ["is not lost when it was there between", [rest, OLD, rest], 0],
    ["is lost after two with an empty one between", [rest, [], [], [], rest], 3],
    ["is not lost by empty lists", [[], [], [], []], 0],
    ["is not lost by lists of less than half", [OLD.slice(6), OLD.slice(6), OLD.slice(6)], 0],
    ["is not lost by lists that end before the newest", [OLD.slice(0, 7), OLD.slice(0, 7), OLD.slice(0, 7)], 0],
    ["is lost when the newest is known as an event", [[...rest.slice(0, -1), "20260601_080900_EF.mp4"], rest], 3],
  ] as const)("%s", async (_, lists, lost) => {
    await list(OLD);
    for (const one of lists) await list(one);
    expect(await inState(OLD, "lost")).toHaveLength(lost);
  });

  test("is not lost by lists with more odd lines than before", async () => {
    await list(OLD, 1);
    for (let times = 0; times < 3; times++) await list(rest, 2);
    expect(await inState(OLD, "lost")).toEqual([]);
    // A camera that always has such a line is no reason for doubt.
    await list(rest, 1);
    await list(rest, 1);
    expect(await inState(OLD, "lost")).toHaveLength(3);
  });

  test("is another recording's former name when an event has made one of it", async () => {
    await list(OLD);
    const event = "20260601_080900_EF.mp4";
    for (let times = 0; times < 2; times++) await list([...OLD.slice(0, 9), event]);
    expect(await app.app.ledger.stateOf(OLD[9] ?? "")).toBeNull();
    expect(await app.app.ledger.stateOf(event)).toBe("coming");
    expect((await coverage(app)).totals).toMatchObject({ recorded: 10, lost: 0, coming: 10 });
  });

  test("is lost though all others are new, on a card that stays full", async () => {
    await list(OLD);
    await list(NEW);
    expect(await app.app.ledger.question()).toBeNull();
    await list(NEW);
    expect(await inState(OLD, "lost")).toEqual(OLD);
  });

  test("came home in time when another program has brought it", async () => {
    await list(OLD);
    await list(rest);
    bring(...OLD.slice(0, 2));
    await list(rest);
    expect(await inState(OLD, "lost")).toEqual(OLD.slice(2, 3));
    bring(OLD[2] ?? "");
    expect(await inState(OLD, "lost")).toEqual([]);
  });
});

describe("the cause of a loss", () => {
  test("is a pause when syncing was paused between", async () => {
    await list(OLD);
    expect((await app.client.send("POST", "/api/schedule/pause")).status).toBe(200);
    app.clock.pass(2 * HOUR);
    expect((await app.client.send("POST", "/api/schedule/resume")).status).toBe(200);
    await list(NEW);
    await list(NEW);
    expect(await causesOf("2026-06-01")).toEqual(["paused"]);
  });

  test("is a short visit when the camera was there for some minutes", async () => {
    await list(OLD);
    app.app.visits.contact();
    app.clock.pass(6 * 60_000);
    app.app.visits.contact();
    app.app.visits.gone();
    app.clock.pass(30 * HOUR);
    await list(NEW);
    await list(NEW);
    const { causes, visits } = await dayOfCoverage(app, "2026-06-01");
    expect(causes).toMatchObject([{ cause: "short_visit", recordings: 10, minutes: 10 }]);
    expect(causes[0]?.sentence).toStartWith("The car was home for 6\u00a0min only.");
    // The visit was on another day than what was recorded.
    expect(visits).toEqual([]);
    expect((await dayOfCoverage(app, "2026-06-07")).visits).toMatchObject([
      { from: "2026-06-07T11:15:00.000Z", seconds: 360 },
    ]);
  });

  test("is unknown when nothing is known of the time", async () => {
    await list(OLD);
    await list(NEW);
    await list(NEW);
    expect(await causesOf("2026-06-01")).toEqual(["unknown"]);
  });
});

describe("a card that is changed and shows only part of itself", () => {
  test("is asked about once, and no more when the one before is there again", async () => {
    await list(OLD);
    await list(NEW.slice(0, 1));
    expect(await app.app.ledger.question()).toMatchObject({ likely: "formatted", recordings: 10 });
    // The camera had not read its card yet.
    await list([...OLD, ...NEW.slice(0, 1)]);
    expect(await app.app.ledger.question()).toBeNull();
    expect(await inState([...OLD, ...NEW.slice(0, 1)], "coming")).toHaveLength(11);
    await list([...OLD.slice(2), ...NEW.slice(0, 2)]);
    await list([...OLD.slice(2), ...NEW.slice(0, 2)]);
    expect(await inState(OLD, "lost")).toEqual(OLD.slice(0, 2));
  });

  test("is asked about for all cards that were taken out meanwhile", async () => {
    await list(OLD);
    await list(NEW.slice(0, 2));
    await list(drive("2026-06-07T08:00:00", 1));
    expect(await app.app.ledger.question()).toMatchObject({ recordings: 12 });
    bring(...OLD);
    expect(await app.app.ledger.question()).toMatchObject({ recordings: 2 });
    expect(await app.app.ledger.answer("formatted", "admin")).toBe(true);
    expect(await inState(NEW, "deleted")).toEqual(NEW.slice(0, 2));
    expect(await inState(OLD, "home")).toEqual(OLD);
  });

  test("has its answer also when the service was killed in the middle of it", async () => {
    await list(OLD);
    await list(NEW.slice(0, 2));
    // As it is right after the answer was written down.
    using db = new (await import("bun:sqlite")).Database(join(app.folder, "config", "ledger.db"));
    db.run(
      "update facts set value = json_set(value, '$.answer', 'formatted', '$.by', 'admin') where name = 'question'",
    );
    db.run("update recordings set state = 4, cause = 'formatted', is_listed = 0 where moment < ?", [
      Number(
        db.query<{ m: number }, []>("select moment as m from recordings order by moment limit 1 offset 4").get()?.m,
      ),
    ]);
    await app.app.ledger.settle();
    expect(await inState(OLD, "deleted")).toEqual(OLD);
    expect(await app.app.ledger.question()).toBeNull();
  });
});

test("what it calls lost is what was lost, in lives with lists of every kind", async () => {
  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const dice = new Dice(seed);
    const card: string[] = [];
    const listed = new Set<string>();
    const home = new Set<string>();
    const see = async (names: readonly string[], strangeLines = 0) => {
      if (await list(names, strangeLines)) for (const name of names) listed.add(name);
    };
    const all: string[] = [];
    const begun = Date.UTC(2020 + seed, 0, 1);
    for (let day = 0; day < 25; day++) {
      const from = new Date(begun + day * 86_400_000 + dice.whole(0, 7) * HOUR).toISOString().slice(0, 19);
      const driven = drive(from, 3 + dice.whole(0, 8));
      all.push(...driven);
      card.push(...driven);
      card.splice(0, Math.max(0, card.length - 30));
      const kind = dice.whole(0, 7);
      if (kind === 0) await see([]);
      else if (kind === 1) await see(card.slice(0, -1 - dice.whole(0, 4)), 1);
      else if (kind === 2 && card.length > 20) await see(card.slice(-1 - dice.whole(0, 9)));
      if (kind < 3) continue;
      await see(card);
      const came = card.filter((name) => !home.has(name)).slice(0, dice.whole(0, 9));
      bring(...came);
      for (const name of came) home.add(name);
    }
    await see(card);
    await see(card);
    // A list that had only new ones looks like that of a card that was formatted: it was not.
    await app.app.ledger.answer("lost", null);
    const lost = all.filter((name) => listed.has(name) && !home.has(name) && !card.includes(name));
    expect([seed, await inState(all, "lost")]).toEqual([seed, lost]);
    expect(await inState(all, "home")).toHaveLength(home.size);
    rmSync(join(app.destination), { recursive: true });
    mkdirSync(app.destination);
    await app[Symbol.asyncDispose]();
    app = await coveredApp({ videos: [] });
    mkdirSync(app.destination, { recursive: true });
  }
});
