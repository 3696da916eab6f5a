import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";

setDefaultTimeout(60_000);

describeInBrowser("a tab that tests use one after the other", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" } } });
  });
  afterAll(() => app[Symbol.asyncDispose]());
  const open = () => WatchedPage.open(browser(), { url: app.url });

  /** Traces of an earlier page that a page can find. */
  const found = (watched: WatchedPage) =>
    watched.page.evaluate(async () => ({
      cookies: document.cookie,
      stored: [...Object.keys(localStorage), ...Object.keys(sessionStorage)],
      databases: (await indexedDB.databases()).map(({ name }) => name),
      caches: "caches" in window ? await caches.keys() : [],
      name: window.name,
      marks: [...Object.keys(window)].filter((name) => name.startsWith("left")),
      history: history.length,
      size: [innerWidth, innerHeight],
      likes: ["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)", "print", "(hover: hover)"].map(
        (query) => matchMedia(query).matches,
      ),
      permission: (await navigator.permissions.query({ name: "geolocation" })).state,
    }));

  test("shows the next one nothing of what one has left, and is the same tab", async () => {
    let before: Awaited<ReturnType<typeof found>>;
    const pages = new Set<unknown>();
    {
      await using first = await open();
      pages.add(first.page);
      await first.open("/settings");
      before = await found(first);
    }
    const asked: string[] = [];
    {
      await using second = await open();
      const { page } = second;
      pages.add(page);
      page.on("request", (request) => asked.push(request.url()));
      page.on("dialog", (dialog) => dialog.dismiss());
      await page.route("**/stats", (route) => route.fulfill({ body: "another page" }));
      await second.open("/settings");
      await second.open("/logs");
      await second.open("/settings");
      await page.evaluate(async () => {
        // biome-ignore lint/suspicious/noDocumentCookie: as a script of a page does it
        document.cookie = "left=1";
        localStorage.setItem("left", "1");
        sessionStorage.setItem("left", "1");
        await new Promise((opened) => (indexedDB.open("left").onsuccess = opened));
        if ("caches" in window) await caches.open("left");
        Object.assign(window, { name: "left", left: 1 });
        addEventListener("pagehide", () => sessionStorage.setItem("left at the end", "1"));
        console.error("left");
      });
      await page.setViewportSize({ width: 500, height: 500 });
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference", media: "print" });
      // With a change that is not saved the browser asks before the page goes.
      await page.locator("[data-section=connection] [name=timeout_seconds]").fill("77");
    }
    const noted = asked.length;
    await using third = await open();
    pages.add(third.page);
    await third.open("/settings");
    expect(await found(third)).toEqual(before);
    expect(await third.problems()).toEqual([]);
    await third.open("/stats");
    expect(await third.page.locator("h1").count()).toBe(1);
    expect([asked.length, pages.size]).toEqual([noted, 1]);
  });

  test("is closed when something cannot be put back", async () => {
    const leave: readonly ((watched: WatchedPage) => unknown)[] = [
      (watched) => watched.context.grantPermissions(["geolocation"]),
      ({ page }) => page.addInitScript(() => Object.assign(window, { left: 1 })),
      ({ page }) => page.clock.install(),
      ({ page }) => page.setExtraHTTPHeaders({ "x-left": "1" }),
      ({ page }) => page.evaluate((url) => void window.open(`${url}/logs`), app.url),
      ({ page }) => page.goto(app.url.replace("127.0.0.1", "localhost")),
      ({ page }) => page.close(),
    ];
    for (const left of leave) {
      let page: unknown;
      {
        await using first = await open();
        page = first.page;
        await first.open("/logs");
        await left(first);
      }
      await using second = await open();
      expect([String(left), second.page === page]).toEqual([String(left), false]);
    }
  });
});
