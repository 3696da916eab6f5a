import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { Fingers } from "../support/browser/fingers.ts";
import { button, loaded } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(90_000);

/** One trip of 192 seconds: clips of 12 seconds, a minute apart. */
const KEYS = ["20260607_101500_N", "20260607_101600_N", "20260607_101700_N", "20260607_101800_N"] as const;
const LENGTH = 192;

/** Text of the time line's slider for screen readers. */
const told = (page: Page) => page.locator(".tl-body").getAttribute("aria-valuetext");
/** Resolves when it says this. */
const says = (page: Page, words: string) => page.locator(`.tl-body[aria-valuetext^="${words}"]`).waitFor();

/** Position on the screen of a time of the trip, in the lane of clips. */
async function placeOf(page: Page, time: number): Promise<{ x: number; y: number }> {
  const box = await page.locator(".tl-axis").boundingBox();
  const lane = await page.locator(".tl .lane").first().boundingBox();
  if (!box || !lane) throw new Error("There is no time line");
  return { x: box.x + (time / LENGTH) * box.width, y: lane.y + lane.height * 0.7 };
}

/** Resolves when the page is scrolled no further: a swipe goes on for a while by itself. */
const comesToRest = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((rested) => {
        const look = (before: number, still: number) => {
          if (still === 10) rested();
          else requestAnimationFrame(() => look(scrollY, scrollY === before ? still + 1 : 0));
        };
        look(scrollY, 0);
      }),
  );

describeInBrowser("a finger on the time line", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" } } });
    await putFootage(
      app.destination,
      KEYS.map((key) => `${key}F.mp4`),
    );
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const open = async () => {
    const watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    const { page } = watched;
    await watched.open(`/viewer?key=${KEYS[0]}`);
    await loaded(page);
    await says(page, "10:15:00");
    await page.locator(".tl-body").evaluate((body) => body.scrollIntoView({ block: "center" }));
    return { watched, page, fingers: await Fingers.on(page) };
  };

  test("seeks where it taps, scrubs sideways, and scrolls the page up and down without seeking", async () => {
    const { watched, page, fingers } = await open();
    await using _ = watched;
    await fingers.tap(await placeOf(page, 65));
    await says(page, "10:16:0");
    // Down on the time line, it goes on with the page: nothing is sought, and nothing is left behind.
    const seen = await told(page);
    const from = await placeOf(page, 130);
    const before = await page.evaluate(() => scrollY);
    await fingers.swipe(from, { x: from.x + 5, y: from.y - 160 });
    await page.waitForFunction((top) => Math.abs(scrollY - top) > 60, before);
    await comesToRest(page);
    expect(await told(page)).toBe(seen);
    await page.locator(".tl-body").evaluate((body) => body.scrollIntoView({ block: "center" }));
    const begin = await placeOf(page, 20);
    const end = await placeOf(page, 125);
    await fingers.down(begin);
    await fingers.move([begin, end]);
    await says(page, "10:17:0");
    await fingers.up();
    await says(page, "10:17:0");
    expect(await watched.problems()).toEqual([]);
  });

  test("leaves nothing behind when it is taken away, or when a second one comes to zoom", async () => {
    const { watched, page, fingers } = await open();
    await using _ = watched;
    const begin = await placeOf(page, 10);
    const end = await placeOf(page, 185);
    await fingers.down(end);
    await fingers.cancel();
    expect(await told(page)).toStartWith("10:15:00");
    await fingers.down(begin);
    await fingers.move([begin, end]);
    await says(page, "10:18:0");
    await fingers.cancel();
    await says(page, "10:15:00");

    const left = await placeOf(page, 80);
    const right = await placeOf(page, 112);
    const outLeft = await placeOf(page, 8);
    const outRight = await placeOf(page, 184);
    await fingers.down(left, right);
    await fingers.move([left, outLeft], [right, outRight]);
    await fingers.up();
    await button(page, "The whole trip").waitFor();
    await says(page, "10:15:00");
    // About a fifth of the trip, around what was between the fingers.
    const times = await page.locator(".tl-axis text").allTextContents();
    expect(times[0]).toStartWith("10:16:2");
    expect(times.at(-1)).toStartWith("10:16:5");
    await fingers.down(outLeft, outRight);
    await fingers.move([outLeft, left], [outRight, right]);
    await fingers.up();
    await button(page, "The whole trip").waitFor({ state: "detached" });
    await says(page, "10:15:00");
    expect(await watched.problems()).toEqual([]);
  });

  test("moves an end of the marked range, which goes back when the finger is taken away", async () => {
    const { watched, page, fingers } = await open();
    await using _ = watched;
    await fingers.tap(await placeOf(page, 125));
    await says(page, "10:17:0");
    await button(page, "Mark to here").tap();
    const marked = page.locator(".tl-marked");
    const first = await marked.textContent();
    await page.locator(".tl-body").evaluate((body) => body.scrollIntoView({ block: "center" }));
    const grip = await page.locator('.rg-grip[data-end="to"] .rg-h').boundingBox();
    if (!grip) throw new Error("The range has no end");
    const from = { x: grip.x + 4, y: grip.y + 8 };
    const to = await placeOf(page, 60);
    await fingers.down(from);
    await fingers.move([from, { x: to.x, y: from.y }]);
    await page.waitForFunction((words) => document.querySelector(".tl-marked")?.textContent !== words, first);
    await fingers.cancel();
    await page.waitForFunction((words) => document.querySelector(".tl-marked")?.textContent === words, first);
    await fingers.swipe(from, { x: to.x, y: from.y });
    await page.waitForFunction((words) => document.querySelector(".tl-marked")?.textContent !== words, first);
    await says(page, "10:17:0");
  });
});
