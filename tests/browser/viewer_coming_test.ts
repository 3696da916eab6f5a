import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import type { GenerationName } from "../../server/dashcam/generation.ts";
import { SimulatedCard } from "../../server/dashcam/simulator/simulated_card.ts";
import { demoFootage } from "../../server/dashcam/simulator/simulated_demo.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { progressed } from "../support/browser/frames.ts";
import { button, loaded, row, until } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";
import { orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(120_000);

/** A drive of five minutes, newest last. */
const KEYS = [1, 2, 3, 4, 5].map((minute) => `20260607_101${minute}00_N`);
const [FIRST = "", SECOND = "", THIRD = "", FOURTH = "", FIFTH = ""] = KEYS;
/** Bytes per second at which a video takes minutes. */
const SLOW = 4000;

let app: RunningApp;
afterEach(() => app[Symbol.asyncDispose]());

/** The camera has the drive, and nothing was asked of it yet. */
async function openDrive(generation: GenerationName = "legacy"): Promise<SimulatedCard> {
  const card = new SimulatedCard(await demoFootage());
  for (const key of KEYS) for (const direction of ["F", "R"]) card.record(`${key}${direction}.mp4`);
  app = await startApp({ card, generation, settings: { retention: { keep: "" }, sync: { priority: "date" } } });
  await app.client.open("/");
  return card;
}

/** A sync is under way: the thumbnails and tracks of the drive are home, its first video comes slowly. */
async function beginDrive(): Promise<void> {
  app.simulator.rate = 100_000;
  await app.client.send("POST", "/api/sync/now", {});
  // The last one may still be recorded: it comes last.
  const isHome = () => KEYS.slice(0, -1).every((key) => app.app.library.group(key)?.endings.includes("R.thm"));
  await progressed(app.client, isHome);
  app.simulator.rate = SLOW;
}

/** Line of a row that says where the recording is. */
const lineOf = (page: Page, key: string) => row(page, key).locator(".rec-line");
const textOf = async (page: Page, key: string) =>
  (await lineOf(page, key).innerText()).replaceAll("\u00a0", " ").trim();
const getNow = (page: Page, key: string) => page.locator(`li:has(> [data-key="${key}"]) > button`);

describeInBrowser("what is still on the camera", (browser) => {
  test("is on the map, in the list and on the stage before its video is here, comes sooner when it is wanted, and plays", async () => {
    await openDrive();
    await beginDrive();
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${THIRD}&t=5`);
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    // The drive: how much of it is here, and where it went.
    await page.locator(".trip-line .marks").getByText("0 of 5 here").waitFor();
    const ground = page.getByRole("application");
    await ground.waitFor();
    expect(await ground.getAttribute("aria-label")).toStartWith("Track, ");
    await page.locator(".hud").getByText("km/h").waitFor();
    await page.locator(".tl .keys").getByText("Still on the camera").waitFor();
    await page.locator(".lane .sg-now").waitFor({ state: "attached" });
    expect(await page.getByRole("slider").getAttribute("aria-valuetext")).toEndWith(", still on the camera");
    // One recording comes now, and another one waits behind it.
    await row(page, FIRST).getByRole("progressbar").waitFor();
    expect(await textOf(page, SECOND)).toStartWith("Next");
    expect(await textOf(page, FIFTH)).toStartWith("4th");
    const bar = page.locator(".stage .cam-wait.row");
    await bar.getByText("2nd in the queue").waitFor();
    await page.getByAltText("Front, a still from the camera").waitFor();
    await page.getByText("Comes with Front").waitFor();
    expect(await button(page, "Delete this clip").count()).toBe(0);

    await getNow(page, FIFTH).click();
    await lineOf(page, FIFTH).getByText("Comes next").waitFor();
    expect(app.app.coming.of(FIFTH)?.position).toBe(1);
    expect(await getNow(page, FIFTH).evaluate((one) => one === document.activeElement)).toBe(true);
    await button(page, "Get this now").first().focus();
    await page.keyboard.press("Enter");
    await bar.getByText("Comes next").waitFor();
    await page.getByRole("status").getByText("10:13:00: Comes next").waitFor({ state: "attached" });
    expect(app.app.coming.of(THIRD)?.position).toBe(1);

    // Left out, had back: in place, with the focus where it was.
    await row(page, FOURTH).click();
    await bar.getByText("Still on the camera.").waitFor();
    await button(page, "Not needed").click();
    await bar.getByText("Not needed.").waitFor();
    expect(app.app.coming.of(FOURTH)?.state).toBe("unwanted");
    const back = button(page, "Get it after all");
    expect(await back.evaluate((one) => one === document.activeElement)).toBe(true);
    await getNow(page, FOURTH).getByTitle("Get it after all").or(getNow(page, FOURTH)).first().waitFor();
    await back.click();
    await button(page, "Not needed").waitFor();
    expect(app.app.coming.of(FOURTH)?.state).toBe("waiting");

    // Playing goes over what is not here; nothing of the drive is.
    await button(page, "Play").click();
    await page.getByText("The next clip is still on the camera").waitFor();
    await row(page, THIRD).click();
    await page.waitForURL(`**/viewer?key=${THIRD}*`);
    await getNow(page, FOURTH).focus();
    app.simulator.rate = null;
    await app.synced();
    await loaded(page);
    await getNow(page, FOURTH).waitFor({ state: "detached" });
    expect(await row(page, FOURTH).evaluate((one) => one === document.activeElement)).toBe(true);
    await page.locator(".cam-wait.row").waitFor({ state: "detached" });
    // The rate is so low that the clip does not end before it is looked at, however busy the machine is.
    await page.getByLabel("Playback speed").selectOption("0.25");
    await button(page, "Play").click();
    await until(page, (all) => all.length === 2 && all.every(({ paused, time }) => !paused && time > 0.2));
    await page.locator(".trip-line .marks").getByText("of 5 here").waitFor({ state: "detached" });
    expect(await page.locator("li > .trip-open").count()).toBe(0);
    expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
    expect(await page.locator(".trip[aria-current]").getAttribute("data-key")).toBe(THIRD);
    expect(await watched.problems()).toEqual([]);
  });

  test("is offered all the same when a rule leaves it out since the page was read", async () => {
    await openDrive();
    await beginDrive();
    await app.client.send("POST", "/api/sync/stop", {});
    await app.synced();
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${THIRD}`);
    await getNow(page, SECOND).waitFor();
    // Another tab changes the setting.
    await app.client.send("PATCH", "/api/settings/sync", { include: ["E"] });
    await getNow(page, SECOND).click();
    const toast = page.locator("#toasts .toast");
    await toast.getByText("The settings for downloads leave it out.").waitFor();
    expect(app.app.coming.of(SECOND)).toBeNull();
    await toast.getByRole("button", { name: "Bring it all the same" }).click();
    await lineOf(page, SECOND).getByText("Comes first with the next visit").waitFor();
    expect(app.app.coming.of(SECOND)).toMatchObject({ state: "waiting", position: 1 });
    expect((await app.app.retention.kept.all()).size).toBe(1);
  });

  test("waits for the next visit while the camera is away, in a page without script as well", async () => {
    await openDrive();
    await beginDrive();
    await app.client.send("POST", "/api/sync/stop", {});
    await app.synced();
    await app.simulator.close();
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${THIRD}`);
    await page.locator(".stage .cam-wait.row").getByText("3rd in the queue.").waitFor();
    expect(await textOf(page, FIRST)).toBe("Next");
    await button(page, "Get these 5 now: clips of 10:11 to 10:16 that are still on the camera").click();
    await page.locator(".list-more").getByText("These come first with the next visit").waitFor();
    await getNow(page, SECOND).click();
    await lineOf(page, SECOND).getByText("Comes first with the next visit").waitFor();
    expect(app.app.coming.of(SECOND)?.position).toBe(1);
    // Several at once.
    await button(page, "Select").click();
    for (const key of [FOURTH, FIFTH]) await page.locator(`li:has(> [data-key="${key}"]) .pick`).click();
    await button(page, "Not needed").last().click();
    await lineOf(page, FIFTH).getByText("Not needed").waitFor();
    await page.keyboard.press("Delete");
    await page.getByText("from which nothing is deleted").waitFor();
    expect(await orderProblems(watched)).toEqual([]);

    const context = await browser().newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${app.url}/viewer?key=${THIRD}`);
    await plain.getByText("Still on the camera. 3rd in the queue.").waitFor();
    expect(await textOf(plain, SECOND)).toBe("Next");
    expect(await textOf(plain, FIFTH)).toBe("Not needed");
    await context.close();
  });

  test("comes to be in a page that is open, and goes from it when the camera has it no more", async () => {
    const card = await openDrive("v1009");
    const here = "20260606_100000_N";
    await putFootage(app.destination, [`${here}F.mp4`]);
    await app.app.library.refresh();
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/viewer");
    await loaded(page);
    await beginDrive();
    await page.locator('.day[data-date="2026-06-07"]').getByText("5 clips").waitFor();
    expect(await page.locator(".trip[aria-current]").getAttribute("data-key")).toBe(here);
    await page.locator('.day[data-date="2026-06-07"]').click();
    await row(page, FOURTH).waitFor();
    await app.client.send("POST", "/api/sync/stop", {});
    await app.synced();
    for (const direction of ["F", "R"]) card.overwrite(`${FOURTH}${direction}.mp4`);
    await app.client.send("POST", "/api/sync/now", {});
    await row(page, FOURTH).waitFor({ state: "detached" });
    await row(page, FIFTH).waitFor();
    expect(app.app.library.group(FOURTH)?.endings).toEqual([".gps", "F.thm", "R.thm"]);
    expect(await watched.problems()).toEqual([]);
  });
});
