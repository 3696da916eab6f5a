import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage, WIDTHS } from "../support/browser/browser.ts";
import { button, loaded, players, until } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(60_000);

const CLIP = "20260607_101600_E";
const OTHER = "20260607_101700_N";

/** True when all of an element is in the window. */
async function isInView(page: Page, element: Locator): Promise<boolean> {
  const box = await element.boundingBox();
  const size = page.viewportSize();
  if (box === null || size === null) return false;
  return box.x >= 0 && box.y >= 0 && box.x + box.width <= size.width && box.y + box.height <= size.height;
}

// The browser's own rule counts here: a page plays by itself only after a hand on it, or on the page before it.
describeInBrowser(
  "a clip on the dashboard",
  (browser) => {
    let app: RunningApp;
    beforeAll(async () => {
      app = await startApp({ settings: { retention: { keep: "" } } });
      await putFootage(app.destination, [`${OTHER}F.mp4`, `${CLIP}F.mp4`, `${CLIP}R.mp4`]);
    });
    afterAll(() => app[Symbol.asyncDispose]());
    const path = (search: string) => `/viewer${search}`;

    test("is one picture with its cameras named, and plays when it is opened; a reload and the way back play nothing", async () => {
      await using watched = await WatchedPage.open(browser(), { url: app.url });
      const { page } = watched;
      await watched.open("/");
      const thumbs = page.locator("#recent-activity-card .thumb");
      await thumbs.nth(1).waitFor();
      expect(await thumbs.count()).toBe(2);
      expect(await page.locator("#recent-activity-card .section-head a").innerText()).toBe("All 2\u00a0clips");
      const thumb = thumbs.filter({ hasText: "Event" });
      expect(await thumb.innerText()).toContain("Front, Rear");
      await thumb.click();
      await watched.ready();
      await until(page, (all) => all.length === 2 && all.every(({ paused, time }) => !paused && time > 0.3));
      await button(page, "Pause").waitFor();
      expect(await page.evaluate(() => location.pathname + location.search)).toBe(path(`?key=${CLIP}`));

      await page.reload();
      await watched.ready();
      await loaded(page);
      expect((await players(page)).map(({ paused }) => paused)).toEqual([true, true]);
      await page.goBack();
      await page.waitForURL((url) => url.pathname === "/");
      await page.goForward();
      await watched.ready();
      await loaded(page);
      expect((await players(page)).every(({ paused }) => paused)).toBe(true);
      expect(await watched.problems()).toEqual([]);
    });

    for (const width of WIDTHS)
      test(`is reached from the dashboard with one press and plays, both without scrolling, at ${width} px`, async () => {
        await using watched = await WatchedPage.open(browser(), { url: app.url, width });
        const { page } = watched;
        await watched.open("/");
        const link = page.getByRole("link", { name: "10:17" }).and(page.locator(".reading-play"));
        expect(await isInView(page, link)).toBe(true);
        await link.click();
        await watched.ready();
        await until(page, (all) => all.length === 1 && all.every(({ paused, time }) => !paused && time > 0.3));
        expect(await isInView(page, page.locator("video.is-shown"))).toBe(true);
        expect(await page.evaluate(() => location.search + scrollY)).toBe(`?key=${OTHER}0`);
        expect(await watched.problems()).toEqual([]);
      });

    test("begins at the moment that the address names", async () => {
      await using watched = await WatchedPage.open(browser(), { url: app.url });
      const { page } = watched;
      await watched.open("/");
      const link = page.locator("#recent-activity-card .thumb").filter({ hasText: "Event" });
      await link.evaluate((element) => ((element as HTMLAnchorElement).href += "&t=5"));
      await link.click();
      await until(page, (all) => all.length === 2 && all.every(({ paused, time }) => !paused && time > 5.2));
      expect(await page.evaluate(() => location.search)).toBe(`?key=${CLIP}&t=5`);
      expect(await watched.problems()).toEqual([]);
    });

    test("that is gone says so, and nothing plays", async () => {
      await using watched = await WatchedPage.open(browser(), { url: app.url });
      const { page } = watched;
      await watched.open("/viewer?key=20200101_000000_N&play=1");
      expect(await page.title()).toStartWith("This clip is not here any more");
      expect(await page.locator(".cam").count()).toBe(0);
    });

    test("stands still with its play button, and without an error, where the browser refuses", async () => {
      await using watched = await WatchedPage.open(browser(), { url: app.url });
      const { page } = watched;
      await page.addInitScript(() => {
        const { play } = HTMLMediaElement.prototype;
        HTMLMediaElement.prototype.play = function () {
          const playing = play.call(this);
          playing.catch((error: Error) => console.log(error.name));
          return playing;
        };
      });
      // Whatever is asked of the page counts as a hand on it, so nothing is before it was refused.
      const refusal = page.waitForEvent("console", { predicate: (said) => said.text() === "NotAllowedError" });
      await page.goto(`/viewer?key=${CLIP}&play=1`);
      await refusal;
      await watched.ready();
      await loaded(page);
      await button(page, "Play").waitFor();
      expect((await players(page)).map(({ paused }) => paused)).toEqual([true, true]);
      expect(await page.locator(".cam-says, .stage-says").allInnerTexts()).toEqual(["", "", ""]);
      await button(page, "Play").click();
      await until(page, (all) => all.every(({ paused, time }) => !paused && time > 0.3));
      expect(await watched.problems()).toEqual([]);
    });
  },
  [],
);
