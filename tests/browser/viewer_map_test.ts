import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { PretendTiles, picture } from "../support/browser/pretend_tiles.ts";
import { button, loaded, until } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";
import { orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(90_000);

/** A drive to the east, whose last clip loses its satellites, and one without a GPS file. */
const [FIRST, EVENT, LAST, WITHOUT] = [
  "20260607_101500_N",
  "20260607_101512_E",
  "20260607_101530_N",
  "20260607_120000_N",
] as const;

/** A `.gps` file with a fix a second, each so much farther to the east and so many knots fast. */
function gps(fixes: readonly (readonly [minutesEast: number, knots: number])[]): string {
  const line = ([east, knots]: readonly [number, number], second: number) => {
    const place = `5000.0000,N,010${(30 + east).toFixed(4).padStart(7, "0")},E`;
    return `[${1_780_827_300_000 + second * 1000}]$GPRMC,101500.00,A,${place},${knots},,070626,,,A*00\r\n`;
  };
  return fixes.map(line).join("");
}

/** From one place to another, in seconds. */
const way = (from: number, to: number, seconds: number, knots: number) =>
  Array.from({ length: seconds }, (_, at) => [from + ((to - from) * at) / seconds, knots + at] as const);

/** Numbers of cold and of warm pixels on the track's canvas. */
const coloursOn = (page: Page) =>
  page.locator(".map-track").evaluate((canvas: HTMLCanvasElement) => {
    // A copy: a canvas that is read is drawn more slowly from then on.
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy?.drawImage(canvas, 0, 0);
    const { data } = copy?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: new Uint8ClampedArray() };
    let cold = 0;
    let warm = 0;
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
      if (alpha < 255) continue;
      if (blue > red + 60) cold++;
      if (red > blue + 60 && green > blue + 60) warm++;
    }
    return { cold, warm };
  });

async function carAt(page: Page): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await page.locator(".map-car").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
}

/** Resolves when the car is as wanted and stands there over a frame: a map that is still being laid out moves it. */
async function carUntil(page: Page, wanted: (car: { x: number; y: number }) => boolean) {
  for (const deadline = Date.now() + 20_000; ; ) {
    const before = await carAt(page);
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const car = await carAt(page);
    if (wanted(car) && car.x === before.x && car.y === before.y) return car;
    if (Date.now() > deadline) throw new Error(`The car is still at ${JSON.stringify(car)}`);
  }
}

describeInBrowser("the viewer's map", (browser) => {
  let app: RunningApp;
  let tiles: PretendTiles;
  beforeAll(async () => {
    tiles = new PretendTiles();
    app = await startApp({
      settings: { retention: { keep: "" }, viewer: { journey_mode: "progressive", tile_url: tiles.address } },
    });
    await putFootage(
      app.destination,
      [FIRST, EVENT, LAST, WITHOUT].map((key) => `${key}F.mp4`),
    );
    const put = (key: string, fixes: Parameters<typeof gps>[0]) =>
      writeFileSync(join(app.destination, `${key}.gps`), gps(fixes));
    put(FIRST, way(0, 0.1, 12, 1));
    put(EVENT, way(0.1, 0.4, 15, 30));
    put(LAST, way(0.5, 0.54, 5, 60));
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await tiles[Symbol.asyncDispose]();
  });

  test("shows the track, seeks by a click on it, and follows the car until a hand moves it", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${FIRST}&t=6`);
    await loaded(page);
    const ground = page.getByRole("application");
    await ground.waitFor();
    expect((await ground.getAttribute("aria-label"))?.replaceAll("\u00a0", " ")).toMatch(
      /^Track, 0\.\d km from west to east, fastest 119 km\/h, one event at 10:15$/,
    );
    await button(page, "No").click();
    await page
      .locator(".map-scale")
      .getByText(/^\d+\sm$/)
      .waitFor();
    const sixth = await carUntil(page, ({ x }) => x > 0);
    // The first part was slow; the colours of later parts are not shown yet.
    const before = await coloursOn(page);
    expect([before.cold > 0, before.warm]).toEqual([true, 0]);

    await button(page, "Follow the car").waitFor();
    await page.keyboard.press("ArrowLeft");
    await carUntil(page, ({ x }) => x < sixth.x - 1);
    await page.mouse.click(sixth.x, sixth.y);
    await until(page, ([front]) => Math.abs((front?.time ?? 0) - 6) < 1);
    await carUntil(page, ({ x }) => Math.abs(x - sixth.x) < 3);

    // A click goes into other clips, too; there the satellites are lost.
    const box = (await ground.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.click(box.x + box.width - 30, sixth.y);
    await page.waitForURL(`**/viewer?key=${LAST}*`);
    await loaded(page);
    await page.keyboard.press("ArrowRight");
    await page.locator(".map-lost").getByText("No fix").waitFor();
    expect(await page.locator(".map-car.is-lost").count()).toBe(1);
    expect((await coloursOn(page)).warm).toBeGreaterThan(0);

    const there = await carAt(page);
    await page.mouse.move(box.x + 150, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 90, box.y + 100, { steps: 5 });
    await page.mouse.up();
    await carUntil(page, ({ x, y }) => Math.abs(x - there.x + 60) < 3 && Math.abs(y - there.y - 40) < 3);
    const follow = button(page, "Follow the car");
    expect(await follow.getAttribute("aria-pressed")).toBe("false");
    await page.keyboard.press("w");
    await page.waitForSelector(".map-tools [aria-pressed=true]");

    // With the focus on the map its keys are the map's: the film stays where it is.
    const moved = await carAt(page);
    const time = await page.locator("video").evaluate((v: HTMLVideoElement) => v.currentTime);
    await ground.focus();
    await page.keyboard.press("ArrowDown");
    await carUntil(page, ({ y }) => Math.abs(y - moved.y + 80) < 3);
    expect(await follow.getAttribute("aria-pressed")).toBe("false");
    expect(await page.locator("video").evaluate((v: HTMLVideoElement) => v.currentTime)).toBe(time);
    expect(await watched.problems()).toEqual([]);
  });

  test("draws the track of the whole trip at once when it is set to", async () => {
    const before = app.app.settings.current.viewer;
    await app.app.settings.update((latest) => ({ ...latest, viewer: { ...before, journey_mode: "full" } }));
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${FIRST}&t=6`);
    await carUntil(page, ({ x }) => x > 0);
    const { cold, warm } = await coloursOn(page);
    expect([cold > 0, warm > 0]).toEqual([true, true]);
    await app.app.settings.update((latest) => ({ ...latest, viewer: before }));
    expect(await watched.problems()).toEqual([]);
  });

  test("asks once for streets, shows them through this service, and lies over the picture when it is to be large", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${EVENT}`);
    const question = page.getByRole("region", { name: "Show streets?" });
    await question.getByText(tiles.host).waitFor();
    expect(tiles.asked).toEqual([]);
    expect(await orderProblems(watched, ".map")).toEqual([]);
    await question.getByRole("button", { name: "Show", exact: true }).click();
    await page.locator("img.leaflet-tile-loaded").first().waitFor();
    await page.getByText(`Streets from ${tiles.host}`).waitFor();
    expect(await question.count()).toBe(0);
    expect(tiles.most).toBeLessThanOrEqual(2);
    expect(app.app.settings.current.viewer.map_tiles).toBe(true);

    tiles.behave = () => new Response("<html>", { status: 500 });
    const large = button(page, "Large map");
    const small = (await page.locator(".map").boundingBox())?.width ?? 0;
    await large.click();
    // It is drawn large with the next frame.
    await page.waitForFunction((width) => (document.querySelector(".map")?.clientWidth ?? 0) > width + 100, small);
    const boxes = await Promise.all([".vw-head", ".map", ".transport"].map((one) => page.locator(one).boundingBox()));
    const [head, map, transport] = boxes.map((one) => one ?? { x: 0, y: 0, width: 0, height: 0 });
    expect([map?.x, map?.width]).toEqual([head?.x, head?.width]);
    expect([map?.y, (map?.y ?? 0) + (map?.height ?? 0)]).toEqual([(head?.y ?? 0) + (head?.height ?? 0), transport?.y]);
    await button(page, "Closer").click();
    await page.getByRole("status").getByText(`The tile server ${tiles.host} did not send the picture.`).waitFor();
    tiles.behave = () => picture(90);
    await button(page, "Try again").click();
    await page.getByText("did not send the picture").waitFor({ state: "detached" });
    const refused = await watched.problems();
    expect(refused.filter((problem) => !problem.includes("status of 502"))).toEqual([]);
    expect(await orderProblems(watched, ".map")).toEqual([]);
    await large.focus();
    await page.keyboard.press("Escape");
    await page.locator(".map-big").waitFor({ state: "detached" });

    await watched.open(`/viewer?key=${WITHOUT}`);
    await page.getByText("No GPS in this trip").waitFor();
    expect(await page.locator(".map-ground").isVisible()).toBe(false);
    expect(await orderProblems(watched, ".map")).toEqual([]);
  });
});
