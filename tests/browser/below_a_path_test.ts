import { expect, setDefaultTimeout, test } from "bun:test";
import { startApp } from "../support/app/app.ts";
import { Client } from "../support/app/client.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { button, until } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(60_000);

const BASE = "/dashcam";
const PASSWORD = "correct horse battery staple";
const CLIP = "20260607_101600_E";
const OTHER = "20260607_101700_N";

// That no link leads out of it is crawled in tests/http: here scripts do what they ask for and lead to.
describeInBrowser("below a path", (browser) => {
  test("one signs in, looks, plays, saves a setting and signs out, and no script asks for anything outside", async () => {
    await using app = await startApp({
      mode: "login",
      password: PASSWORD,
      settings: { web: { base_path: BASE }, retention: { keep: "" } },
    });
    await putFootage(app.destination, [`${OTHER}F.mp4`, `${CLIP}F.mp4`]);
    await app.app.library.refresh();
    const owner = new Client(app.url + BASE);
    await owner.signIn("admin", PASSWORD);
    expect((await owner.send("PUT", `/api/recordings/${CLIP}/keep`, { note: "a heron" })).status).toBe(200);
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    const outside: string[] = [];
    page.on("request", (asked) => {
      const { origin, pathname } = new URL(asked.url());
      if (origin === app.url && !pathname.startsWith(`${BASE}/`)) outside.push(pathname);
    });
    const at = (path: string) => page.waitForURL((url) => url.pathname === BASE + path);

    await watched.open(`${BASE}/`);
    await at("/login");
    await page.fill("#username", "admin");
    await page.fill("#password", PASSWORD);
    await button(page, "Sign in").click();
    await at("/");
    await watched.ready();

    // The state and the cards follow the stream of events.
    await page.locator("#recent-activity-card .thumb").nth(1).waitFor();
    await page.locator("[data-action=sync-now]").click();
    await page.locator("#recent-activity-card .thumb").nth(2).waitFor();

    await page.locator("#recent-activity-card .thumb").filter({ hasText: "Event" }).first().click();
    await at("/viewer");
    await watched.ready();
    await until(page, (all) => all.length > 0 && all.every(({ paused, time }) => !paused && time > 0.3));
    // What islands draw themselves leads below it, too.
    const links = () => page.locator("a[href]").evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
    await page.keyboard.press("n");
    await page.waitForFunction((key) => !location.search.includes(key), CLIP);
    expect(
      (await links()).filter((href) => /^\/(?!dashcam\/)/.test(href) || href.includes("/dashcam/dashcam")),
    ).toEqual([]);

    // An address in an answer is followed there, too.
    await page.keyboard.press("/");
    await page.keyboard.type("heron");
    await page.getByRole("option", { name: /heron/ }).click();
    await page.waitForFunction((key) => location.search.includes(key), CLIP);
    await at("/viewer");
    await page.locator("video.is-shown").first().focus();

    await page.keyboard.press("g");
    await page.keyboard.press("e");
    await at("/settings");
    await watched.ready();
    await page.getByLabel("Look for the camera", { exact: true }).selectOption("Every 5 minutes");
    await page.getByRole("button", { name: "Save 1 change" }).click();
    await page.locator(".toast").waitFor();
    expect(app.app.settings.current.schedule.cron_expression).toBe("*/5 * * * *");

    await page.getByRole("button", { name: /^Account/ }).click();
    await button(page, "Sign out").click();
    await at("/login");
    expect(outside).toEqual([]);
    expect((await page.context().cookies()).filter(({ path }) => !path.startsWith(BASE))).toEqual([]);
    expect(await watched.problems()).toEqual([]);
  });
});
