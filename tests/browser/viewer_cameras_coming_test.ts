import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { carAndVan } from "../support/app/several_cameras.ts";
import { describeInBrowser } from "../support/browser/browser.ts";
import { progressed } from "../support/browser/frames.ts";
import { openViewer, problems } from "../support/browser/viewer_cameras.ts";

setDefaultTimeout(60_000);

/** Bytes per second at which a video takes minutes. */
const SLOW = 1000;

/** Progress in a row of the van's or the car's, once it is told how far it is. */
const progress = (page: Page, isVan: boolean) =>
  page.locator(`.trip[data-key${isVan ? "^='van~'" : "^='2'"}] progress[value]`);

const isAtVideo = ({ current_file: file }: Readonly<Record<string, unknown>>) =>
  (file as { artifact: string } | null)?.artifact === "mp4";

describeInBrowser("what is still on several cameras", (browser) => {
  test("is told of each while all are fetched side by side, and comes sooner from the one it is on", async () => {
    await using app = await carAndVan();
    const van = app.app.cameras.of("van");
    if (van === null) throw new Error("the van is there");
    const simulators = [app.simulator, app.van];
    for (const one of simulators) one.rate = 50_000;
    // The van's first run may have begun by itself.
    for (const { job } of app.app.cameras.all) if (job.snapshot.state !== "running") job.start("manual");
    for (const { camera } of app.app.cameras.all) await progressed(app.client, isAtVideo, camera.id);
    for (const one of simulators) one.rate = SLOW;

    await using watched = await openViewer(browser(), app, "/viewer?cameras=F");
    const { page } = watched;
    await progress(page, false).waitFor();
    await progress(page, true).waitFor();
    const waiting = page.locator("li:has(> .trip[data-key^='van~']) > .trip-open").first();
    await waiting.click();
    await page.locator(".trip[data-key^='van~'] .rec-line").getByText("Comes next").waitFor();
    expect(van.coming.all().filter(({ position }) => position === 1)).toHaveLength(1);

    // One camera's end says nothing of the other's.
    app.simulator.rate = null;
    await app.app.job.ended();
    await progress(page, false).waitFor({ state: "detached" });
    await progress(page, true).waitFor();
    app.van.rate = null;
    await van.job.ended();
    await page.locator(".trip progress").first().waitFor({ state: "detached" });
    expect(await problems(watched)).toEqual([]);
  });

  test("is told of a further camera on its own page", async () => {
    await using app = await carAndVan();
    app.van.rate = 50_000;
    const van = app.app.cameras.of("van");
    if (van && van.job.snapshot.state !== "running") van.job.start("manual");
    await progressed(app.client, isAtVideo, "van");
    app.van.rate = SLOW;
    await using watched = await openViewer(browser(), app, "/viewer?camera=van&cameras=F");
    await progress(watched.page, true).waitFor();
    app.van.rate = null;
    await van?.job.ended();
    await progress(watched.page, true).waitFor({ state: "detached" });
    expect(await problems(watched)).toEqual([]);
  });
});
