import { afterAll, beforeAll } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { Run } from "../../../server/domain/runs/run.ts";
import type { Statistics } from "../../../server/domain/runs/stats_schema.ts";
import { type RunningApp, startApp } from "../app/app.ts";
import { FakeClock } from "../app/clock.ts";
import { awayAt, runAt, runsOfACar } from "../app/history.ts";
import { describeInBrowser, type TestBrowser, WatchedPage } from "./browser.ts";

/** Epoch seconds. */
export const NOW = Date.parse("2026-06-07T10:15:00Z") / 1000;
export const CHARTS = ["disk", "bytes", "files", "duration", "failed"] as const;

/** Histories that a page may have to show. */
export const STATES: Readonly<Record<string, { path: string; runs: () => Iterable<Run> }>> = {
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

/** Texts of these places, with plain spaces. */
export async function textsOf(place: Locator): Promise<string[]> {
  return (await place.allTextContents()).map(plain);
}
/** A text with plain spaces. */
export const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");
export const chart = (page: Page, name: string) => page.locator(`[data-chart=${name}]`);
/** The range that is shown. */
export const current = (page: Page) => textsOf(page.locator(".seg[aria-label=Range] [aria-current]"));
export const tiles = (page: Page) => textsOf(page.locator(".tile :is(dt, dd, p)"));

/** Resolves when the page says that it is ready, which it is when all charts that have something to draw are drawn. */
export async function drawn(page: Page): Promise<void> {
  await page.waitForSelector("[data-island=stats_charts][data-ready]");
  const plots = await page.$$eval("div.plot", (all) => all.map((plot) => plot.querySelector("canvas") !== null));
  if (plots.length === 0 || plots.includes(false)) throw new Error(`Ready before its charts were: ${plots}`);
}

/** Access of one file's tests to the page. */
interface StatsPage {
  browser: () => TestBrowser;
  /** The service in this state. */
  appOf(state: string): RunningApp;
  /** Its page, drawn. */
  open(state: string, path?: string): Promise<WatchedPage>;
  /** Statistics of the API for a range. */
  statistics(state: string, range: string): Promise<Statistics>;
}

/** Tests of the statistics page in a real browser, with a service in each of these states. */
export function describeStatsPage(states: readonly string[], tests: (page: StatsPage) => void): void {
  describeInBrowser("the statistics page", (browser) => {
    const apps = new Map<string, RunningApp>();
    const appOf = (state: string) => {
      const app = apps.get(state);
      if (!app) throw new Error(`There is no app with ${state}`);
      return app;
    };
    beforeAll(async () => {
      for (const state of states) {
        const clock = new FakeClock(NOW * 1000);
        const app = await startApp({ clock, settings: { retention: { keep: state === "many runs" ? "2w" : "" } } });
        for (const run of STATES[state]?.runs() ?? []) app.app.history.append(run);
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

    tests({ browser, appOf, open, statistics });
  });
}
