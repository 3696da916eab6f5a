import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { atEveryWidth, describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(60_000);

const KEYS = ["20260607_101500_N", "20260607_101600_E"] as const;
const PASSWORD = "correct horse battery staple";

describeInBrowser("what can be saved", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ mode: "login", password: PASSWORD, settings: { retention: { keep: "" } } });
    await putFootage(
      app.destination,
      KEYS.flatMap((key) => [`${key}F.mp4`, `${key}R.mp4`]),
    );
    const fix = "[1000]$GNRMC,081500.00,A,3348.10000,S,15101.10000,E,9.0,,070626,,,A*00\r\n";
    writeFileSync(join(app.destination, `${KEYS[0]}.gps`), fix);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("is a panel of links that the key S opens, which saves, fits everywhere, and leads to sign-in when that is over", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/login?next=${encodeURIComponent(`/viewer?key=${KEYS[0]}`)}`);
    await page.locator("input[name=username]").fill("admin");
    await page.locator("input[name=password]").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/viewer?key=*");
    await watched.ready();
    const panel = page.locator("#save");
    await page.getByRole("button", { name: "Save this" }).click();
    await panel.waitFor();
    const tripZip = panel.getByRole("link", { name: "This trip: all files as a ZIP archive" });
    await tripZip.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    await page.keyboard.press("s");
    await panel.waitFor();
    for (const [link, name] of [
      [panel.getByRole("link", { name: "Rear", exact: true }), `${KEYS[0]}R.mp4`],
      [panel.getByRole("link", { name: "This clip: all files as a ZIP archive" }), "2026-06-07_101500_clip.zip"],
      [tripZip, /^2026-06-07_1015-101[67]_trip\.zip$/],
      [panel.getByRole("link", { name: "This trip: the track as GPX" }), /^2026-06-07_1015-101[67]_trip\.gpx$/],
      [panel.getByRole("link", { name: /^This clip: places, speeds/ }), "2026-06-07_101500_clip.csv"],
    ] as const) {
      const [file] = await Promise.all([page.waitForEvent("download"), link.click()]);
      expect(file.suggestedFilename()).toMatch(name);
      expect(await file.failure()).toBeNull();
    }
    const outside = await atEveryWidth(page, async (width) => {
      const box = await panel.boundingBox();
      const isInside = box !== null && box.x >= 0 && box.x + box.width <= width && box.y >= 0;
      return isInside ? [] : [[width, box]];
    });
    expect(outside).toEqual([]);
    // Other tests ask if the page stays still while it comes.
    expect((await watched.problems()).filter((problem) => !problem.startsWith("the page jumped"))).toEqual([]);

    await watched.context.clearCookies();
    await tripZip.click();
    await page.waitForURL("**/login?*");
  });
});
