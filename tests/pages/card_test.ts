import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { type AppOptions, type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { parkedCameras } from "../support/app/several_cameras.ts";
import { rememberCard, syncWhole } from "../support/app/staged_card.ts";
import { cardOf } from "../support/app/sync.ts";
import { driveNames } from "../support/app/written_ledger.ts";
import { sickHistories } from "../support/camera/card_histories.ts";
import { recordOf } from "../support/camera/card_record.ts";

setDefaultTimeout(60_000);

const NOW = Date.parse("2026-11-21T07:49:00+11:00");
const SETTINGS = { retention: { keep: "" }, schedule: { timezone: "Australia/Sydney" }, sync: { exclude: ["P"] } };
const PARKED = driveNames("2026-11-20T22:00:00", 3, "P");
const DRIVE = driveNames("2026-11-21T07:14:00", 10);
const BAD = "20261121_071600_NF.mp4";

async function running(options: AppOptions = {}) {
  const clock = new FakeClock(NOW);
  const app = await startApp({
    clock,
    card: cardOf([...PARKED, ...DRIVE], 2000),
    ...options,
    settings: { ...SETTINGS, ...options.settings },
  });
  return Object.assign(app, { clock });
}

/** The words of a page, its parts between bars. */
async function read({ client }: RunningApp, path = "/stats/card"): Promise<string> {
  const { text } = await client.open(path);
  const main = text.slice(text.indexOf("<main"), text.indexOf("</main>"));
  return main
    .replaceAll(/ data-props="[^"]*"/g, "")
    .replaceAll(/<[^>]*>/g, "|")
    .replaceAll(/[\u00a0\u202f]/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll(/\|[\s|]*/g, "|");
}

describe("the page of the card", () => {
  test("says that it may be formatted, with what is lost all the same, and the steps", async () => {
    await using app = await running();
    await syncWhole(app, app.clock);
    const text = await read(app);
    for (const part of [
      "|You may format the card. All that your rules want is safe here.|20 recordings are home, and their checksums were taken. 6 others are left out, and formatting loses them.|Look again|",
      "|On the card|26 |recordings|Home and checked|20 |recordings|Not home|0 |recordings|Left out|6 |recordings|Oldest on it|Fri 20 Nov |22:00|",
      "|Safe to format|",
      "|Left out by your rules|6 |",
      "|How to format|Open the maker’s app for your camera|",
      "|Nothing is claimed yet. |Signs of wear are looked for from 200 recordings on, 26 so far.|",
    ])
      expect(text).toContain(part);
    expect(text).not.toContain("only on the card");
  });

  test("says what is nowhere else, why, and what to do", async () => {
    await using app = await running();
    app.simulator.fault({ name: "error-500", match: new RegExp(BAD) });
    await syncWhole(app, app.clock);
    const text = await read(app);
    for (const part of [
      "|Do not format the card. 1 recording is nowhere else.|1 cannot be read.|",
      "|Why not, and what to do|Try the one once more from a card reader|",
      "|Or give it up|This page no longer waits for them. They then count as lost.",
      "|Give 1 recording up|",
      "|1 recording that is only on the card|Recorded|Kind|Why|Do|Sat 21 Nov, 07:16|Normal|Not readable|Front. The camera answered with an error. One try.|Try now|",
    ])
      expect(text).toContain(part);
  });

  test("shows signs of wear with their limits", async () => {
    await using app = await running();
    const history = sickHistories().find(({ sign }) => sign === "read_errors");
    if (history === undefined) throw new Error("there is one");
    await rememberCard(app, recordOf(history).record);
    const text = await read(app);
    expect(text).toMatch(
      /\|One sign of wear \|from [0-9 ]+ recordings since Tue 8 Sep\|Read errors\|Since [A-Za-z0-9 ]+\. A sign from 5 % of the last 240 clips on\.\|[0-9]+\|of [0-9]+ recordings\|Empty files\|/,
    );
  });

  test("is part of the statistics, whose pages lead to each other", async () => {
    await using app = await running();
    for (const [path, name] of [
      ["/stats", "Runs"],
      ["/stats/coverage", "Was anything missed?"],
      ["/stats/card", "The card"],
    ] as const) {
      const { text } = await app.client.open(path);
      const [nav = ""] = /<nav class="seg" aria-label="Statistics">.*?<\/nav>/s.exec(text) ?? [];
      expect(nav).toContain('href="/stats/card"');
      expect(/aria-current="page">([^<]*)/.exec(nav)?.[1]).toBe(name);
    }
  });

  test("knows nothing before the first sync, and without a camera leads to its address", async () => {
    await using app = await running();
    expect(await read(app)).toContain("|Nothing is known of the card yet.|");
    expect(await read(app)).toContain("|Look now|");
    await app.app.settings.update((latest) => ({ ...latest, connection: { ...latest.connection, address: "" } }));
    expect(await read(app)).toContain("|No camera is set up yet.|");
    expect(await read(app)).toContain("|Set the camera’s address|");
  });

  test("says when a list is too old, that the card is empty, and that the ledger cannot be used", async () => {
    await using app = await running();
    await syncWhole(app, app.clock);
    app.clock.pass(7_200_000);
    expect(await read(app)).toContain("|Listed 07:49, 2 h ago|Look again before you format the card.|");
    await app.stop();
    const path = join(app.folder, "config", "ledger.db");
    const newer = new Database(path);
    newer.run("pragma user_version = 99");
    newer.close();
    const card = cardOf([...PARKED, ...DRIVE], 2000);
    await using again = await running({ folder: app.folder, destination: app.destination, card });
    await syncWhole(again, again.clock);
    expect(await read(again)).toContain(
      "|Do not format the card yet. It is not known if it is the same card as before.|ledger.db was written by a newer Dashdock",
    );
    await using empty = await running({ card: cardOf([]) });
    await syncWhole(empty, empty.clock);
    expect(await read(empty)).toContain("|The camera lists no recording.|");
  });

  test("has a row for each of several cameras, and a page for each", async () => {
    const clock = new FakeClock(NOW);
    await using app = await parkedCameras([{ id: "van", name: "Van" }], { clock, card: cardOf(DRIVE, 2000) });
    await syncWhole(app, clock);
    const all = await read(app, "/stats/card?camera=all");
    expect(all).toContain("|The cards of all cameras|Camera|Card|May it be formatted?|Wear|");
    expect(all).toContain(
      "|Safe to format|You may format the card. All that your rules want is safe here. |Listed 20:49",
    );
    expect(await read(app, "/stats/card?camera=van")).not.toContain("You may format");
    expect((await app.client.fetch("/hx/stats/card?camera=all")).status).toBe(404);
  });

  test("goes on with the same, without the page", async () => {
    await using app = await running();
    await syncWhole(app, app.clock);
    const answer = await app.client.fetch("/hx/stats/card", { headers: { "hx-request": "true" } });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/^<div id="card" data-props="[^"]+"><\/div>$/);
  });
});
