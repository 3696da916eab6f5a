import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { dateOf } from "../../server/domain/recordings/recording_name.ts";
import { formatCount } from "../../server/domain/text/format.ts";
import type { Calendar, Days } from "../../server/domain/viewer/viewer_schema.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { button, row } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";
import { orderProblems } from "../support/camera/in_order.ts";
import { type LargeLibrary, putLargeLibrary } from "../support/disk/large_library.ts";

setDefaultTimeout(120_000);

const search = (page: Page) => new URL(page.url()).search;
const chip = (page: Page, name: string) => page.locator(".chip", { hasText: name });
/** Resolves when this is on show, in the list and in the address. */
const isShown = async (page: Page, key: string) => {
  await page.waitForURL((address) => address.searchParams.get("key") === key);
  await row(page, key).and(page.locator("[aria-current]")).waitFor();
};
const isOnShow = (page: Page, key: string) => page.locator(`.vw-head [title="${key}"]`).waitFor();
/** Size of the list: its elements, and its height in pixels. */
const sizeOf = (page: Page) =>
  page.locator("#recordings").evaluate((list) => [list.querySelectorAll("*").length, list.scrollHeight] as const);
/** Empty videos cannot be played, which the browser may note. */
const problems = async (watched: WatchedPage) =>
  (await watched.problems()).filter((problem) => !problem.startsWith("the page jumped"));

/** A stand from 58 km/h within two seconds, as the camera writes it beside a clip. */
function putBraking(folder: string, key: string): void {
  const knots = (second: number) => Math.max(0, 31.3 - 16 * Math.max(0, second - 7));
  const lines = Array.from({ length: 15 }, (_, second) => {
    const lon = (10 + second * 0.008).toFixed(5).padStart(8, "0");
    return `[${1_780_000_000_000 + second * 1000}]$GNRMC,,A,5130.00000,N,000${lon},E,${knots(second).toFixed(1)},90,,,*00\r\n`;
  });
  writeFileSync(join(folder, `${key}.gps`), lines.join(""));
  const samples = new DataView(new ArrayBuffer(150 * 10));
  for (let at = 0; at < 150; at++) {
    samples.setUint32(at * 10, at * 100);
    samples.setInt16(at * 10 + 4, 128);
    samples.setInt16(at * 10 + 8, at >= 75 && at < 90 ? -79 : 0);
  }
  writeFileSync(join(folder, `${key}.3gf`), new Uint8Array(samples.buffer));
}

describeInBrowser("the viewer on 20,000 clips", (browser) => {
  let app: RunningApp;
  let made: LargeLibrary;
  let destination: string;
  /** Plays. */
  let newest: string;
  let braked: string;
  beforeAll(async () => {
    // Uses memory when possible: so many files would take a disk longer than all tests here.
    destination = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "dashdock-test-"));
    made = putLargeLibrary(destination, new Date().getUTCFullYear());
    newest = made.keys.at(-1) ?? "";
    braked = made.keys.findLast((key) => key.endsWith("E")) ?? "";
    await putFootage(
      destination,
      [newest, braked].map((key) => `${made.newest}/${key}F.mp4`),
    );
    putBraking(join(destination, made.newest), braked);
    app = await startApp({ destination, settings: { retention: { keep: "" }, schedule: { paused: true } } });
    await app.app.library.refresh();
    await app.client.open("/");
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(destination, { recursive: true });
  });
  const eventsOf = () => made.keys.filter((key) => /[EI]$/.test(key));

  test("is walked through with the mouse: counts of all days, kinds, events, months far back", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${newest}`);
    await isShown(page, newest);
    // One number, wherever it is told.
    const { days } = (await (await app.client.fetch("/api/viewer/days")).json()) as Days;
    const calendar = (await (await app.client.fetch("/api/viewer/calendar")).json()) as Calendar;
    const sum = (counts: Iterable<number>) => [...counts].reduce((all, count) => all + count, 0);
    expect([sum(days.map(({ count }) => count)), sum(calendar.days.map(({ count }) => count))]).toEqual([
      made.clips,
      made.clips,
    ]);
    expect([calendar.types, calendar.cameras["R"], days.length]).toEqual([made.types, made.rear, made.days]);
    expect(sum(calendar.days.map(({ events }) => events))).toBe(eventsOf().length);
    for (const [name, letter] of [
      ["Normal", "N"],
      ["Event", "E"],
      ["Parking", "P"],
      ["Manual", "M"],
    ] as const)
      await button(page, `${name} ${formatCount(made.types[letter] ?? 0)}`).waitFor();
    await button(page, `Rear ${formatCount(made.rear)}`).waitFor();
    expect(await page.locator(".day").first().textContent()).toContain(`400\u00a0clips`);
    expect(await page.locator(".day").nth(1).textContent()).toContain("2024");
    const [elements, height] = await sizeOf(page);
    expect([elements < 1500, height < 8000]).toEqual([true, true]);
    await page.locator('.trip[data-trip$="_060000_N"]').click();
    await isShown(page, `${made.newest.replaceAll("-", "")}_060000_N`);
    expect((await sizeOf(page))[0]).toBeLessThan(2500);

    await chip(page, "Event").first().click();
    await page.getByText(`Event: ${made.types["E"]}\u00a0clips`).waitFor();
    // The clip on show is none of them, and stays.
    expect(search(page)).toEndWith("_060000_N&types=E");
    expect(await page.locator(".trip[aria-current]").count()).toBe(0);
    await row(page, braked).getByText("Braked hard, 0.62\u00a0g").waitFor();
    await row(page, braked).getByText("58 to 0\u00a0km/h").waitFor();
    await row(page, braked).click();
    await isShown(page, braked);
    expect(await orderProblems(watched)).toEqual([]);
    await chip(page, "Event").first().click();
    await chip(page, "Manual").click();
    await chip(page, "Rear").click();
    await page.getByText("Manual with rear camera: 0\u00a0clips").waitFor();
    await isOnShow(page, braked);
    await page.getByRole("link", { name: "Show all" }).click();
    await isShown(page, braked);

    await page.locator(".list-day").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Year").selectOption("2023");
    await dialog.getByRole("heading", { name: "January 2023" }).waitFor();
    for (const month of ["February 2023", "March 2023"]) {
      await button(page, month).click();
      await dialog.getByRole("heading", { name: month }).waitFor();
    }
    const drives = new Set(made.keys.filter((key) => key.startsWith("202303") && !/[PI]$/.test(key)).map(dateOf));
    await dialog.getByText(`on ${drives.size}\u00a0days`).waitFor();
    await dialog.getByRole("button", { name: "Sunday 5 March" }).click();
    await isShown(page, "20230305_080000_N");
    expect(await page.locator(".list-day").textContent()).toBe("Sun 5\u00a0Mar 2023");
    expect((await sizeOf(page))[0]).toBeLessThan(1500);
    expect(await problems(watched)).toEqual([]);
  });

  test("is walked through with keys: a time, events, trips, back and forward, what is gone", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 768 });
    const { page } = watched;
    await page.clock.install();
    await watched.open(`/viewer?key=${braked}&t=3`);
    await isShown(page, braked);
    await page.locator(".transport .clock", { hasText: "19:00:03" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const events = eventsOf();
    // To the event before, and beside the parked car to the movement before.
    let here = braked;
    for (let step = 0; step < 5; step++) {
      const isParked = /[PI]$/.test(here);
      here = (isParked ? made.keys : events).findLast((key) => key < here) ?? "";
      await page.keyboard.press("Shift+E");
      await isShown(page, here);
    }
    const after = made.keys[made.keys.indexOf(here) + 1] ?? "";
    await page.keyboard.press("e");
    await isShown(page, after);
    await page.goBack();
    await isShown(page, here);
    await page.goForward();
    await isShown(page, after);
    await page.keyboard.press("/");
    // A longer text than the server reads is never sent: its address would be too long for a request.
    expect(await page.locator("#list-search").getAttribute("maxlength")).toBe("200");
    await page.locator("#list-search").fill("2023-07-09 17:40:30");
    await page.keyboard.press("Enter");
    await isShown(page, "20230709_174000_N");
    expect(search(page)).toBe("?key=20230709_174000_N&t=30");
    await page.keyboard.press("[");
    await isShown(page, "20230709_080000_N");
    await page.keyboard.press("p");
    await isShown(page, made.keys[made.keys.indexOf("20230709_080000_N") - 1] ?? "");
    await page.locator('.day[data-date="2023-07-07"]').focus();
    await page.keyboard.press("Enter");
    await page.locator('.day-head:has([data-date="2023-07-07"]) + .day-body .trip').first().waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL((address) => address.searchParams.get("key")?.startsWith("20230707") === true);

    // A link to the trash, and a day that goes while it is open: both say so, and lead on.
    const deleted = "20230709_081000_N";
    expect((await app.client.send("DELETE", `/api/recordings/${deleted}`)).status).toBe(200);
    await page.goto(`/viewer?key=${deleted}&t=nonsense`);
    await watched.ready();
    await page.getByRole("heading", { name: "This clip is not here any more" }).waitFor();
    await page.keyboard.press("n");
    await isShown(page, "20230709_081100_N");
    rmSync(join(destination, dateOf(deleted)), { recursive: true });
    await app.app.library.refresh();
    await page.clock.runFor(6000);
    await page.getByRole("heading", { name: "This clip is not here any more" }).waitFor();
    expect(await page.locator('.day[data-date="2023-07-09"]').count()).toBe(0);
    await page.keyboard.press("n");
    await page.waitForURL((address) => address.searchParams.get("key")?.startsWith("20230710") === true);
    const noise = (problem: string) => problem.includes("404 (Not Found)");
    expect((await problems(watched)).filter((problem) => !noise(problem))).toEqual([]);
  });

  test("is walked through with a finger: the picture stays in sight, all ways to a clip are there", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    const { page } = watched;
    await watched.open(`/viewer?key=${newest}`);
    await isShown(page, newest);
    const pictureIsSeen = () =>
      page.locator(".stage").evaluate((stage) => {
        const { top, bottom } = stage.getBoundingClientRect();
        return top >= 0 && bottom < innerHeight;
      });
    await chip(page, "Event").first().tap();
    await page.getByText(`Event: ${made.types["E"]}\u00a0clips`).waitFor();
    await page.locator(".day").last().scrollIntoViewIfNeeded();
    expect([await pictureIsSeen(), await page.evaluate(() => scrollY > 500)]).toEqual([true, true]);
    const date = await page.locator(".day").last().getAttribute("data-date");
    await page.locator(".day").last().tap();
    // The trips of the other days are there already.
    const last = page.locator(`.day-head:has([data-date="${date}"]) + .day-body .trip[data-key]`).last();
    await last.waitFor();
    const key = (await last.getAttribute("data-key")) ?? "";
    await last.tap();
    await isShown(page, key);
    expect(await pictureIsSeen()).toBe(true);
    await page.locator(".list-day").tap();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Year").selectOption("2024");
    await dialog.getByRole("heading", { name: / 2024$/ }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog
      .getByRole("button", { name: /driven$|event/ })
      .first()
      .tap();
    await page.waitForURL((address) => !address.search.includes(key));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await problems(watched)).toEqual([]);
  });
});
