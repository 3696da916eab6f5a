import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { Statistics } from "../../server/domain/api/stats_schema.ts";
import { chartData, nearest } from "../../server/domain/runs/chart_data.ts";
import type { Run } from "../../server/domain/runs/run.ts";
import { readingAt, statsView } from "../../server/domain/runs/statistics_text.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { accessibilityProblems } from "../support/axe.ts";
import { describeInBrowser, WatchedPage, WIDTHS } from "../support/browser.ts";
import { FakeClock } from "../support/clock.ts";
import { awayAt, runAt, runsOfACar } from "../support/history.ts";
import { fitProblems, orderProblems } from "../support/in_order.ts";

setDefaultTimeout(60_000);

const NOW = Date.parse("2026-06-07T10:15:00Z") / 1000;
const CHARTS = ["disk", "bytes", "files", "duration", "failed"] as const;

const STATES: Readonly<Record<string, { path: string; runs: () => Iterable<Run> }>> = {
  "no runs": { path: "/stats", runs: () => [] },
  "a few runs": {
    path: "/stats",
    runs: () => [
      awayAt(NOW - 4000),
      runAt(NOW - 3000),
      runAt(NOW - 2000, { files: 41, failures: { http: 1 } }),
      runAt(NOW - 1000, { dryRun: true }),
      runAt(NOW - 100, { success: false, failures: { disk: 1 } }),
    ],
  },
  "many runs": { path: "/stats?range=all", runs: () => runsOfACar(NOW, 5000) },
};

/** What stands in these places, with plain spaces. */
async function textsOf(place: Locator): Promise<string[]> {
  return (await place.allTextContents()).map(plain);
}
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");
const chart = (page: Page, name: string) => page.locator(`[data-chart=${name}]`);
const current = (page: Page) => textsOf(page.locator(".seg [aria-current]"));
const tiles = (page: Page) => textsOf(page.locator(".tile :is(dt, dd, p)"));

/** Resolves when all charts that have something to draw are drawn. */
async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const plots = [...document.querySelectorAll("div.plot")];
    return plots.length > 0 && plots.every((plot) => plot.querySelector("canvas"));
  });
}

/** How much ink is on each chart, and what it looks like. */
function pictures(page: Page): Promise<string[]> {
  return page.$$eval("div.plot canvas", (all) => (all as HTMLCanvasElement[]).map((canvas) => canvas.toDataURL()));
}

describeInBrowser("the statistics page", (browser) => {
  const apps = new Map<string, RunningApp>();
  const appOf = (state: string) => {
    const app = apps.get(state);
    if (!app) throw new Error(`There is no app with ${state}`);
    return app;
  };
  beforeAll(async () => {
    for (const [state, { runs }] of Object.entries(STATES)) {
      const clock = new FakeClock(NOW * 1000);
      const app = await startApp({ clock, settings: { retention: { keep: state === "many runs" ? "2w" : "" } } });
      for (const run of runs()) app.app.history.append(run);
      apps.set(state, app);
    }
  });
  afterAll(async () => {
    for (const app of apps.values()) await app[Symbol.asyncDispose]();
  });
  const open = async (state: string, path = STATES[state]?.path ?? "/stats") => {
    const watched = await WatchedPage.open(browser(), { url: appOf(state).url, width: 1440 });
    await watched.open(path);
    if (state !== "no runs") await drawn(watched.page);
    return watched;
  };
  const statistics = async (state: string, range: string) =>
    (await (await appOf(state).client.fetch(`/api/stats/series?range=${range}`)).json()) as Statistics;

  for (const [state, { path }] of Object.entries(STATES))
    test(`is in order with ${state} at every width`, async () => {
      await using watched = await WatchedPage.open(browser(), { url: appOf(state).url, width: 390 });
      await watched.open(path);
      if (state !== "no runs") await drawn(watched.page);
      expect(await watched.page.locator("h1").textContent()).toBe("Stats");
      // What many runs draw is of the same elements as a few.
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
      ...["Went well", `${(summary.success_rate ?? 0) * 100} %`, "of the others"],
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

  test("draws nothing between two stretches of a line", async () => {
    await using app = await startApp({ clock: new FakeClock(NOW * 1000), settings: { retention: { keep: "" } } });
    // Short runs, an absence, long runs: a line between them would be steep.
    for (let at = 0; at < 100; at++) {
      const durationSeconds = at < 50 ? 4 : at === 50 ? 0 : 60;
      const changes = { ts: NOW - 3300 + at * 32 + durationSeconds, durationSeconds };
      app.app.history.append(at === 50 ? awayAt(NOW, changes) : runAt(NOW, changes));
    }
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    await watched.open("/stats?range=all");
    await drawn(watched.page);
    const canvas = chart(watched.page, "duration").locator("canvas");
    /** How much of the line is in each row of pixels. */
    const ink = await canvas.evaluate((drawing: HTMLCanvasElement) => {
      const { width, height } = drawing;
      const { data = [] } = drawing.getContext("2d")?.getImageData(0, 0, width, height) ?? {};
      const isInk = (at: number) => (data[at + 3] ?? 0) > 20 && (data[at + 1] ?? 0) - (data[at] ?? 0) > 60;
      return Array.from(
        { length: height },
        (_, y) => Array.from({ length: width }, (_, x) => isInk((y * width + x) * 4)).filter(Boolean).length,
      );
    });
    const [high, low] = [ink.findIndex((most) => most > 100), ink.findLastIndex((most) => most > 100)];
    expect(low - high).toBeGreaterThan(60);
    expect(ink.slice(high + 4, low - 3).filter((some) => some > 0)).toEqual([]);
  });

  test("shows runs within minutes, and the whole of the last label of the axis", async () => {
    const noon = Date.parse("2026-06-07T12:00:00Z") / 1000;
    await using app = await startApp({ clock: new FakeClock(noon * 1000), settings: { retention: { keep: "" } } });
    for (const ago of [300, 240, 180, 120, 60]) app.app.history.append(runAt(noon - ago));
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 1440 });
    for (const range of ["24h", "7d"]) {
      await watched.open(`/stats?range=${range}`);
      await drawn(watched.page);
      const seen = await watched.page.$$eval("div.plot canvas", (all) =>
        (all as HTMLCanvasElement[]).map((drawing) => {
          const { width, height } = drawing;
          const { data = [] } = drawing.getContext("2d")?.getImageData(0, 0, width, height) ?? {};
          const alpha = (x: number, y: number) => data[(y * width + x) * 4 + 3] ?? 0;
          const isInk = (x: number, y: number) => {
            const at = (y * width + x) * 4;
            return alpha(x, y) > 200 && (data[at + 1] ?? 0) - (data[at] ?? 0) > 60;
          };
          const rows = Array.from({ length: height }, (_, y) => y);
          const columns = Array.from({ length: width }, (_, x) => x);
          return {
            isCut: rows.some((y) => alpha(width - 1, y) > 0),
            rows: rows.filter((y) => columns.some((x) => isInk(x, y))).length,
          };
        }),
      );
      expect([range, ...seen.map(({ isCut }) => isCut)]).toEqual([range, false, false, false, false]);
      // Of the disk and the durations: points, higher than a line.
      for (const at of [0, 3]) expect([range, at, (seen[at]?.rows ?? 0) > 3]).toEqual([range, at, true]);
    }
  });

  test("draws the trash above what is used, in a quieter colour, and only where there is one", async () => {
    await using app = await startApp({ clock: new FakeClock(NOW * 1000), settings: { retention: { keep: "" } } });
    const add = (trashRatio: number) => {
      for (let at = 0; at < 100; at++)
        app.app.history.append(runAt(NOW - 3200 + at * 32, { diskUsedRatio: 0.3 + trashRatio, trashRatio }));
    };
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    const disk = chart(page, "disk");
    /** Rows of pixels, in percent of the disk, that are a line from side to side: what is used, and with the trash. */
    const lines = async () => {
      const over = await disk.locator(".u-over").boundingBox();
      const [canvas, box] = [disk.locator("canvas"), await disk.locator("canvas").boundingBox()];
      const [top, height] = [(over?.y ?? 0) - (box?.y ?? 0), over?.height ?? 0];
      const rows = await canvas.evaluate((drawing: HTMLCanvasElement) => {
        const { width, height } = drawing;
        const { data = [] } = drawing.getContext("2d")?.getImageData(0, 0, width, height) ?? {};
        const x = Math.round(width / 3);
        const colour = (y: number) => Array.from(data.slice((y * width + x) * 4, (y * width + x) * 4 + 4));
        return Array.from({ length: height }, (_, y) => colour(y)).map(([red = 0, green = 0, , alpha = 0]) => ({
          used: alpha > 200 && green - red > 60,
          trash: alpha > 200 && Math.abs(green - red) < 40,
        }));
      });
      const at = (name: "used" | "trash") => {
        const ys = rows.flatMap((row, y) => (row[name] && y > top + 1 && y < top + height - 1 ? [y] : []));
        return ys.map((y) => Math.round(100 * (1 - (y + 0.5 - top) / height)));
      };
      return { used: at("used"), trash: at("trash") };
    };
    add(0);
    await watched.open("/stats?range=all");
    await drawn(page);
    const without = await lines();
    expect(without.used.every((percent) => Math.abs(percent - 30) <= 2)).toBe(true);
    expect(without.used.length).toBeGreaterThan(0);
    expect(await disk.locator(".keys").textContent()).not.toContain("trash");

    add(0.33);
    await page.reload();
    await drawn(page);
    const { used, trash } = await lines();
    expect(used).toEqual(without.used);
    expect(trash.some((percent) => Math.abs(percent - 63) <= 2)).toBe(true);
    expect(without.trash.some((percent) => Math.abs(percent - 63) <= 2)).toBe(false);
    expect(await textsOf(disk.locator(".keys li"))).toEqual(["Used", "With the trash", "Stops at 90 %"]);
    expect(await textsOf(disk.locator(".read"))).toEqual([expect.stringContaining(" · 30 % + 33 % trash")]);
    expect(await accessibilityProblems(page, "[data-chart=disk]")).toEqual([]);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const read = await disk.locator(".read").evaluate((words) => words.scrollWidth - words.clientWidth);
      expect([width, read]).toEqual([width, 0]);
    }
  });

  test("points at the same run in all charts, and reads it out", async () => {
    await using watched = await open("a few runs");
    const { page } = watched;
    const stats = await statistics("a few runs", "7d");
    const data = chartData(stats);
    const zone = appOf("a few runs").app.zone;
    const place = await chart(page, "bytes").locator(".u-over").boundingBox();
    if (!place) throw new Error("The chart has no place");
    for (const share of [0.02, 0.35, 0.6, 0.98]) {
      await page.mouse.move(place.x + place.width * share, place.y + 20);
      const at = nearest(data.moments, data.from + (data.to - data.from) * share);
      for (const name of CHARTS) {
        const words = plain(readingAt(name, data, at, zone));
        await chart(page, name).locator(".read", { hasText: words }).waitFor();
        // The line stands where the run is, on every chart's own axis.
        const [line, over] = [chart(page, name).locator(".u-cursor-x"), chart(page, name).locator(".u-over")];
        const [from, box] = [(await line.boundingBox())?.x ?? 0, await over.boundingBox()];
        const end = name === "disk" ? data.until : data.to;
        const expected =
          (box?.x ?? 0) + (((data.moments[at] ?? 0) - data.from) / (end - data.from)) * (box?.width ?? 0);
        expect(Math.abs(from - expected)).toBeLessThan(8);
      }
    }
    await page.mouse.move(5, 5);
    await chart(page, "bytes")
      .locator(".read", { hasText: plain(statsView(stats, zone, "").charts.bytes.rest) })
      .waitFor();
    expect(await page.locator(".u-cursor-x:visible").count()).toBe(0);
  });

  test("can be read run by run with the keyboard alone", async () => {
    await using watched = await open("a few runs");
    const { page } = watched;
    const slider = page.getByRole("slider", { name: "Point at a run in all charts" });
    await slider.focus();
    await page.keyboard.press("Home");
    expect(plain((await slider.getAttribute("aria-valuetext")) ?? "")).toBe("Sun 7 Jun, 09:08 · 67 %, camera away");
    await page.keyboard.press("ArrowRight");
    await chart(page, "files").locator(".read", { hasText: "09:24 · 3" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test("paints anew when the theme changes, and again when the window does", async () => {
    await using watched = await open("many runs", "/stats?range=7d");
    const { page } = watched;
    const dark = await pictures(page);
    expect(dark).toHaveLength(CHARTS.length);
    const isOther = (before: string[]) =>
      page.waitForFunction((old) => {
        const all = [...document.querySelectorAll<HTMLCanvasElement>("div.plot canvas")];
        return all.every((canvas, at) => canvas.toDataURL() !== old[at]);
      }, before);
    // From the system's to the light one.
    await page.locator("[data-theme-switch]").click();
    await isOther(dark);
    const light = await pictures(page);
    await page.locator("[data-theme-switch]").click();
    await isOther(light);
    expect(await pictures(page)).toEqual(dark);
    await page.emulateMedia({ colorScheme: "light" });
    await page.locator("[data-theme-switch]").click();
    await isOther(dark);
    expect(await pictures(page)).toEqual(light);
    await page.setViewportSize({ width: 800, height: 900 });
    await page.waitForFunction(() =>
      [...document.querySelectorAll("div.plot")].every(
        (plot) => plot.querySelector("canvas")?.getBoundingClientRect().width === plot.clientWidth,
      ),
    );
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
    await watched.context.clearCookies();
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
    await drawn(page);
    await page.locator("#runs tbody tr").waitFor();
    expect(await page.locator("#runs h2").textContent()).toBe("Runs");
  });
});
