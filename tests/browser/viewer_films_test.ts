import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { button, loaded, players, until } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(60_000);

const keysAt = (day: string, ...clocks: string[]) => clocks.map((clock) => `${day}_${clock}_N`);
/** A drive of five clips of 12 seconds, one with a gap before its last clip, and one without. */
const DRIVE = keysAt("20260607", "080000", "080012", "080024", "080036", "080048");
const BROKEN = keysAt("20260608", "080000", "080012", "080024", "080136");
const LONE = keysAt("20260609", "080000", "080012", "080024");

interface Seen {
  readonly key: string | null;
  readonly source: string;
  readonly time: number;
}

/** Takes down what the front camera plays with each picture that the page draws. */
const follow = (page: Page) =>
  page.evaluate(() => {
    const seen: Seen[] = [];
    Object.assign(window, { seen });
    const look = () => {
      const video = document.querySelector<HTMLVideoElement>('[data-camera="F"] video.is-shown');
      const key = new URLSearchParams(location.search).get("key");
      if (video) seen.push({ key, source: video.currentSrc, time: video.currentTime });
      requestAnimationFrame(look);
    };
    look();
  });
const shows = (page: Page, key: string) => page.waitForURL((address) => address.searchParams.get("key") === key);
const isFilm = ({ source }: Seen) => source.includes("/film/");

describeInBrowser("films in the viewer", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
    await putFootage(
      app.destination,
      [...DRIVE.slice(0, 4), ...BROKEN, ...LONE].flatMap((key) =>
        ["F", "R"].map((direction) => `${key}${direction}.mp4`),
      ),
    );
    await app.app.library.refresh();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  /** Opens a clip that is soon over, at four times the rate. */
  async function playing(key: string | undefined, prepare: (page: Page) => Promise<unknown> = async () => {}) {
    const watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await prepare(page);
    await watched.open(`/viewer?key=${key}&t=10`);
    await loaded(page);
    await follow(page);
    await page.getByLabel("Playback speed").selectOption("4");
    await button(page, "Play").click();
    return watched;
  }

  test("play over the ends of clips, and grow by what comes home meanwhile", async () => {
    await using watched = await playing(DRIVE[0]);
    const { page } = watched;
    await shows(page, DRIVE[1] ?? "");
    // The trip grows while its films play.
    await putFootage(
      app.destination,
      ["F", "R"].map((direction) => `${DRIVE[4]}${direction}.mp4`),
    );
    await app.app.library.refresh();
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    for (const key of DRIVE.slice(2)) {
      await page.keyboard.press("ArrowRight");
      await shows(page, key);
    }
    await until(page, (all) => all.length === 2 && all.every(({ paused, time }) => !paused && time > 0.5));
    const seen = await page.evaluate(() => (window as unknown as { seen: Seen[] }).seen);
    const first = seen.find(isFilm);
    // One film, whose time only goes on.
    const film = seen.filter(({ source }) => source === first?.source);
    expect([...new Set(film.map(({ key }) => key))].slice(-3)).toEqual(DRIVE.slice(1, 4));
    expect(film.every(({ time }, at) => time >= (film[at - 1]?.time ?? 0))).toBe(true);
    const within = seen.filter(({ key }) => key === DRIVE[2]);
    expect([within.length > 0, within.every(isFilm)]).toEqual([true, true]);
    await page.getByText("of 08:01:00").waitFor();
    expect(await watched.problems()).toEqual([]);
  });

  test("go to any moment of their clips, end where one of these goes, and give way to single clips behind a gap", async () => {
    await using watched = await playing(BROKEN[0]);
    const { page } = watched;
    await shows(page, BROKEN[1] ?? "");
    await until(page, ([front]) => (front?.time ?? 0) > 2);
    await page.keyboard.press("Space");
    await until(page, (all) => all.every(({ paused }) => paused));
    for (let step = 0; step < 2; step++) await page.keyboard.press("ArrowRight");
    await shows(page, BROKEN[2] ?? "");
    await until(page, (all) => all.every(({ time }) => time > 12 && time < 24));
    expect(await page.locator('video.is-shown[src^="/film/"]').count()).toBe(2);
    const saves = page.locator(".cam-save[download]").first();
    expect(await saves.getAttribute("href")).toBe(`/media/${BROKEN[2]}F.mp4?download=1`);
    for (const direction of ["F", "R"]) rmSync(join(app.destination, `${BROKEN[1]}${direction}.mp4`));
    await app.app.library.refresh();
    const [before] = await players(page);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await page.locator('[data-camera="R"] video.is-shown[src^="/media/"]').waitFor({ state: "attached" });
    await until(
      page,
      (all) => all.length === 2 && all.every(({ time }) => Math.abs(time + 12 - (before?.time ?? 0)) < 0.1),
    );
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowRight");
    await shows(page, BROKEN[3] ?? "");
    await until(page, (all) => all.length === 2 && all.every(({ paused, time }) => !paused && time > 0.5 && time < 12));
    expect(await page.locator('video.is-shown[src^="/media/"]').count()).toBe(2);
    expect(await watched.problems()).toEqual([]);
  });

  test("give way to single clips where one of them does not come", async () => {
    await using watched = await playing(LONE[0], (page) =>
      page.route("**/film/R.mp4*", (route) => route.fulfill({ status: 503, body: "" })),
    );
    const { page } = watched;
    await shows(page, LONE[1] ?? "");
    await until(page, (all) => all.length === 2 && all.every(({ paused, time }) => !paused && time > 0.5));
    expect(await page.locator('video.is-shown[src^="/media/"]').count()).toBe(2);
    expect((await watched.problems()).filter((one) => !one.includes("503"))).toEqual([]);
  });
});
