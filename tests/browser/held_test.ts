import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { simulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { type AppOptions, type RunningApp, startApp } from "../support/app/app.ts";
import { runAt } from "../support/app/history.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

/** Videos that were here before the service, and old. */
const OLD = ["20240103_101500_NF.mp4", "20240103_101500_NR.mp4", "20240301_081500_PF.mp4"] as const;

interface Adopted extends AsyncDisposable {
  readonly running: RunningApp;
  /** Old videos that are still in their places. */
  readonly atHome: () => string[];
  /** A scheduled run, as often as one comes by the clock. */
  readonly scheduledRun: () => Promise<void>;
}

/** A service on a library that others have filled, with a camera whose recordings are of today. */
async function adopted(options: Pick<AppOptions, "rate"> = {}): Promise<Adopted> {
  const folder = mkdtempSync(join(tmpdir(), "dashdock-test-"));
  const root = join(folder, "recordings");
  mkdirSync(root);
  for (const name of OLD) writeFileSync(join(root, name), "a video");
  const card = simulatedCard({ recordings: 4, now: Date.now(), footage: syntheticFootage(20_000) });
  // The user has not chosen how long to keep recordings: the default counts. No run comes by itself.
  const running = await startApp({ folder, card, ...options });
  await running.app.library.refresh();
  return {
    running,
    atHome: () => OLD.filter((name) => existsSync(join(root, name))),
    async scheduledRun() {
      running.app.job.start("schedule");
      await running.synced();
    },
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const QUESTION = /^3\s+recordings here are older than 2 weeks\. Keep them\?$/;
const sentence = (page: Page) => page.locator(".hero .sentence");
const action = (page: Page, name: string) => page.locator(`[data-action="${name}"]`);
const toast = (page: Page, words: RegExp) => page.locator(".toast", { hasText: words }).waitFor();
/** Until the sentence of the page is this. */
const says = (page: Page, words: RegExp) => page.locator(".hero .sentence", { hasText: words }).waitFor();

describeInBrowser("deleting on the dashboard", (browser) => {
  test("is asked about, looked at, and refused for good", async () => {
    await using library = await adopted();
    const { running, atHome, scheduledRun } = library;
    await scheduledRun();
    expect(atHome()).toEqual([...OLD]);
    await using watched = await WatchedPage.open(browser(), { url: running.url });
    const { page } = watched;
    await watched.open("/");
    expect(await sentence(page).innerText()).toMatch(QUESTION);
    expect(await page.locator(".hero").innerText()).toContain("from 3\u00a0Jan 2024 to 1\u00a0Mar 2024");

    await action(page, "look-at-held").click();
    await page.waitForURL("**/viewer?only=due*");
    await watched.open("/");
    await action(page, "keep-everything").click();
    await toast(page, /Everything is kept/);
    await says(page, /^All 4\s+recordings on the camera are safe here\.$/);
    expect(await action(page, "confirm-deletion").count()).toBe(0);
    const { keep, keep_event, max_gb } = running.app.settings.current.retention;
    expect([keep, keep_event, max_gb]).toEqual(["", "", null]);
    await scheduledRun();
    expect(atHome()).toEqual([...OLD]);
    expect(await watched.problems()).toEqual([]);
  });

  test("happens after it was confirmed, leaves a receipt, and can be undone", async () => {
    await using library = await adopted();
    const { running, atHome, scheduledRun } = library;
    await scheduledRun();
    await using watched = await WatchedPage.open(browser(), { url: running.url });
    const { page } = watched;
    await watched.open("/");
    const dialog = page.locator("dialog[data-modal=delete-held]");
    await action(page, "confirm-deletion").click();
    await dialog.waitFor();
    expect(await dialog.innerText()).toMatch(/Delete 3\s+recordings\?/);
    expect(await dialog.innerText()).toMatch(/trash .* for 7\s+days/);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Not now");
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-action"))).toBe("confirm-deletion");
    expect(await sentence(page).innerText()).toMatch(QUESTION);

    await action(page, "confirm-deletion").click();
    await dialog.getByRole("button", { name: "Delete them" }).click();
    await toast(page, /3\s+recordings go to the trash with the next run/);
    await says(page, /^3\s+recordings go to the trash with the next run/);
    expect(atHome()).toEqual([...OLD]);
    await watched.open("/");
    expect(await sentence(page).innerText()).toMatch(/^3\s+recordings go to the trash with the next run/);

    await scheduledRun();
    expect(atHome()).toEqual([]);
    const receipt = page.locator("#receipts-card");
    await receipt.getByText(/^Moved 3\s+old recordings, 3\s+Jan 2024 to 1\s+Mar 2024, /).waitFor();
    await using second = await WatchedPage.open(browser(), { url: running.url });
    await second.open("/");
    expect(await second.page.locator("#receipts-card").isVisible()).toBe(true);
    expect(await second.page.locator("#storage-card").innerText()).toMatch(/3 in the trash/);

    await action(page, "undo-deletion").click();
    await toast(page, /^3\s+recordings are restored\. /);
    await receipt.waitFor({ state: "hidden" });
    expect(atHome()).toEqual([...OLD]);
    await second.page.locator("#receipts-card").waitFor({ state: "hidden" });
    await scheduledRun();
    expect(atHome()).toEqual([...OLD]);
  });

  test("is shown until a user has seen it", async () => {
    await using library = await adopted();
    const { running, scheduledRun } = library;
    await scheduledRun();
    await running.client.open("/");
    expect((await running.client.send("POST", "/api/retention/confirm")).status).toBe(200);
    await scheduledRun();
    await using watched = await WatchedPage.open(browser(), { url: running.url });
    const { page } = watched;
    await watched.open("/");
    await action(page, "seen-deletion").click();
    await page.locator("#receipts-card").waitFor({ state: "hidden" });
    await watched.open("/");
    expect(await page.locator("#receipts-card").isVisible()).toBe(false);
    expect(await watched.problems()).toEqual([]);
  });

  test("is asked about below the sentence of a running sync, and of a failure", async () => {
    await using library = await adopted({ rate: 1000 });
    const { app, url } = library.running;
    await using watched = await WatchedPage.open(browser(), { url });
    const { page } = watched;
    const note = page.locator(".hero .note.is-attention", { hasText: "Keep them?" });
    await watched.open("/");
    await says(page, QUESTION);
    app.job.start("manual");
    await says(page, /^Downloading /);
    expect(await note.isVisible()).toBe(true);
    expect(await note.getByRole("button").allInnerTexts()).toEqual(["Keep everything", "Delete them"]);
    app.job.stop();
    await library.running.synced();
    app.history.append(
      runAt(Date.now() / 1000, { success: false, message: "the list broke off", failures: { http: 1 } }),
    );
    await watched.open("/");
    expect(await sentence(page).innerText()).toBe("Sync failed: the list broke off.");
    await note.locator("[data-action=keep-everything]").click();
    await note.waitFor({ state: "detached" });
    expect(await sentence(page).innerText()).toBe("Sync failed: the list broke off.");
  });

  test("says in place why an answer was not taken", async () => {
    await using library = await adopted();
    await library.scheduledRun();
    await using watched = await WatchedPage.open(browser(), { url: library.running.url });
    const { page } = watched;
    await watched.open("/");
    const body = JSON.stringify({ error: "The disk is full", code: "STORAGE_FULL", details: {} });
    await page.route("**/api/settings/retention", (route) =>
      route.fulfill({ status: 507, contentType: "application/json", body }),
    );
    await action(page, "keep-everything").click();
    expect(await page.locator("[data-action-error]").innerText()).toContain("The disk is full");
    expect(await sentence(page).innerText()).toMatch(QUESTION);
  });

  test("is in order at every width: the question, and the receipt", async () => {
    await using library = await adopted();
    const { running, scheduledRun } = library;
    await scheduledRun();
    {
      await using watched = await WatchedPage.open(browser(), { url: running.url, width: 390 });
      await watched.open("/");
      expect(await sentence(watched.page).innerText()).toMatch(QUESTION);
      expect(await orderProblems(watched)).toEqual([]);
    }
    await running.client.open("/");
    await running.client.send("POST", "/api/retention/confirm");
    await scheduledRun();
    await using watched = await WatchedPage.open(browser(), { url: running.url, width: 390 });
    await watched.open("/");
    expect(await action(watched.page, "undo-deletion").isVisible()).toBe(true);
    expect(await orderProblems(watched)).toEqual([]);
  });
});
