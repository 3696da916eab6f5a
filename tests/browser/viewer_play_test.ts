import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { button, chosen, loaded, until } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(120_000);

/** A drive with an event and a stop: its clips last 12, 15, 20 and 12 seconds. */
const DRIVE = ["20261119_080000_N", "20261119_080012_E", "20261119_080327_P", "20261119_080347_N"] as const;
/** Movements around the parked car, over midnight; each lasts 20 seconds. */
const NIGHT = ["20261119_220900_P", "20261119_224100_P", "20261120_001200_P"] as const;
const MORNING = "20261120_080000_N";

/** A drive whose event began before the clip before it was over: they last 12, 15 and 12 seconds, 27 together. */
const SHARED = ["20261118_080000_N", "20261118_080008_E", "20261118_080015_N"] as const;

const trip = (page: Page, first: string) => page.locator(`.trip[data-trip="${first}"]`);
const shows = (page: Page, key: string) => page.waitForURL((address) => address.searchParams.get("key") === key);
/** Takes down what the page says over its picture: each sentence once. */
const listen = (page: Page) =>
  page.evaluate(() => {
    const held = window as unknown as { told: string[] };
    held.told = [];
    const place = document.querySelector(".skipped");
    const note = () => place?.textContent && held.told.push(place.textContent);
    if (place) new MutationObserver(note).observe(place, { childList: true, characterData: true, subtree: true });
  });
const told = (page: Page) => page.evaluate(() => (window as unknown as { told: string[] }).told);
/** Goes near the end of the clip on show. */
const nearEnd = (page: Page) =>
  page.locator("video.is-shown").evaluateAll((videos: HTMLVideoElement[]) => {
    const [first] = videos;
    if (first) first.currentTime = first.duration - 1;
  });

describeInBrowser("the viewer plays", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
    await putFootage(
      app.destination,
      [...DRIVE, ...NIGHT, MORNING, ...SHARED].map((key) => `${key}F.mp4`),
    );
    await app.app.library.refresh();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("a drive from its start to its end, through the event and over the stop, and then says what comes next", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${NIGHT[0]}`);
    await loaded(page);
    await listen(page);
    await trip(page, DRIVE[0]).click();
    await page.getByLabel("Playback speed").selectOption("16");
    for (const key of DRIVE) await shows(page, key);
    await page.getByText("This trip ends here. The next one begins at 22:09:00,").waitFor();
    expect(await told(page)).toEqual(["3\u00a0min parked"]);
    expect(new URL(page.url()).searchParams.get("key")).toBe(DRIVE[3]);
    await button(page, "Play the next trip").click();
    await shows(page, NIGHT[0]);
    await until(page, ([front]) => front?.paused === false);
    expect([...(await watched.problems()), ...(await accessibilityProblems(page))]).toEqual([]);
  });

  test("what two clips filmed once: the later one goes on where the earlier one ends", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${SHARED[0]}`);
    await loaded(page);
    await page.getByText("of 08:00:27").waitFor();
    /** The earliest second of each video that was seen. */
    const seen = await page.evaluateHandle(() => {
      const first: Record<string, number> = {};
      const look = () => {
        for (const { currentSrc, currentTime } of document.querySelectorAll<HTMLVideoElement>("video.is-shown")) {
          const key = /(\d{8}_\d{6}_.)F\.mp4/.exec(currentSrc)?.[1] ?? "";
          first[key] = Math.min(first[key] ?? currentTime, currentTime);
        }
        requestAnimationFrame(look);
      };
      look();
      return first;
    });
    // The address changes before the picture does.
    const isSeen = (key: string) => page.waitForFunction(([held, of]) => held[of] !== undefined, [seen, key] as const);
    await button(page, "Play").click();
    for (const key of SHARED.slice(1)) {
      await nearEnd(page);
      await isSeen(key);
    }
    const first = await seen.jsonValue();
    expect(SHARED.map((key) => Math.round(first[key] ?? -1))).toEqual([0, 4, 8]);
    expect(await watched.problems()).toEqual([]);
  });

  test("a parked night as a reel: each next movement is counted down, can be stopped, and comes at once when wanted", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${NIGHT[0]}`);
    await loaded(page);
    await button(page, "Play").click();
    await page.getByLabel("Playback speed").selectOption("2");
    await nearEnd(page);
    await page.locator(".next-up").getByText("Next movement 22:41, 32\u00a0min later").waitFor();
    await page.getByText(/Starts in [1-5]\ss\./).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await button(page, "Stop here").click();
    await page.locator(".next-up").waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.get("key")).toBe(NIGHT[0]);
    // All of them stand beside the picture, and lead there.
    const movements = page.getByRole("region", { name: "Movements", exact: true });
    expect(await movements.getByRole("link").count()).toBe(2);
    await movements.getByRole("link", { name: "22:41" }).click();
    await shows(page, NIGHT[1]);
    await movements.getByRole("link", { name: "22:09" }).click();
    await shows(page, NIGHT[0]);
    await page.keyboard.press("Space");
    await until(page, ([front]) => front?.paused === true);
    // Movements take the place of events.
    await page.locator(".clock").getByText("movement 1 of 2").waitFor();
    await page.keyboard.press("e");
    await shows(page, NIGHT[1]);
    await button(page, "Previous movement").click();
    await shows(page, NIGHT[0]);
    await loaded(page);
    // The last picture stays. From there the clip plays once more, and this time it is counted down to the end.
    await button(page, "Play").click();
    await until(page, ([front]) => front?.paused === false && front.time < 15);
    await nearEnd(page);
    await page.locator(".next-up").waitFor();
    await shows(page, NIGHT[1]);
    await until(page, ([front]) => front?.paused === false && front.time > 0);
    await nearEnd(page);
    // Midnight does not end it.
    await page.locator(".next-up").getByText("Next movement 00:12, 1\u00a0h 31\u00a0min later").waitFor();
    await button(page, "Play now").click();
    await shows(page, NIGHT[2]);
    await until(page, ([front]) => front?.paused === false && front.time > 0);
    expect(await chosen(page)).toBe(NIGHT[2]);
    await nearEnd(page);
    await page.getByText("This trip ends here. The next one begins at 08:00:00,").waitFor();
    expect(await watched.problems()).toEqual([]);
  });

  test("up to sixteen times as fast, above four times without sound, and says where the browser cannot keep up", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    // A browser that knows no more than twice as fast.
    await page.addInitScript(() => {
      const { prototype } = HTMLMediaElement;
      const own = Object.getOwnPropertyDescriptor(prototype, "playbackRate");
      const asked = new WeakMap<HTMLMediaElement, number>();
      Object.defineProperty(prototype, "playbackRate", {
        configurable: true,
        get(this: HTMLMediaElement) {
          return asked.get(this) ?? 1;
        },
        set(this: HTMLMediaElement, rate: number) {
          asked.set(this, rate);
          own?.set?.call(this, Math.min(2, rate));
        },
      });
    });
    await watched.open(`/viewer?key=${DRIVE[0]}`);
    await loaded(page);
    const speed = page.getByLabel("Playback speed");
    const rates = await speed.locator("option").allTextContents();
    expect([rates[0], rates.at(-1)]).toEqual(["0.25×", "16×"]);
    await speed.selectOption("4");
    await until(page, (all) => all.every(({ muted }) => !muted));
    await speed.selectOption("16");
    await until(page, (all) => all.every(({ muted }) => muted));
    await button(page, "No sound above 4×").waitFor();
    await button(page, "Play").click();
    await page.getByText(/Playing at about \d.*×\. The browser or the network cannot keep up with 16×\./).waitFor();
    await speed.selectOption("1");
    await page.getByText("cannot keep up").waitFor({ state: "detached" });
    await until(page, (all) => all.every(({ muted }) => !muted));
    expect(await watched.problems()).toEqual([]);
  });

  test("trip after trip where that is set", async () => {
    await using continuous = await startApp({
      settings: { retention: { keep: "" }, schedule: { paused: true }, viewer: { continuous_play: true } },
    });
    await putFootage(continuous.destination, [`${DRIVE[3]}F.mp4`, `${MORNING}F.mp4`]);
    await continuous.app.library.refresh();
    await using watched = await WatchedPage.open(browser(), { url: continuous.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${DRIVE[3]}`);
    await loaded(page);
    await listen(page);
    await button(page, "Play").click();
    await nearEnd(page);
    await shows(page, MORNING);
    await until(page, ([front]) => front?.paused === false && front.time > 0);
    expect(await told(page)).toEqual(["Next trip, 23\u00a0h 56\u00a0min later"]);
    await nearEnd(page);
    await page.getByText("This is the end of the newest trip.").waitFor();
    expect(await watched.problems()).toEqual([]);
  });
});
