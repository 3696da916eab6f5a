import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { configFiles } from "../../server/dashcam/simulator/simulated_config.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

const tab = (page: Page, name: string) => page.locator(`#tab-${name}`);
const pane = (page: Page, name: string) => page.locator(`[data-pane=camera-${name}]`);
const visiblePanes = (page: Page) =>
  page.locator("[data-pane]:visible").evaluateAll((panes) => panes.map(({ id }) => id.replace("camera-", "")));
const secret = (page: Page, key: string) => {
  const row = page.locator(".camset > div", { has: page.locator(`[data-secret='${key}']`) });
  return { row, text: row.locator("[data-secret] > .mono"), eye: row.locator("[data-reveal]") };
};

/** Waits until the camera's present answer stands on the page. */
async function live(page: Page): Promise<void> {
  await page.locator("#panes[data-awake]").waitFor();
  await page.locator("#panes").getByText("From the camera").waitFor();
}

async function readOnce({ client, simulator }: RunningApp, settings = configFiles()): Promise<void> {
  simulator.settings = settings;
  await client.fetch("/api/camera/config");
}

describeInBrowser("On the camera", (browser) => {
  test("opens by tabs and keys, and shows a password for half a minute", async () => {
    await using running = await startApp();
    await readOnce(running);
    const changed = { "Tab3.VOLUME": "4", "Cloud.sta2_pw": "0".repeat(64) };
    await readOnce(running, configFiles(changed));
    await using watched = await WatchedPage.open(browser(), { url: running.url });
    const { page } = watched;
    await watched.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.clock.install();
    await watched.open("/settings/camera");
    await live(page);
    expect(await visiblePanes(page)).toEqual(["basic"]);
    const raw = pane(page, "basic").getByText("Tab1.TimeZone = 1000");
    expect(await raw.isVisible()).toBe(false);
    await page.getByRole("switch", { name: "Show the camera’s own keys" }).press("Space");
    expect(await raw.isVisible()).toBe(true);
    await tab(page, "basic").focus();
    for (const [key, name] of [
      ["ArrowRight", "sensitivity"],
      ["Home", "basic"],
      ["ArrowLeft", "cloud"],
      ["ArrowRight", "basic"],
      ["End", "cloud"],
      ["ArrowLeft", "wifi"],
      ["ArrowLeft", "system"],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator(`#tab-${name}:focus[aria-selected=true]`).waitFor();
      expect([key, await visiblePanes(page)]).toEqual([key, [name]]);
    }
    expect(await page.locator("[role=tab]:not([tabindex])").count()).toBe(1);
    await pane(page, "system").getByText("Not fitted").click();
    expect(await orderProblems(watched)).toEqual([]);

    await tab(page, "cloud").click();
    const home = secret(page, "Cloud.sta_pw");
    expect(await home.text.textContent()).toBe("••••••••");
    await home.eye.click();
    await home.row.getByText("DemoHome-123").waitFor();
    expect(await home.eye.getAttribute("aria-label")).toBe("Hide Home network 1 password");
    await home.row.getByText("hides in 30").waitFor();
    await home.row.locator("[data-copy]").click();
    await page.locator(".toast", { hasText: "Copied." }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("DemoHome-123");
    await page.clock.runFor(15_000);
    expect(await home.text.textContent()).toBe("DemoHome-123");
    await page.clock.runFor(15_000);
    await home.row.getByText("••••••••").waitFor();
    expect(await home.row.locator("[data-copy]").isHidden()).toBe(true);
    expect(await home.row.textContent()).not.toContain("hides");

    // Another one masks it, and so does leaving its tab or the page.
    await home.eye.click();
    await home.row.getByText("DemoHome-123").waitFor();
    const garage = secret(page, "Cloud.sta3_pw");
    await garage.eye.click();
    await garage.row.getByText("DemoPhone-33").waitFor();
    expect(await home.text.textContent()).toBe("••••••••");
    await tab(page, "wifi").click();
    expect(await garage.text.textContent()).toBe("••••••••");
    const hotspot = secret(page, "Wifi.ap_pw");
    await hotspot.eye.click();
    await hotspot.row.getByText("demo-cam").waitFor();
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    expect(await hotspot.text.textContent()).toBe("••••••••");
    expect(await page.content()).not.toContain("demo-cam");
    expect(await watched.problems()).toEqual([]);

    // Last: the browser writes refusals to its console.
    await tab(page, "cloud").click();
    await secret(page, "Cloud.sta2_pw").eye.click();
    await page.locator(".toast", { hasText: "in a form that is not known" }).waitFor();
    expect(await page.content()).not.toContain("DemoHome-123");
  });

  test("keeps what changed until it was seen, whichever tab reads, and shows its age while the camera is away", async () => {
    await using running = await startApp();
    await using first = await WatchedPage.open(browser(), { url: running.url, width: 390, theme: "light" });
    // Before anything was read, the page asks only when it is told to.
    await first.open("/settings/camera");
    await first.page.locator("#panes[data-awake]").waitFor();
    expect(running.simulator.requests).toEqual([]);
    await first.page.getByText("Read now").click();
    await live(first.page);
    expect(await first.problems()).toEqual([]);
    await readOnce(running, configFiles({ "Wifi.WifiSleepMode": "0" }));
    await using second = await WatchedPage.open(browser(), { url: running.url });
    const note = (page: Page) => page.locator("#panes .note.is-attention");
    for (const [{ page }, name] of [
      [first, "basic"],
      [second, "wifi"],
    ] as const) {
      await page.goto("about:blank");
      await page.goto(`${running.url}/settings/camera#camera-${name}`);
      await live(page);
      await note(page).getByText("Wi-Fi auto turn off: On → Off").waitFor();
      expect(await visiblePanes(page)).toEqual([name]);
    }
    await tab(first.page, "wifi").click();
    running.simulator.settings = configFiles({ "Wifi.WifiSleepMode": "0", "Tab3.VOLUME": "4" });
    await second.page.getByText("Read again").click();
    await note(second.page).getByText("Volume: 5 → 4").waitFor();
    await second.page.locator(".toast", { hasText: "The camera has answered just now." }).waitFor();
    // The first tab knows of one change, and only that one is seen then.
    await note(first.page).getByText("Seen").click();
    await note(first.page).waitFor({ state: "detached" });
    await first.page.locator("#tab-wifi:focus").waitFor();
    await first.page.getByText("Read again").click();
    await note(first.page).getByText("1 setting changed").waitFor();
    expect(await note(first.page).textContent()).not.toContain("Wi-Fi auto turn off");
    await note(second.page).getByText("Seen").click();
    await note(second.page).waitFor({ state: "detached" });
    expect(await visiblePanes(second.page)).toEqual(["wifi"]);

    await running.simulator.goAway();
    await first.page.getByText("Read again").click();
    await first.page.locator(".toast", { hasText: "The camera does not answer." }).waitFor();
    await first.page.locator("#panes .note.is-waiting", { hasText: "These are the settings of" }).waitFor();
    await note(first.page).waitFor({ state: "detached" });
    await secret(first.page, "Wifi.ap_pw").eye.click();
    await secret(first.page, "Wifi.ap_pw").row.getByText("demo-cam").waitFor();
    expect(await orderProblems(first)).toEqual([]);
  });

  test("is found under its address of before", async () => {
    await using running = await startApp();
    await readOnce(running);
    await using watched = await WatchedPage.open(browser(), { url: running.url });
    await watched.page.goto(`${running.url}/settings#camera-wifi`);
    await watched.page.waitForURL("**/settings/camera#camera-wifi");
    await live(watched.page);
    expect(await visiblePanes(watched.page)).toEqual(["wifi"]);
  });

  test("stays within a phone's width, however long a value is that changed", async () => {
    await using running = await startApp();
    await readOnce(running, configFiles({ "Cloud.sta_ssid": "A".repeat(300) }));
    await readOnce(running, configFiles({ "Cloud.sta_ssid": "B".repeat(300) }));
    await using watched = await WatchedPage.open(browser(), { url: running.url });
    const { page } = watched;
    await page.setViewportSize({ width: 390, height: 800 });
    await watched.open("/settings/camera#camera-cloud");
    await live(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    const label = page.locator(".camset dt", { hasText: "Home network 1 name" });
    expect((await label.boundingBox())?.width).toBeGreaterThan(100);
  });

  test("can be read without script", async () => {
    await using running = await startApp();
    await readOnce(running);
    await using watched = await WatchedPage.open(browser(), {
      url: running.url,
      context: await browser().newContext({ baseURL: running.url, javaScriptEnabled: false }),
    });
    await watched.page.goto("/settings/camera");
    expect(await watched.page.locator("[data-pane] > h3:visible").allTextContents()).toEqual(
      ["Basic", "Sensitivity", "System", "Wi-Fi", "Cloud"].map((label) => `Camera › ${label}`),
    );
    expect(await watched.page.locator("#panes :is(button, [role=tablist]):visible").count()).toBe(0);
  });
});
