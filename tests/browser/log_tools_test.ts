import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import type { RunningApp } from "../support/app/app.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { button, lines, message, openWithLog } from "../support/browser/log_page.ts";

setDefaultTimeout(60_000);

describeInBrowser("the tools of the logs page", (browser) => {
  const look = (app: RunningApp, path = "/logs") =>
    WatchedPage.open(browser(), { url: app.url }).then(async (watched) => {
      await watched.open(path);
      return watched;
    });

  test("changes what the service writes, and says so in place", async () => {
    await using app = await openWithLog();
    await using watched = await look(app);
    const { page } = watched;
    const choice = page.getByLabel("Detail recorded");
    await choice.selectOption("debug");
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(app.app.settings.current.logging).toMatchObject({ quiet: false, verbose: 2 });
    app.app.log.debug("test", "every step");
    await message(page, "every step").waitFor();
    await choice.selectOption("quiet");
    await page.waitForFunction(() => document.querySelector("#log-capture")?.getAttribute("aria-busy") === "false");
    expect(app.app.settings.current.logging.quiet).toBe(true);
    expect(await watched.problems()).toEqual([]);
  });

  test("says why what the service writes could not be changed, and goes back to what is so", async () => {
    await using app = await openWithLog();
    await using watched = await look(app);
    const { page } = watched;
    await page.route("**/api/settings/logging", (route) => route.abort());
    await page.getByLabel("Detail recorded").selectOption("debug");
    await page.getByText("Dashdock does not answer.").waitFor();
    expect(await page.getByLabel("Detail recorded").inputValue()).toBe("normal");
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test("copies the lines shown, with and without the browser's clipboard for scripts", async () => {
    await using app = await openWithLog();
    for (const hasClipboard of [true, false]) {
      await using watched = await WatchedPage.open(browser(), { url: app.url });
      const { page } = watched;
      await watched.context.grantPermissions(["clipboard-read", "clipboard-write"]);
      if (!hasClipboard)
        await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
      await watched.open("/logs?level=warning");
      await button(page, "Copy").click();
      await page.getByText("2\u00a0lines copied").waitFor();
      await page.getByRole("searchbox", { name: "Find" }).focus();
      await page.keyboard.press("Control+V");
      expect(await page.getByRole("searchbox", { name: "Find" }).inputValue()).toMatch(
        /^[-0-9]{10} [0-9:.]{12} AE[SD]T WARNING download: 20261120_081403_NF.mp4: .* ERROR +sync: disk use/,
      );
      expect(await watched.problems()).toEqual([]);
    }
  });

  test("saves the lines shown, and the log file", async () => {
    await using app = await openWithLog();
    await using watched = await look(app, "/logs?level=error");
    const { page } = watched;
    const [shown] = await Promise.all([page.waitForEvent("download"), button(page, "Download").click()]);
    expect(shown.suggestedFilename()).toMatch(/^dashdock-log-[-0-9]{10}-[0-9]{4}\.txt$/);
    const text = await readFile(await shown.path(), "utf8");
    expect(text.trimEnd().split("\n")).toHaveLength(1);
    expect(text).toContain("ERROR   sync: disk use is 90.0 %");
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByTitle("Download the log file").click()]);
    expect(file.suggestedFilename()).toBe("dashdock.log");
    expect(await readFile(await file.path(), "utf8")).toContain("message 60 of a quiet day");
    expect(page.url()).toEndWith("/logs?level=error");
  });

  test("clears the view, and brings the lines back", async () => {
    await using app = await openWithLog();
    await using watched = await look(app);
    const { page } = watched;
    await button(page, "Clear").click();
    await page.getByText("The view is cleared").waitFor();
    app.app.log.info("test", "after it");
    await message(page, "after it").waitFor();
    expect(await lines(page).count()).toBe(1);
    await button(page, "Clear").click();
    await button(page, "Show the lines again").click();
    await message(page, "after it").waitFor();
    expect(await lines(page).count()).toBeGreaterThan(60);
    expect(await watched.problems()).toEqual([]);
  });
});
