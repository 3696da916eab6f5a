import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { simulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { temporaryPlace } from "../support/app/process.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";

setDefaultTimeout(90_000);

const PASSWORD = "three quiet green harbours";
const NEW_PASSWORD = "seven loud red lighthouses";

/** A new installation: no password, no camera address; the camera is slow enough to be watched. */
async function installed(destination: string): Promise<RunningApp> {
  const card = simulatedCard({ recordings: 8, now: Date.UTC(2026, 5, 7, 10, 20), footage: syntheticFootage(300_000) });
  return await startApp({
    settings: { connection: { address: "" }, retention: { keep: "" } },
    mode: "login",
    card,
    destination,
    rate: 150_000,
  });
}

async function signIn(page: Page, password: string): Promise<void> {
  await page.locator("[name=username]").fill("admin");
  await page.locator("[name=password]").fill(password);
  await page.locator("button[type=submit]").click();
}

const state = (page: Page, name: string) => page.waitForSelector(`body[data-state="${name}"]`);
const field = (page: Page, section: string, name: string) => page.locator(`[data-section=${section}] [name=${name}]`);
const go = (page: Page, name: string) => page.locator(".nav li a", { hasText: name }).click();

describeInBrowser("a new user", (browser) => {
  // On a phone, which leaves the least room; the pages are looked at one by one at every width.
  test("finds the way from the first visit to the last", async () => {
    await using place = await temporaryPlace();
    await using app = await installed(place.at("recordings"));
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390, theme: "light" });
    const { page } = watched;
    const inOrder = async () => expect(await watched.problems()).toEqual([]);

    // First run, which signs in.
    await watched.open("/");
    expect(new URL(page.url()).pathname).toBe("/first-run");
    await page.locator("[name=password]").fill(PASSWORD);
    await inOrder();
    await page.locator("button[type=submit]").click();
    await page.waitForURL((url) => url.pathname === "/");
    await watched.ready();

    // The camera's address.
    await page.getByLabel("Address or name").fill(app.simulator.address);
    await page.getByRole("button", { name: "Check", exact: true }).click();
    const start = page.getByRole("button", { name: "Save and start the first download" });
    await start.waitFor();
    await inOrder();
    await start.click();

    // Live progress, stop, and on again.
    await state(page, "running");
    await watched.ready();
    await page.waitForFunction(() => /^Downloading/.test(document.querySelector(".sentence")?.textContent ?? ""));
    expect(app.app.settings.current.connection.address).toBe(app.simulator.address);
    await page.locator("[data-action=stop]").click();
    await page.locator("dialog[data-modal=stop-confirm]").getByRole("button", { name: "Stop" }).click();
    await state(page, "failed");
    app.simulator.rate = null;
    await page.locator("[data-action=sync-now]").click();
    await page.waitForFunction(() => /are safe here/.test(document.querySelector(".sentence")?.textContent ?? ""));
    await page.waitForFunction(() => /Fine/.test(document.querySelector("#last-run-card")?.textContent ?? ""));
    await inOrder();

    // History.
    await go(page, "Stats");
    await page.waitForURL("**/stats");
    await watched.ready();
    expect(await page.locator("table tbody tr").count()).toBe(2);
    await page.getByRole("link", { name: "All", exact: true }).click();
    await page.waitForURL("**/stats?range=all");
    await inOrder();

    // Settings, a bad value and a good one.
    await go(page, "Settings");
    await page.waitForURL("**/settings");
    await watched.ready();
    await field(page, "sync", "retry_failed_after").fill("90m");
    await page.getByRole("button", { name: /^Save/ }).click();
    await page.locator("#sync-retry_failed_after-error").waitFor();
    await inOrder();
    expect(app.app.settings.current.sync.retry_failed_after).toBe("1d");
    await field(page, "sync", "retry_failed_after").fill("12h");
    await page.getByRole("button", { name: /^Save/ }).click();
    await page.locator(".toast").waitFor();
    expect(app.app.settings.current.sync.retry_failed_after).toBe("12h");
    await inOrder();

    // Pause.
    await go(page, "Dashboard");
    await page.locator("[data-action=pause]").click();
    await page.locator("[data-action=resume]").waitFor();

    // The log follows.
    await go(page, "Logs");
    await page.waitForURL("**/logs");
    await watched.ready();
    app.app.log.info("journey", "A line that was just written");
    await page.locator("[role=log]", { hasText: "A line that was just written" }).waitFor();
    await inOrder();

    // A new password signs the other browser out.
    await using other = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    await other.page.goto("/login");
    await signIn(other.page, PASSWORD);
    await other.page.waitForURL("**/");
    await other.ready();
    await go(page, "Settings");
    await page.waitForURL("**/settings");
    await watched.ready();
    await page.getByRole("button", { name: "Change password" }).first().click();
    const dialog = page.locator("dialog[data-modal=password]");
    await dialog.locator("[name=current_password]").fill(PASSWORD);
    await dialog.locator("[name=new_password]").fill(NEW_PASSWORD);
    await dialog.locator("[name=confirm_password]").fill(NEW_PASSWORD);
    await dialog.getByRole("button", { name: "Change password" }).click();
    await page.locator(".toast", { hasText: "Password changed" }).waitFor();
    await other.page.waitForURL(/\/login\?next=/);

    // This one goes on, until its session ends too.
    await go(page, "Viewer");
    await page.waitForURL("**/viewer**");
    await watched.ready();
    await inOrder();
    await go(page, "Logs");
    await page.waitForURL("**/logs");
    await watched.ready();
    // The page notices by itself, without a press.
    await page.context().clearCookies();
    await page.waitForURL(/\/login\?next=/);
    await signIn(page, NEW_PASSWORD);
    await page.waitForURL("**/logs");
  });
});
