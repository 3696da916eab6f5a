import { expect, setDefaultTimeout, test } from "bun:test";
import { startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage, WIDTHS } from "../support/browser/browser.ts";
import { noteShifts } from "../support/browser/late_parts.ts";
import { loaded } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(90_000);

const FIRST = "20261120_080000_N";

describeInBrowser("the first clip that comes home", (browser) => {
  for (const width of WIDTHS)
    test(`takes the place of the empty viewer without moving anything at ${width} px`, async () => {
      await using app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
      await using watched = await WatchedPage.open(browser(), { url: app.url, width });
      const { page } = watched;
      await page.addInitScript(noteShifts);
      await page.clock.install();
      await watched.open("/viewer");
      await page.getByText("The schedule is paused.").waitFor();
      await putFootage(app.destination, [`${FIRST}F.mp4`, `${FIRST}R.mp4`]);
      await app.app.library.refresh();
      await page.clock.runFor(31_000);
      await page.locator(`.trip[data-key="${FIRST}"][aria-current]`).waitFor({ state: "attached" });
      await loaded(page);
      await page.locator(".tl-axis text").first().waitFor({ state: "attached" });
      const { shifted, shifts } = await page.evaluate(() => {
        const seen = window as unknown as { shifted: number; shifts: string[] };
        return { shifted: seen.shifted, shifts: seen.shifts };
      });
      expect(shifted < 0.02 ? [] : shifts).toEqual([]);
      expect(await watched.problems()).toEqual([]);
    });
});
