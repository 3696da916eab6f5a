import { expect, setDefaultTimeout, test } from "bun:test";
import { startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { wakeAll } from "../support/browser/settings_page.ts";

setDefaultTimeout(60_000);

const PAGES = ["/settings", "/settings/camera", "/help", "/?start"] as const;
const wider = () => document.documentElement.scrollWidth - innerWidth;
/** Elements that a finger would miss, but for links within sentences. */
const small = () =>
  [...document.querySelectorAll<HTMLElement>("main :is(a, button, select, [type=text], [type=number], label.check)")]
    .filter((one) => one.offsetParent !== null && getComputedStyle(one).display !== "inline")
    .filter((one) => one.getBoundingClientRect().height < 43.5)
    .map((one) => `${one.localName} ${one.id || one.textContent?.trim()} ${one.getBoundingClientRect().height}`);

describeInBrowser("the settings and their pages", (browser) => {
  for (const path of PAGES)
    test(`${path} needs no scrolling sideways, whatever the screen and the size of the text`, async () => {
      await using app = await startApp(path === "/?start" ? { settings: { connection: { address: "" } } } : {});
      await using phone = await WatchedPage.open(browser(), { url: app.url, width: 390 });
      await phone.open(path);
      if (path === "/settings") await wakeAll(phone.page);
      expect(await phone.page.evaluate(wider)).toBe(0);
      if (path !== "/help") expect(await phone.page.evaluate(small)).toEqual([]);
      await phone.page.evaluate(() => {
        document.documentElement.style.fontSize = "200%";
      });
      expect(await phone.page.evaluate(wider)).toBe(0);
      await phone.page.setViewportSize({ width: 2200, height: 1200 });
      await phone.page.evaluate(() => {
        document.documentElement.style.fontSize = "";
      });
      expect(await phone.page.evaluate(wider)).toBe(0);
    });
});
