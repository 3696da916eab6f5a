import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { readDay } from "../support/app/read_day.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { button, loaded, players, row, until } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";
import { brakedAt } from "../support/camera/gsensor_file.ts";

setDefaultTimeout(90_000);

/** Two drives, each with an event of 15 seconds in which the brakes are hit at the eighth second. */
const OLDER = ["20261119_080000_N", "20261119_080012_E", "20261119_080027_N"] as const;
const NEWER = ["20261120_080000_N", "20261120_080012_E", "20261120_080027_N"] as const;
const PEAK = 8;
const LANDING = PEAK - 3;

/** A fix each second for twelve seconds, northwards, from so many seconds of a drive on. */
const drivenFrom = (begin: number) =>
  Array.from({ length: 12 }, (_, at) => {
    const minutes = (10 + (begin + at) * 0.0009).toFixed(5);
    return `[${1_780_000_000_000 + at * 1000}]$GNRMC,080000.00,A,48${minutes},N,01100.00000,E,${20 + at},,201126,,,A*00\r\n`;
  }).join("");

const shown = (page: Page) => new URL(page.url()).searchParams.get("key");
const shows = (page: Page, key: string) => page.waitForURL((address) => address.searchParams.get("key") === key);
const isAt = (page: Page, seconds: number) =>
  until(page, ([front]) => front?.isLoaded === true && Math.abs(front.time - seconds) < 0.11);

describeInBrowser("the viewer opens", (browser) => {
  const start = async () => {
    const app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
    await putFootage(
      app.destination,
      [...OLDER, ...NEWER].map((key) => `${key}F.mp4`),
    );
    for (const key of [OLDER[1], NEWER[1]]) writeFileSync(join(app.destination, `${key}.3gf`), brakedAt(PEAK));
    await app.app.library.refresh();
    for (const date of ["2026-11-19", "2026-11-20"]) await readDay(app, date);
    return app;
  };
  let app: RunningApp;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("with the newest trip at its start, then where this browser left it, and anew when another trip has come", async () => {
    await using own = await start();
    await using watched = await WatchedPage.open(browser(), { url: own.url });
    const { page } = watched;
    await watched.open("/viewer");
    expect(shown(page)).toBe(NEWER[0]);
    await isAt(page, 0);
    await row(page, NEWER[2]).click();
    await shows(page, NEWER[2]);
    await until(page, ([front]) => front?.paused === false && front.time > 0.5);
    await page.keyboard.press("Space");
    await until(page, ([front]) => front?.paused === true);
    const [left] = await players(page);
    await page.waitForURL((address) => address.searchParams.has("t"));
    await watched.open("/");
    await watched.open("/viewer");
    expect(shown(page)).toBe(NEWER[2]);
    await isAt(page, left?.time ?? 0);
    // Also after a trip that was the newest, and is seen no more.
    await watched.open(`/viewer?key=${OLDER[2]}`);
    await page.waitForFunction((key) => document.cookie.includes(key), OLDER[2]);
    await watched.open("/viewer");
    expect(shown(page)).toBe(OLDER[2]);
    await putFootage(own.destination, ["20261120_173000_NF.mp4"]);
    await own.app.library.refresh();
    await watched.open("/viewer");
    expect(shown(page)).toBe("20261120_173000_N");
    expect(await watched.problems()).toEqual([]);
  });

  test("a day with its first drive from the start", async () => {
    await using own = await start();
    // A movement before it, and a recording of a name that the camera gave again.
    await putFootage(own.destination, ["20261119_063000_PF.mp4", ...OLDER.slice(0, 2).map((key) => `${key}F.2.mp4`)]);
    await own.app.library.refresh();
    await using watched = await WatchedPage.open(browser(), { url: own.url });
    const { page } = watched;
    await watched.open("/viewer?date=2026-11-19");
    expect(shown(page)).toBe(OLDER[0]);
    await isAt(page, 0);
    const head = page.locator(".vw-head");
    await head.getByText(`${OLDER[0]}`).waitFor();
    expect(await head.textContent()).not.toContain("recording of this name");
    // The second one of its name says so, above the picture and in the list.
    await page.locator(`.trip[data-trip="${OLDER[0]}.2"]`).getByText("Second recording of this name").click();
    await shows(page, `${OLDER[0]}.2`);
    await head.getByText("Second recording of this name").waitFor();
    // Back to a day, too.
    await page.evaluate(() => history.pushState(null, "", "/viewer?date=2026-11-19"));
    await page.evaluate((key) => history.pushState(null, "", `/viewer?key=${key}`), NEWER[0]);
    await page.goBack();
    await page.locator(".vw-head .mono").getByText(OLDER[0], { exact: true }).waitFor();
    expect(await watched.problems()).toEqual([]);
  });

  test("with all that is known of the whole trip at once: track, curves and marks, by the settings of a new installation", async () => {
    await using own = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
    expect(own.app.settings.current.viewer.journey_mode).toBe("full");
    await putFootage(
      own.destination,
      NEWER.map((key) => `${key}F.mp4`),
    );
    for (const [at, key] of NEWER.entries()) {
      writeFileSync(join(own.destination, `${key}.gps`), drivenFrom(at * 12));
      writeFileSync(join(own.destination, `${key}.3gf`), brakedAt(PEAK));
    }
    await own.app.library.refresh();
    await using watched = await WatchedPage.open(browser(), { url: own.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${NEWER[0]}`);
    await page.locator(".lane-speed .curve").waitFor({ state: "attached" });
    await page.locator(".map canvas, .map path").first().waitFor({ state: "attached" });
    // Nothing has played: the curves reach to the trip's last clip, and every clip and strong moment has its mark.
    const reach = (selector: string) =>
      page.locator(selector).evaluate((path: SVGPathElement) => {
        const { x, width } = path.getBBox();
        return x + width;
      });
    expect(await reach(".lane-speed .curve")).toBeGreaterThan(950);
    expect(await reach(".lane-g .all")).toBeGreaterThan(900);
    expect(await page.locator(".tl .sg").count()).toBeGreaterThanOrEqual(3);
    await until(page, ([front]) => front?.time === 0);
    expect(await page.locator(".tl .lane .pk").count()).toBe(1);
    expect(await page.locator(".lane-g .peak").count()).toBe(3);
    expect(await watched.problems()).toEqual([]);
  });

  test("again, after a reload, with what was playing", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${OLDER[0]}&t=10`);
    await loaded(page);
    await button(page, "Play").click();
    // On into the next clip: the address goes along while it plays.
    await page.waitForURL(({ searchParams: query }) => query.get("key") === OLDER[1] && Number(query.get("t")) > 2);
    const before = (await players(page))[0]?.time ?? 0;
    await page.reload();
    await watched.ready();
    expect(shown(page)).toBe(OLDER[1]);
    await until(page, ([front]) => front?.isLoaded === true && front.time > 2);
    expect((await players(page))[0]?.time ?? 0).toBeGreaterThan(before - 6);
    expect(await watched.problems()).toEqual([]);
  });

  test("three seconds before an event when the way leads there: by link, list and key", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${OLDER[1]}`);
    await isAt(page, LANDING);
    // A link that has a time leads to that.
    await watched.open(`/viewer?key=${OLDER[1]}&t=1`);
    await isAt(page, 1);
    await page.keyboard.press("e");
    await isAt(page, LANDING);
    await page.keyboard.press("e");
    await shows(page, NEWER[1]);
    await isAt(page, LANDING);
    await page.keyboard.press("Shift+E");
    await shows(page, OLDER[1]);
    await isAt(page, LANDING);
    await page.keyboard.press("Shift+E");
    await page.getByText("There is no earlier event.").waitFor();
    await page.keyboard.press("n");
    await shows(page, OLDER[2]);
    await page.keyboard.press("p");
    await shows(page, OLDER[1]);
    await isAt(page, 0);
    await page.keyboard.press("p");
    await shows(page, OLDER[0]);
    await row(page, OLDER[1]).click();
    await shows(page, OLDER[1]);
    await until(page, ([front]) => front?.paused === false && front.time >= LANDING);
    expect(await watched.problems()).toEqual([]);
  });
});
