import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { runId } from "../../server/domain/runs/run_id.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { runAt } from "../support/app/history.ts";
import { cardOf, VIDEOS } from "../support/app/sync.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

const BAD = "20260607_101500_NF.mp4";
const OTHER = "20260607_101500_NR.mp4";

/** After a sync in which two videos could not be read. */
async function partly(): Promise<{ app: RunningApp; heal: () => void; path: string }> {
  const app = await startApp({ settings: { retention: { keep: "" } }, card: cardOf(VIDEOS) });
  const lifts = [BAD, OTHER].map((name) => app.simulator.fault({ name: "error-500", match: new RegExp(name) }));
  app.app.job.start("manual");
  await app.synced();
  const run = app.app.history.latest();
  const heal = () => {
    for (const lift of lifts) lift();
  };
  return { app, heal, path: `/stats/runs/${run === null ? "" : runId(run)}` };
}

const dialog = (page: Page) => page.locator("dialog[data-modal=run]");
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim());
const row = (page: Page, name: string) => page.locator(`[id="file-${name}"]`);

describeInBrowser("what failed", (browser) => {
  test("opens from the last run's card, and Retry of one brings that file home before one's eyes", async () => {
    const { app, heal } = await partly();
    await using _ = app;
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/");
    await page.locator("#last-run-card a[data-dialog]").focus();
    await page.keyboard.press("Enter");
    await row(page, BAD).waitFor();
    expect(await dialog(page).locator(".run-files > li").count()).toBe(2);
    expect(await row(page, BAD).innerText()).toContain("The camera answered with an error.");
    expect(await accessibilityProblems(page)).toEqual([]);
    heal();
    await page.getByRole("button", { name: `Retry ${BAD}` }).click();
    await dialog(page)
      .getByText(/1\s+recording to be tried again now\./)
      .waitFor();
    await row(page, BAD).getByText("Is at home now").waitFor();
    // The button is gone with what it was for, the focus is not.
    expect(await page.evaluate(() => document.activeElement?.closest("dialog") !== null)).toBe(true);
    expect(await row(page, OTHER).innerText()).toContain("Tried again after");
    await page.keyboard.press("Escape");
    // The browser says a moment later that it has closed it.
    await dialog(page).waitFor({ state: "detached" });
    expect(await watched.problems()).toEqual([]);
  });

  test("opens from the table of runs, Retry of all brings every file home, and the page says the same", async () => {
    const { app, heal, path } = await partly();
    await using _ = app;
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    const { page } = watched;
    await watched.open("/stats");
    await page.locator("#runs").getByText("Show the files").click();
    await row(page, OTHER).waitFor();
    // It opens at its title, and nothing touches its edge.
    expect(
      await dialog(page)
        .locator(".dialog-body")
        .evaluate((body) => body.scrollTop),
    ).toBe(0);
    heal();
    await page.getByRole("button", { name: "Retry all" }).click();
    await row(page, BAD).getByText("Is at home now").waitFor();
    await row(page, OTHER).getByText("Is at home now").waitFor();
    // The result replaces the announcement.
    await dialog(page)
      .getByText(/Tried again\. 2\s+recordings downloaded\./)
      .waitFor();
    expect(await dialog(page).getByText("to be tried again now").count()).toBe(0);
    await page.getByRole("button", { name: "Close" }).click();
    await dialog(page).waitFor({ state: "detached" });
    expect(await focused(page)).toBe("Show the files");
    await watched.open(path);
    expect(await page.locator(".run-files").innerText()).toMatch(/(Is at home now.*){2}/s);
  });

  test("is in order at every width, on its page and in its dialog", async () => {
    const { app, path } = await partly();
    await using _ = app;
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    await watched.open(path);
    expect(await orderProblems(watched)).toEqual([]);
    await watched.open("/");
    await watched.page.locator("#last-run-card a[data-dialog]").click();
    await row(watched.page, BAD).waitFor();
    expect(await orderProblems(watched)).toEqual([]);
  });

  test("is tried again without script, by a form", async () => {
    const { app, heal, path } = await partly();
    await using _ = app;
    const context = await browser().newContext({ baseURL: app.url, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto("/");
    await page.locator("#last-run-card").getByText("Show the files").click();
    expect(new URL(page.url()).pathname).toBe(path);
    heal();
    await page.getByRole("button", { name: "Retry all" }).click();
    expect(await page.locator("#main").innerText()).toMatch(/2\s+recordings to be tried again now/);
    await app.synced();
    await page.goto(path);
    expect(await page.locator("#run").innerText()).toMatch(/(Is at home now.*){2}/s);
    await context.close();
  });

  test("of a camera that gives its list and no file: the way leads to the files", async () => {
    await using app = await startApp({ settings: { retention: { keep: "" } }, card: cardOf(VIDEOS) });
    app.simulator.fault({ name: "error-500" });
    app.app.job.start("manual");
    await app.synced();
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/");
    await page.locator(".hero a[data-action=show-files]").click();
    await row(page, BAD).waitFor();
  });

  test("is text, whatever the names are; a run that is gone says so", async () => {
    await using app = await startApp({ settings: { retention: { keep: "" } } });
    const EVIL = `<img src=x onerror="document.title='owned'">`;
    const run = runAt(Date.now() / 1000 - 60, { failures: { unknown: 1 } });
    app.app.history.append(run, [{ name: EVIL, reason: "unknown", cause: "in-the-way", message: EVIL }]);
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/stats");
    await page.locator("#runs").getByText("Show the files").click();
    await dialog(page).locator(".run-files > li").waitFor();
    expect(await dialog(page).innerText()).toContain(EVIL);
    expect(await page.title()).toBe("Stats · Dashdock");
    await page.keyboard.press("Escape");
    app.app.history.prune(Date.now() / 1000);
    await page.locator("#runs").getByText("Show the files").click();
    await dialog(page).getByText("This run is not in the history any more.").waitFor();
  });
});
