import { expect, setDefaultTimeout, test } from "bun:test";
import { listen } from "../../server/http/listen/server.ts";
import { errorPage, ROUTES } from "../../server/routes.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { cheapHash } from "../support/app/http.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import {
  button,
  focused,
  foot,
  lines,
  message,
  openWithLog,
  pill,
  placeOf,
  toEnd,
} from "../support/browser/log_page.ts";
import { fitProblems, orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

describeInBrowser("the logs page", (browser) => {
  const look = (app: RunningApp, path = "/logs") =>
    WatchedPage.open(browser(), { url: app.url }).then(async (watched) => {
      await watched.open(path);
      return watched;
    });

  test("opens at the end and stays there while lines come", async () => {
    await using app = await openWithLog();
    await using watched = await look(app);
    const { page } = watched;
    expect(await toEnd(page)).toBe(0);
    for (let number = 1; number <= 40; number++) app.app.log.info("test", `fresh ${number}`);
    await message(page, "fresh 40").waitFor();
    expect(await toEnd(page)).toBe(0);
    expect(await pill(page).count()).toBe(0);
    expect(await foot(page).textContent()).toContain("Following new lines");
    expect(await watched.problems()).toEqual([]);
  });

  test("stands still for a reader who scrolls up, counts what comes, and leads back to the end", async () => {
    await using app = await openWithLog();
    await using watched = await look(app);
    const { page } = watched;
    await page.locator(".log-pane").hover();
    await page.mouse.wheel(0, -600);
    await button(page, "To the end").waitFor();
    const before = await placeOf(page, "message 30 of a quiet day");
    for (let number = 1; number <= 12; number++) app.app.log.info("test", `fresh ${number}`);
    await button(page, "12\u00a0new lines").waitFor();
    expect(await placeOf(page, "message 30 of a quiet day")).toBe(before);
    expect(await foot(page).textContent()).toContain("Following is off while you read");
    await pill(page).click();
    await pill(page).waitFor({ state: "detached" });
    expect(await toEnd(page)).toBe(0);
    expect(await focused(page)).toBe("Log lines");
    expect(await watched.problems()).toEqual([]);
  });

  test("is left and found again by keyboard", async () => {
    await using app = await openWithLog();
    await using watched = await look(app);
    const { page } = watched;
    await page.getByRole("log", { name: "Log lines" }).focus();
    await page.keyboard.press("Home");
    await pill(page).waitFor();
    expect(await page.locator(".log-pane").evaluate((pane) => pane.scrollTop)).toBe(0);
    await page.keyboard.press("End");
    await pill(page).waitFor({ state: "detached" });
    expect(await toEnd(page)).toBe(0);
    await page.keyboard.press("/");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("log-find");
  });

  test("shows lines from a level on, and remembers it in the address and for the next visit", async () => {
    await using app = await openWithLog();
    await using watched = await look(app);
    const { page } = watched;
    await button(page, "Warning").click();
    expect(await lines(page).count()).toBe(2);
    expect(await button(page, "Warning").getAttribute("aria-pressed")).toBe("true");
    expect(new URL(page.url()).search).toBe("?level=warning");
    expect(await foot(page).textContent()).toMatch(/^2 of \d+\u00a0lines/);
    await page.reload();
    await watched.ready();
    expect(await lines(page).count()).toBe(2);
    await watched.open("/logs");
    expect(await lines(page).count()).toBe(2);
    await button(page, "Debug").click();
    await watched.open("/logs");
    expect(await lines(page).count()).toBeGreaterThan(60);
    expect(await watched.problems()).toEqual([]);
  });

  test("finds a text, marks it, counts the lines and follows the new ones that have it", async () => {
    await using app = await openWithLog();
    await using watched = await look(app);
    const { page } = watched;
    await page.getByRole("searchbox", { name: "Find" }).pressSequentially("DISK use");
    // While it is typed other lines match as well.
    await page.locator(".ln mark", { hasText: /^disk use$/ }).waitFor();
    expect(await page.locator(".ln mark").allTextContents()).toEqual(["disk use"]);
    expect(await foot(page).textContent()).toMatch(/^1\u00a0match in \d+\u00a0lines/);
    app.app.log.info("test", "nothing of interest");
    app.app.log.info("test", "disk use is fine again");
    await message(page, "disk use is fine again").waitFor();
    expect(await lines(page).count()).toBe(2);
    await page.getByRole("searchbox", { name: "Find" }).fill("nothing like it");
    await page.getByText("Nothing matches “nothing like it”").waitFor();
    await button(page, "Clear search").click();
    await message(page, "nothing of interest").waitFor();
    expect(await focused(page)).toBe("Log lines");
    expect(new URL(page.url()).search).toBe("");
    expect(await watched.problems()).toEqual([]);
  });

  test("searches with Enter in place, whatever the level", async () => {
    await using app = await openWithLog();
    await using watched = await look(app, "/logs?level=warning");
    const { page } = watched;
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    await page.getByRole("searchbox", { name: "Find" }).fill("NF");
    await page.keyboard.press("Enter");
    await page.locator(".ln mark").waitFor();
    expect(await page.locator(".ln mark").allTextContents()).toEqual(["NF"]);
    expect(await button(page, "Warning").getAttribute("aria-pressed")).toBe("true");
    expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
  });

  test("can be chosen from and searched without script, and offers nothing that needs one", async () => {
    await using app = await openWithLog();
    const context = await browser().newContext({
      baseURL: app.url,
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    const page = await context.newPage();
    await page.goto("/logs");
    const buttons = await page.locator("main button:visible").allTextContents();
    expect(buttons.map((name) => name.trim())).toEqual([
      ...["Find", "Debug", "Info", "Warning", "Error"],
      ...[expect.stringMatching(/^AE[SD]T$/), "UTC", "Find"],
    ]);
    expect(await page.getByText("Following new lines").isVisible()).toBe(false);
    expect(await page.getByLabel("Detail recorded").isVisible()).toBe(false);
    await button(page, "UTC").click();
    await button(page, "Warning").click();
    expect(await lines(page).count()).toBe(2);
    await page.getByRole("searchbox", { name: "Find" }).fill("again");
    await page.keyboard.press("Enter");
    await page.locator(".ln mark").waitFor();
    expect(await lines(page).count()).toBe(1);
    expect(await page.locator("[aria-pressed=true]:visible").allTextContents()).toEqual(["Warning", "UTC"]);
    await page.getByLabel("Part").selectOption("sync");
    await page.locator(".log-submit").click();
    await page.locator(".log-empty").waitFor();
    expect(await page.locator("main button:visible").count()).toBe(8);
    await context.close();
  });

  test("says a new error to screen readers, times in the service's zone or UTC, one logger alone, and gets only what is new when the tab is shown again", async () => {
    await using app = await openWithLog();
    await using watched = await look(app);
    const { page } = watched;
    app.app.log.info("test", "not worth a word");
    await message(page, "not worth a word").waitFor();
    const spoken = page.locator("p.sr[role=status]");
    expect(await spoken.textContent()).toBe("");
    app.app.log.error("sync", "The camera broke");
    await page.getByText("Error from sync: The camera broke").waitFor({ state: "attached" });
    expect(await page.getByRole("log").getAttribute("aria-live")).toBe("off");

    const ts = app.app.log.lines.at(-1)?.ts ?? "";
    const sydney = new Date(ts).toLocaleTimeString("en-GB", { timeZone: "Australia/Sydney" });
    const time = lines(page).last().locator("time");
    expect(await time.textContent()).toStartWith(sydney);
    await button(page, "UTC").click();
    expect(await time.textContent()).toBe(ts.slice(11, 23));
    expect(await time.getAttribute("title")).toContain(sydney);
    expect(await watched.problems()).toEqual([]);

    app.app.log.info("test", "seen");
    await message(page, "seen").waitFor();
    const last = app.app.log.lines.at(-1)?.seq;
    const show = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, isHidden);
    await show(true);
    app.app.log.info("test", "missed");
    const again = page.waitForRequest("**/api/logs/stream*");
    await show(false);
    expect(new URL((await again).url()).search).toBe(`?boot=${app.app.bootId}&after=${last}`);
    await message(page, "missed").waitFor();
    expect(await page.locator(".ln-cut").count()).toBe(0);

    await page.getByLabel("Part").selectOption("download");
    expect(await page.locator(".lg").allTextContents()).toEqual(["download"]);
  });

  test("opens at a moment that a link names", async () => {
    await using app = await openWithLog();
    app.app.log.warning("test", "the moment");
    const at = app.app.log.lines.at(-1)?.ts ?? "";
    for (let number = 1; number <= 60; number++) app.app.log.info("test", `after ${number}`);
    const first = app.app.log.lines.find(({ ts }) => ts >= at)?.message ?? "";
    await using watched = await look(app, `/logs?at=${encodeURIComponent(at)}`);
    expect(await watched.page.locator(".ln-at .ms").textContent()).toBe(first);
    expect(await watched.page.locator(".ln-at").isVisible()).toBe(true);
    await pill(watched.page).waitFor();
    expect(await toEnd(watched.page)).toBeGreaterThan(100);
  });

  test("keeps no more lines than the service, and does not jump when the oldest go", async () => {
    await using app = await openWithLog({ settings: { logging: { ring_buffer_capacity: 100 } } });
    await using watched = await look(app);
    for (let number = 1; number <= 150; number++) app.app.log.info("test", `fresh ${number}`);
    await message(watched.page, "fresh 150").waitFor();
    await watched.page.waitForFunction(() => document.querySelectorAll(".ln").length <= 100);
    expect(await toEnd(watched.page)).toBe(0);
    expect(await watched.problems()).toEqual([]);
  });

  test("draws only what is near of ten thousand lines, and still finds the first", async () => {
    await using app = await openWithLog({ settings: { logging: { ring_buffer_capacity: 10_000 } } });
    for (let number = 1; number <= 9900; number++) app.app.log.info("test", `line ${number}`);
    await using watched = await look(app);
    const { page } = watched;
    await message(page, "line 9900").waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".log-part").length > 190);
    expect(await lines(page).count()).toBeLessThan(1000);
    expect(await toEnd(page)).toBe(0);
    await page.getByRole("log").focus();
    await page.keyboard.press("Home");
    await message(page, "message 1 of a quiet day").waitFor();
    await page.getByRole("searchbox", { name: "Find" }).fill("line 77");
    await message(page, "line 7799").waitFor();
    expect(await foot(page).textContent()).toMatch(/^111\u00a0matches/);
  });

  test("puts a cut where the service has begun anew, and keeps the lines above it", async () => {
    await using app = await openWithLog();
    await using watched = await look(app);
    const { page } = watched;
    const port = Number(new URL(app.url).port);
    await app.stop();
    await page.getByText("No connection to Dashdock").waitFor();
    await using next = await startApp({ folder: app.folder });
    const again = listen(next.starting, ROUTES, errorPage, { port, host: "127.0.0.1" });
    try {
      next.app.log.info("test", "here again");
      await message(page, "here again").waitFor();
      const cut = page.locator(".ln-cut");
      expect(await cut.textContent()).toMatch(/^Service restarted [0-9:]{8}$/);
      const texts = await page.locator(".ms, .ln-cut").allTextContents();
      const at = texts.findIndex((text) => text.startsWith("Service restarted"));
      expect(texts.indexOf("message 60 of a quiet day")).toBeLessThan(at);
      expect(texts.indexOf("here again")).toBeGreaterThan(at);
      await page.getByText("No connection to Dashdock").waitFor({ state: "hidden" });
    } finally {
      await next.stop();
      await again.stop();
    }
  });

  test("leads to sign-in and back here when the session has ended", async () => {
    const password = "a long enough password";
    await using app = await openWithLog({ mode: "login", password });
    await app.client.signIn("admin", password);
    const session = app.client.cookie("dashdock_session");
    await using watched = await WatchedPage.open(browser(), { url: app.url, session });
    await watched.open("/logs?level=error");
    const hash = await cheapHash("another long password");
    await app.app.settings.update((latest) => ({ ...latest, auth: { ...latest.auth, password_hash: hash } }));
    await watched.page.waitForURL("**/login?next=%2Flogs%3Flevel%3Derror");
  });

  test("leaves a reader who asks for all lines among them", async () => {
    await using app = await openWithLog();
    await using watched = await look(app, "/logs?level=warning&logger=nobody");
    await button(watched.page, "Show all lines").click();
    await lines(watched.page).first().waitFor();
    expect(await focused(watched.page)).toBe("Log lines");
  });

  const states: [name: string, path: string, seen: string, look: typeof orderProblems][] = [
    ["a search", "/logs?q=message+1", ".ln mark", orderProblems],
    ["the errors", "/logs?level=error&times=utc&wrap=off", ".ln-e", fitProblems],
    ["no line", "/logs?level=warning&logger=nobody", ".log-empty", (one) => orderProblems(one, ".log-empty")],
    ["no match", "/logs?q=nothing+like+it", ".log-empty", fitProblems],
  ];
  test("is in order at every width, in every state", async () => {
    await using app = await openWithLog();
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    const { page } = watched;
    for (const [name, path, seen, look] of states) {
      await watched.open(path);
      await page.locator(seen).first().waitFor();
      expect([name, ...(await look(watched))]).toEqual([name]);
    }
    // All lines, with everything that can be opened.
    await watched.open("/logs?times=zone");
    await button(page, "More").click();
    await page.getByRole("log").focus();
    await page.keyboard.press("Home");
    await pill(page).waitFor();
    expect(["reading", ...(await orderProblems(watched))]).toEqual(["reading"]);
  });
});
