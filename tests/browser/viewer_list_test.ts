import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { button, chosen, row } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";
import { fitProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(120_000);

const MORNING = ["20261120_080000_N", "20261120_080100_N", "20261120_080200_E", "20261120_080300_N"] as const;
const EVENING = ["20261120_173000_N", "20261120_173100_N"] as const;
const STAY = ["20261120_031500_P", "20261120_044500_I"] as const;
/** A drive of 400 minutes. */
const LONG = "20261005_060000_N";
const AUTUMN = "20260915_070000_E";
const LAST_YEAR = "20251231_120000_N";

const trip = (page: Page, first: string) => page.locator(`.trip[data-trip="${first}"]`);
const search = (page: Page) => new URL(page.url()).search;
/** Resolves when this is on show, in the list and in the address. */
const isShown = async (page: Page, key: string) => {
  await page.waitForURL((address) => address.searchParams.get("key") === key);
  await row(page, key).and(page.locator("[aria-current]")).waitFor();
};
/** Without how the pictures find their place, which is a matter of the test of the page as a whole. */
const problems = async (watched: WatchedPage) =>
  (await watched.problems()).filter((problem) => !problem.startsWith("the page jumped"));
async function find(page: Page, text: string): Promise<void> {
  // It goes when what was looked for before is on show.
  await page.locator("#list-search").waitFor({ state: "detached" });
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Time, place, kind or note" }).fill(text);
  await page.keyboard.press("Enter");
}

describeInBrowser("the viewer's list", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
    const keys = [...MORNING, ...EVENING, ...STAY, LONG, AUTUMN, LAST_YEAR];
    await putFootage(app.destination, [...keys.map((key) => `${key}F.mp4`), `${MORNING[2]}R.mp4`]);
    const folder = join(app.destination, "2026-10-05");
    mkdirSync(folder);
    for (let minute = 361; minute < 760; minute++) {
      const clock = `${String(Math.floor(minute / 60)).padStart(2, "0")}${String(minute % 60).padStart(2, "0")}00`;
      writeFileSync(join(folder, `20261005_${clock}_NF.mp4`), "");
    }
    await app.app.library.refresh();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("leads to a moment by trip, event, kind, time and day, and the address goes along", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/viewer");
    expect(await chosen(page)).toBe(EVENING[0]);
    // The trip of what is on show is open, the others are one row each.
    expect(await page.locator(".trip[data-key]").count()).toBe(2);
    expect(await trip(page, MORNING[0]).textContent()).toContain("08:00 to 08:0");
    expect(await trip(page, STAY[0]).textContent()).toContain("Parked · 2\u00a0movements");
    await trip(page, MORNING[0]).click();
    await isShown(page, MORNING[0]);
    expect(await page.locator(".trip[data-key]").count()).toBe(6);
    await page.keyboard.press("]");
    await isShown(page, EVENING[0]);
    await page.keyboard.press("[");
    await isShown(page, MORNING[0]);
    await page.keyboard.press("e");
    await isShown(page, MORNING[2]);
    await page.keyboard.press("Shift+E");
    await isShown(page, STAY[1]);
    // Around the parked car each movement counts.
    await page.keyboard.press("Shift+E");
    await isShown(page, STAY[0]);
    await page.keyboard.press("Shift+E");
    await isShown(page, AUTUMN);
    await page.keyboard.press("Shift+E");
    await page.getByText("There is no earlier event.").waitFor();

    await find(page, "2026-11-20 08:01:05");
    await isShown(page, MORNING[1]);
    expect(search(page)).toBe(`?key=${MORNING[1]}&t=5`);
    await find(page, "25:00");
    await page.getByRole("alert").getByText("Type a time such as 14:30").waitFor();
    await page.locator("#list-search").fill("12:00");
    await page.keyboard.press("Enter");
    await isShown(page, EVENING[0]);
    const answer = page.getByText("Nothing was recorded at 12:00. This is the next clip.");
    await answer.waitFor();
    expect(await page.locator("#list-search").count()).toBe(0);
    // It is no answer to what is looked for next.
    await find(page, "20 Nov 08:00");
    await isShown(page, MORNING[0]);
    expect(await answer.count()).toBe(0);
    await find(page, "12:00");
    await isShown(page, EVENING[0]);

    // Counts are those of all days, whatever is open, and stay while the list is narrowed.
    await button(page, "Event 2").click();
    await page.getByText("Event: 2\u00a0clips").waitFor();
    expect(search(page)).toBe(`?key=${EVENING[0]}&types=E`);
    expect(await page.locator(".day").allTextContents()).toEqual([
      "Fri 20\u00a0Nov1\u00a0clip",
      "Tue 15\u00a0Sep1\u00a0clip",
    ]);
    await row(page, MORNING[2]).click();
    await isShown(page, MORNING[2]);
    await button(page, "Rear 1").click();
    await page.getByText("Event with rear camera: 1\u00a0clip").waitFor();
    expect(search(page)).toBe(`?key=${MORNING[2]}&types=E&cameras=R`);
    await page.reload();
    await watched.ready();
    expect(await button(page, "Rear 1").getAttribute("aria-pressed")).toBe("true");
    expect(await page.locator(".trip[data-key]").count()).toBe(1);
    await page.goBack();
    await page.getByText("Event: 2\u00a0clips").waitFor();
    await page.getByRole("link", { name: "Show all" }).click();
    await trip(page, EVENING[0]).waitFor();
    expect([...(await problems(watched)), ...(await accessibilityProblems(page))]).toEqual([]);
  });

  test("shows what it finds while one types, chosen by keys or a press, and drops answers to what was typed before", async () => {
    const note = async (key: string, text: string) =>
      expect((await app.client.send("PUT", `/api/recordings/${key}/keep`, { note: text })).status).toBe(200);
    await app.client.open("/");
    await note(MORNING[1], "Deer at the café");
    await note(AUTUMN, "A deer again");
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/viewer");
    await find(page, "deer cafe");
    await isShown(page, MORNING[1]);
    await page.keyboard.press("/");
    const field = page.getByRole("combobox", { name: "Time, place, kind or note" });
    // The first letter is none of the viewer's keys.
    await page.keyboard.type("Deer");
    expect(await field.inputValue()).toBe("Deer");
    const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
    await options.last().getByText("A deer again").waitFor();
    expect(await options.allTextContents()).toEqual([
      "Fri 20\u00a0Nov, 08:01: Deer at the café",
      "Tue 15\u00a0Sep, 07:00: A deer again",
    ]);
    expect(await options.first().getAttribute("aria-selected")).toBe("true");
    expect([...(await problems(watched)), ...(await accessibilityProblems(page))]).toEqual([]);
    await page.keyboard.press("ArrowDown");
    // The field says which one after the page has been painted.
    await page.locator(`#list-search[aria-activedescendant="${await options.last().getAttribute("id")}"]`).waitFor();
    await page.keyboard.press("Enter");
    await isShown(page, AUTUMN);
    expect(await field.count()).toBe(0);

    const held = Promise.withResolvers<void>();
    await page.route(/search\?q=par&/, async (route) => {
      await held.promise;
      await route.continue().catch(() => {});
    });
    const asked = page.waitForRequest(/search\?q=par&/);
    await page.keyboard.press("/");
    await field.fill("par");
    await asked;
    await field.fill("events");
    await options.getByText("Events").waitFor();
    held.resolve();
    await page.unrouteAll({ behavior: "wait" });
    expect(await options.allTextContents()).toEqual(["Events3\u00a0clips"]);
    await options.first().click();
    await page.waitForURL(/types=E,I/);

    await find(page, "moose");
    await page.getByRole("alert").getByText("Nothing is found for “moose”.").waitFor();
    // The message goes as soon as something else is typed.
    await page.keyboard.press("x");
    expect(await page.getByRole("alert").getByText("moose").count()).toBe(0);
    await page.keyboard.press("Escape");
  });

  test("chooses days as a range, and a trip that loses its first clip stays on show", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${EVENING[0]}`);
    await button(page, "Select").click();
    const box = (day: string) => page.getByRole("checkbox", { name: `Select all of ${day}` });
    await box("Fri 20\u00a0Nov").click();
    await box("Tue 15\u00a0Sep").click({ modifiers: ["Shift"] });
    await page.getByText(/^409.clips selected$/).waitFor();
    expect(await box("Mon 5\u00a0Oct").isChecked()).toBe(true);
    expect(await box("Wed 31\u00a0Dec 2025").isChecked()).toBe(false);
    await button(page, "Done").click();

    await page.keyboard.press("Delete");
    await isShown(page, EVENING[1]);
    await page.getByRole("button", { name: "Undo" }).click();
    await isShown(page, EVENING[0]);
    expect(await problems(watched)).toEqual([]);
  });

  test("has a calendar that keys move in, and draws a long day in parts", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${MORNING[0]}`);
    await page.locator(".list-day").click();
    const calendar = page.getByRole("dialog");
    const day = (name: string) => calendar.getByRole("button", { name });
    await calendar.getByRole("heading", { name: "November 2026" }).waitFor();
    await day("Friday 20 November").and(page.locator(":focus")).waitFor();
    expect(await day("Friday 20 November").getAttribute("aria-label")).toContain("2\u00a0events");
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("PageUp");
    await calendar.getByRole("heading", { name: "October 2026" }).waitFor();
    await day("Tuesday 20 October, no clips").and(page.locator(":focus")).waitFor();
    for (const key of ["ArrowUp", "ArrowUp", "ArrowLeft"]) await page.keyboard.press(key);
    await day("Monday 5 October").and(page.locator(":focus")).waitFor();
    expect(await day("Monday 5 October").getAttribute("aria-label")).toContain("driven");
    await page.keyboard.press("Enter");
    await isShown(page, LONG);
    expect(await calendar.count()).toBe(0);

    // It is the last of 400 rows, of which a part stands there.
    expect(await page.locator(".trip[data-key]").count()).toBeLessThan(60);
    expect(await page.locator("#recordings").evaluate((list) => list.scrollHeight)).toBeLessThan(8000);
    await page
      .getByRole("button", { name: /later clips/ })
      .first()
      .click();
    await row(page, LONG).waitFor();
    expect(await page.locator(".trip[data-key]").count()).toBeLessThan(110);
    await page.getByText("Wed 31\u00a0Dec 2025").waitFor();
    expect((await fitProblems(watched)).filter((problem) => !problem.includes("404"))).toEqual([]);
  });
});
