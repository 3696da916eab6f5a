import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { cardOfHours, type Learned, learned } from "../support/app/planned.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

const HOURS = 48;
const BYTES = 20_000;

/**
 * A service whose camera came home a few minutes ago. Of what waits, some is overwritten before the next visit ends, and
 * some is of today.
 */
async function arriving(facts: Partial<Learned> = {}): Promise<RunningApp> {
  const now = Date.now();
  const card = cardOfHours(HOURS, now, BYTES);
  const settings = {
    retention: { keep: "" },
    sync: { priority: "smart" as const, skip_metadata: ["t", "3", "g"] as ("t" | "3" | "g")[] },
  };
  const app = await startApp({ card, settings });
  const all = { hours: HOURS, next: { inHours: -0.2, lastsHours: 2 }, bytes: BYTES, rate: 4e6, card };
  const isHome = (at: number, count: number) => at >= 24 && at < count - 30;
  await learned(app, { ...all, isHome, ...facts }, now);
  return app;
}

const sentence = (page: Page) => page.locator(".hero .sentence").innerText();

describeInBrowser("the dashboard of a camera whose visits are known", (browser) => {
  test("counts down to what is at risk, says then that one may leave, and what comes next and why", async () => {
    await using app = await arriving();
    app.simulator.rate = BYTES;
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    const { page } = watched;
    await watched.open("/");
    const queue = page.locator("#plan-card");
    await queue.getByText("Will it be safe in time?").waitFor();
    app.app.job.start("manual");
    await page.waitForFunction(() =>
      / until everything at risk is home\.$/.test(document.querySelector(".sentence")?.textContent ?? ""),
    );
    await queue.getByText("At risk", { exact: true }).first().waitFor();
    expect(await page.locator(".hero .cd-mark").count()).toBe(1);
    expect(await page.locator(".hero .readings").innerText()).toMatch(/At risk\s+\d+\s+recordings\s+Until safe\s+\d+/);
    expect(await queue.innerText()).toMatch(/What comes next, and why[\s\S]*This visit/);
    expect(await orderProblems(watched)).toEqual([]);

    app.simulator.rate = 20 * BYTES;
    await page.waitForFunction(
      () => document.querySelector(".sentence")?.textContent === "All at risk is safe: you may switch off.",
    );
    app.simulator.rate = BYTES;
    expect(await page.locator(".hero.is-fine .readings").innerText()).toMatch(
      /At risk\s+0\s+recordings\s+Until safe\s+Safe since/,
    );
    expect(await page.locator("p.sr[role=status]").innerText()).toBe("All at risk is safe: you may switch off.");
    await queue.getByText("Driving").first().waitFor();
    app.simulator.rate = null;
    await page.waitForFunction(() =>
      /^All \d+ recordings/.test(document.querySelector(".sentence")?.textContent ?? ""),
    );
    await queue.getByText("Nothing waits: all that was chosen is home.").waitFor();
    expect(await watched.problems()).toEqual([]);
  });

  test("proposes what helps where something would be lost, sets it when asked, and takes it back", async () => {
    await using app = await arriving({ next: { inHours: 9, lastsHours: 0.1 }, rate: 3000, isHome: () => false });
    await app.app.settings.patch("sync", { priority: "rdate" });
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    const { page } = watched;
    await watched.open("/");
    expect(await page.locator("#plan-card .pl-need").count()).toBeGreaterThan(1);
    expect(await orderProblems(watched)).toEqual([]);
    const propose = (name: string) => page.locator("#plan-card").getByRole("button", { name });
    const set = () => app.app.settings.current.sync;
    await propose("At risk first").click();
    await page.getByText("What is at risk comes first from the next sync on.").waitFor();
    await propose("At risk first").waitFor({ state: "detached" });
    expect(set().priority).toBe("smart");
    await page.getByRole("button", { name: "Undo" }).click();
    await propose("At risk first").waitFor();
    expect(set().priority).toBe("rdate");
    await propose("Leave parking out").click();
    await propose("Leave parking out").waitFor({ state: "detached" });
    expect(set().exclude).toEqual(["P"]);
    expect(await sentence(page)).toMatch(/recordings/);
    expect(await watched.problems()).toEqual([]);
  });
});
