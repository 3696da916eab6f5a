import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { rememberCard, syncWhole } from "../support/app/staged_card.ts";
import { cardOf } from "../support/app/sync.ts";
import { driveNames } from "../support/app/written_ledger.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { textsOf } from "../support/browser/stats_page.ts";
import { sickHistories } from "../support/camera/card_histories.ts";
import { recordOf } from "../support/camera/card_record.ts";
import { orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

const NOW = Date.parse("2026-11-21T07:49:00Z");
const BAD = "20261121_071600_NF.mp4";
const KEY = "20261121_071600_N";

const clock = new FakeClock(NOW);
let app: RunningApp;
let heal: () => void;
beforeAll(async () => {
  const card = cardOf([...driveNames("2026-11-20T22:00:00", 3, "P"), ...driveNames("2026-11-21T07:14:00", 10)], 2000);
  app = await startApp({ clock, card, settings: { retention: { keep: "" }, sync: { exclude: ["P"] } } });
  const history = sickHistories().find(({ sign }) => sign === "falling_rate");
  if (history !== undefined) await rememberCard(app, recordOf(history).record);
  heal = app.simulator.fault({ name: "error-500", match: new RegExp(BAD) });
  await syncWhole(app, clock);
});
afterAll(() => app[Symbol.asyncDispose]());

describeInBrowser("the page of the card", (browser) => {
  test("is in order at every width, gives up what cannot be read, undoes it, tries it again, and then says yes", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    const { page } = watched;
    await watched.open("/stats/card");
    await page.locator("[data-island=card][data-ready]").waitFor();
    // All of its parts are drawn: bar, steps, signs with the curve of the rate, table.
    expect(await page.locator(".stackbar, .steps-n, .spark, .table").count()).toBe(4);
    expect(await orderProblems(watched)).toEqual([]);

    const sentence = page.locator(".hero .sentence");
    const says = (text: string) => sentence.filter({ hasText: text }).waitFor();
    await page.getByRole("button", { name: "Give 1 recording up" }).click();
    await says("You may format the card");
    expect((await app.app.card()).givenUp).toBe(1);
    expect(await textsOf(page.locator(".rows > li b"))).toEqual([
      "Home and checked",
      "Left out by your rules",
      "Given up",
    ]);

    await page.locator("#toasts").getByRole("button", { name: "Undo" }).click();
    await says("Do not format the card");
    await page.getByRole("button", { name: "Give 1 recording up" }).click();
    await page.getByRole("button", { name: "Wait for them again" }).click();
    await says("Do not format the card");
    expect((await app.app.card()).givenUp).toBe(0);

    heal();
    await page.getByRole("button", { name: "Try now" }).click();
    await page.locator("#toasts", { hasText: "tried again" }).waitFor();
    await app.synced();
    await syncWhole(app, clock);
    expect((await app.app.listed.counts())?.waiting).toBe(0);
    await page.evaluate(() => document.dispatchEvent(new Event("signedin")));
    await says("You may format the card");
    expect(app.app.library.has(`${KEY}F.mp4`)).toBe(true);
    expect(await watched.problems()).toEqual([]);
  });

  test("starts a sync to look again, and says so", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 1440 });
    const { page } = watched;
    clock.pass(700_000);
    await watched.open("/stats/card");
    await page.locator("[data-island=card][data-ready]").waitFor();
    expect(await textsOf(page.locator(".hero .sentence"))).toEqual(["Look again before you format the card."]);
    const before = app.app.history.latest()?.ts;
    await page.getByRole("button", { name: "Look again" }).click();
    await page.locator("#toasts", { hasText: "A sync has started." }).waitFor();
    await app.synced();
    expect(app.app.history.latest()?.ts).not.toBe(before);
    await page.evaluate(() => document.dispatchEvent(new Event("signedin")));
    await page.locator(".hero .sentence", { hasText: "You may format the card" }).waitFor();
    expect(await watched.problems()).toEqual([]);
  });
});
