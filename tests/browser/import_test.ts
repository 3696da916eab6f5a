import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { EVENT, FRONT, ImportBench, REAR, videoOf } from "../support/app/import.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { wakeAll } from "../support/browser/settings_page.ts";
import { orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

describeInBrowser("an import from a card", (browser) => {
  let bench: ImportBench;
  let app: RunningApp;
  beforeEach(async () => {
    bench = new ImportBench();
    app = await startApp({
      destination: bench.home,
      settings: {
        retention: { keep: "", max_used_disk_percent: 98 },
        schedule: { paused: true },
        system: { import_folder: bench.card },
      },
    });
  });
  afterEach(async () => {
    await app[Symbol.asyncDispose]();
    bench[Symbol.dispose]();
  });

  test("begins with a folder that is chosen, and tells what came and what was left", async () => {
    bench.put(FRONT);
    bench.put(REAR, videoOf(100, 1));
    bench.atHome(REAR, videoOf(100, 2));
    bench.put("notes.txt", "x");
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/settings#system");
    await page.locator("[data-action=import]").click();
    const dialog = page.locator("dialog[data-modal=folders]");
    await dialog.getByText("BlackVue").waitFor();
    // Nothing leads out of the folder for cards.
    expect(await dialog.getByRole("button", { name: "Up to the folder above" }).count()).toBe(0);
    await dialog.getByRole("button", { name: "Open BlackVue" }).click();
    await dialog.getByRole("radio", { name: "Record" }).check();
    expect(await accessibilityProblems(page, "dialog[data-modal=folders]")).toEqual([]);
    // Drawn at the end of the page, outside of all that the style sheet of the settings reaches else.
    const looks = await dialog
      .locator("li label")
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).display));
    expect([looks.length > 0, ...new Set(looks)]).toEqual([true, "grid"]);
    await dialog.getByRole("button", { name: "Import this folder" }).click();
    const panel = page.locator("[data-import=completed]");
    await panel.waitFor();
    expect(await panel.getByRole("status").textContent()).toBe("1\u00a0recording imported");
    expect(await panel.locator("dd").allTextContents()).toEqual(["1", "0", "2"]);
    // Problems that can be mended stand first.
    expect(await panel.locator(".rows b").allTextContents()).toEqual([
      "Another file of this name is at home. Both stay as they are.",
      "Not a recording of a camera.",
    ]);
    expect(await panel.locator("code").textContent()).toBe("BlackVue/Record");
    expect(await accessibilityProblems(page)).toEqual([]);
    // It is drawn without a script, too.
    const drawn = await (await app.client.fetch("/settings")).text();
    expect(drawn).toContain("recording imported");
    expect(drawn).toContain("Both stay as they are.");
    expect(await watched.problems()).toEqual([]);
  });

  test("shows how far it is, also on a page that is opened meanwhile, and stops", async () => {
    bench.put(EVENT);
    await app.client.open("/");
    // It waits for a sync, for as long as that is to take.
    app.simulator.fault({ name: "never-answers", match: /vod/ });
    app.app.job.start("manual");
    await app.client.send("POST", "/api/import", { path: "" });
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/settings#system");
    const panel = page.locator("[data-import=running]");
    await panel.getByText("Waiting for the sync to end").waitFor();
    expect(await panel.locator("progress").getAttribute("value")).toBeNull();
    expect(await page.locator("[data-action=import]").isDisabled()).toBe(true);
    await page.locator("[data-action=stop-import]").click();
    await page.getByText("Stopped after 0").waitFor();
    expect(await page.locator("[data-action=import]").isDisabled()).toBe(false);

    // Nothing is touched: one that runs is looked at by itself.
    await app.client.send("POST", "/api/import", { path: "" });
    await page.reload();
    await page.locator("[data-import=running]").waitFor();
    app.app.job.stop();
    await page.getByText("1\u00a0recording imported").waitFor();
    expect(await watched.problems()).toEqual([]);
  });

  test("says a refusal where it was asked", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/settings#system");
    await page.locator("[data-action=import]").click();
    const dialog = page.locator("dialog[data-modal=folders]");
    await dialog.getByText("BlackVue").waitFor();
    await app.client.open("/");
    await app.client.send("PATCH", "/api/settings/system", { import_folder: null });
    await dialog.getByRole("button", { name: "Import this folder" }).click();
    await page.getByText("No folder to import from is set.").waitFor();
    expect(await watched.problems()).toEqual([expect.stringContaining("409")]);
  });

  test("is offered once a folder for cards is set", async () => {
    await app.client.open("/");
    await app.client.send("PATCH", "/api/settings/system", { import_folder: null });
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/settings#system");
    expect(await page.locator("[data-action=import]").count()).toBe(0);
    await page.locator("[name=import_folder]").fill(bench.card);
    await page.locator(".savebar").getByRole("button", { name: "Save" }).click();
    await page.locator("[data-action=import]").waitFor();
    expect(await watched.problems()).toEqual([]);
  });

  test("belongs to the camera that is chosen, where there are several", async () => {
    bench.put(FRONT);
    await app.client.open("/");
    const added = await app.client.send("POST", "/api/cameras", { name: "Van", address: "192.0.2.9" });
    const { destination } = (await added.json()) as { destination: string };
    await app.client.send("PATCH", "/api/cameras/van/settings/retention", { keep: "" });
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/settings#system");
    await page.getByLabel("Belongs to").selectOption("Van");
    await page.locator("[data-action=import]").click();
    const dialog = page.locator("dialog[data-modal=folders]");
    await dialog.getByText("BlackVue").waitFor();
    await dialog.getByRole("button", { name: "Import this folder" }).click();
    await page.locator("[data-import=completed]").getByText("1\u00a0recording imported").waitFor();
    expect(existsSync(join(destination, FRONT))).toBe(true);
    expect(existsSync(join(bench.home, FRONT))).toBe(false);
    // The first camera has imported nothing.
    await page.getByLabel("Belongs to").selectOption("Camera");
    await page.locator("[data-import]").waitFor({ state: "detached" });
    expect(await watched.problems()).toEqual([]);
  });

  test("is in order at every width", async () => {
    bench.put(FRONT);
    for (let at = 0; at < 30; at++) writeFileSync(join(bench.card, `a-picture-with-a-long-name-${at}.jpg`), "x");
    await app.client.open("/");
    await app.client.send("POST", "/api/import", { path: "" });
    await (await app.app.imports()).ended();
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    await watched.open("/settings");
    await wakeAll(watched.page);
    expect(await watched.problems()).toEqual([]);
    // The page does not move by itself from here on.
    await watched.page.keyboard.press("Shift");
    expect(await orderProblems(watched)).toEqual([]);
  });
});
