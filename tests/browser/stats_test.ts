import { expect, setDefaultTimeout, test } from "bun:test";
import { statsView } from "../../server/domain/runs/statistics_text.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { runAt, runsOfACar } from "../support/app/history.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { WatchedPage } from "../support/browser/browser.ts";
import {
  CHARTS,
  chart,
  current,
  describeStatsPage,
  drawn,
  NOW,
  plain,
  STATES,
  textsOf,
  tiles,
} from "../support/browser/stats_page.ts";
import { fitProblems, orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

describeStatsPage(Object.keys(STATES), ({ browser, appOf, open, statistics }) => {
  for (const [state, { path }] of Object.entries(STATES))
    test(`is in order with ${state} at every width`, async () => {
      await using watched = await WatchedPage.open(browser(), { url: appOf(state).url, width: 390 });
      await watched.open(path);
      if (state !== "no runs") await drawn(watched.page);
      expect(await watched.page.locator("h1").textContent()).toBe("Stats");
      // Many runs are drawn with the same elements as a few.
      expect(await (state === "many runs" ? fitProblems : orderProblems)(watched)).toEqual([]);
    });

  test("shows the figures that the API tells, in tiles, heads and table", async () => {
    await using watched = await open("a few runs");
    const { page } = watched;
    const stats = await statistics("a few runs", "7d");
    const { summary } = stats;
    expect(await tiles(page)).toEqual([
      ...["Runs", String(summary.runs), `${summary.offline} found the camera away`],
      ...["Brought home", "1.2 GB", `${summary.files} files`],
      ...["Average run", `${summary.avg_duration_seconds} s`, "Longest 38 s"],
      ...["Successful", `${(summary.success_rate ?? 0) * 100} %`, "of the others"],
      ...["Camera away", `${summary.offline} run`, "20 %, not counted as failed"],
    ]);
    const { charts } = statsView(stats, appOf("a few runs").app.zone, "");
    for (const name of CHARTS) {
      expect(await textsOf(chart(page, name).locator(".read"))).toEqual([plain(charts[name].rest)]);
      const plot = chart(page, name).locator(".plot");
      expect([await plot.getAttribute("role"), await plot.getAttribute("aria-label")]).toEqual([
        "img",
        charts[name].label,
      ]);
      expect(await plot.getAttribute("aria-describedby")).toBe("charts-told");
    }
    expect(await page.locator("#charts-told").textContent()).toContain("The table below has the runs one by one.");
    const times = await page.$$eval("#runs tbody time", (all) =>
      (all as HTMLTimeElement[]).map((time) => time.dateTime),
    );
    const started = stats.series.points.map(({ ts, duration }) => new Date((ts - duration) * 1000).toISOString());
    expect(times).toEqual(started.toReversed());
  });

  test("changes the range in place, with its address, and goes back", async () => {
    await using watched = await open("many runs", "/stats?range=24h");
    const { page } = watched;
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    const before = await tiles(page);
    expect(await current(page)).toEqual(["24 h"]);

    await page.getByRole("link", { name: "30 days" }).click();
    await page.waitForFunction(() => location.search === "?range=30d");
    await page.locator(".seg [aria-current]", { hasText: "30 days" }).waitFor();
    const { summary } = await statistics("many runs", "30d");
    expect((await tiles(page))[1]).toBe(`${Math.floor(summary.runs / 1000)} ${summary.runs % 1000}`);
    // Comes with the table itself, after the answer has been drawn.
    await page.locator('#runs a[download][href="/stats/runs.csv?range=30d"]').waitFor();
    expect(await page.locator("#runs").getAttribute("data-poll")).toBe("/hx/stats/runs?range=30d");
    expect(await page.locator("[role=status].sr").first().textContent()).toContain("30 days: 2");

    await page.goBack();
    await page.locator(".seg [aria-current]", { hasText: "24" }).waitFor();
    expect(await tiles(page)).toEqual(before);
    await page.locator('#runs a[download][href="/stats/runs.csv?range=24h"]').waitFor();
    expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
    expect(await watched.problems()).toEqual([]);
  });

  test("asks for nothing when a link leads to a place on the page", async () => {
    await using watched = await open("a few runs");
    const asked = await watched.page.evaluate(async () => {
      let asked = 0;
      const real = window.fetch;
      const counting = (...what: Parameters<typeof fetch>) => {
        asked++;
        return real(...what);
      };
      Object.assign(window, { fetch: counting });
      for (const hash of ["#main", "#runs"]) {
        const gone = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
        location.hash = hash;
        await gone;
      }
      return asked;
    });
    expect(asked).toBe(0);
    expect(await watched.page.locator("[role=status].sr").first().textContent()).toBe("");
    expect(await watched.page.locator(".seg [aria-busy]").count()).toBe(0);
  });

  test("tells the charts in words without script, and explains no drawing", async () => {
    const context = await browser().newContext({ baseURL: appOf("a few runs").url, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto("/stats");
    const { charts } = statsView(await statistics("a few runs", "7d"), new ZoneTime("UTC"), "");
    for (const name of CHARTS)
      expect(await chart(page, name).locator(".chart-told").innerText()).toBe(charts[name].label);
    expect(await page.locator("div.plot:visible, .keys:visible, .moment:visible").count()).toBe(0);
    expect(await page.getByText("on a scale of its own").isVisible()).toBe(false);
    await context.close();
  });

  test("says in place when figures do not come, keeps what is there, and tries again", async () => {
    await using watched = await open("many runs", "/stats?range=7d");
    const { page } = watched;
    const before = await tiles(page);
    const error = { error: "Something went wrong here. The log says what.", code: "INTERNAL", details: {} };
    await page.route("**/api/stats/series*", (route) => route.fulfill({ status: 500, json: error }));
    await page.getByRole("link", { name: "30 days" }).click();
    const note = page.locator(".note[role=alert]");
    await note.waitFor();
    expect(await textsOf(note.locator("b, p, button"))).toEqual([
      "The figures of 30 days could not be fetched.",
      "Something went wrong here. The log says what.",
      "Try again",
    ]);
    expect([await current(page), await tiles(page)]).toEqual([["7 days"], before]);
    expect(await page.evaluate(() => location.search)).toBe("?range=7d");
    expect(await accessibilityProblems(page, ".note[role=alert]")).toEqual([]);

    await page.unroute("**/api/stats/series*");
    await page.route("**/api/stats/series*", (route) => route.abort());
    await page.getByRole("button", { name: "Try again" }).click();
    await note.getByText("Dashdock does not answer").waitFor();

    await page.unroute("**/api/stats/series*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".seg [aria-current]", { hasText: "30 days" }).waitFor();
    expect(await note.count()).toBe(0);
    expect(await page.evaluate(() => location.search)).toBe("?range=30d");
  });

  test("says so when not even the first figures come, with tiles and table there all the same", async () => {
    const { url } = appOf("a few runs");
    await using watched = await WatchedPage.open(browser(), { url });
    await watched.page.route("**/api/stats/series*", (route) => route.abort());
    await watched.open("/stats");
    await watched.page.locator(".note[role=alert]").waitFor();
    expect(await watched.page.locator("#runs tbody tr").count()).toBe(5);
    expect(await watched.page.locator(".tile").count()).toBe(5);
  });

  test("leads to sign-in and back when the session has ended", async () => {
    await using app = await startApp({
      mode: "login",
      password: "correct horse battery",
      clock: new FakeClock(NOW * 1000),
    });
    app.app.history.append(runAt(NOW - 100));
    await app.client.signIn("admin", "correct horse battery");
    const session = app.client.cookie("dashdock_session");
    await using watched = await WatchedPage.open(browser(), { url: app.url, session });
    await watched.open("/stats?range=24h");
    await drawn(watched.page);
    await watched.page.context().clearCookies();
    await watched.page.getByRole("link", { name: "All", exact: true }).click();
    await watched.page.waitForURL((url) => url.pathname === "/login");
    expect(new URL(watched.page.url()).searchParams.get("next")).toBe("/stats?range=24h");
  });

  test("is refreshed every minute, without taking anything from the reader", async () => {
    await using app = await startApp({ clock: new FakeClock(NOW * 1000), settings: { retention: { keep: "" } } });
    for (const run of runsOfACar(NOW - 900, 300)) app.app.history.append(run);
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await page.clock.install();
    await watched.open("/stats?range=7d");
    await drawn(page);
    const link = page.getByRole("link", { name: "Show more" });
    await link.focus();
    const scrolled = await page.evaluate(() => scrollY);
    expect(scrolled).toBeGreaterThan(0);
    app.app.history.append(runAt(NOW - 10, { files: 1, bytes: 77_000_000 }));
    await page.clock.fastForward(61_000);
    await page.locator(".tiles dd", { hasText: "301" }).waitFor();
    await page.locator("#runs tbody tr:first-child", { hasText: "77" }).waitFor();
    expect(await page.locator("#runs tbody tr").count()).toBe(50);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Show more");
    expect(await page.evaluate(() => scrollY)).toBe(scrolled);
    expect(await watched.problems()).toEqual([]);
  });

  test("begins by itself when the first run has ended", async () => {
    await using app = await startApp({ clock: new FakeClock(NOW * 1000), settings: { retention: { keep: "" } } });
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await page.clock.install();
    await watched.open("/stats");
    expect(await page.locator("#runs h2").textContent()).toBe("No runs yet");
    expect(await page.locator(".plot").count()).toBe(0);
    app.app.history.append(runAt(NOW - 10));
    await page.clock.fastForward(61_000);
    // The page was ready before there was anything to draw.
    await page.locator("div.plot canvas").first().waitFor();
    await page.locator("#runs tbody tr").waitFor();
    expect(await page.locator("#runs h2").textContent()).toBe("Runs");
  });
});
