import { expect, setDefaultTimeout, test } from "bun:test";
import { startApp } from "../support/app.ts";
import { accessibilityProblems } from "../support/axe.ts";
import { describeInBrowser, WatchedPage, WIDTHS } from "../support/browser.ts";

setDefaultTimeout(60_000);

describeInBrowser("the dashboard", (browser) => {
  for (const width of WIDTHS)
    for (const theme of ["light", "dark"] as const)
      test(`is in order at ${width} px, ${theme}`, async () => {
        await using app = await startApp({ settings: { retention: { keep: "" } } });
        await using watched = await WatchedPage.open(browser(), { url: app.url, width, theme });
        await watched.open("/");
        expect(await watched.page.locator("h1").textContent()).toBe("Dashboard");
        expect(await accessibilityProblems(watched.page)).toEqual([]);
        expect(await watched.problems()).toEqual([]);
      });
});
