import { expect, setDefaultTimeout, test } from "bun:test";
import { CHAPTER_NAMES } from "../../server/domain/guide/chapters.ts";
import { startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";

setDefaultTimeout(120_000);

const wider = () => document.documentElement.scrollWidth - innerWidth;
/** Distance of the named element from the top of the window. */
const topOf = (id: string) => document.getElementById(id)?.getBoundingClientRect().top ?? -1;

describeInBrowser("the guide", (browser) => {
  test("fits on a phone, every chapter of it", async () => {
    await using app = await startApp();
    await using phone = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    for (const name of CHAPTER_NAMES) {
      await phone.open(`/help/${name}`);
      expect([name, await phone.page.evaluate(wider)]).toEqual([name, 0]);
    }
    expect(await phone.problems()).toEqual([]);
  });

  test("is searched with the Enter key, and a hit leads to its paragraph", async () => {
    await using app = await startApp();
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/");
    await page.getByRole("link", { name: "Help", exact: true }).first().click();
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await page.getByRole("searchbox", { name: "Search the guide" }).fill("forgot password");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: /^The password is forgotten/ }).click();
    await page.waitForURL("**/help/sign-in#the-password-is-forgotten");
    await page.waitForFunction((id) => document.getElementById(id)?.matches(":target"), "the-password-is-forgotten");
    const top = await page.evaluate(topOf, "the-password-is-forgotten");
    expect(top).toBeGreaterThan(0);
    expect(top).toBeLessThan(900);
  });

  test("is a press away from a setting, and leads back to it", async () => {
    await using app = await startApp();
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/settings");
    await page.getByRole("link", { name: "Help: Look for the camera" }).click();
    await page.waitForURL("**/help/settings?from=schedule.cron_expression#schedule-cron_expression");
    await page.getByRole("link", { name: "Settings, Look for the camera" }).click();
    await page.waitForURL("**/settings#schedule-cron_expression");
    expect(await page.locator("#schedule-cron_expression").count()).toBe(1);
  });

  test("copies the lines of a command at a press, as they stand", async () => {
    await using app = await startApp();
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/help/unreachable");
    const block = page.locator(".code-block", { hasText: "docker compose exec" });
    await page.evaluate(() => {
      // The system's clipboard is not read here: other tests write there too.
      Object.defineProperty(navigator, "clipboard", {
        value: { writeText: async (text: string) => document.body.setAttribute("data-copied", text) },
      });
    });
    await block.getByRole("button", { name: "Copy the lines" }).click();
    await block.getByText("Copied.").waitFor({ state: "attached" });
    expect(await page.getAttribute("body", "data-copied")).toBe(
      "docker compose exec dashdock dashdock doctor 192.168.1.20",
    );
  });

  test("has its chapters in a list that opens on a phone, with the place that is read", async () => {
    await using app = await startApp();
    await using phone = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    const { page } = phone;
    await phone.open("/help/disk");
    const fold = page.locator(".help-fold");
    expect(await fold.locator("summary").innerText()).toMatch(/The disk is full\s+\d+ of \d+/);
    await fold.locator("summary").click();
    await fold.getByRole("link", { name: "Sign-in", exact: true }).click();
    await page.getByRole("heading", { name: "Sign-in", exact: true }).waitFor();
  });
});
