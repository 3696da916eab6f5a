import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { readDay } from "../support/app/read_day.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { button, chosen, loaded, players, row, until } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";
import { fitProblems, orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

const SETTINGS = { retention: { keep: "" } };
const PASSWORD = "correct horse battery";
/** Two drives on two days, the second with an event; each clip lasts 12 or 15 seconds. */
const FIRST = "20260606_235900_N";
const SECOND = "20260607_000000_N";
const EVENT = "20260607_101600_E";
const LAST = "20260607_101700_N";
const FILES = [FIRST, SECOND, EVENT, LAST].flatMap((key) => [`${key}F.mp4`, `${key}R.mp4`]);

/** Files that come home while the service runs; it looks at its folders at once instead of seconds later. */
async function comeHome({ app, destination }: RunningApp, paths: readonly string[]): Promise<void> {
  await putFootage(destination, paths);
  await app.library.refresh();
}

const drift = ([front, rear]: Awaited<ReturnType<typeof players>>) => Math.abs((front?.time ?? 0) - (rear?.time ?? 9));

describeInBrowser("the viewer", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: SETTINGS });
    await putFootage(app.destination, FILES, [`${EVENT}F.mp4`, `${EVENT}R.mp4`]);
  });
  afterAll(() => app[Symbol.asyncDispose]());
  const open = () => WatchedPage.open(browser(), { url: app.url });

  test("plays a deep link's cameras in step from its moment on, whichever of them is touched", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${EVENT}&t=3`);
    expect(await page.title()).toBe("Sun 7\u00a0Jun, 10:16:00 · Viewer · Dashdock");
    await until(page, (all) => all.every(({ time, isLoaded }) => isLoaded && Math.abs(time - 3) < 0.1));
    await button(page, "Play").click();
    await until(page, (all) => all.every(({ time, paused }) => time > 3.5 && !paused));
    // Many looks, not one lucky one; a machine that is busy with other things may be late once.
    const drifts: number[] = [];
    for (let look = 0; look < 40; look++) drifts.push(drift(await players(page)));
    expect(drifts.sort((one, other) => one - other)[35]).toBeLessThan(0.15);
    expect((await players(page)).map(({ muted }) => muted)).toEqual([false, true]);
    expect(await page.locator(".clock").textContent()).toMatch(/^10:16:0\d of 10:\d\d:\d\d$/);

    // Acts as the browser's own keys and menus on the rear camera.
    await page
      .locator("video.is-shown")
      .nth(1)
      .evaluate((video: HTMLVideoElement) => {
        video.currentTime = 9;
      });
    await until(page, (all) => all.every(({ time }) => time >= 9) && drift(all) < 0.15);
    await page
      .locator("video.is-shown")
      .nth(1)
      .evaluate((video: HTMLVideoElement) => video.pause());
    await until(page, (all) => all.every(({ paused }) => paused) && drift(all) < 0.03);
    // At once, and not only at the end of the trip.
    expect(new URL(page.url()).search).toBe(`?key=${EVENT}&t=3`);
    expect((await players(page))[0]?.time).toBeLessThan(14);
    await page.getByLabel("Playback speed").selectOption("0.5");
    await until(page, (all) => all.every(({ rate }) => rate === 0.5));
    await page
      .locator("video.is-shown")
      .nth(0)
      .evaluate((video: HTMLVideoElement) => {
        video.playbackRate = 2;
      });
    await until(page, (all) => all.every(({ rate }) => rate === 2));
    expect(await page.getByLabel("Playback speed").inputValue()).toBe("2");
    expect(await watched.problems()).toEqual([]);
  });

  test("a link within the page neither stops what plays nor begins it anew", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${EVENT}&t=4`);
    await loaded(page);
    await button(page, "Play").click();
    await until(page, (all) => all.every(({ paused }) => !paused));
    await page.getByRole("link", { name: "Skip to clips" }).press("Enter");
    await page.waitForURL("**#recordings");
    await until(page, (all) => all.every(({ time, paused }) => time > 5 && !paused));
    expect(await button(page, "Pause").count()).toBe(1);
    await page.goBack();
    await page.waitForURL(`**/viewer?key=${EVENT}&t=4`);
    await until(page, (all) => all.every(({ time, paused }) => time > 6 && !paused));
  });

  test("is called in its tab by what is on show; goes to the neighbours, over the ends of days, and back with the browser", async () => {
    await using watched = await open();
    const { page } = watched;
    for (const [path, title] of [
      ["/viewer?key=20260607_230000_N", "This clip is not here any more"],
      ["/viewer?date=2020-01-01", "No clips on Wed 1\u00a0Jan 2020"],
      ["/viewer?date=today", "“today” is not a day of the calendar"],
      [`/viewer?key=${LAST}`, "Sun 7\u00a0Jun, 10:17:00"],
    ] as const) {
      await watched.open(path);
      await page.waitForFunction((name) => document.title === name, `${title} · Viewer · Dashdock`);
    }

    await watched.open("/viewer");
    // The newest trip begins with the event.
    expect(new URL(page.url()).search).toBe(`?key=${EVENT}`);
    await page.keyboard.press("n");
    await page.waitForURL(`**/viewer?key=${LAST}`);
    await page.getByRole("link", { name: "Previous clip" }).click();
    await page.waitForURL(`**/viewer?key=${EVENT}`);
    expect(await chosen(page)).toBe(EVENT);
    await page.keyboard.press("p");
    await page.waitForURL(`**/viewer?key=${SECOND}`);
    await page.keyboard.press("p");
    await page.waitForURL(`**/viewer?key=${FIRST}`);
    expect(await chosen(page)).toBe(FIRST);
    expect(await page.locator("button.day[aria-expanded=true]").count()).toBe(2);
    expect(await page.locator("h2").first().textContent()).toContain("Sat 6\u00a0Jun, 23:59 to ");
    await page.keyboard.press("p");
    await page.getByText("There is nothing older to go to.").waitFor();
    await page.goBack();
    await page.waitForFunction(
      (key) => document.querySelector(".trip[aria-current]")?.matches(`[data-key="${key}"]`),
      SECOND,
    );
    await page.goForward();
    await page.waitForFunction(
      (key) => document.querySelector(".trip[aria-current]")?.matches(`[data-key="${key}"]`),
      FIRST,
    );
    // The browser itself notes a page that answers 404.
    expect((await watched.problems()).filter((problem) => !problem.includes("404 (Not Found)"))).toEqual([]);
  });

  test("goes on by itself while the recordings follow each other, and then says what comes next", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${FIRST}&t=11`);
    await loaded(page);
    await button(page, "Play").click();
    await page.waitForURL(`**/viewer?key=${SECOND}`);
    await until(page, (all) => all.every(({ paused, time }) => !paused && time > 0.2 && time < 9));
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.getByText(/This trip ends here\. The next one begins at 10:16:00, 10\sh 16\smin later/).waitFor();
    await button(page, "Play the next trip").click();
    await page.waitForURL(`**/viewer?key=${EVENT}`);
    await until(page, (all) => all.every(({ paused }) => !paused));
    expect(await watched.problems()).toEqual([]);
  });

  test("obeys its keys, but not while a field has them", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${EVENT}`);
    await loaded(page);
    await page.keyboard.press("Space");
    await until(page, (all) => all.every(({ paused }) => !paused));
    await page.keyboard.press("Space");
    await until(page, (all) => all.every(({ paused }) => paused));
    await page.keyboard.press("ArrowRight");
    await until(page, (all) => all.every(({ time }) => time >= 5 && time < 7));
    const before = (await players(page))[0]?.time ?? 0;
    await page.keyboard.press(".");
    await until(page, (all) => all.every(({ time }) => time > before && time < before + 0.11));
    await page.keyboard.press(">");
    await until(page, (all) => all.every(({ rate }) => rate === 1.5));
    await page.keyboard.press("<");
    await until(page, (all) => all.every(({ rate }) => rate === 1));
    await page.keyboard.press("m");
    await until(page, (all) => all.every(({ muted }) => muted));
    // A key that is held down, as keyboards repeat it: once for what is on or off, again and again for steps.
    for (let time = 0; time < 2; time++) await page.keyboard.down("m");
    await page.keyboard.up("m");
    await until(page, ([front]) => front?.muted === false);
    const at = (await players(page))[0]?.time ?? 0;
    for (let time = 0; time < 2; time++) await page.keyboard.down("ArrowLeft");
    await page.keyboard.up("ArrowLeft");
    await until(page, (all) => all.every(({ time }) => time < at - 4.9));
    await page.keyboard.press("Shift+Digit2");
    expect(await page.locator(".cam.is-main").getAttribute("data-camera")).toBe("R");
    await page.keyboard.press("Shift+Digit1");
    expect(await page.locator(".cam.is-main").getAttribute("data-camera")).toBe("F");
    await page.keyboard.press("Space");
    await until(page, (all) => all.every(({ paused }) => !paused));
    await page.getByLabel("Playback speed").focus();
    await page.keyboard.press("Space");
    // One may wait for the other at this moment; what counts is that none was stopped.
    expect(await button(page, "Pause").count()).toBe(1);
  });

  test("says in full screen, too, how something went; opens days in place, keeps only the chosen types, and fetches a failed day again", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${LAST}`);
    await page.keyboard.press("f");
    await page.waitForFunction(
      () => document.fullscreenElement?.matches(".vw") && document.querySelector(".vw > #toasts"),
    );
    await page.keyboard.press("n");
    const toast = page.getByText("There is nothing newer to go to.");
    await toast.waitFor();
    const isSeen = await toast.evaluate((words) => {
      const { left, top, width, height } = words.getBoundingClientRect();
      return words.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    expect(isSeen).toBe(true);
    await page.keyboard.press("f");
    await page.waitForFunction(() => document.querySelector("body > #toasts"));

    await page.route("**/api/viewer/recordings?*", (route) => route.abort());
    const day = page.locator('.day[data-date="2026-06-06"]');
    await day.click();
    expect(await day.getAttribute("aria-expanded")).toBe("true");
    await page.getByText("This day could not be read.").waitFor();
    await page.unroute("**/api/viewer/recordings?*");
    await button(page, "Try again").click();
    await row(page, FIRST).waitFor();
    await day.click();
    expect(await row(page, FIRST).count()).toBe(0);
    await day.click();
    await row(page, FIRST).waitFor();
    await button(page, "Event 1").click();
    await page.getByText("Event: 1\u00a0clip").waitFor();
    expect(await page.locator(".trip").count()).toBe(1);
    expect(new URL(page.url()).search).toBe(`?key=${LAST}&types=E`);
    await page.getByRole("link", { name: "Show all" }).click();
    await row(page, LAST).waitFor();
    expect(new URL(page.url()).search).toBe(`?key=${LAST}`);
    // The aborted request above is on the console.
    expect((await watched.problems()).filter((problem) => !problem.includes("ERR_FAILED"))).toEqual([]);
  });

  test("copies a link to the moment that is seen", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await watched.open(`/viewer?key=${EVENT}&t=4`);
    await until(page, (all) => all.every(({ time }) => Math.abs(time - 4) < 0.1));
    await button(page, "Copy link to this moment").click();
    await page.getByText("Link to this moment copied.").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${app.url}/viewer?key=${EVENT}&t=4`);
  });

  test("says what is wrong with a damaged video, and plays the other camera", async () => {
    await using own = await startApp({ settings: SETTINGS });
    await putFootage(own.destination, FILES);
    writeFileSync(join(own.destination, `${EVENT}F.mp4`), "no video at all");
    await using watched = await WatchedPage.open(browser(), { url: own.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${EVENT}`);
    const front = page.locator('[data-camera="F"]');
    await front.getByText("This browser cannot play this video.").waitFor();
    expect(await front.locator(".cam-says a").getAttribute("href")).toBe(`/media/${EVENT}F.mp4?download=1`);
    await button(page, "Play").click();
    const rear = page.locator('[data-camera="R"] video.is-shown');
    await rear.evaluate(
      (video: HTMLVideoElement) =>
        new Promise((resolve) => video.addEventListener("timeupdate", () => video.currentTime > 0.5 && resolve(null))),
    );
    expect(await rear.evaluate((video: HTMLVideoElement) => video.muted)).toBe(false);

    rmSync(join(own.destination, `${LAST}R.mp4`));
    await row(page, LAST).click();
    await page.locator('[data-camera="R"]').getByText("This video is not here any more.").waitFor();
    await front.locator("video.is-shown").waitFor();
  });

  /** A browser that has signed in to a service of its own and looks at the last recording. */
  async function signedIn(own: RunningApp): Promise<WatchedPage> {
    await putFootage(own.destination, FILES);
    await own.client.signIn("admin", PASSWORD);
    const session = own.client.cookie("dashdock_session");
    const watched = await WatchedPage.open(browser(), { url: own.url, session });
    const { page } = watched;
    await watched.open(`/viewer?key=${LAST}`);
    await loaded(page);
    return watched;
  }

  test("downloads a video; when the session has ended, it leads to sign-in and from there back, also when only a video asks", async () => {
    await using own = await startApp({ settings: SETTINGS, mode: "login", password: PASSWORD });
    await using watched = await signedIn(own);
    const { page } = watched;
    const save = page.getByRole("link", { name: "Download Rear" });
    const [file] = await Promise.all([page.waitForEvent("download"), save.click()]);
    expect(file.suggestedFilename()).toBe(`${LAST}R.mp4`);
    expect((await stat(await file.path())).size).toBe((await stat(join(own.destination, `${LAST}R.mp4`))).size);
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await save.click();
    await page.waitForURL(`**/login?next=${encodeURIComponent(`/viewer?key=${LAST}`)}`);

    // From there it leads back, also when only a video asks.
    await page.context().addCookies(cookies);
    await watched.open(`/viewer?key=${LAST}`);
    await loaded(page);
    // Requests of the page itself wait for the click, or they may lead to sign-in before.
    const clicked = Promise.withResolvers<void>();
    await page.route("**/*", async (route) => {
      await clicked.promise;
      await route.continue();
    });
    await page.context().clearCookies();
    await row(page, EVENT).click();
    clicked.resolve();
    // Several answers lead there at once; what counts is where the page ends up.
    await page.waitForFunction(
      (wanted) => location.pathname === "/login" && new URLSearchParams(location.search).get("next") === wanted,
      `/viewer?key=${EVENT}`,
    );
  });

  test("brings in what comes home while it is open, and moves nothing, also when the list changes twice before the page is drawn", async () => {
    await using own = await startApp({ settings: SETTINGS });
    await putFootage(own.destination, FILES);
    await readDay(own, "2026-06-07");
    await using watched = await WatchedPage.open(browser(), { url: own.url });
    const { page } = watched;
    await page.clock.install();
    await watched.open(`/viewer?key=${LAST}`);
    const where = () => row(page, LAST).evaluate((one) => Math.round(one.getBoundingClientRect().top));
    const before = await where();
    const more = Array.from({ length: 9 }, (_, at) => `20260607_12${10 + at}00_NF.mp4`);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.clock.runFor(20_000);
    // While nothing changes only the page's bar asks.
    expect(asked.filter((path) => path.startsWith("/api/viewer/"))).toEqual([]);
    await comeHome(own, more);
    await page.clock.runFor(5000);
    await page.locator('.trip[data-trip="20260607_121000_N"]').waitFor({ state: "attached" });
    await page.clock.runFor(100);
    // To the pixel, of which a list scrolls whole ones only.
    expect(Math.abs((await where()) - before)).toBeLessThanOrEqual(1);
    expect(await chosen(page)).toBe(LAST);

    // The list may also change twice before the page is drawn.
    // From here on nothing is drawn by the page's own clock, however long the answers take.
    await page.clock.pauseAt(Date.now() + 60_000);
    const total = () => page.locator(".trips-head").innerText();
    const old = await total();
    await comeHome(
      own,
      Array.from({ length: 9 }, (_, at) => `20260607_13${10 + at}00_NF.mp4`),
    );
    await page.clock.runFor(5000);
    await page.locator('.trip[data-trip="20260607_131000_N"]').waitFor({ state: "attached" });
    await page.waitForFunction((text) => document.querySelector<HTMLElement>(".trips-head")?.innerText !== text, old);
    await page.clock.runFor(100);
    expect(Math.abs((await where()) - before)).toBeLessThanOrEqual(1);
  });

  test("a camera and a picture that come home later join what is on show, at its time", async () => {
    await using own = await startApp({ settings: SETTINGS });
    await putFootage(own.destination, [`${EVENT}F.mp4`, `${LAST}R.mp4`]);
    rmSync(join(own.destination, `${LAST}R.thm`));
    await using watched = await WatchedPage.open(browser(), { url: own.url });
    const { page } = watched;
    await page.clock.install();
    await watched.open(`/viewer?key=${LAST}&t=2`);
    await loaded(page);
    await page.locator("video.is-shown").evaluate((video: HTMLVideoElement) => {
      video.currentTime = 6;
    });
    await until(page, ([rear]) => rear?.time === 6);
    expect(await row(page, LAST).locator("img").count()).toBe(0);
    await button(page, "Play").click();
    await comeHome(own, [`${LAST}F.mp4`]);
    await page.clock.runFor(31_000);
    await row(page, LAST).locator("img").waitFor({ state: "attached" });
    expect(await page.locator(".cam").count()).toBe(1);
    await button(page, "Pause").click();
    // The other camera may have joined with the pause.
    const rear = page.locator('[data-camera="R"] video.is-shown');
    const time = await rear.evaluate(({ currentTime }: HTMLVideoElement) => currentTime);
    expect(time).toBeGreaterThanOrEqual(6);
    await page.clock.runFor(31_000);
    await page.locator('[data-camera="F"]').waitFor();
    await until(page, (all) => all.every(({ isLoaded }) => isLoaded) && drift(all) < 0.03);
    expect(Math.abs(((await players(page))[0]?.time ?? 0) - time)).toBeLessThan(0.1);
    expect((await players(page)).map(({ muted }) => muted)).toEqual([false, true]);
  });

  test("is complete without script: players, links to days and neighbours, no button that does nothing", async () => {
    const context = await browser().newContext({ javaScriptEnabled: false, baseURL: app.url });
    const page = await context.newPage();
    await page.goto(`/viewer?key=${SECOND}`);
    await page.getByRole("link", { name: "Previous clip" }).click();
    expect(new URL(page.url()).search).toBe(`?key=${FIRST}`);
    expect(await page.locator("video[controls]").count()).toBe(2);
    // Buttons that open a popover do so without script, too.
    expect(await page.locator(".vw button:visible:not([popovertarget])").count()).toBe(0);
    await page.locator('.day[data-date="2026-06-07"]').click();
    expect(await page.locator(".trip[data-key]").count()).toBe(2);
    await context.close();
  });

  const STATES: [state: string, path: string, look: typeof orderProblems, arrange?: (page: Page) => Promise<void>][] = [
    ["with a recording", `/viewer?key=${LAST}`, orderProblems],
    ["with one camera large", `/viewer?key=${EVENT}`, fitProblems, (page) => page.keyboard.press("Shift+Digit1")],
    ["without the recording asked for", "/viewer?key=20260607_230000_N", orderProblems],
    ["without the day asked for", "/viewer?date=2020-01-01", fitProblems],
  ];
  test("is in order at every width", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    const { page } = watched;
    for (const [state, path, look, arrange] of STATES) {
      await watched.open(path);
      await arrange?.(page);
      // The browser itself notes a page that answers 404.
      const problems = (await look(watched)).filter((problem) => !problem.includes("404 (Not Found)"));
      expect([state, ...problems]).toEqual([state]);
    }
  });

  test("is in order with nothing to show, and shows what comes", async () => {
    await using own = await startApp({ settings: SETTINGS });
    await using watched = await WatchedPage.open(browser(), { url: own.url, width: 390 });
    const { page } = watched;
    await page.clock.install();
    await watched.open("/viewer");
    expect(await page.locator(".vw h2").textContent()).toBe("No clips yet");
    expect(await accessibilityProblems(page)).toEqual([]);
    await comeHome(own, [`${LAST}F.mp4`]);
    await page.clock.runFor(31_000);
    await page.waitForURL(`**/viewer?key=${LAST}`);
    await loaded(page);
    expect(await chosen(page)).toBe(LAST);
  });
});
