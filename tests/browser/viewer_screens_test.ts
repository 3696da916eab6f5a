import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { Fingers } from "../support/browser/fingers.ts";
import { button, loaded, players, until } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(90_000);

/** One trip of 132 seconds with an event in the middle, and an older one of one clip. */
const OLD = "20260606_090000_N";
const FIRST = "20260607_101500_N";
const EVENT = "20260607_101600_E";
const LAST = "20260607_101700_N";
const LENGTH = 132;

const box = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
      return { left, top, right, bottom, width, height };
    });
const camera = (page: Page, direction: string) => box(page, `[data-camera="${direction}"] .cam-pic`);
/** Resolves when the thin time line says this. */
const says = (page: Page, words: string) => page.locator(`.scrub[aria-valuetext^="${words}"]`).waitFor();
const isFull = (page: Page) => page.locator(".vw.is-full").waitFor();

/** Buttons and links that are seen and that a finger would miss, as their names. */
const smallTargets = (page: Page) =>
  page.locator(".vw :is(button, a, select, [role=slider])").evaluateAll((all) =>
    all.flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      const isSeen = element.checkVisibility({ visibilityProperty: true }) && width > 0 && height > 0;
      const name = element.getAttribute("aria-label") ?? element.textContent;
      return isSeen && (width < 43.5 || height < 43.5) ? [`${name} ${width}x${height}`] : [];
    }),
  );

describeInBrowser("the viewer on every screen", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" } } });
    await putFootage(
      app.destination,
      [OLD, FIRST, EVENT, LAST].flatMap((key) => [`${key}F.mp4`, `${key}R.mp4`]),
    );
  });
  afterAll(() => app[Symbol.asyncDispose]());

  /** A page on a telephone of this size. */
  const onPhone = async (width: number, height: number) => {
    const context = await browser().newContext({
      baseURL: app.url,
      viewport: { width, height },
      hasTouch: true,
      isMobile: true,
      colorScheme: "dark",
    });
    return await WatchedPage.open(browser(), { url: app.url, context });
  };

  test("in full screen shows all cameras by the same layouts, and a thin time line that seeks and shows what it leads to", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${FIRST}`);
    await loaded(page);
    await page.keyboard.press("f");
    await isFull(page);
    await page.waitForFunction(() => document.fullscreenElement?.matches(".vw"));
    // One large, the other one and the map beside it.
    const front = await camera(page, "F");
    const rear = await camera(page, "R");
    const map = await box(page, ".map");
    expect(front.width).toBeGreaterThan(1000);
    expect(rear.left).toBeGreaterThanOrEqual(front.right);
    expect(rear.width).toBeGreaterThan(250);
    expect(map.top).toBeGreaterThanOrEqual(rear.bottom);
    expect(map.height).toBeGreaterThan(200);
    await button(page, "Side by side").click();
    const left = await camera(page, "F");
    const right = await camera(page, "R");
    expect([Math.round(left.width), left.top, right.left >= left.right]).toEqual([
      Math.round(right.width),
      right.top,
      true,
    ]);
    await button(page, "Picture in picture").click();
    const outer = await camera(page, "F");
    const inner = await camera(page, "R");
    expect(outer.width).toBeGreaterThan(1400);
    expect([inner.right < outer.right, inner.width < outer.width / 3, inner.width > 200]).toEqual([true, true, true]);

    await says(page, "10:15:00");
    const line = await box(page, ".scrub");
    const at = (time: number) => [line.left + (time / LENGTH) * line.width, line.top + line.height / 2] as const;
    await page.mouse.move(...at(65));
    const peek = page.locator(".scrub .peek");
    expect(await peek.locator("img").getAttribute("src")).toContain(EVENT);
    expect(await peek.locator("p").textContent()).toStartWith("10:16:05");
    expect(await page.locator(".scrub .sc-ev").count()).toBe(1);
    await page.mouse.click(...at(65));
    await page.waitForURL(`**/viewer?key=${EVENT}*`);
    await says(page, "10:16:05");
    // The list comes over the picture, and goes with what is chosen from it.
    await button(page, "Trips").click();
    await page.locator(".trips:popover-open").waitFor();
    await page.locator(`button.day[data-date="2026-06-06"]`).click();
    await page.locator(`.trips:popover-open .trip[href*="${OLD}"]`).click();
    await page.waitForURL(`**/viewer?key=${OLD}*`);
    await page.locator(".trips:popover-open").waitFor({ state: "detached" });
    await isFull(page);
    expect(await accessibilityProblems(page)).toEqual([]);
    await button(page, "Leave full screen").click();
    await page.locator(".vw.is-full").waitFor({ state: "detached" });
    await page.waitForFunction(() => document.fullscreenElement === null);
    await page.locator(".tl-body").waitFor();
    expect(await watched.problems()).toEqual([]);
  });

  test("lets the controls fade while it plays, and not in a pause, with the focus among them, or with something open", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${FIRST}`);
    await loaded(page);
    await page.keyboard.press("f");
    await isFull(page);
    await page.keyboard.press("Space");
    await page.locator(".vw.is-quiet").waitFor();
    expect(await page.locator(".vw-head").isVisible()).toBe(false);
    expect(await button(page, "Pause").isVisible()).toBe(false);
    expect((await box(page, ".sc-line")).height).toBe(3);
    await page.mouse.move(700, 400);
    await page.locator(".vw.is-quiet").waitFor({ state: "detached" });
    expect(await button(page, "Pause").isVisible()).toBe(true);
    // The same again, by pausing.
    await page.mouse.move(701, 400);
    await page.locator(".vw.is-quiet").waitFor();
    await page.keyboard.press("Space");
    await page.locator(".vw.is-quiet").waitFor({ state: "detached" });
    // The panel to save stands beside the pictures.
    await page.keyboard.press("s");
    await page.locator(".vw:not(.is-full) > .side > .save").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".side > .save").waitFor({ state: "detached" });
    await page.keyboard.press("f");
    await isFull(page);
    // The search field comes over the picture, too, and Escape first closes the topmost part.
    await page.keyboard.press("/");
    await page.locator(".trips:popover-open #list-search:focus").waitFor();
    await page.locator("#list-search").press("Escape");
    await page.keyboard.press("Escape");
    await page.locator(".trips:popover-open").waitFor({ state: "detached" });
    expect(await page.locator(".vw.is-full").count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.locator(".vw.is-full").waitFor({ state: "detached" });
    await page.waitForFunction(() => document.fullscreenElement === null);
  });

  test("fills the page where the browser knows full screen for videos alone", async () => {
    await using watched = await onPhone(390, 844);
    const { page } = watched;
    await page.addInitScript(() => {
      Object.defineProperty(Element.prototype, "requestFullscreen", { value: undefined });
    });
    await watched.open(`/viewer?key=${FIRST}`);
    await loaded(page);
    await button(page, "Full screen").tap();
    await isFull(page);
    const front = await camera(page, "F");
    const rear = await camera(page, "R");
    expect([front.width, rear.width, rear.top >= front.bottom]).toEqual([390, 390, true]);
    expect((await box(page, ".transport")).bottom).toBeLessThanOrEqual(844);
    expect(await smallTargets(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.locator(".vw.is-full").waitFor({ state: "detached" });
    expect(await watched.problems()).toEqual([]);
  });

  test("shows first what the first touch of faded controls finds, before a touch does anything", async () => {
    await using watched = await onPhone(844, 390);
    const { page } = watched;
    await watched.open(`/viewer?key=${FIRST}`);
    await loaded(page);
    await button(page, "Full screen").tap();
    await isFull(page);
    await button(page, "Play").tap();
    await page.locator(".vw.is-quiet").waitFor();
    await page.touchscreen.tap(300, 150);
    await page.locator(".vw.is-quiet").waitFor({ state: "detached" });
    await until(page, (all) => all.every(({ paused }) => !paused));
    await page.touchscreen.tap(300, 150);
    await until(page, (all) => all.every(({ paused }) => paused));
  });

  for (const [width, height] of [
    [844, 390],
    [667, 375],
  ] as const)
    test(`held across at ${width}x${height} has picture, time line and controls in one screen`, async () => {
      await using watched = await onPhone(width, height);
      const { page } = watched;
      await watched.open(`/viewer?key=${FIRST}`);
      await loaded(page);
      await says(page, "10:15:00");
      expect(
        await page.evaluate(() => [
          document.documentElement.scrollHeight <= innerHeight,
          document.documentElement.scrollWidth <= innerWidth,
        ]),
      ).toEqual([true, true]);
      for (const part of [".cam.is-main", ".scrub", ".transport", ".vx-tabs"]) {
        const place = await box(page, part);
        expect([part, place.height > 30, place.bottom <= height]).toEqual([part, true, true]);
      }
      // More than half of the screen is the picture's.
      expect((await box(page, ".cam.is-main")).height).toBeGreaterThan(height * 0.7);
      expect(await smallTargets(page)).toEqual([]);
      expect((await page.locator(".vx-tabs").innerText()).split(/\s+/)).toEqual(["Rear", "Map", "Trips"]);
      const isSeen = (selector: string) => page.locator(selector).isVisible();
      expect([await isSeen('[data-camera="R"] video.is-shown'), await isSeen(".map"), await isSeen(".trips")]).toEqual([
        true,
        false,
        false,
      ]);
      await button(page, "Map").tap();
      expect([await isSeen('[data-camera="R"] video.is-shown'), await isSeen(".map")]).toEqual([false, true]);
      await page.locator(".vx-tabs").getByRole("button", { name: "Trips" }).tap();
      await page.locator(`.trips .trip[href*="${FIRST}"]`).first().waitFor();
      const fingers = await Fingers.on(page);
      const line = await box(page, ".scrub");
      await fingers.tap({ x: line.left + (66 / LENGTH) * line.width, y: line.top + 20 });
      await page.waitForURL(`**/viewer?key=${EVENT}*`);
      await says(page, "10:16:0");
      expect(await page.getByRole("link", { name: "Dashdock, dashboard" }).isVisible()).toBe(true);
      await page.getByRole("button", { name: "Layout and tools" }).tap();
      await button(page, "Side by side").tap();
      expect((await page.locator(".vx-tabs").innerText()).split(/\s+/)).toEqual(["Map", "Trips"]);
      await until(page, (all) => all.length === 2);
      const front = await camera(page, "F");
      const rear = await camera(page, "R");
      expect([rear.left >= front.right, front.width > 100]).toEqual([true, true]);
      expect(await watched.problems()).toEqual([]);
    });

  test("held upright stacks front and rear, with the time line below and the trips at the thumb", async () => {
    await using watched = await onPhone(390, 844);
    const { page } = watched;
    await watched.open(`/viewer?key=${FIRST}`);
    await loaded(page);
    await page.locator('.tl-body[aria-valuetext^="10:15:00"]').waitFor();
    const front = await camera(page, "F");
    const rear = await camera(page, "R");
    const line = await box(page, ".tl-body");
    expect([front.width, rear.width, rear.top >= front.bottom, line.top >= rear.bottom]).toEqual([
      390,
      390,
      true,
      true,
    ]);
    expect(line.top).toBeLessThan(700);
    expect(await smallTargets(page)).toEqual([]);
    // The button is in reach wherever the page is scrolled to.
    const trips = page.locator(".tr-main").getByRole("button", { name: "Trips" });
    for (const top of [0, 400]) {
      await page.evaluate((to) => scrollTo(0, to), top);
      const place = await trips.boundingBox();
      expect([top, (place?.y ?? 0) > 700, (place?.y ?? 999) + (place?.height ?? 0) <= 844 - 60]).toEqual([
        top,
        true,
        true,
      ]);
    }
    await page.evaluate(() => scrollTo(0, 0));
    await trips.tap();
    const sheet = page.locator(".trips:popover-open");
    await sheet.waitFor();
    expect((await box(page, ".trips")).bottom).toBe(844);
    await sheet.getByRole("button", { name: "Close" }).tap();
    await sheet.waitFor({ state: "detached" });
    await trips.tap();
    await sheet.locator(`.trip[data-key="${LAST}"]`).tap();
    await page.waitForURL(`**/viewer?key=${LAST}*`);
    await sheet.waitFor({ state: "detached" });
    // It has gone back to its place in the page, which the browser tells after it has closed.
    await page.locator("#recordings:not([popover])").waitFor();
    await button(page, "Pause").waitFor();
    expect((await players(page)).length).toBe(2);
    expect(await watched.problems()).toEqual([]);
  });
});
