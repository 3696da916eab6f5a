import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { button, loaded, until } from "../support/browser/viewer_page.ts";
import { brokenOff } from "../support/camera/broken_off.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(90_000);

/** Two cameras of which the front one breaks off in the first clip; each clip lasts 12 seconds. */
const PAIR = ["20260607_080000_N", "20260607_080012_N"] as const;
/** One camera: it breaks off, is empty, is no video at all, and is whole. */
const ALONE = ["080000", "080012", "080024", "080036"].map((clock) => `20260608_${clock}_N`) as [string, ...string[]];
const [CUT, EMPTY, WRONG, WHOLE] = ALONE;
const SOLO = ["20260609_080000_N", "20260609_080012_N"] as const;

const shows = (page: Page, key: string) => page.waitForURL((address) => address.searchParams.get("key") === key);
const front = (page: Page) => page.locator('[data-camera="F"]');

describeInBrowser("a video that breaks off, is empty or does not come", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
    const pair = PAIR.flatMap((key) => [`${key}F.mp4`, `${key}R.mp4`]);
    await putFootage(
      app.destination,
      [...pair, ...[...ALONE, ...SOLO].map((key) => `${key}F.mp4`)],
      [`${PAIR[0]}F.mp4`, `${CUT}F.mp4`],
    );
    const place = (key: string | undefined) => join(app.destination, `${key}F.mp4`);
    for (const key of [PAIR[0], CUT]) writeFileSync(place(key), brokenOff(readFileSync(place(key)), 0.6));
    writeFileSync(place(EMPTY), "");
    writeFileSync(place(WRONG), "no video at all");
    await app.app.library.refresh();
  });
  afterAll(() => app[Symbol.asyncDispose]());
  const open = () => WatchedPage.open(browser(), { url: app.url });
  /** Messages of the browser about such files are no problem of the page. */
  const problems = async (watched: WatchedPage) =>
    (await watched.problems()).filter((problem) => !/ERR_|Failed to load|PIPELINE|DEMUXER/.test(problem));

  test("stops alone where it breaks off, and is told over its last picture; the others go on, and it comes back before", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${PAIR[0]}&t=4`);
    await loaded(page);
    await button(page, "Play").click();
    await front(page)
      .getByText(/^Front breaks off at 00:0[4-9]$/)
      .waitFor();
    expect(await front(page).locator("video.is-shown").isVisible()).toBe(true);
    await until(
      page,
      ([first, rear]) => first?.paused === true && rear?.paused === false && rear.time > first.time + 1,
    );
    // Back before that it plays with the others again.
    await page.keyboard.press("Home");
    await until(page, ([first, rear]) => first?.paused === false && rear?.paused === false && first.time < 4);
    expect(await front(page).getByText("breaks off").count()).toBe(0);
    await page.getByLabel("Playback speed").selectOption("4");
    await front(page)
      .getByText(/^Front breaks off at/)
      .waitFor();
    await shows(page, PAIR[1]);
    await until(page, (all) => all.length === 2 && all.every(({ paused, time }) => !paused && time > 0.3));
    expect(await front(page).getByText("breaks off").count()).toBe(0);
    expect(await problems(watched)).toEqual([]);
  });

  test("of the only camera does not end the trip: it is told, and the next clip plays", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${CUT}&t=4`);
    await loaded(page);
    await button(page, "Play").click();
    await page.getByText(/^Front breaks off at 00:0[4-9]$/).waitFor();
    await page.getByText("This file is empty.").waitFor();
    await page.getByText("This browser cannot play this video.").waitFor();
    await shows(page, WHOLE ?? "");
    await until(page, ([first]) => first?.paused === false && first.time > 0.3);
    expect(await problems(watched)).toEqual([]);
  });

  test("leaves the last picture where it is, under a sign, until its own is there", async () => {
    await using watched = await open();
    const { page } = watched;
    const gate = Promise.withResolvers<void>();
    await page.route(`**/*${SOLO[1]}F.mp4*`, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await watched.open(`/viewer?key=${SOLO[0]}`);
    await loaded(page);
    // The first picture is the video's own.
    await page.waitForFunction(() => {
      const video = document.querySelector<HTMLVideoElement>("video.is-shown");
      return video && video.readyState >= 2 && !video.getAttribute("poster");
    });
    await button(page, "Play").click();
    await page.locator("video.is-shown").evaluate((video: HTMLVideoElement) => {
      video.currentTime = 11;
    });
    await shows(page, SOLO[1]);
    await front(page).getByText("Waiting for Front").waitFor();
    const past = page.locator("video.is-past");
    expect(await past.evaluate((video: HTMLVideoElement) => [video.readyState >= 2, video.checkVisibility()])).toEqual([
      true,
      true,
    ]);
    gate.resolve();
    await past.waitFor({ state: "detached" });
    await until(page, ([first]) => first?.paused === false && first.time > 0.3);
    expect(await page.getByText("Waiting for Front").count()).toBe(0);
    expect(await problems(watched)).toEqual([]);
  });
});
