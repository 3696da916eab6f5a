import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { simulatedCard } from "../../server/dashcam/simulator/simulated_card.ts";
import { demoFootage } from "../../server/dashcam/simulator/simulated_demo.ts";
import { ROUTES } from "../../server/routes.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import type { Client } from "../support/app/client.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";

setDefaultTimeout(180_000);

const NOW = Date.UTC(2026, 5, 7, 10, 20);
const PASSWORD = "correct horse battery staple";
/** Addresses for programs, and downloads. */
const NO_PAGE =
  /^\/(film|api|hx|assets|media|tiles)\/|\.(csv|webmanifest|pmtiles)$|\/:part$|^\/(healthz|readyz|metrics|logout)$/;

let app: RunningApp;
/** Pages that a click leads to, one of each kind, and those without any link to them. */
let paths: string[] = [];
beforeAll(async () => {
  const card = simulatedCard({ recordings: 12, now: NOW, footage: await demoFootage() });
  const settings = {
    retention: { keep: "" },
    sync: { grouping: "daily" as const },
    schedule: { paused: true },
    share: { enabled: true },
  };
  app = await startApp({ card, mode: "none", settings });
  app.app.job.start("manual");
  await app.synced();
  app.simulator.fault("list-500");
  app.app.job.start("manual");
  await app.synced();
  await app.client.open("/");
  const names = [...new Bun.Glob("**/*F.mp4").scanSync(app.destination)].map((path) => path.split("/").at(-1) ?? "");
  const [deleted = "", kept = ""] = names.map((name) => name.slice(0, 17));
  const note = "A note with more words than fit beside it on a narrow screen";
  expect((await app.client.send("DELETE", `/api/recordings/${deleted}`)).status).toBe(200);
  expect((await app.client.send("PUT", `/api/recordings/${kept}/keep`, { note })).status).toBe(200);
  const span = { key: kept };
  const shared = await app.client.send("POST", "/api/shares", { span, place: true, sound: true, download: true });
  const { url } = (await shared.json()) as { url: string };
  await app.client.send("POST", "/api/shares", { span, password: "open sesame", note });
  paths = [...(await crawled(app.client)), new URL(url).pathname, "/nothing-is-here"];
});
afterAll(() => app[Symbol.asyncDispose]());

/** Follows the links of each page from the dashboard on; of pages with the same route only the first. */
async function crawled(client: Client): Promise<string[]> {
  const found = new Map<string, string>();
  const open = ["/"];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    const route = routeOf(path);
    if (route === null || found.has(route)) continue;
    found.set(route, path);
    const html = await (await client.fetch(path)).text();
    for (const [tag, to = ""] of html.matchAll(/<a [^>]*\bhref="(\/[^"#?]*)[^"]*"[^>]*>/g))
      if (!/ download\b/.test(tag) && !NO_PAGE.test(to)) open.push(to);
  }
  return [...found.values()];
}

/** The path of the route that a page is of; null when it has none. */
function routeOf(path: string): string | null {
  const pages = ROUTES.filter(({ method, path: route }) => method === "GET" && !NO_PAGE.test(route));
  const isOf = (route: string) => new RegExp(`^${route.replaceAll(/:\w+/g, "[^/]+").replace("*", ".+")}$`).test(path);
  return (
    (pages.find(({ path: route }) => route === path) ?? pages.find(({ path: route }) => isOf(route)))?.path ?? null
  );
}

/** Parts that lie beyond the right edge while the page can be scrolled there. Runs in the page. */
async function wideParts(): Promise<string[]> {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const parts = [...document.querySelectorAll("body *")].filter(
    (part) => part.getBoundingClientRect().right > clientWidth + 1,
  );
  return [
    `${scrollWidth} px wide`,
    ...parts.slice(0, 5).map((part) => `${part.localName}.${part.getAttribute("class")}`),
  ];
}

/** Elements to press that are smaller than 44 px, but for links within a text. Runs in the page. */
function smallTargets(): string[] {
  const pressed = "a[href], button, select, textarea, summary, input:not([type=hidden]), [role=button], [role=tab]";
  return [...document.querySelectorAll<HTMLElement>(pressed)].flatMap((target) => {
    // A box or a dot is pressed by its words, too.
    const isBox = target.matches("[type=checkbox], [type=radio]");
    const area = (isBox && target.closest("label")) || target;
    const { width, height } = area.getBoundingClientRect();
    const style = getComputedStyle(target);
    const isHidden = !target.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });
    // Only for those who use keys: it has no place until it has the focus.
    const isClipped = target.closest(".sr, .skip") !== null || target.parentElement?.matches(".moment") === true;
    const isInText = target.localName === "a" && style.display === "inline";
    if (isHidden || isClipped || isInText || width === 0 || height === 0) return [];
    // Half a pixel is lost where text is drawn.
    if (width >= 43.5 && height >= 43.5) return [];
    const words = (target.getAttribute("aria-label") ?? target.textContent ?? "").trim().slice(0, 40);
    return [
      `${target.localName}.${target.getAttribute("class")} "${words}" ${Math.round(width)}x${Math.round(height)}`,
    ];
  });
}

describeInBrowser("every page", (browser) => {
  test("is found by following links, but for those of the sign-in", () => {
    const found = new Set(paths.map(routeOf));
    const all = ROUTES.filter(({ method, path }) => method === "GET" && !NO_PAGE.test(path)).map(({ path }) => path);
    expect(all.filter((path) => !found.has(path))).toEqual(["/first-run", "/login"]);
  });

  test("fits into every window from 320 to 2200 px, also with text twice as large, and its targets fit a finger", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    const { page } = watched;
    const devTools = await watched.context.newCDPSession(page);
    const resize = async (width: number, isTouched: boolean) => {
      await devTools.send("Emulation.setTouchEmulationEnabled", { enabled: isTouched });
      await page.setViewportSize({ width, height: 900 });
    };
    const wrong: [path: string, text: string, width: number, parts: string[]][] = [];
    const note = (...[path, text, width, parts]: (typeof wrong)[number]) => {
      if (parts.length > 0) wrong.push([path, text, width, parts]);
    };
    for (const path of paths) {
      await devTools.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
      await watched.open(path);
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe("32px");
      note(path, "large", 390, await page.evaluate(wideParts));
      await resize(1440, false);
      note(path, "large", 1440, await page.evaluate(wideParts));
      await devTools.send("Page.setFontSizes", { fontSizes: { standard: 16, fixed: 13 } });
      for (const width of [2200, 1440, 1100, 320]) {
        await resize(width, false);
        note(path, "usual", width, await page.evaluate(wideParts));
      }
      for (const width of [768, 390]) {
        await resize(width, true);
        note(path, "usual", width, await page.evaluate(wideParts));
        note(path, "pressed", width, await page.evaluate(smallTargets));
      }
    }
    expect(wrong).toEqual([]);
  });

  test("of the sign-in has both, too", async () => {
    for (const password of [undefined, PASSWORD]) {
      await using locked = await startApp({ mode: "login", ...(password === undefined ? {} : { password }) });
      await using watched = await WatchedPage.open(browser(), { url: locked.url, width: 390 });
      const { page } = watched;
      await watched.open(password === undefined ? "/first-run" : "/login");
      expect(await page.evaluate(smallTargets)).toEqual([]);
      const devTools = await watched.context.newCDPSession(page);
      await devTools.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
      expect(await page.evaluate(wideParts)).toEqual([]);
    }
  });
});
