import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import type { Route } from "playwright-core";
import type { App } from "../../server/app.ts";
import { configFiles, named } from "../../server/dashcam/simulator/simulated_config.ts";
import { runPath } from "../../server/domain/runs/run_id.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { bothAreHome, carAndVan } from "../support/app/several_cameras.ts";
import { stagedCameras } from "../support/app/staged_cameras.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { said } from "../support/browser/settings_page.ts";
import { fitProblems, orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

describeInBrowser("pages of one of several cameras", (browser) => {
  const ending: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const one of ending.splice(0).reverse()) await one[Symbol.asyncDispose]();
  });
  const kept = <T extends AsyncDisposable>(one: T): T => {
    ending.push(one);
    return one;
  };
  const opened = async (app: RunningApp, path: string) => {
    const watched = kept(await WatchedPage.open(browser(), { url: app.url }));
    await watched.open(path);
    return watched;
  };
  const unit = (running: RunningApp, id: string): App => running.app.cameras.of(id) ?? running.app;
  const runOf = (running: RunningApp, id: string) => runPath(unit(running, id).history.latest() ?? { ts: 0 });

  test("tell whose they are, and lead on to pages of the same camera", async () => {
    const app = kept(await carAndVan());
    await bothAreHome(app);
    const van = unit(app, "van");
    const [clip] = await van.segments.all();
    const key = `van~${clip?.key}`;
    expect((await app.client.send("DELETE", `/api/recordings/${key}`)).status).toBe(200);
    const watched = await opened(app, "/stats?camera=van");
    const { page } = watched;
    const current = page.locator(".cam-nav [aria-current=page]");
    expect(await current.textContent()).toBe("VVan");
    const run = `${runOf(app, "van")}?camera=van`;
    expect(await page.locator(`main a[href="${run}"]`).count()).toBeGreaterThan(0);
    await watched.open(run);
    expect(await page.locator("#run h2 .whose").textContent()).toBe("VVan");
    const leading = await page
      .locator("main a[href^='/stats'], main a[href^='/viewer']")
      .evaluateAll((all) =>
        all.map((link) => link.getAttribute("href") ?? "").filter((href) => !/camera=van|van~/.test(href)),
      );
    expect(leading).toEqual([]);

    await watched.open("/trash?camera=van");
    expect(await current.textContent()).toBe("VVan");
    await page
      .getByRole("button", { name: /Restore/ })
      .first()
      .waitFor();
    await watched.open("/trash?camera=main");
    expect(await page.getByRole("button", { name: /^Restore/ }).count()).toBe(0);

    const [told, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const late = async (route: Route) => {
      const response = await route.fetch();
      told.resolve();
      await held.promise;
      await route.fulfill({ response });
    };
    await page.route("**/hx/camera/panes*", late, { times: 1 });
    await watched.open("/settings/camera?camera=van");
    expect(await current.textContent()).toBe("VVan");
    expect(await page.locator("main .back").getAttribute("href")).toBe("/settings?camera=van");
    await page.getByRole("tab").first().waitFor();
    expect(await page.locator("#panes .note").count()).toBe(0);
    await told.promise;
    app.van.settings = configFiles(named("Truck-5F"), "dr970x");
    // A press while the camera is being asked: the answer is from before it.
    await page.getByRole("button", { name: "Read again" }).click();
    held.resolve();
    await page.locator("#panes .note").getByText("Another camera answers at the address").waitFor();
    await watched.open("/settings/camera?camera=van");
    expect(await said(page.locator("#panes .note"))).toContain("Open the settings to say which camera it is.");
    expect(await watched.problems()).toEqual([]);
  });

  test("stats of all have the figures of each, and what they are together; log lines of a further camera name it", async () => {
    const app = kept(await carAndVan());
    await bothAreHome(app);
    const watched = await opened(app, "/stats?camera=all");
    const { page } = watched;
    const rows = page.locator("[aria-labelledby=runs-of-all] tbody tr");
    expect(await rows.locator("th").allTextContents()).toEqual(["CCamera", "VVan", "All cameras"]);
    const runs = await rows.locator("[data-l=Runs]").allTextContents();
    expect(runs.map(Number)).toEqual([1, 1, 2]);
    expect(await said(page.locator("[aria-labelledby=storage-of-all] tbody tr").last())).toContain(
      unit(app, "van").recordings.root,
    );
    expect(await orderProblems(watched)).toEqual([]);
    await rows.getByRole("link", { name: "Van" }).click();
    await page.waitForURL("**/stats?camera=van");

    // Lines of the log name a further camera.
    await watched.open("/logs");
    await page.locator("main").getByText("Van").first().waitFor();
    expect(await page.locator(".cam-nav").count()).toBe(0);
  });

  test("are in order at every width with two", async () => {
    const app = kept(await stagedCameras(["safe", "failed"]));
    const watched = await opened(app, "/?camera=van-2");
    expect(await orderProblems(watched)).toEqual([]);
    // Where there is one camera these pages are looked at whole: with two there is the choice of one besides.
    for (const [path, part] of [
      ["/stats?camera=van-2", ".cam-nav"],
      [`${runOf(app, "van-2")}?camera=van-2`, undefined],
      ["/trash?camera=van-2", ".cam-nav"],
      ["/settings/camera?camera=van-2", ".cam-nav"],
    ] as const) {
      await watched.open(path);
      expect([path, await orderProblems(watched, part)]).toEqual([path, []]);
    }
  });

  test("fit at every width with ten, whatever their state", async () => {
    const app = kept(
      await stagedCameras([
        ...(["safe", "away", "failed", "other", "paused"] as const),
        ...(["empty", "safe", "safe", "safe", "safe"] as const),
      ]),
    );
    const watched = await opened(app, "/stats?camera=all");
    const { page } = watched;
    for (const path of [
      "/stats?camera=all",
      ...["van-2", "van-3", "van-4", "van-5", "van-6"].map((id) => `/?camera=${id}`),
      "/stats?camera=van-6",
      `${runOf(app, "van-3")}?camera=van-3`,
      "/trash?camera=van-10",
      "/settings/camera?camera=van-4",
    ]) {
      await watched.open(path);
      // The page does not move by itself from here on.
      await page.keyboard.press("Shift");
      expect([path, await fitProblems(watched)]).toEqual([path, []]);
    }
  });

  test("have no choice of cameras where there is one", async () => {
    const app = kept(await startApp({ settings: { retention: { keep: "" } } }));
    await app.client.open("/");
    app.app.job.start("manual");
    await app.synced();
    for (const path of ["/stats", "/stats?camera=all", runOf(app, "main"), "/trash", "/logs", "/settings/camera"]) {
      const answer = await app.client.fetch(path);
      let found = 0;
      const count = { element: () => void found++ };
      await new HTMLRewriter().on(".cam-nav", count).on(".who", count).transform(answer).text();
      expect([path, answer.status, found]).toEqual([path, 200, 0]);
    }
  });
});
