import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { simulatedCard } from "../../server/dashcam/simulator/simulated_card.ts";
import { demoFootage } from "../../server/dashcam/simulator/simulated_demo.ts";
import { runPath } from "../../server/domain/runs/run_id.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { strangeTimes } from "../support/app/time_forms.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";

setDefaultTimeout(180_000);

/** Saturday afternoon in Chicago. */
const NOW = "2026-11-21T20:41:00Z";
/** Parts of each page that exist before its island, which draws them again. */
const DRAWN: Readonly<Record<string, string>> = {
  "/": "#status-card, #next-scheduled-card, #recent-activity-card, .bar-clock",
  "/viewer": "#recordings, .vw-head, .clock",
  "/stats": ".stats-head, .chart-now, .bar-clock",
  "/trash": "[data-island=trash_list]",
};

const clock = new FakeClock(NOW);
let app: RunningApp;
beforeAll(async () => {
  const now = Date.UTC(2026, 10, 21, 14, 30);
  const card = simulatedCard({ recordings: 12, now, footage: await demoFootage() });
  app = await startApp({
    clock,
    card,
    settings: {
      schedule: { timezone: "America/Chicago", cron_expression: "0 3,15 * * *" },
      retention: { keep: "" },
      sync: { grouping: "daily" },
    },
  });
  app.app.job.start("manual");
  await app.synced();
  await app.client.open("/");
  const [deleted = ""] = [...new Bun.Glob("**/*F.mp4").scanSync(app.destination)].sort();
  const key = deleted.split("/").at(-1)?.slice(0, 17);
  expect((await app.client.send("DELETE", `/api/recordings/${key}`)).status).toBe(200);
});
afterAll(() => app[Symbol.asyncDispose]());

interface Noting {
  strange: Set<string>;
  strangeTimes: typeof strangeTimes;
}

/** Notes every text that has been on the page, for however short a time, in a form that is not American. Runs first in the page. */
function noteStrange(): void {
  const seen = window as unknown as Noting;
  seen.strange = new Set();
  // Lengths of videos look like times of day.
  const isLength = (node: Node) =>
    (node instanceof Element ? node : node.parentElement)?.closest(".shot-tag, .tl-marked span, script, style") != null;
  const look = (node: Node) => {
    if (isLength(node)) return;
    for (const child of node.childNodes) look(child);
    if (node.nodeType === Node.TEXT_NODE) {
      const text = node.parentElement?.textContent ?? "";
      for (const found of seen.strangeTimes(text, "american")) seen.strange.add(`${found} in “${text.slice(0, 80)}”`);
    }
  };
  new MutationObserver((changes) => {
    for (const { target, addedNodes, type } of changes)
      if (type === "characterData") look(target);
      else for (const node of addedNodes) look(node);
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

/** The American times in parts of the page as the server sends it, and as it is now. Runs in the page. */
async function bothTimes(selector: string): Promise<{ readonly sent: string[]; readonly now: string[] }> {
  const html = await (await fetch(location.href)).text();
  const sent = new DOMParser().parseFromString(html, "text/html");
  const timesOf = (page: Document) =>
    [...page.querySelectorAll(selector)].flatMap(
      ({ textContent }) => textContent?.match(/(?:\w{3}\s\d{1,2}, )?\d{1,2}:\d\d(?::\d\d)?\s[ap]m/g) ?? [],
    );
  return { sent: timesOf(sent), now: timesOf(document) };
}

describeInBrowser("pages in an American browser", (browser) => {
  const american = async (width: 390 | 1440) => {
    const watched = await WatchedPage.open(browser(), { url: app.url, locale: "en-US", width });
    await watched.page.addInitScript({ content: `window.strangeTimes = ${strangeTimes};(${noteStrange})();` });
    return watched;
  };

  test("have the same times before and after their scripts, and at no moment others", async () => {
    await using watched = await american(1440);
    const { page } = watched;
    for (const [path, selector] of Object.entries(DRAWN)) {
      await watched.open(path);
      const { sent, now } = await page.evaluate(bothTimes, selector);
      expect(sent.length).toBeGreaterThan(0);
      expect([path, now]).toEqual([path, sent]);
      if (path === "/viewer") await page.waitForSelector(".tl-axis text");
      expect([path, await page.evaluate(() => [...(window as unknown as Noting).strange])]).toEqual([path, []]);
    }
    expect(await watched.problems()).toEqual([]);
  });

  test("tell the time line, the calendar and the search in that form, and understand it", async () => {
    await using watched = await american(1440);
    const { page } = watched;
    await watched.open("/viewer");
    await page.waitForSelector(".tl-axis text");
    for (const label of await page.locator(".tl-axis text").allTextContents())
      expect(label).toMatch(/^\d+:\d\d(:\d\d)?\s[ap]m$/);
    expect(await page.locator("[role=slider]").first().getAttribute("aria-valuetext")).toMatch(/^\d+:\d\d:\d\d\s[ap]m/);
    await page.keyboard.press("/");
    const field = page.locator("#list-search");
    expect(await field.getAttribute("placeholder")).toBe("2:30\u00a0pm, Friday or a note");
    await field.fill("Nov 21, 2:26 pm");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector(".clock")?.textContent?.startsWith("2:26"));
    await page.keyboard.press("c");
    await page.waitForSelector(".cal-d[data-date='2026-11-21']");
    const name = await page.locator(".cal-d[data-date='2026-11-21']").getAttribute("aria-label");
    expect(name).toStartWith("Saturday November 21");
  });

  test("go on in that form: a sync that ends, the check of the camera, and what a toast says", async () => {
    await using watched = await american(1440);
    const { page } = watched;
    const strange = () => page.evaluate(() => [...(window as unknown as Noting).strange]);
    /** Frames are sent by the service's clock. */
    const becomes = async <Given>(isSo: (given: Given) => boolean, given?: Given) => {
      for (let tries = 0; tries < 1000; tries++) {
        if (await page.evaluate(isSo as (given: unknown) => boolean, given)) return;
        await clock.advance(1000);
        await page.evaluate(() => new Promise(requestAnimationFrame));
      }
      throw new Error(`It did not become so: ${isSo}`);
    };
    await watched.open("/");
    // A run so short may be over before the page is looked at again: the card leads to the new one.
    const earlier = await page.locator("#last-run-way").getAttribute("href");
    await clock.advance(60_000);
    const begun = page.waitForResponse((answer) => answer.request().method() === "POST");
    await page.locator("[data-action=sync-now]").click();
    await begun;
    // The clock must not leap while bytes come: the camera would seem to be silent.
    await app.synced();
    await becomes((path) => document.querySelector("#last-run-way")?.getAttribute("href") !== path, earlier);
    await becomes(() => /\d:\d\d\spm/.test(document.querySelector("#status-card")?.textContent ?? ""));
    await page.locator("#dashcam-card [data-action=check-camera]").click();
    await becomes(() => /newest today \d+:\d\d\spm/.test(document.querySelector("dialog[open]")?.textContent ?? ""));
    expect(await strange()).toEqual([]);
    await watched.open("/viewer");
    await page.locator("#recordings .trip").first().waitFor();
    await page.keyboard.press("Delete");
    const toast = page.locator("#toasts .toast").first();
    await toast.waitFor();
    expect(await toast.textContent()).toMatch(/Sat Nov\s21, 2:\d\d\spm is in the trash until Sat Nov\s28\./);
    expect(await strange()).toEqual([]);
  });

  test("have room for their longer times on a phone, without sideways scrolling", async () => {
    await using watched = await american(390);
    const run = app.app.history.latest();
    for (const path of [...Object.keys(DRAWN), "/settings", "/logs", run === null ? "/" : runPath(run)]) {
      await watched.open(path);
      for (const width of [390, 320]) {
        await watched.page.setViewportSize({ width, height: 844 });
        const [all, seen] = await watched.page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return [scrollWidth, clientWidth];
        });
        expect([path, width, all]).toEqual([path, width, seen]);
        expect(seen).toBe(width);
      }
      await watched.page.setViewportSize({ width: 390, height: 844 });
    }
  });
});
