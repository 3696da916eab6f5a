import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { worldMapFile } from "../support/app/map_file.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { PretendTiles } from "../support/browser/pretend_tiles.ts";
import { button } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(60_000);

const KEY = "20260607_101500_N";
/** The land of the library's dark colours. */
const LAND = [31, 31, 31];

/** The colour of a square near its corner. */
async function inkOf(square: Locator): Promise<number[]> {
  await square.waitFor();
  return await square.evaluate((canvas: HTMLCanvasElement) => {
    const brush = document.createElement("canvas").getContext("2d");
    brush?.drawImage(canvas, 0, 0);
    return [...(brush?.getImageData(3, 3, 1, 1).data ?? [])];
  });
}

describeInBrowser("the own map file", (browser) => {
  let app: RunningApp;
  let tiles: PretendTiles;
  beforeAll(async () => {
    tiles = new PretendTiles();
    const viewer = { tile_url: tiles.address, map_tiles: true };
    app = await startApp({ settings: { retention: { keep: "" }, viewer } });
    await putFootage(app.destination, [`${KEY}F.mp4`]);
    const fix = (second: number) =>
      `[${1_780_827_300_000 + second * 1000}]$GPRMC,101500.00,A,0000.${1000 + second},N,00${second % 10}00.0000,E,30,,070626,,,A*00\r\n`;
    writeFileSync(join(app.destination, `${KEY}.gps`), Array.from({ length: 12 }, (_, at) => fix(at)).join(""));
    writeFileSync(join(app.folder, "config", "area.pmtiles"), worldMapFile());
    await app.client.open("/viewer");
    expect((await app.client.send("PATCH", "/api/settings/viewer", { map_file: "area.pmtiles" })).status).toBe(200);
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await tiles[Symbol.asyncDispose]();
  });

  test("draws the land under the track, says whose streets they are, and asks nobody else", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(app.url) && /^http/.test(request.url())) elsewhere.push(request.url());
      if (request.url().includes("/tiles/")) elsewhere.push(request.url());
    });
    await watched.open(`/viewer?key=${KEY}`);
    await page.getByRole("link", { name: "OpenStreetMap contributors" }).waitFor();
    expect(await inkOf(page.locator("canvas.leaflet-tile-loaded").first())).toEqual([...LAND, 255]);
    // Under all drives it has the colours of the page.
    await watched.open("/map?bbox=-2,-2,2,2");
    expect(await inkOf(page.locator(".mapv-square.is-here").first())).toEqual([...LAND, 255]);
    await page.getByRole("link", { name: "OpenStreetMap contributors" }).waitFor();
    // A file that is bad by now is told on the page, and nothing takes its place.
    writeFileSync(join(app.folder, "config", "area.pmtiles"), "no map any more");
    await watched.open("/map?bbox=-2,-2,2,2");
    await page.getByRole("status").getByText("The map file area.pmtiles is not a PMTiles file.").waitFor();
    await watched.open(`/viewer?key=${KEY}`);
    await page.getByRole("status").getByText("The map file area.pmtiles is not a PMTiles file.").waitFor();
    writeFileSync(join(app.folder, "config", "area.pmtiles"), worldMapFile());
    await button(page, "Try again").click();
    await page.getByRole("status").getByText("is not a PMTiles file").waitFor({ state: "detached" });
    expect(elsewhere).toEqual([]);
    expect(tiles.asked).toEqual([]);
  });
});
