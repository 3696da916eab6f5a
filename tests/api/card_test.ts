import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CardAnswered } from "../../server/domain/card/card_schema.ts";
import { momentKey } from "../../server/domain/recordings/moment_number.ts";
import { nameOf } from "../../server/domain/recordings/recording_name.ts";
import { CardHistoryFile } from "../../server/store/config/card_history_file.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { bothAreHome, carAndVan, json } from "../support/app/several_cameras.ts";
import { cardOf, VIDEOS } from "../support/app/sync.ts";
import { sickHistories } from "../support/camera/card_histories.ts";
import { recordOf } from "../support/camera/card_record.ts";

setDefaultTimeout(30_000);

const START = "2026-06-07T11:14:00Z";
const [FIRST = "", SECOND = ""] = VIDEOS;
const KEY = "20260607_101500_N";

async function running(videos: readonly string[] = VIDEOS, settings = {}) {
  const clock = new FakeClock(START);
  const app = await startApp({ clock, card: cardOf(videos), settings: { retention: { keep: "" }, ...settings } });
  await app.client.open("/");
  return Object.assign(app, { clock });
}

async function sync({ client, synced }: RunningApp): Promise<void> {
  expect((await client.send("POST", "/api/sync/now")).status).toBe(202);
  await synced();
}

async function card({ client }: RunningApp): Promise<CardAnswered> {
  const response = await client.fetch("/api/card");
  expect(response.status).toBe(200);
  return (await response.json()) as CardAnswered;
}

async function send({ client }: RunningApp, method: "POST" | "DELETE", path: string, body: unknown) {
  const response = await client.send(method, path, body);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const NOT_KNOWN = { coming: null, left_out: null, unknown: null, not_checked: null, unreadable: null };

describe("GET /api/card", () => {
  test("claims nothing before the first list, and nothing is 0 that is not known", async () => {
    await using app = await running();
    expect(await card(app)).toEqual({
      safe_to_format: false,
      against: ["no_list", "home_unknown"],
      listed_at: null,
      on_card: null,
      not_home: null,
      of_these: NOT_KNOWN,
      left_out: null,
      question: null,
      health: [],
    });
  });

  test("counts what is on the card by what formatting would do to it", async () => {
    await using app = await running([...VIDEOS, "20260607_101700_PF.mp4"], { sync: { exclude: ["P"] } });
    app.simulator.fault({ name: "error-500", match: new RegExp(FIRST) });
    await sync(app);
    expect(await card(app)).toMatchObject({
      safe_to_format: false,
      listed_at: "2026-06-07T11:14:00.000Z",
      on_card: 5,
      not_home: 1,
      of_these: { coming: 0, left_out: 1, unknown: 0, unreadable: 1 },
      left_out: { retention: 0, selection: 1, deleted: 0, unwanted: 0, given_up: 0 },
    });
    app.simulator.card.record("20260607_105000_NF.mp4");
    app.clock.pass(3_600_000);
    app.simulator.fault({ name: "list-500" });
    expect((await card(app)).against).toContain("old_list");
  });

  test("names what was deleted here apart, and does not wait for it", async () => {
    await using app = await running();
    await sync(app);
    expect((await app.client.send("DELETE", `/api/recordings/${KEY}`)).status).toBe(200);
    const { on_card, not_home, left_out, of_these } = await card(app);
    expect([on_card, not_home, of_these.left_out, left_out?.deleted]).toEqual([4, 0, 2, 2]);
  });

  test("tells signs of a dying card with since when and from what on", async () => {
    await using app = await running();
    const history = sickHistories().find(({ sign }) => sign === "empty_files");
    if (history === undefined) throw new Error("there is one");
    const { videos, rates } = recordOf(history).record;
    const file = new CardHistoryFile(join(app.folder, "config", "card-history.txt"), app.app.log);
    for (const [at, seen] of Map.groupBy(videos, ({ seenAt }) => seenAt)) {
      const named = seen.map(({ moment, ending, answer }) => ({ name: nameOf(momentKey(moment), ending), answer }));
      const answers = named.flatMap(({ name, answer }) => (answer === null ? [] : [{ name, answer }]));
      const rate = rates.find((one) => one.at === at)?.rate ?? null;
      await file.add({ at, listed: named.map(({ name }) => ({ name, isOld: false })), answers, rate });
    }
    const { health } = await card(app);
    expect(health).toHaveLength(1);
    expect(health[0]).toMatchObject({
      sign: "empty_files",
      sentence: expect.stringMatching(
        /^[0-9]+ of [0-9]+\u00a0recordings are empty\. A sign from 5\u00a0% of the last 240 clips on\.$/,
      ),
    });
    expect(Date.parse(health[0]?.since ?? "")).toBeGreaterThan(history.recordings[0]?.at ?? Number.POSITIVE_INFINITY);
  });

  test("answers for each camera, and for all", async () => {
    await using app = await carAndVan();
    await bothAreHome(app);
    expect(await json(app, "/api/card")).toMatchObject({ on_card: 4, not_home: 0 });
    expect(await json(app, "/api/card?camera=van")).toMatchObject({ on_card: 6, not_home: 0 });
    expect(await json(app, "/api/card?camera=all")).toMatchObject({
      cameras: [
        { camera: "main", on_card: 4, of_these: { unknown: 0 } },
        { camera: "van", on_card: 6, of_these: { unknown: 0 } },
      ],
    });
    expect((await app.client.fetch("/api/card?camera=bus")).status).toBe(404);
  });
});

describe("POST /api/card/answer", () => {
  async function emptied() {
    const app = await running();
    app.simulator.fault({ name: "error-500", match: new RegExp(FIRST) });
    await sync(app);
    for (const name of [...app.simulator.card.files.keys()]) app.simulator.card.remove(name);
    app.simulator.card.record("20260607_112300_NF.mp4");
    app.clock.pass(600_000);
    await sync(app);
    return app;
  }

  test("a formatted card is asked about, and nothing is lost when it was", async () => {
    await using app = await emptied();
    const asked = await card(app);
    expect(asked).toMatchObject({
      safe_to_format: false,
      against: expect.arrayContaining(["question"]),
      question: {
        kind: "formatted",
        since: "2026-06-07T11:24:00.000Z",
        recordings: 1,
      },
    });
    expect(asked.question?.sentence.replaceAll(/\s/g, " ")).toBe(
      "Did you format the card? Since Sun 7 Jun, 11:24 the camera lists nothing of what it had before. 1 recording had not come home. Nothing of that counts as lost until you answer.",
    );
    const answered = await send(app, "POST", "/api/card/answer", { answer: "formatted" });
    expect(answered).toEqual({ status: 200, body: { answered: true } });
    expect((await card(app)).question).toBeNull();
    expect((await card(app)).against).not.toContain("question");
    const { totals } = (await json(app, "/api/coverage")) as { totals: { lost: number } };
    expect(totals.lost).toBe(0);
    expect(await send(app, "POST", "/api/card/answer", { answer: "lost" })).toMatchObject({
      status: 409,
      body: { code: "NOTHING_ASKED" },
    });
  });

  test("what counts as lost is lost", async () => {
    await using app = await emptied();
    expect((await send(app, "POST", "/api/card/answer", { answer: "lost" })).status).toBe(200);
    const { totals } = (await json(app, "/api/coverage")) as { totals: { lost: number } };
    expect(totals.lost).toBe(1);
  });
});

describe("/api/card/given-up", () => {
  test("gives up what cannot be read, over a restart, and takes it back", async () => {
    await using app = await running();
    app.simulator.fault({ name: "error-500", match: new RegExp(`${FIRST}|${SECOND}`) });
    await sync(app);
    expect((await card(app)).of_these).toMatchObject({ unreadable: 2 });
    expect(await send(app, "POST", "/api/card/given-up", { keys: [KEY, "20260607_101600_E"] })).toEqual({
      status: 200,
      body: { given_up: 1 },
    });
    expect(await card(app)).toMatchObject({
      not_home: 0,
      of_these: { unreadable: 0, left_out: 2 },
      left_out: { given_up: 2 },
    });
    // They count as lost, with the cause, until the user waits for them again.
    const lost = async () => ((await json(app, "/api/coverage")) as { totals: { lost: number } }).totals.lost;
    expect(await lost()).toBe(2);
    await send(app, "DELETE", "/api/card/given-up", { keys: [KEY] });
    expect(await lost()).toBe(0);
    await send(app, "POST", "/api/card/given-up", { keys: [KEY] });
    await using again = await restarted(app);
    expect((await again.app.card()).givenUp).toBe(1);
  });

  test("waits for it again when told so, and forgets it with the card", async () => {
    await using app = await running();
    const heal = app.simulator.fault({ name: "error-500", match: new RegExp(FIRST) });
    await sync(app);
    await send(app, "POST", "/api/card/given-up", { keys: [KEY] });
    expect(await send(app, "DELETE", "/api/card/given-up", { keys: [KEY] })).toEqual({
      status: 200,
      body: { given_up: 0 },
    });
    expect((await card(app)).of_these).toMatchObject({ unreadable: 1 });
    await send(app, "POST", "/api/card/given-up", { keys: [KEY] });
    heal();
    expect((await send(app, "POST", "/api/sync/retry", { all: true })).status).toBe(202);
    await app.synced();
    expect(await card(app)).toMatchObject({ not_home: 0, on_card: 4, left_out: { given_up: 0 } });
  });

  test("says when it cannot be saved", async () => {
    await using app = await running();
    app.simulator.fault({ name: "error-500", match: new RegExp(FIRST) });
    await sync(app);
    const { mkdirSync } = await import("node:fs");
    mkdirSync(join(app.folder, "config", "given-up.json", "in the way"), { recursive: true });
    expect(await send(app, "POST", "/api/card/given-up", { keys: [KEY] })).toMatchObject({
      status: 507,
      body: { code: "STORAGE_FULL" },
    });
  });

  test("a damaged file is as none", async () => {
    await using app = await running();
    writeFileSync(join(app.folder, "config", "given-up.json"), "[1,");
    await using again = await restarted(app);
    expect((await again.app.card()).givenUp).toBe(0);
  });
});

/** The same service after a restart. */
async function restarted(app: RunningApp): Promise<RunningApp> {
  await app.stop();
  return await startApp({ folder: app.folder, destination: app.destination });
}
