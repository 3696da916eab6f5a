import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { button, loaded, row } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(60_000);

const FIRST = "20260606_235900_N";
const EVENT = "20260607_101600_E";
const LAST = "20260607_103000_N";

/** Resolves when the pressed control is gone and this has the focus. */
const hasFocus = (page: Page, selector: string) =>
  page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector, { timeout: 5000 });

/** Presses it by keyboard: the focus is on it, and it is pressed. */
async function press(control: Locator): Promise<void> {
  await control.focus();
  await control.press("Enter");
}

describeInBrowser("the focus in the viewer stays when the control goes that had it:", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" } } });
    await putFootage(
      app.destination,
      [FIRST, EVENT, LAST].map((key) => `${key}F.mp4`),
    );
  });
  afterAll(() => app[Symbol.asyncDispose]());
  const open = () => WatchedPage.open(browser(), { url: app.url });
  const toEnd = async (page: Page) => {
    await loaded(page);
    await page.locator("video.is-shown").evaluate((video: HTMLVideoElement) => {
      video.currentTime = video.duration - 0.2;
      return video.play();
    });
  };

  test("the ways to the ends of all recordings", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${EVENT}`);
    for (const [name, key] of [
      ["Next clip", LAST],
      ["Previous clip", EVENT],
      ["Previous clip", FIRST],
    ] as const) {
      const way = page.getByRole("link", { name });
      await press(way);
      await page.waitForURL(`**/viewer?key=${key}`);
      await hasFocus(page, `[aria-label="${name}"]`);
      expect(await way.getAttribute("aria-disabled")).toBe(key === EVENT ? null : "true");
    }
    expect(await page.getByRole("link", { name: "Previous clip" }).getAttribute("href")).toBeNull();
  });

  test("what is said at the end of a row", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${EVENT}`);
    await toEnd(page);
    await press(button(page, "Watch again"));
    await button(page, "Watch again").waitFor({ state: "detached" });
    await hasFocus(page, ".play");
    await toEnd(page);
    await button(page, "Watch again").focus();
    // Not by its own button.
    await page.evaluate(() => document.querySelector<HTMLElement>(".transport .play")?.click());
    await button(page, "Watch again").waitFor({ state: "detached" });
    await hasFocus(page, ".play");
    await toEnd(page);
    await press(button(page, "Play the next trip"));
    await page.waitForURL(`**/viewer?key=${LAST}`);
    await hasFocus(page, ".play");
  });

  test("a recording, a video and a day that are tried again", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${EVENT}`);
    await page.route("**/api/viewer/recordings?*", (route) => route.abort());
    await press(page.locator('.day[data-date="2026-06-06"]'));
    const said = page.locator(".day-says");
    await said.getByText("This day could not be read.").waitFor();
    await page.keyboard.press("p");
    const note = page.locator(".stage-note, .toast").filter({ hasText: "Dashdock does not answer" });
    await note.first().waitFor();
    await page.unroute("**/api/viewer/recordings?*");
    await press(said.getByRole("button", { name: "Try again" }));
    await row(page, FIRST).waitFor();
    await hasFocus(page, '.day[data-date="2026-06-06"]');

    await page.route("**/media/**", (route) => route.abort());
    await press(row(page, LAST));
    const trouble = page.locator(".cam-says");
    await trouble.getByText("The video does not come.").waitFor();
    await page.unroute("**/media/**");
    await press(trouble.getByRole("button", { name: "Try again" }));
    await loaded(page);
    await hasFocus(page, ".play");

    // Back to a day that this page has not read yet.
    await watched.open(`/viewer?key=${FIRST}&t=1`);
    await watched.open(`/viewer?key=${LAST}`);
    await page.evaluate((key) => history.pushState(null, "", `/viewer?key=${key}`), FIRST);
    await page.evaluate(() => history.pushState(null, "", "/viewer?date=2026-06-07"));
    await page.route("**/api/viewer/recordings?*", (route) => route.abort());
    await page.goBack();
    const failed = page.locator(".stage-note");
    await failed.getByText("The clip cannot be opened.").waitFor();
    await page.unroute("**/api/viewer/recordings?*");
    await press(failed.getByRole("button", { name: "Try again" }));
    await page.locator(`.trip[data-key="${FIRST}"][aria-current]`).waitFor();
    await hasFocus(page, ".play");
  });

  test("the types that are chosen no more", async () => {
    await using watched = await open();
    const { page } = watched;
    await watched.open(`/viewer?key=${LAST}`);
    await button(page, "Event 1").click();
    await press(page.getByRole("link", { name: "Show all" }));
    await page.locator(".list-says").waitFor({ state: "detached" });
    await hasFocus(page, "#recordings");
    expect(await button(page, "Event 1").getAttribute("aria-pressed")).toBe("false");
  });
});
