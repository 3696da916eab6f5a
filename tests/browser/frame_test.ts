import { expect, setDefaultTimeout, test } from "bun:test";
import type { Locator } from "playwright-core";
import { startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";

setDefaultTimeout(60_000);

const PLACES = ["/", "/viewer", "/stats", "/logs", "/settings", "/trash"] as const;

async function box(thing: Locator): Promise<{ left: number; right: number; top: number; bottom: number }> {
  return await thing.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return { left, right, top, bottom };
  });
}

/** Everything below the other one, or beside it. */
async function areApart(one: Locator, other: Locator): Promise<boolean> {
  const first = await box(one);
  const second = await box(other);
  return (
    first.bottom <= second.top || second.bottom <= first.top || first.right <= second.left || second.right <= first.left
  );
}

async function synced() {
  const app = await startApp({ settings: { retention: { keep: "" } } });
  app.app.job.start("manual");
  await app.synced();
  return app;
}

describeInBrowser("the frame of the pages", (browser) => {
  test("no page scrolls sideways on the narrowest phone with text of twice the size", async () => {
    await using app = await synced();
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    await watched.page.setViewportSize({ width: 320, height: 700 });
    for (const path of PLACES) {
      await watched.open(path);
      const width = await watched.page.evaluate(() => {
        document.documentElement.style.fontSize = "200%";
        return document.documentElement.scrollWidth;
      });
      expect([path, width]).toEqual([path, 320]);
    }
  });

  test("on a tablet one row holds the places and the buttons, and the sentence has a row for itself", async () => {
    await using app = await synced();
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 768 });
    const { page } = watched;
    for (const path of PLACES) {
      await watched.open(path);
      const nav = await box(page.locator(".nav"));
      const buttons = await box(page.locator(".bar-end"));
      expect(buttons.bottom).toBeLessThanOrEqual(nav.bottom + 1);
      expect(await areApart(page.locator(".nav ul"), page.locator(".bar-end"))).toBe(true);
      const sentence = page.locator(".bar-state");
      if (path === "/") expect(await sentence.count()).toBe(0);
      else expect((await box(sentence)).right).toBeGreaterThan(700);
      // Still there for who listens.
      expect(await page.getByRole("heading", { level: 1 }).first().innerText()).not.toBe("");
      await page.getByRole("button", { name: /^Account/ }).click();
      expect((await box(page.locator("#account"))).top).toBeGreaterThanOrEqual(nav.bottom);
    }
  });

  test("the list of keys begins with its title, and its cross stands at the other end", async () => {
    await using app = await startApp();
    for (const width of [1440, 390] as const) {
      await using watched = await WatchedPage.open(browser(), { url: app.url, width });
      await watched.open("/");
      await watched.page.keyboard.press("?");
      const dialog = watched.page.locator("dialog[open]");
      const sheet = await box(dialog);
      const title = await box(dialog.locator("h2"));
      const cross = await box(dialog.getByRole("button", { name: "Close" }));
      const first = await box(dialog.locator("dl"));
      expect(title.left - sheet.left).toBeLessThan(32);
      expect(sheet.right - cross.right).toBeLessThan(32);
      expect(first.top).toBeGreaterThanOrEqual(title.bottom);
    }
  });

  test("in the password dialog the eyes stand in their fields, and what is wrong is not told in grey", async () => {
    await using app = await startApp({ password: "correct-horse-battery", mode: "login" });
    await app.client.signIn("admin", "correct-horse-battery");
    const session = app.client.cookie("dashdock_session");
    await using watched = await WatchedPage.open(browser(), { url: app.url, session });
    const { page } = watched;
    await watched.open("/settings");
    await page.locator("[data-action=change-password]").click();
    const dialog = page.locator("dialog[open]");
    const fields = dialog.locator(".in-wrap");
    await fields.first().waitFor();
    expect(await fields.count()).toBe(3);
    for (const field of await fields.all()) {
      const input = await box(field.locator("input"));
      const eye = await box(field.getByRole("button"));
      expect(eye.left).toBeGreaterThan(input.left);
      expect([eye.right <= input.right, eye.top >= input.top, eye.bottom <= input.bottom]).toEqual([true, true, true]);
    }
    await page.fill("#current_password", "not this one");
    await page.fill("#new_password", "short");
    await page.keyboard.press("Enter");
    const color = (thing: Locator) => thing.evaluate((element) => getComputedStyle(element).color);
    expect(await color(dialog.locator("p.error").first())).not.toBe(await color(dialog.locator("p.says").first()));
  });

  test("what is said without script stands apart from the cards", async () => {
    await using app = await startApp();
    const context = await browser().newContext({ baseURL: app.url, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto("/");
    const note = await box(page.locator(".note").first());
    const card = await box(page.locator("#last-run-card"));
    expect(card.top - note.bottom).toBeGreaterThanOrEqual(16);
    await context.close();
  });

  test("what is said in passing does not cover the buttons of the player", async () => {
    await using app = await synced();
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    await watched.open("/viewer");
    const { page } = watched;
    await page.locator(".vw-head").getByRole("button", { name: "Delete this clip" }).click();
    await page.waitForSelector(".toast");
    expect(await areApart(page.locator(".toast"), page.locator(".transport"))).toBe(true);
  });
});
