import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage, WIDTHS } from "../support/browser/browser.ts";
import { button, loaded, until } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(120_000);

/** Movements around the parked car, one of them an impact; each lasts 20 seconds. */
const NIGHT = ["20261119_220900_P", "20261119_224100_P", "20261119_230000_I", "20261119_235000_P"] as const;

const shows = (page: Page, key: string) => page.waitForURL((address) => address.searchParams.get("key") === key);
const movements = (page: Page) => page.getByRole("region", { name: "Movements", exact: true });

/** Position of an element in the window. */
async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`${selector} is not seen`);
  return box;
}

/** Plays the clip on show near its end, until the next movement is counted down. @param plays whether it plays already */
async function countDown(page: Page, plays = false): Promise<void> {
  if (!plays) await button(page, "Play").click();
  await until(page, ([front]) => front?.paused === false);
  await page.locator("video.is-shown").evaluateAll((videos: HTMLVideoElement[]) => {
    for (const video of videos) video.currentTime = video.duration - 1;
  });
  await page.locator(".next-up").waitFor();
}

describeInBrowser("a parked night", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
    await putFootage(
      app.destination,
      NIGHT.flatMap((key) => [`${key}F.mp4`, `${key}R.mp4`]),
    );
    await app.app.library.refresh();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  for (const width of WIDTHS)
    test(`stands on one lane with its movements, which a press beside them meets, and has them in a list at ${width} px`, async () => {
      await using watched = await WatchedPage.open(browser(), { url: app.url, width });
      const { page } = watched;
      await watched.open(`/viewer?key=${NIGHT[1]}`);
      await loaded(page);
      await page.locator(".lane-reel .rl-on").first().waitFor();
      const lane = await boxOf(page, ".lane-reel");
      // The reel shows the movement before this one, and the next.
      expect(await page.locator(".rl-past").count()).toBe(1);
      expect(await page.locator(".lane-reel .rl-on").count()).toBe(3);
      expect(await page.locator(".lane-reel .pk").count()).toBe(1);
      expect(await page.locator(".tl .lane").count()).toBe(1);
      for (const mark of await page.locator(".lane-reel .rl-on").all())
        expect((await mark.boundingBox())?.width).toBeGreaterThanOrEqual(9.9);
      const slider = page.getByRole("slider", { name: "Position in the time parked" }).last();
      expect(await slider.getAttribute("aria-valuetext")).toStartWith("22:41:00, movement 2 of 4");
      // A clip of 20 seconds is a pixel wide here, and its mark ten.
      const first = await boxOf(page, ".rl-past");
      await slider.click({
        position: { x: first.x + first.width - 1.5 - (await boxOf(page, ".tl-body")).x, y: lane.height },
      });
      await shows(page, NIGHT[0]);
      await loaded(page);
      await page.locator(".clock:visible").getByText("movement 1 of 4").waitFor();
      await movements(page).getByRole("link", { name: "23:00" }).click();
      await shows(page, NIGHT[2]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      // At the largest all of its elements are drawn.
      if (width === 1440) expect(await accessibilityProblems(page)).toEqual([]);
      expect(await watched.problems()).toEqual([]);
    });

  test("marks the movement that is counted down to, also on the lane", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${NIGHT[0]}`);
    await loaded(page);
    await countDown(page);
    const next = await boxOf(page, ".rl-next");
    const marks = await page.locator(".lane-reel .rl-on").all();
    expect(Math.abs(((await marks[0]?.boundingBox())?.x ?? 0) - next.x)).toBeLessThan(4);
    await button(page, "Stop here").click();
    await page.locator(".rl-next").waitFor({ state: "detached" });
  });

  test("is counted down on a phone held across and in full screen, with the movements at hand in both", async () => {
    const context = await browser().newContext({
      baseURL: app.url,
      viewport: { width: 844, height: 390 },
      hasTouch: true,
    });
    await using watched = await WatchedPage.open(browser(), { url: app.url, context });
    const { page } = watched;
    await watched.open(`/viewer?key=${NIGHT[0]}`);
    await loaded(page);
    await page.getByRole("group", { name: "Beside the picture" }).getByText("Movements").click();
    await movements(page).getByRole("link", { name: "22:41" }).click();
    await shows(page, NIGHT[1]);
    await loaded(page);
    await countDown(page, true);
    const picture = await boxOf(page, ".cam.is-main");
    const bar = await boxOf(page, ".next-up");
    // Over the foot of the picture, of which most is seen.
    expect(bar.y + bar.height).toBeLessThanOrEqual(picture.y + picture.height + 1);
    expect(bar.height).toBeLessThan(picture.height / 3);
    await button(page, "Stop here").click();
    await page.keyboard.press("f");
    await page.locator(".vw.is-full").waitFor();
    // Behind the tools there is no picture of a small camera.
    const tools = await boxOf(page, ".vw-leave");
    const rear = await boxOf(page, ".lay-strip > .is-small");
    const list = await boxOf(page, ".reel-list");
    expect(rear.y).toBeGreaterThanOrEqual(tools.y + tools.height - 1);
    expect(list.y).toBeGreaterThanOrEqual(rear.y + rear.height - 1);
    await countDown(page);
    const next = await boxOf(page, ".next-up");
    const line = await boxOf(page, ".scrub");
    expect(next.y + next.height).toBeLessThanOrEqual(line.y + 1);
    await button(page, "Play now").click();
    await shows(page, NIGHT[2]);
  });

  test("small cameras on a phone have targets as large as a finger", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    const { page } = watched;
    await watched.open(`/viewer?key=${NIGHT[0]}`);
    await loaded(page);
    const sizes = await page.locator(".is-small").evaluateAll((tiles) =>
      tiles
        .flatMap((tile) => [...tile.querySelectorAll("button, a")])
        .map((target) => target.getBoundingClientRect())
        .filter(({ width }) => width > 0)
        .map(({ width, height }) => Math.min(width, height)),
    );
    expect(sizes.length).toBeGreaterThan(0);
    for (const size of sizes) expect(size).toBeGreaterThanOrEqual(44);
  });
});
