import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { loaded } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(60_000);

/** Each a trip of its own: with both files of telemetry, with one of them, and without. */
const RECORDINGS = [
  ["20260607_080000_N", ["gps", "3gf"]],
  ["20260608_080000_N", ["gps"]],
  ["20260609_080000_N", ["3gf"]],
  ["20260610_080000_N", []],
] as const;
const FIX = "[1780819200000]$GNRMC,080000.00,A,4800.10000,N,01100.00000,E,20,,070626,,,A*00\r\n";
/** One sample, of a car that stands. */
const SAMPLE = new Uint8Array(10);
const LAPTOP_HEIGHT = 720;

/** Pixels that a part may move without being noticed. */
const MOST_MOVED = 3;
/** Parts that a page may lack while it still comes, for it is painted in between. */
const PIECES = [[], [".tl"], [".tl", ".side", ".transport"]] as const;

/** Resolves when the page has been painted, which it is not before its style sheets have come. */
const painted = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

describeInBrowser("the pictures of the viewer", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" } } });
    await putFootage(
      app.destination,
      RECORDINGS.map(([key]) => `${key}F.mp4`),
    );
    for (const [key, files] of RECORDINGS)
      for (const file of files) {
        // The camera's clock is that of the satellites.
        const fix = FIX.replace("070626", `${key.slice(6, 8)}${key.slice(4, 6)}${key.slice(2, 4)}`);
        writeFileSync(join(app.destination, `${key}.${file}`), file === "gps" ? fix : SAMPLE);
      }
  });
  afterAll(() => app[Symbol.asyncDispose]());

  for (const [key, files] of RECORDINGS)
    test(`stand where they stay before what is under them has come: ${files.join(" and ") || "no telemetry"}`, async () => {
      await using watched = await WatchedPage.open(browser(), { url: app.url });
      const { page } = watched;
      await page.setViewportSize({ width: 1440, height: LAPTOP_HEIGHT });
      const heightOfPicture = () =>
        page.locator(".is-main").evaluate((main) => Math.round(main.getBoundingClientRect().height));
      const gate = Promise.withResolvers<void>();
      await page.route("**/assets/*.js", async (route) => {
        await gate.promise;
        await route.continue();
      });
      await page.goto(`/viewer?key=${key}`, { waitUntil: "commit" });
      await page.locator(".vw-foot").waitFor({ state: "attached" });
      await painted(page);
      const early: number[] = [];
      for (const missing of PIECES) {
        const put = (isHidden: boolean) =>
          page.evaluate(
            ([names, hide]) => {
              for (const name of names) (document.querySelector(name) as HTMLElement).hidden = hide;
            },
            [missing, isHidden] as const,
          );
        await put(true);
        early.push(await heightOfPicture());
        await put(false);
      }
      gate.resolve();
      await watched.ready();
      await loaded(page);
      const late = await heightOfPicture();
      const moved = early.map((height) => height - late);
      expect(moved.filter((by) => Math.abs(by) > MOST_MOVED)).toEqual([]);
    });

  for (const [width, height] of [
    [390, 844],
    [844, 390],
    [667, 375],
  ] as const)
    test(`stand still on a phone of ${width}x${height}, whatever comes late`, async () => {
      const context = await browser().newContext({
        baseURL: app.url,
        viewport: { width, height },
        hasTouch: true,
        isMobile: true,
      });
      await using watched = await WatchedPage.open(browser(), { url: app.url, context });
      const { page } = watched;
      for (const [key] of RECORDINGS) {
        // First the scripts, then the trip, then its telemetry: each when what came before has been painted.
        const gates = ["**/assets/*.js", "**/api/viewer/trips/*", "**/telemetry"].map((pattern) => ({
          pattern,
          gate: Promise.withResolvers<void>(),
        }));
        for (const { pattern, gate } of gates)
          await page.route(pattern, async (route) => {
            await gate.promise;
            await route.continue();
          });
        await page.goto(`/viewer?key=${key}`, { waitUntil: "commit" });
        await page.locator(".vw-foot").waitFor({ state: "attached" });
        await painted(page);
        gates[0]?.gate.resolve();
        await watched.ready();
        await loaded(page);
        await painted(page);
        gates[1]?.gate.resolve();
        await page.locator(".tl-body:not([aria-valuetext^=The])").waitFor({ state: "attached" });
        await painted(page);
        const answer = page.waitForResponse("**/telemetry");
        gates[2]?.gate.resolve();
        await answer;
        for (let frame = 0; frame < 5; frame++) await painted(page);
        expect([key, await watched.problems()]).toEqual([key, []]);
        await page.unrouteAll({ behavior: "ignoreErrors" });
      }
    });
});
