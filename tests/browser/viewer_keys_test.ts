import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { button, loaded, players, until } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(90_000);

/** One trip of 72 seconds: two clips of 12 seconds, a minute apart. */
const FIRST = "20260607_101500_N";
const SECOND = "20260607_101600_N";

/** Resolves when the slider of the time line says this. */
const says = (page: Page, words: string) => page.locator(`.tl-body[aria-valuetext^="${words}"]`).waitFor();
const time = async (page: Page) => (await players(page))[0]?.time ?? 0;
const large = (page: Page) => page.locator(".cam.is-main").getAttribute("data-camera");

/** Notes from now on the time of each picture that is drawn, whatever the video says of where it is. */
const watchPictures = (page: Page) =>
  page.locator('[data-camera="F"] video.is-shown').evaluate((video: HTMLVideoElement) => {
    const seen = window as unknown as { pictures: number[] };
    seen.pictures = [];
    const drawn: VideoFrameRequestCallback = (_now, { mediaTime }) => {
      seen.pictures.push(mediaTime);
      video.requestVideoFrameCallback(drawn);
    };
    video.requestVideoFrameCallback(drawn);
  });
const lastPicture = (page: Page) =>
  page.evaluate(() => (window as unknown as { pictures: number[] }).pictures.at(-1) ?? -1);

describeInBrowser("the keys of the viewer", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" } } });
    await putFootage(
      app.destination,
      [FIRST, SECOND].flatMap((key) => [`${key}F.mp4`, `${key}R.mp4`]),
      [`${FIRST}F.mp4`, `${FIRST}R.mp4`],
    );
  });
  afterAll(() => app[Symbol.asyncDispose]());
  const open = () => WatchedPage.open(browser(), { url: app.url });

  test("are those that people know from other players", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${FIRST}&t=1`);
    await loaded(page);
    await says(page, "10:15:01");
    const press = (key: string) => page.keyboard.press(key);
    await press("k");
    await until(page, (all) => all.every(({ paused }) => !paused));
    await press("k");
    await until(page, (all) => all.every(({ paused }) => paused));
    await press("Home");
    await says(page, "10:15:00");
    await press("l");
    await says(page, "10:15:10");
    await press("j");
    await says(page, "10:15:00");
    await press("l");
    await press("l");
    await says(page, "10:16:0");
    await press("End");
    await says(page, "10:16:12");
    await press("1");
    await says(page, "10:15:07");
    // Some keyboards write digits with Shift only.
    await page.evaluate(() =>
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ç", code: "Digit9", bubbles: true })),
    );
    await says(page, "10:16:04");
    await press("0");
    await says(page, "10:15:00");
    await press(">");
    await until(page, (all) => all.every(({ rate }) => rate === 1.5));
    await press("<");
    await until(page, (all) => all.every(({ rate }) => rate === 1));
    await press("Shift+Digit2");
    expect(await large(page)).toBe("R");
    await press("Shift+Digit1");
    expect(await large(page)).toBe("F");
    await press("m");
    await until(page, (all) => all.every(({ muted }) => muted));
    await press("c");
    await page.locator("dialog[data-modal=calendar][open]").waitFor();
    await press("Escape");
    await page.locator("dialog[data-modal=calendar]").waitFor({ state: "detached" });
    await press("?");
    const list = page.locator("dialog[data-modal=keys][open]");
    await list.getByText("Changed: K was normal speed. J and L were slower and faster.").waitFor();
    await list.getByText("Changed: cameras were 1 to 4 without Shift.").waitFor();
    await press("Escape");
    // Nothing names a key on the pictures.
    expect(await page.locator(".cam-name kbd").count()).toBe(0);
    expect(await watched.problems()).toEqual([]);
  });

  test("go one picture on and back, with the first press, too", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${FIRST}&t=3`);
    await loaded(page);
    await until(page, ([front]) => Math.abs((front?.time ?? 0) - 3) < 0.1);
    await watchPictures(page);
    const begin = await time(page);
    const movesTo = async (key: string, isThere: (at: number) => boolean) => {
      await page.keyboard.press(key);
      for (const deadline = Date.now() + 20_000; !isThere(await lastPicture(page)); )
        if (Date.now() > deadline) throw new Error(`${key}: still ${await lastPicture(page)}`);
      return await lastPicture(page);
    };
    const next = await movesTo(".", (at) => at > begin + 0.001);
    expect(next).toBeLessThan(begin + 0.15);
    const second = await movesTo(".", (at) => at > next + 0.001);
    const third = await movesTo(".", (at) => at > second + 0.001);
    expect(third - second).toBeCloseTo(second - next, 2);
    expect(await movesTo(",", (at) => at < third - 0.001)).toBeCloseTo(second, 2);
    // Out of play the first press stops, and moves as well.
    await page.keyboard.press("Space");
    await until(page, (all) => all.every(({ paused }) => !paused) && (all[0]?.time ?? 0) > third + 0.5);
    await page.keyboard.press(",");
    await until(page, (all) => all.every(({ paused }) => paused));
    const stopped = await movesTo(",", () => true);
    await movesTo(",", (at) => at < stopped - 0.001);
    expect(await watched.problems()).toEqual([]);
  });

  test("let Escape close the topmost thing, and only it", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${FIRST}`);
    await loaded(page);
    await says(page, "10:15:00");
    await page.keyboard.press("Home");
    await page.keyboard.press("l");
    await says(page, "10:15:10");
    await page.keyboard.press("o");
    const marked = page.locator(".tl-marked");
    await marked.waitFor();
    const panel = page.locator(".side > .save");
    await page.keyboard.press("s");
    await panel.waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    expect(await marked.count()).toBe(1);
    await page.keyboard.press("/");
    const search = page.locator("#list-search");
    await search.waitFor();
    // From elsewhere on the page.
    await button(page, "Play").focus();
    await page.keyboard.press("Escape");
    await search.waitFor({ state: "detached" });
    expect(await marked.count()).toBe(1);
    await page.keyboard.press("c");
    await page.locator("dialog[data-modal=calendar][open]").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog[data-modal=calendar]").waitFor({ state: "detached" });
    expect(await marked.count()).toBe(1);
    await page.keyboard.press("t");
    const note = page.locator("input[name=note]");
    await note.waitFor();
    await button(page, "Play").focus();
    await page.keyboard.press("Escape");
    await note.waitFor({ state: "detached" });
    expect(await marked.count()).toBe(1);
    await page.keyboard.press("Escape");
    await marked.waitFor({ state: "detached" });
    expect(await watched.problems()).toEqual([]);
  });
});
