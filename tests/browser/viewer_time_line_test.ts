import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { button, loaded } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";
import { orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(90_000);

/** A trip of 312 seconds: clips of 12 and 15 seconds, a minute apart, the last after a break. */
const [FIRST, SECOND, EVENT, MANUAL] = [
  "20261120_080000_N",
  "20261120_080100_N",
  "20261120_080200_E",
  "20261120_080500_M",
] as const;
const LENGTH = 312;
/** Without satellites. */
const BLIND = "20261120_120000_N";

/** One fix a second, without those at which the satellites were lost. */
function gps(knots: number, lost: (second: number) => boolean = () => false): string {
  const lines = Array.from({ length: 12 }, (_, at) => {
    const state = lost(at) ? "V" : "A";
    return `[${1_780_000_000_000 + at * 1000}]$GNRMC,080000.00,${state},4800.${10_000 + at},N,01100.00000,E,${knots},,201126,,,A*00\r\n`;
  });
  return lines.join("");
}

/** Ten samples a second, with the camera mounted a little askew, and brakes hit at the fifth second. */
function gsensor(braking = 0): Uint8Array {
  const view = new DataView(new ArrayBuffer(1200));
  for (let at = 0; at < 120; at++) {
    view.setUint32(at * 10, at * 100);
    view.setInt16(at * 10 + 4, 130);
    view.setInt16(at * 10 + 6, 5);
    view.setInt16(at * 10 + 8, -9 - (at >= 50 && at < 54 ? Math.round(braking * 128) : 0));
  }
  return new Uint8Array(view.buffer);
}

/** Position on the screen of a time of the trip, in the lane of clips. */
async function placeOf(page: Page, time: number): Promise<{ x: number; y: number }> {
  const box = await page.locator(".tl-axis").boundingBox();
  const lane = await page.locator(".tl .lane").first().boundingBox();
  if (!box || !lane) throw new Error("There is no time line");
  return { x: box.x + (time / LENGTH) * box.width, y: lane.y + lane.height * 0.7 };
}

/** Resolves when the slider says this. */
const says = (page: Page, words: string) => page.locator(`.tl-body[aria-valuetext^="${words}"]`).waitFor();
const linesDrawn = (page: Page) =>
  page.locator(".lane-speed .curve").evaluate((path) => path.getAttribute("d")?.match(/M/g)?.length ?? 0);
/** Resolves when this clip is on show and its player knows it. */
async function shows(page: Page, key: string): Promise<void> {
  await page.waitForURL((url) => url.searchParams.get("key") === key);
  await loaded(page);
}

describeInBrowser("the time line", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" }, viewer: { journey_mode: "progressive" } } });
    const keys = [FIRST, SECOND, EVENT, MANUAL, BLIND];
    await putFootage(
      app.destination,
      keys.map((key) => `${key}F.mp4`),
    );
    const put = (name: string, content: string | Uint8Array) => writeFileSync(join(app.destination, name), content);
    put(`${FIRST}.gps`, gps(20));
    put(
      `${SECOND}.gps`,
      gps(30, (second) => second > 1 && second < 10),
    );
    put(`${EVENT}.gps`, gps(40));
    put(`${MANUAL}.gps`, gps(0));
    for (const key of keys) put(`${key}.3gf`, gsensor(key === EVENT ? 0.75 : 0));
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("tells the whole trip, seeks by mouse and keyboard through all of its clips, marks a range and looks closer", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${SECOND}&t=6`);
    await says(page, "08:01:06, no fix, 0.00\u00a0g");
    await page.locator(".hud").getByText("No fix").waitFor();
    expect(await page.locator(".vw-head h2").textContent()).toContain("Fri 20\u00a0Nov, 08:00 to 08:05");
    expect(await page.locator(".vw-head p").first().textContent()).toContain("fastest 74\u00a0km/h");
    expect(await page.locator(".clock").textContent()).toBe("08:01:06 of 08:05:12");
    expect((await page.locator(".tl .sr").textContent())?.replaceAll("\u00a0", " ")).toBe(
      "4 clips: 2 normal, 1 event at 08:02, 1 manual at 08:05; nothing recorded 08:00 to 08:01, 08:01 to 08:02 and " +
        "08:02 to 08:05. Speed over time, 0 to 74 km/h. Forces: strongest 0.75 g braking at 08:02:05.",
    );
    // The track is drawn as far as the trip was seen: one line for the first clip, two for this one, which lost its
    // satellites meanwhile.
    expect(await linesDrawn(page)).toBe(3);
    // The map hides what of its picture lies outside it.
    expect((await orderProblems(watched)).filter((problem) => !problem.startsWith("div.map-view"))).toEqual([]);

    const gap = await placeOf(page, 200);
    const event = await placeOf(page, 125.2);
    const manual = await placeOf(page, 305);
    await page.mouse.move(gap.x, gap.y);
    await page.locator(".hover text").getByText("08:03:20 · no fix").waitFor();
    // The picture of the clip that a click leads to; then that of the second itself.
    const peek = page.locator(".tl .peek");
    expect(await peek.locator("img").getAttribute("src")).toContain(MANUAL);
    await page.mouse.move(event.x, event.y);
    const frame = peek.locator("video.is-seen");
    await frame.waitFor();
    expect(await frame.getAttribute("src")).toEndWith(`${EVENT}F.mp4?view=frame&t=5`);
    expect(await frame.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(300);
    const over = await peek.boundingBox();
    const lanes = await page.locator(".tl-body").boundingBox();
    expect(Math.abs((over?.x ?? 0) + (over?.width ?? 0) / 2 - event.x)).toBeLessThan(2);
    expect((over?.y ?? 0) + (over?.height ?? 0)).toBeLessThanOrEqual(lanes?.y ?? 0);
    await page.mouse.move(event.x, event.y - 300);
    await peek.waitFor({ state: "detached" });
    await page.mouse.click(event.x, event.y);
    await shows(page, EVENT);
    await says(page, "08:02:05, 74\u00a0km/h, 0.75\u00a0g");
    expect(await linesDrawn(page)).toBe(4);
    expect(await page.locator(".hud").textContent()).toBe("74 km/h0.75 g");

    await page.mouse.move(event.x, event.y);
    await page.mouse.down();
    await page.mouse.move(manual.x - 40, manual.y, { steps: 5 });
    await page.mouse.move(manual.x, manual.y);
    await page.mouse.up();
    await shows(page, MANUAL);
    await says(page, "08:05:05, 0\u00a0km/h");

    await page.keyboard.press("Home");
    await shows(page, FIRST);
    await says(page, "08:00:00, 37\u00a0km/h");
    await page.keyboard.press("ArrowRight");
    await says(page, "08:00:05");
    await page.keyboard.press("PageUp");
    await shows(page, SECOND);
    await says(page, "08:01:05");

    await page.keyboard.press("i");
    await page.keyboard.press("ArrowRight");
    await says(page, "08:01:10");
    await page.keyboard.press("o");
    const marked = page.locator(".tl-marked");
    expect(await marked.textContent()).toBe("08:01:05 to 08:01:10 0:05");
    const grip = await page.locator('.rg-grip[data-end="to"] .rg-h').boundingBox();
    if (!grip) throw new Error("The range has no end");
    await page.mouse.move(grip.x + 5, grip.y + 5);
    await page.mouse.down();
    const later = await placeOf(page, 130.4);
    await page.mouse.move(later.x, later.y, { steps: 3 });
    await page.mouse.up();
    expect(await marked.textContent()).toBe("08:01:05 to 08:02:10 1:05");
    await says(page, "08:01:10");
    await page.keyboard.press("Escape");
    expect(await marked.count()).toBe(0);

    const times = () => page.locator(".tl-axis text").allTextContents();
    const whole = await times();
    await page.keyboard.press("+");
    await button(page, "The whole trip").waitFor();
    expect(await times()).not.toEqual(whole);
    await page.mouse.move(event.x, event.y);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, 600);
    await page.keyboard.up("Control");
    await button(page, "The whole trip").waitFor({ state: "detached" });
    expect(await times()).toEqual(whole);

    // While it plays only the head moves: no curve is drawn anew.
    const curves = await page.locator(".tl .lane").evaluateAll((lanes) => {
      const seen = window as unknown as { drawn: number };
      seen.drawn = 0;
      const watching = new MutationObserver((changes) => {
        seen.drawn += changes.length;
      });
      for (const lane of lanes) watching.observe(lane, { attributes: true, childList: true, subtree: true });
      return lanes.length;
    });
    expect(curves).toBe(4);
    await page.keyboard.press("Home");
    await shows(page, FIRST);
    await page.evaluate(() => {
      (window as unknown as { drawn: number }).drawn = 0;
    });
    await page.keyboard.press("Space");
    await page.waitForFunction(() => {
      const told = document.querySelector(".tl-body")?.getAttribute("aria-valuetext") ?? "";
      return told >= "08:00:02" && told < "08:01";
    });
    await page.keyboard.press("Space");
    expect(await page.evaluate(() => (window as unknown as { drawn: number }).drawn)).toBe(0);
    expect(await watched.problems()).toEqual([]);
  });

  test("is used with a finger, in miles, with all curves at once, and says where there is no speed", async () => {
    const viewer = { ...app.app.settings.current.viewer, speed_unit: "mph", journey_mode: "full" } as const;
    await app.app.settings.update((latest) => ({ ...latest, viewer }));
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    const { page } = watched;
    await watched.open(`/viewer?key=${FIRST}`);
    await says(page, "08:00:00, 23\u00a0mph");
    expect(await linesDrawn(page)).toBe(5);
    const tap = async (time: number) => {
      // Not behind the picture, which stays in view, nor behind the tabs.
      await page.locator(".tl-body").evaluate((body) => body.scrollIntoView({ block: "center" }));
      const { x, y } = await placeOf(page, time);
      await page.touchscreen.tap(x, y);
    };
    await tap(62.5);
    await shows(page, SECOND);
    await says(page, "08:01:0");
    await button(page, "Mark from here").tap();
    await tap(127);
    await shows(page, EVENT);
    await says(page, "08:02:0");
    await button(page, "Mark to here").tap();
    expect(await page.locator(".tl-marked").textContent()).toMatch(/^08:01:0\d to 08:02:0\d 1:0\d$/);
    await button(page, "Clear the mark").tap();
    await button(page, "Look closer").tap();
    await button(page, "The whole trip").tap();

    // The telemetry that does not come is asked for again.
    await page.route("**/telemetry", (route) => route.abort());
    await watched.open(`/viewer?key=${BLIND}`);
    await page.getByText("Speed and force are not there:").waitFor();
    await page.getByText("No speed without GPS").waitFor();
    await page.unroute("**/telemetry");
    await watched.open(`/viewer?key=${BLIND}`);
    await says(page, "12:00:00, no fix, 0.00\u00a0g");
    expect((await watched.problems()).filter((problem) => !problem.includes("ERR_FAILED"))).toEqual([]);
  });
});
