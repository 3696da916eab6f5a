import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Response as Answer } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";

setDefaultTimeout(120_000);

const KB = 1024;
/** Most kilobytes of scripts that each page may load, compressed. */
const SCRIPTS: readonly (readonly [path: string, kilobytes: number])[] = [
  ["/", 26],
  ["/logs", 26],
  ["/settings", 26],
  ["/settings/camera", 20],
  ["/stats", 50],
  ["/trash", 25],
  ["/viewer", 110],
];

/** The same of a page with a style sheet that no other page loads. */
const WITH_OWN_SHEET: typeof SCRIPTS = [["/map", 70]];

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({ settings: { retention: { keep: "" }, viewer: { map_tiles: false } } });
  app.app.job.start("manual");
  await app.synced();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Bytes as they travel. */
async function weight(url: string): Promise<number> {
  const answer = await fetch(url, { headers: { "accept-encoding": "gzip" }, decompress: false });
  expect(answer.status).toBe(200);
  return (await answer.bytes()).length;
}

describeInBrowser("the budget of scripts", (browser) => {
  for (const [path, kilobytes] of [...SCRIPTS, ...WITH_OWN_SHEET])
    test(`on ${path} is ${kilobytes} KB compressed, as the browser loads them`, async () => {
      await using watched = await WatchedPage.open(browser(), { url: app.url });
      const loaded = new Set<string>();
      const note = (answer: Answer) => {
        if (answer.request().resourceType() === "script") loaded.add(answer.url());
      };
      watched.page.on("response", note);
      await watched.open(path);
      // Scripts that are loaded after that count too, such as the viewer's map.
      await watched.page.waitForLoadState("networkidle");
      watched.page.off("response", note);
      const weights = await Promise.all([...loaded].map(async (url) => [url, await weight(url)] as const));
      expect(weights.length).toBeGreaterThan(2);
      const all = weights.reduce((sum, [, bytes]) => sum + bytes, 0);
      expect([all < kilobytes * KB, all, weights]).toEqual([true, all, weights]);
    });

  test("on /viewer counts the map, which comes after the page", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const map = watched.page.waitForResponse((answer) => answer.url().includes("/track_map-"));
    await watched.open("/viewer");
    expect((await map).status()).toBe(200);
  });
});

describe("the budget of", () => {
  test("style sheets is 27 KB compressed in all", async () => {
    const sheets = new Set<string>();
    for (const [path] of SCRIPTS)
      for (const [, sheet = ""] of (await (await app.client.fetch(path)).text()).matchAll(
        /<link rel="stylesheet" href="([^"]+)"/g,
      ))
        sheets.add(sheet);
    expect(sheets.size).toBeGreaterThan(0);
    const weights = await Promise.all([...sheets].map((sheet) => weight(app.url + sheet)));
    expect(weights.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(27 * KB);
  });
});
