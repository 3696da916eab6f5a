import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { button, loaded, players, until } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";
import { orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

/** A drive of three clips, each of which lasts 12 seconds, and one from three cameras. */
const FIRST = "20260607_080000_N";
const SECOND = "20260607_080012_N";
const THIRD = "20260607_080024_N";
const THREE = "20260608_080000_N";
/** A clip whose front camera records in HEVC, which no test's browser can decode. */
const HEVC = "20260609_080000_N";
/** A drive whose clips are odd: without a rear camera, with a damaged front one, with a front one that films longer. */
const ODD = ["080000", "080012", "080024", "080036"].map((clock) => `20260610_${clock}_N`);
const [WHOLE, ALONE, DAMAGED, UNEVEN] = ODD;
const FILES = [
  ...ODD.flatMap((key) => (key === ALONE ? [`${key}F.mp4`] : [`${key}F.mp4`, `${key}R.mp4`])),
  ...[FIRST, SECOND, THIRD].flatMap((key) => [`${key}F.mp4`, `${key}R.mp4`]),
  ...[THREE, HEVC].flatMap((key) => ["F", "R", "I"].map((direction) => `${key}${direction}.mp4`)),
];
/** Those that are to keep in step, and those that are played fast. */
const WITH_ALL_PICTURES = [FIRST, WHOLE].flatMap((key) => [`${key}F.mp4`, `${key}R.mp4`]);

/** Resolves when the pictures of two cameras that play were within so many seconds of each other, many times in a row. */
const inStep = (page: Page, seconds: number) =>
  page.waitForFunction(
    (most) => {
      const held = window as unknown as { together?: number };
      const [front, rear] = [...document.querySelectorAll<HTMLVideoElement>("video.is-shown")];
      const isSo = front && rear && !front.paused && !rear.paused;
      held.together = isSo && Math.abs(front.currentTime - rear.currentTime) < most ? (held.together ?? 0) + 1 : 0;
      return held.together > 20;
    },
    seconds,
    { polling: "raf" },
  );
const large = (page: Page) => page.locator(".cam.is-main").getAttribute("data-camera");
/** Position of a camera: left and top edge and width, in whole pixels. */
const place = (page: Page, direction: string) =>
  page.locator(`[data-camera="${direction}"]`).evaluate((one) => {
    const { left, top, width } = one.getBoundingClientRect();
    return { left: Math.round(left), top: Math.round(top), width: Math.round(width) };
  });
/** Takes the other cameras than the front one out of the page's layout, or lets them back in. */
const showOthers = (page: Page, areThere: boolean) =>
  page.locator('.cam:not([data-camera="F"])').evaluateAll((others, there) => {
    for (const one of others as HTMLElement[]) one.style.display = there ? "" : "none";
  }, areThere);

describeInBrowser("the viewer's players", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" } } });
    await putFootage(app.destination, FILES, WITH_ALL_PICTURES);
    const path = join(app.destination, `${HEVC}F.mp4`);
    const bytes = readFileSync(path);
    bytes.write("hvc1", bytes.indexOf("avc1", bytes.indexOf("stsd")), "latin1");
    writeFileSync(path, bytes);
    // It lasts 20 seconds.
    await putFootage(app.destination, ["20260610_060000_PF.mp4"]);
    renameSync(join(app.destination, "20260610_060000_PF.mp4"), join(app.destination, `${UNEVEN}F.mp4`));
    writeFileSync(join(app.destination, `${DAMAGED}F.mp4`), "");
  });
  afterAll(() => app[Symbol.asyncDispose]());
  const open = () => WatchedPage.open(browser(), { url: app.url });

  test("are within 40 ms of each other in steady play, after seeks, other rates and when one was held up", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${FIRST}`);
    await loaded(page);
    expect(await page.locator("video[controls]").count()).toBe(0);
    await page.locator('[data-camera="F"] video.is-shown').click();
    await inStep(page, 0.04);
    await page.keyboard.press("ArrowRight");
    await inStep(page, 0.04);
    await page.keyboard.press("ArrowLeft");
    await page.getByLabel("Playback speed").selectOption("0.25");
    await until(page, (all) => all.every(({ rate }) => Math.abs(rate - 0.25) < 0.03));
    await page.keyboard.press(">");
    await page.keyboard.press(">");
    await until(page, (all) => all.every(({ rate }) => Math.abs(rate - 1) < 0.11));
    // Acts as when the data of one camera does not come in time.
    await page.locator('[data-camera="R"] video.is-shown').evaluate((video: HTMLVideoElement) => {
      video.currentTime -= 1.5;
    });
    await inStep(page, 0.04);
    await page.locator('[data-camera="F"] video.is-shown').click();
    await until(page, (all) => all.every(({ paused }) => paused));
    // One that does not come is waited for, then marked; the others play, and it joins them.
    const gate = Promise.withResolvers<void>();
    await page.route(`**/*${SECOND}R.mp4*`, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await watched.open(`/viewer?key=${SECOND}`);
    await page.keyboard.press("Space");
    await page.getByText("Waiting for Rear").waitFor();
    await until(page, ([front]) => front?.paused === false && front.time > 0.5);
    gate.resolve();
    await inStep(page, 0.04);
    expect(await page.getByText("Waiting for Rear").count()).toBe(0);
    // The end is no reason to go on while the clip is paused.
    await page.keyboard.press("Space");
    await page.locator('[data-camera="F"] video.is-shown').evaluate((video: HTMLVideoElement) => {
      video.currentTime = video.duration;
    });
    await until(page, (all) => all.every(({ time, paused }) => time === 12 && paused));
    await page.keyboard.press(".");
    expect(page.url()).toContain(SECOND);
    expect(await watched.problems()).toEqual([]);
  });

  test("change places by mouse and keys without a break, and are laid out as they were the next time", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${THREE}`);
    await loaded(page);
    expect([await large(page), (await place(page, "F")).width > 3 * 300]).toEqual(["F", false]);
    await page.keyboard.press("Space");
    await until(page, (all) => all.every(({ time, paused }) => time > 1 && !paused));
    await page.evaluate(() => {
      const held = window as unknown as { events: string[] };
      held.events = [];
      for (const video of document.querySelectorAll("video.is-shown"))
        for (const name of ["emptied", "loadstart"]) video.addEventListener(name, () => held.events.push(name));
    });
    const front = await place(page, "F");
    const [rear] = (await players(page)).slice(1);
    await page.locator('[data-camera="R"] video.is-shown').click();
    expect(await large(page)).toBe("R");
    expect(await place(page, "R")).toEqual(front);
    await page.keyboard.press("Shift+Digit3");
    expect(await large(page)).toBe("I");
    for (const name of ["Side by side", "Grid", "Picture in picture"]) {
      await page.keyboard.press("v");
      expect(await button(page, name).getAttribute("aria-pressed")).toBe("true");
      const all = await Promise.all(["F", "R", "I"].map((one) => place(page, one)));
      expect(all.every(({ width }) => width > 100)).toBe(true);
      // A page may be painted before all of it has come: the first camera stands where it stays.
      await page.keyboard.press("Shift+Digit1");
      const first = await place(page, "F");
      await showOthers(page, false);
      expect(await place(page, "F")).toEqual(first);
      await showOthers(page, true);
      await page.keyboard.press("Shift+Digit3");
    }
    // The large one fills its place, the small ones lie in it.
    const outer = await place(page, "I");
    const inner = await place(page, "F");
    expect(inner.left > outer.left && inner.top > outer.top && inner.width < outer.width / 2).toBe(true);
    await button(page, "Grid").click();
    await until(page, (all) => all.every(({ time, paused }) => time > (rear?.time ?? 0) && !paused));
    expect(await page.evaluate(() => (window as unknown as { events: string[] }).events)).toEqual([]);
    await button(page, "Hear Rear").click();
    await until(page, (all) => all.map(({ muted }) => muted).join() === "true,false,true");

    await watched.open(`/viewer?key=${FIRST}`);
    await page.locator(".lay-grid").waitFor();
    await page.keyboard.press("v");
    await page.keyboard.press("v");
    await page.locator(".lay-strip").waitFor({ state: "attached" });
    expect(await watched.problems()).toEqual([]);
  });

  test("go on with the next clip, which stood ready, and with any moment of the trip", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${FIRST}&t=7`);
    await loaded(page);
    await page.keyboard.press("Space");
    // Its videos are there before they are seen.
    await page.waitForFunction(() => {
      const next = [...document.querySelectorAll<HTMLVideoElement>("video.is-next")];
      return next.length === 2 && next.every(({ readyState }) => readyState >= 3);
    });
    await page.evaluate(() => {
      const held = window as unknown as { loads: number };
      held.loads = 0;
      for (const video of document.querySelectorAll("video.is-next"))
        video.addEventListener("loadstart", () => held.loads++);
    });
    await page.waitForURL(`**/viewer?key=${SECOND}`);
    await until(page, (all) => all.length === 2 && all.every(({ paused, time }) => !paused && time > 0.2 && time < 6));
    expect(await page.evaluate(() => (window as unknown as { loads: number }).loads)).toBe(0);
    await inStep(page, 0.04);
    // Back over the end of the clip, and far on over the next one.
    await page.keyboard.press("Shift+ArrowLeft");
    await page.waitForURL(`**/viewer?key=${FIRST}*`);
    await page.keyboard.press("Shift+ArrowRight");
    await page.waitForURL(`**/viewer?key=${THIRD}*`);
    await until(page, (all) => all.length === 2 && all.every(({ time, paused }) => time > 5 && !paused));
    expect(await page.locator("video.is-past").count()).toBe(0);
    expect(await watched.problems()).toEqual([]);
  });

  test("play on at any rate where a camera is missing, its video is shorter or damaged, up to the trip's end", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${WHOLE}&t=10`);
    await loaded(page);
    await page.getByLabel("Playback speed").selectOption("4");
    await page.locator('[data-camera="F"] video.is-shown').click();
    await page.waitForURL(`**/viewer?key=${ALONE}`);
    // A camera that only the next clip has is made ready with it.
    await page.waitForFunction(() => {
      const coming = document.querySelector<HTMLVideoElement>('.is-coming[data-camera="R"] video.is-next');
      return coming && coming.readyState >= 3;
    });
    await page.waitForURL(`**/viewer?key=${DAMAGED}`);
    await page.locator('[data-camera="F"]').getByText("This file is empty.").waitFor();
    expect(await large(page)).toBe("R");
    await until(page, ([, rear]) => rear?.paused === false && !rear.muted && rear.time > 0.5);
    await page.waitForURL(`**/viewer?key=${UNEVEN}`);
    await until(page, ([front, rear]) => [front, rear].every((one) => one && !one.paused && one.time > 0.5));
    expect([await large(page), (await players(page)).map(({ muted }) => muted).join()]).toEqual(["F", "false,true"]);
    await until(page, ([front, rear]) => rear?.time === 12 && (front?.time ?? 0) > 13 && front?.paused === false);
    await page.getByText("This is the end of the newest trip.").waitFor();
    // Back over all clips and on, faster than any of them can come.
    for (let round = 0; round < 10; round++)
      for (const key of ["Shift+ArrowLeft", "ArrowRight", "ArrowLeft"]) await page.keyboard.press(key);
    await page.waitForURL(`**/viewer?key=${WHOLE}*`);
    await loaded(page);
    expect(await page.locator("video.is-shown").count()).toBe(2);
    await page.keyboard.press("Space");
    await until(page, (all) => all.length === 2 && all.every(({ paused, time }) => !paused && time > 0.5));
    await page.keyboard.press("Space");
    expect(await watched.problems()).toEqual([]);
  });

  test("play a marked part again and again, over the ends of clips", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${FIRST}&t=10`);
    await until(page, (all) => all.every(({ time }) => Math.abs(time - 10) < 0.1));
    // The keys go over the end of a clip when the page knows how long the trip is.
    await page.waitForFunction(
      () => Number(document.querySelector(".tl [role=slider]")?.getAttribute("aria-valuemax")) > 12,
    );
    await page.keyboard.press("i");
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(`**/viewer?key=${SECOND}*`);
    await loaded(page);
    await page.keyboard.press("o");
    const repeat = button(page, "Repeat the marked range");
    await repeat.click();
    expect(await repeat.getAttribute("aria-pressed")).toBe("true");
    await page.getByLabel("Playback speed").selectOption("2");
    // From its beginning on, over the end of the clip, and back again.
    for (let round = 0; round < 2; round++) {
      await page.waitForURL(`**/viewer?key=${FIRST}*`);
      await page.waitForURL(`**/viewer?key=${SECOND}*`);
    }
    await page.keyboard.press("r");
    await until(page, (all) => all.length === 2 && all.every(({ time, paused }) => time > 4 && time < 11 && !paused));
    expect(await watched.problems()).toEqual([]);
  });

  test("save what is seen as a picture that is called by its camera and time", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${FIRST}&t=3`);
    await until(page, (all) => all.every(({ time }) => Math.abs(time - 3) < 0.1));
    const [saved] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("x")]);
    expect(saved.suggestedFilename()).toBe("20260607_080003_F.png");
    const bytes = readFileSync(await saved.path());
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    const size = await page
      .locator('[data-camera="F"] video.is-shown')
      .evaluate(({ videoWidth, videoHeight }: HTMLVideoElement) => [videoWidth, videoHeight]);
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(size as [number, number]);
    await page.getByText("Saved as 20260607_080003_F.png.").waitFor();
  });

  test("say that a browser without HEVC cannot play a camera, and play the others", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    const { page } = watched;
    await watched.open(`/viewer?key=${HEVC}`);
    const front = page.locator('[data-camera="F"]');
    const rear = page.locator('[data-camera="R"]');
    await front.getByText("This browser cannot play HEVC.").waitFor();
    expect(await front.locator(".cam-says a").textContent()).toMatch(/^Download Front, \d/);
    // The first one that plays has the large place, and is heard.
    expect(await large(page)).toBe("R");
    expect(await button(page, "Hear Front").count()).toBe(0);
    expect(await rear.locator(".cam-hear").getAttribute("aria-pressed")).toBe("true");
    const fits = await front.locator(".cam-says").evaluate((one) => one.scrollHeight <= one.clientHeight + 1);
    expect([fits, await front.locator(".cam-why").isVisible()]).toEqual([true, false]);
    await button(page, "Play").click();
    await until(page, ([, rear, inside]) => [rear, inside].every((one) => one?.paused === false && one.time > 0.5));
    expect((await players(page)).map(({ muted }) => muted).slice(1)).toEqual([false, true]);
    await page.keyboard.press("Shift+Digit1");
    expect(await large(page)).toBe("F");
    await page.keyboard.press("Shift+Digit2");
    expect(await orderProblems(watched)).toEqual([]);
  });
});
