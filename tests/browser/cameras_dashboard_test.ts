import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { bothAreHome, carAndVan } from "../support/app/several_cameras.ts";
import { type StagedState, stagedCameras } from "../support/app/staged_cameras.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { said } from "../support/browser/settings_page.ts";
import { fitProblems, orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

const NEW = ["20260608_101500_NF.mp4", "20260608_101600_NF.mp4", "20260608_101700_NF.mp4"] as const;
const MANY: readonly StagedState[] = [
  ...(["safe", "away", "failed", "other", "paused"] as const),
  ...(["empty", "safe", "safe", "away", "safe"] as const),
];

describeInBrowser("the dashboard of several cameras", (browser) => {
  const ending: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const one of ending.splice(0).reverse()) await one[Symbol.asyncDispose]();
  });
  const kept = <T extends AsyncDisposable>(one: T): T => {
    ending.push(one);
    return one;
  };
  const opened = async (app: RunningApp, path = "/") => {
    const watched = kept(await WatchedPage.open(browser(), { url: app.url }));
    const asked: string[] = [];
    watched.page.on("request", (request) => asked.push(request.url().slice(app.url.length)));
    await watched.open(path);
    return { watched, page: watched.page, streams: () => asked.filter((one) => one.includes("stream")) };
  };
  const sentence = (page: Page) => page.locator(".hero .sentence");
  const row = (page: Page, name: string) =>
    page.locator(".fleet > li").filter({ has: page.locator(".veh-id").getByRole("link", { name, exact: true }) });
  const namesIn = async (page: Page) => await page.locator(".fleet .veh-id a").allTextContents();

  test("is that of one camera as long as there is one", async () => {
    const app = kept(await startApp({ settings: { retention: { keep: "" } } }));
    const { watched, page, streams } = await opened(app);
    expect(await page.locator(".fleet, .cam-nav, .who").count()).toBe(0);
    expect(streams()).toEqual(["/api/sync/progress/stream"]);
    expect(await watched.problems()).toEqual([]);
  });

  test("tells of two in a sentence and a row each, with the cards of each behind its row", async () => {
    const app = kept(await carAndVan());
    await bothAreHome(app);
    const { watched, page, streams } = await opened(app);
    expect(await said(sentence(page))).toBe("Both cameras are safe.");
    expect(await namesIn(page)).toEqual(["Camera", "Van"]);
    expect(await page.locator("#day-of-runs-card .lanes dt").allTextContents()).toEqual(["CCamera", "VVan"]);
    expect(await page.locator(".hero .readings").count()).toBe(0);
    expect(await said(page.locator("#plan-card"))).toContain("Both are in time.");
    const disk = page.locator("#storage-card");
    expect(await disk.getByRole("meter").getAttribute("aria-label")).toContain("% of the disk used: Camera 800");
    expect(await disk.locator(".w-fill").count()).toBe(2);
    const more = row(page, "Van").getByRole("button", { name: "More about Van" });
    await more.click();
    const cells = row(page, "Van").locator(".veh-cards");
    expect(await cells.locator("h2").allTextContents()).toEqual(["Next run", "Recordings here", "Goes to", "Camera"]);
    expect(await cells.textContent()).toContain(app.van.address);
    expect(await cells.getByRole("link", { name: "The card" }).getAttribute("href")).toBe("/stats/card?camera=van");
    expect(await row(page, "Camera").locator(".veh-cards").count()).toBe(0);
    expect(await orderProblems(watched)).toEqual([]);
    // One connection tells of both.
    expect(streams()).toEqual(["/api/sync/progress/stream?camera=all"]);
    await row(page, "Van").getByRole("button", { name: "Less about Van" }).click();
    await cells.waitFor({ state: "detached" });
    await row(page, "Van").locator(".veh-id a").click();
    await page.waitForURL("**/?camera=van");
    expect(await page.locator(".cam-nav [aria-current=page]").textContent()).toBe("VVan");
  });

  test("syncs, stops and pauses one camera and all, as the stream tells", async () => {
    const app = kept(await carAndVan());
    await bothAreHome(app);
    for (const { simulator } of [app, { simulator: app.van }]) {
      for (const name of NEW) simulator.card.record(name);
      simulator.rate = 20_000;
    }
    const { watched, page } = await opened(app);
    await row(page, "Van").getByRole("button", { name: "Sync now" }).click();
    await sentence(page).getByText("Van is syncing. Camera is safe.").waitFor();
    expect(await said(row(page, "Van").locator(".state"))).toBe("Syncing");
    expect(await row(page, "Van").locator("progress").getAttribute("aria-label")).toBe("Sync of Van");
    expect(await row(page, "Camera").locator("progress").count()).toBe(0);

    await row(page, "Van").getByRole("button", { name: "Stop…" }).click();
    const dialog = page.locator("dialog[data-modal=stop-confirm]");
    expect(await accessibilityProblems(page, "dialog[data-modal=stop-confirm]")).toEqual([]);
    await dialog.getByRole("button", { name: /^Stop/ }).click();
    await row(page, "Van").getByRole("button", { name: "Sync now" }).waitFor();
    await sentence(page).getByText("Van needs you. Camera is safe.").waitFor();

    const hero = page.locator(".hero");
    await hero.getByRole("button", { name: "Sync all" }).click();
    await sentence(page).getByText("Camera and Van are syncing.").waitFor();
    expect(app.app.cameras.all.map(({ job }) => job.snapshot.state)).toEqual(["running", "running"]);
    expect((await app.client.send("POST", "/api/sync/stop?camera=all")).status).toBe(202);
    await page.locator(".fleet").getByRole("button", { name: "Stop…" }).first().waitFor({ state: "detached" });

    await hero.getByRole("button", { name: "Pause all" }).click();
    await hero.getByRole("button", { name: "Resume all" }).waitFor();
    expect(app.app.cameras.all.map(({ settings }) => settings.current.schedule.paused)).toEqual([true, true]);
    await hero.getByRole("button", { name: "Resume all" }).click();
    await hero.getByRole("button", { name: "Pause all" }).waitFor();
    // One is paused on its own page, and this one hears of it.
    expect((await app.client.send("POST", "/api/schedule/pause?camera=van")).status).toBe(200);
    await row(page, "Van").locator(".state").getByText("Paused").waitFor();
    expect(app.app.settings.current.schedule.paused).toBe(false);
    // Parts that come and go after a press are no jump.
    expect((await watched.problems()).filter((problem) => !problem.startsWith("the page jumped"))).toEqual([]);
  });

  test("tells a new name at once, and shows a page anew when a camera comes or goes", async () => {
    const app = kept(await carAndVan());
    await bothAreHome(app);
    const { page } = await opened(app);
    expect((await app.client.send("PATCH", "/api/cameras/van", { name: "Bus" })).status).toBe(200);
    await row(page, "Bus").waitFor();
    await page.locator("#day-of-runs-card").getByText("Bus").waitFor();
    expect(await row(page, "Bus").locator(".who").textContent()).toBe("B");
    expect((await app.client.send("DELETE", "/api/cameras/van")).status).toBe(204);
    await page.locator("[data-island=job_panel][data-ready]").waitFor();
    expect(await page.locator(".fleet").count()).toBe(0);
  });

  test("has a row for one that cannot be opened, which leads to where that is told", async () => {
    const app = kept(await startApp({ settings: { retention: { keep: "" } } }));
    await app.client.open("/");
    const folder = join(app.folder, "van");
    mkdirSync(join(folder, ".dashdock"), { recursive: true });
    writeFileSync(join(folder, ".dashdock", "format"), "999\n");
    await app.app.cameras.file.changeCameras((parts) => ({
      ...parts,
      more_cameras: [{ id: "van", name: "Van", destination: folder, connection: { address: "192.0.2.7" } }],
    }));
    await app.app.cameras.follow();
    const { watched, page } = await opened(app);
    expect(await said(sentence(page))).toBe("Van needs you. Camera waits for a sync.");
    expect(await said(row(page, "Van"))).toContain("The camera cannot be used: ");
    expect(await orderProblems(watched)).toEqual([]);
    await row(page, "Van").getByRole("link").click();
    await page.waitForURL("**/settings?camera=all#cameras");
  });

  test("tells why something asked of all could not be done", async () => {
    const app = kept(await carAndVan());
    const { page } = await opened(app);
    await page.route("**/api/schedule/pause?camera=all", (route) =>
      route.fulfill({ status: 507, json: { error: "The disk is full.", code: "STORAGE_FULL" } }),
    );
    await page.locator(".hero").getByRole("button", { name: "Pause all" }).click();
    await page.locator(".hero [role=alert]").getByText("The disk is full.").waitFor();
  });

  test("has a line for each of ten, the most pressing first, and shows those of one state", async () => {
    const app = kept(await stagedCameras(MANY));
    const { watched, page, streams } = await opened(app);
    const told = await said(sentence(page));
    expect(told).toBe("Van 3 and Van 4 need you. Van 6 waits for a sync. Van 5 is paused. 6 cameras are safe.");
    expect(await said(page.locator(".hero-head > p:not(.sentence)"))).toContain("Van 4: Another camera answers at");
    expect(await namesIn(page)).toEqual([
      ...["Van 4", "Van 3", "Van 6", "Van 5"],
      ...["Car", "Van 2", "Van 7", "Van 8", "Van 9", "Van 10"],
    ]);
    const states = await page.locator(".fleet .state").allTextContents();
    expect(states.slice(0, 5)).toEqual(["Another camera", "Failed", "Waiting", "Paused", "Safe"]);
    expect(await said(page.locator(".fleet li").first().locator(".veh-n"))).toMatch(
      /^Waiting0Needs–Last home.+NextNothing is downloaded$/,
    );
    expect(await page.locator(".lanes > div").count()).toBe(10);
    const figures = await said(page.locator(".hero .readings"));
    expect(figures).toMatch(
      /^Cameras10 .*Waiting0 recordings of 9 camerasWaiting data0 B of 9 camerasAt risk0 recordings of 9 camerasHome today36 recordings/,
    );
    expect(figures).toMatch(/Free[\d.]+ [kMGT]B of [\d.]+ [kMGT]B$/);
    expect(await page.locator("#storage-card, #plan-card").count()).toBe(0);
    expect(await orderProblems(watched)).toEqual([]);

    const only = page.getByRole("group", { name: "Show only" });
    expect(await only.getByRole("button").allTextContents()).toEqual(["All 10", "Need you 2", "Waiting 2", "Safe 6"]);
    await only.getByRole("button", { name: "Need you" }).click();
    expect(await namesIn(page)).toEqual(["Van 4", "Van 3"]);
    expect(await said(sentence(page))).toBe(told);
    // A camera that syncs goes to another group at once.
    const car = app.simulators.get("main");
    for (const name of NEW) car?.card.record(name);
    if (car) car.rate = 20_000;
    await only.getByRole("button", { name: "Safe" }).click();
    expect((await app.client.send("POST", "/api/sync/now")).status).toBe(202);
    await only.getByRole("button", { name: "Syncing 1" }).click();
    expect(await namesIn(page)).toEqual(["Car"]);
    await page.locator(".fleet progress[max]").waitFor();
    await page.keyboard.press("Shift");
    expect((await fitProblems(watched)).filter((problem) => !problem.startsWith("the page jumped"))).toEqual([]);
    await app.client.send("POST", "/api/sync/stop");
    await page.getByText("No camera is in this state now.").waitFor();
    await only.getByRole("button", { name: "All" }).click();
    expect(await namesIn(page)).toHaveLength(10);
    expect(streams()).toEqual(["/api/sync/progress/stream?camera=all"]);
  });
});
