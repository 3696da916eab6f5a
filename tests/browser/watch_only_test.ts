import { expect, setDefaultTimeout, test } from "bun:test";
import { startApp } from "../support/app/app.ts";
import { Client } from "../support/app/client.ts";
import { cheapHash } from "../support/app/http.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(60_000);

const PASSWORD = "correct horse battery";
const KEY = "20260607_101500_N";
/** Words of buttons that change something, wherever they stand. */
const CHANGES =
  /^(sync now|stop|pause|resume|keep|delete|dismiss|ok|undo|restore|revoke|answer|give|wait|try|retry|add a note|edit|select|streets|others)/i;

describeInBrowser("a page of somebody who may only watch", (browser) => {
  test("keeps every button away that would change something, at each width, and its keys do nothing", async () => {
    await using app = await startApp({ mode: "login", password: PASSWORD });
    const viewer_password_hash = await cheapHash(PASSWORD);
    await app.app.settings.update((latest) => ({
      ...latest,
      auth: { ...latest.auth, viewer_username: "guest", viewer_password_hash },
    }));
    await putFootage(app.destination, [`${KEY}F.mp4`, `${KEY}R.mp4`], []);
    await app.app.library.refreshIfOlder(0);
    const client = new Client(app.url);
    await client.signIn("guest", PASSWORD);
    const session = client.cookie("dashdock_session") ?? "";
    for (const [width, path] of [
      [1440, "/viewer"],
      [768, "/"],
      [390, "/viewer"],
    ] as const) {
      await using watched = await WatchedPage.open(browser(), { url: app.url, width, session });
      const { page } = watched;
      const refused: string[] = [];
      page.on("response", (answer) => {
        if (answer.status() === 403) refused.push(answer.url());
      });
      await watched.open(path);
      const buttons = await page
        .getByRole("button")
        .evaluateAll((all) => all.map((one) => (one.getAttribute("aria-label") ?? one.textContent ?? "").trim()));
      expect([path, buttons.filter((name) => CHANGES.test(name))]).toEqual([path, []]);
      expect(await page.getByRole("link", { name: /^(Settings|Logs)$/ }).count()).toBe(0);
      if (width === 1440) {
        for (const key of ["b", "t", "Delete"]) await page.keyboard.press(key);
        expect(await page.locator("dialog[open], .vw-note, .toast").count()).toBe(0);
      } else expect([path, width, await accessibilityProblems(page)]).toEqual([path, width, []]);
      expect([path, refused, await watched.problems()]).toEqual([path, [], []]);
    }
  });
});
