import { expect, setDefaultTimeout, test } from "bun:test";
import { startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";

setDefaultTimeout(60_000);

const KB = 1024;

describeInBrowser("the scripts of the settings", (browser) => {
  for (const [path, kilobytes] of [
    ["/settings", 26],
    ["/settings/camera", 25],
    ["/?start", 25],
  ] as const)
    test(`of ${path} are at most ${kilobytes} KB as the browser loads them, and more comes with what is used`, async () => {
      await using app = await startApp(path === "/?start" ? { settings: { connection: { address: "" } } } : {});
      await using watched = await WatchedPage.open(browser(), { url: app.url });
      const { page } = watched;
      const loaded = new Set<string>();
      page.on("response", (answer) => {
        if (/\.js$/.test(answer.url())) loaded.add(answer.url());
      });
      await watched.open(path);
      await page.waitForLoadState("networkidle");
      const weights = await Promise.all(
        [...loaded].map(async (url) => {
          const answer = await fetch(url, { headers: { "accept-encoding": "gzip" }, decompress: false });
          return (await answer.bytes()).length;
        }),
      );
      expect(weights.length).toBeGreaterThan(2);
      expect(weights.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(kilobytes * KB);
      if (path !== "/settings") return;
      const before = loaded.size;
      const select = page.getByLabel("Look for the camera", { exact: true });
      await select.selectOption("Every 5 minutes");
      await page.locator(".savebar").waitFor();
      expect(loaded.size).toBeGreaterThan(before);
      // Parts that are not used stay away.
      expect(await page.locator("#retention[data-awake]").count()).toBe(0);
    });

  test("lose no press that comes before they do", async () => {
    await using app = await startApp();
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    const pressed = Promise.withResolvers<void>();
    await page.route("**/assets/kinds-*.js", async (route) => {
      await pressed.promise;
      await route.continue();
    });
    await watched.open("/settings");
    await page.getByRole("group", { name: "Kinds", exact: true }).getByRole("button", { name: "Parking" }).click();
    pressed.resolve();
    await page.locator(".savebar").waitFor();
    await page.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>("[data-section=sync] [name=exclude]")?.value === "P",
    );
    expect(await watched.problems()).toEqual([]);
  });

  test("save with Enter what was typed before the bar had come", async () => {
    await using app = await startApp({ settings: { schedule: { cron_expression: "*/15 * * * *" } } });
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    const pressed = Promise.withResolvers<void>();
    await page.route("**/assets/saving-*.js", async (route) => {
      await pressed.promise;
      await route.continue();
    });
    await watched.open("/settings");
    await page.getByLabel("Look for the camera", { exact: true }).selectOption("Own rule…");
    await page.locator("#schedule-cron_expression:focus").waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("5 4 * * *");
    await page.keyboard.press("Enter");
    pressed.resolve();
    await page.locator(".toast").waitFor();
    expect(app.app.settings.current.schedule.cron_expression).toBe("5 4 * * *");
  });
});
