import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import type { Page } from "playwright-core";
import { simulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { noFailures } from "../../server/domain/runs/failure_reason.ts";
import type { Run } from "../../server/domain/runs/run.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { runAt } from "../support/app/history.ts";
import { listedBefore, recordingNames } from "../support/app/listed.ts";
import { cardOf } from "../support/app/sync.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { fitProblems, orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

const KEEP_ALL = { retention: { keep: "" } } as const;

/** A card whose videos take seconds at `SLOW`. */
function card(recordings = 8) {
  return simulatedCard({ recordings, now: Date.UTC(2026, 5, 7, 10, 20), footage: syntheticFootage(400_000) });
}
const SLOW = 200_000;
const MB = 1e6;

function run(app: RunningApp, minutesAgo: number, changes: Partial<Run> = {}): void {
  mkdirSync(app.destination, { recursive: true });
  app.app.history.append(runAt(Date.now() / 1000 - minutesAgo * 60, changes));
}

/** Leaves an empty folder, as when the disk of the recordings is not mounted. */
function emptyFolder(app: RunningApp): void {
  renameSync(app.destination, `${app.destination}.away`);
  mkdirSync(app.destination);
}

const sentence = (page: Page) => page.locator(".hero .sentence").innerText();
const state = (page: Page) => page.locator("body").getAttribute("data-state");
const action = (page: Page, name: string) => page.locator(`[data-action="${name}"]`);

/** Each state of the dashboard, and how a service comes into it. */
const STATES: readonly {
  readonly name: string;
  readonly start: () => Promise<RunningApp>;
  readonly says: RegExp;
  /** For one whose elements are all in others, too. */
  readonly look?: typeof fitProblems;
}[] = [
  {
    name: "empty",
    look: fitProblems,
    start: () => startApp({ settings: KEEP_ALL }),
    says: /^No sync has run yet\.$/,
  },
  {
    name: "all safe",
    start: async () => {
      const app = await startApp({ settings: KEEP_ALL });
      app.app.job.start("manual");
      await app.synced();
      return app;
    },
    says: /^All \d+ recordings on the camera are safe here\.$/,
  },
  {
    name: "busy",
    start: async () => {
      const app = await startApp({ settings: KEEP_ALL, card: card(), rate: SLOW });
      app.app.job.start("manual");
      return app;
    },
    says: /^(Asking the camera|Downloading )/,
  },
  {
    name: "camera away",
    start: async () => {
      const app = await startApp({ settings: KEEP_ALL });
      await listedBefore(app, recordingNames(412));
      run(app, 30);
      run(app, 6, { success: false, failures: { ...noFailures(), timeout: 1 }, files: 0, bytes: 0 });
      await app.simulator.close();
      return app;
    },
    says: /^All 412 recordings on the camera are safe here\.$/,
  },
  {
    name: "failed",
    start: async () => {
      const app = await startApp({ settings: KEEP_ALL });
      // The strip of runs has a stop, and a failure with a good run in its quarter of an hour.
      run(app, 40, { success: false, stopped: true, failures: { ...noFailures(), unknown: 1 } });
      run(app, 6.5);
      run(app, 6, { success: false, exitCode: 1, failures: { ...noFailures(), disk: 1 } });
      // Less fits below the limit than waits on the camera.
      await listedBefore(app, recordingNames(412), []);
      (await (await app.app.sizes()).current()).learn("NF", 100 * MB);
      app.app.storage.read = async () => ({
        totalBytes: 9000 * MB,
        usedBytes: 8000 * MB,
        usedRatio: 8 / 9,
        freeBytes: 1000 * MB,
        availableBytes: 1000 * MB,
      });
      return app;
    },
    says: /^Sync failed: the disk is full\.$/,
  },
  {
    name: "another recordings folder",
    start: async () => {
      const app = await startApp({ settings: KEEP_ALL });
      app.app.job.start("manual");
      await app.synced();
      emptyFolder(app);
      return app;
    },
    says: /^The recordings folder is not available\.$/,
  },
  {
    name: "paused",
    look: fitProblems,
    start: async () => {
      const app = await startApp({ settings: { ...KEEP_ALL, schedule: { paused: true } } });
      await listedBefore(app, recordingNames(412));
      run(app, 6);
      return app;
    },
    says: /^All 412 recordings/,
  },
];

describeInBrowser("the dashboard", (browser) => {
  for (const { name, start, says, look = orderProblems } of STATES)
    test(`is in order when ${name}, at every width`, async () => {
      await using app = await start();
      await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
      await watched.open("/");
      expect(await sentence(watched.page)).toMatch(says);
      expect(await look(watched)).toEqual([]);
    });

  test("is complete without script", async () => {
    await using app = await startApp({ settings: KEEP_ALL });
    await listedBefore(app, recordingNames(412));
    run(app, 6);
    const context = await browser().newContext({ baseURL: app.url, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto("/");
    for (const id of [
      "status-card",
      "last-run-card",
      "next-scheduled-card",
      "storage-card",
      "dashcam-card",
      "recent-activity-card",
      "day-of-runs-card",
    ])
      expect(await page.locator(`#${id}`).innerText()).not.toBe("");
    expect(await sentence(page)).toBe("All 412 recordings on the camera are safe here.");
    await context.close();
  });

  test("starts a sync, shows it live, asks before it stops, and goes on where it was", async () => {
    await using app = await startApp({ settings: KEEP_ALL, card: card(), rate: SLOW });
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/");
    expect(await state(page)).toBe("idle");

    await action(page, "sync-now").click();
    await page.waitForSelector('body[data-state="running"]');
    await page.waitForFunction(() => /^Downloading/.test(document.querySelector(".sentence")?.textContent ?? ""));
    // The bytes of the current file grow in place.
    await page.waitForFunction(() => Number(document.querySelector<HTMLProgressElement>(".gauge-thin")?.value) > 5);
    const seen = Number(await page.locator(".hero .gauge").first().getAttribute("value"));
    await page.waitForFunction(
      (before) => Number(document.querySelector<HTMLProgressElement>(".hero .gauge")?.value) > before,
      seen,
    );

    // It does not come to its end while it is looked at.
    app.simulator.rate = 1000;
    const dialog = page.locator("dialog[data-modal=stop-confirm]");
    await action(page, "stop").click();
    expect(await dialog.isVisible()).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe("Keep syncing");
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await dialog.isVisible()).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-action"))).toBe("stop");
    expect(await state(page)).toBe("running");

    await action(page, "stop").click();
    await dialog.getByRole("button", { name: "Stop" }).click();
    await page.waitForSelector('body[data-state="failed"]');
    await page.waitForFunction(() => document.querySelector(".sentence")?.textContent === "The sync was stopped.");
    expect(await page.locator(".hero").innerText()).toContain("still only on the camera");
    const partial = app.app.job.snapshot.files_completed;

    // From now on the camera tells no length: about how long a file is, those before it show.
    app.simulator.fault("no-length");
    app.simulator.rate = SLOW;
    await action(page, "sync-now").click();
    await page.waitForFunction(() => document.querySelector(".hero .now")?.textContent?.includes("≈"));
    expect(await page.locator(".hero .readings").innerText()).toContain("of ≈");
    app.simulator.rate = null;
    await page.waitForFunction(() => /^All 8 recordings/.test(document.querySelector(".sentence")?.textContent ?? ""));
    expect(await state(page)).toMatch(/completed|idle/);
    // A video, a thumbnail and GPS data each, and none of them twice.
    expect(partial + app.app.job.snapshot.files_completed).toBe(8 * 3);
    // The cards beside it come to know by themselves.
    await page.waitForFunction(() => document.querySelectorAll("#recent-activity-card .thumb").length === 4);
    expect(await watched.problems()).toEqual([]);
  });

  test("says one progress in its sentence, bar and percentage, over a pause, a reload, a stop and a restart", async () => {
    const names = recordingNames(48, "20260607");
    await using app = await startApp({ settings: KEEP_ALL, card: cardOf(names, 4000) });
    // After 30 of 144 files nothing comes any more.
    app.simulator.fault({ name: "stall", match: /20260607_000500_NF\.mp4$/, after: 1000 });
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    const bar = () =>
      page.evaluate(() => [
        document.querySelector<HTMLProgressElement>(".hero .gauge")?.value.toFixed(2),
        document.querySelector(".hero .scale")?.textContent?.match(/\d+ of \d+|^\d+/)?.[0],
      ]);
    await watched.open("/");
    await action(page, "sync-now").click();
    await page.waitForFunction(() =>
      /^Downloading 10 of 48/.test(document.querySelector(".sentence")?.textContent ?? ""),
    );
    const running = ["20.83", "20"];
    expect(await bar()).toEqual(running);
    await page.reload();
    expect(await bar()).toEqual(running);
    expect(await sentence(page)).toMatch(/^Downloading 10 of 48\s+recordings/);
    await page.waitForSelector("[data-island][data-ready]");
    await action(page, "pause").click();
    await action(page, "resume").waitFor();
    expect(await bar()).toEqual(running);
    const ten = ["20.83", "10 of 48"];
    await action(page, "stop").click();
    await page.locator("dialog[data-modal=stop-confirm]").getByRole("button", { name: "Stop" }).click();
    await page.waitForFunction(() => document.querySelector(".sentence")?.textContent === "The sync was stopped.");
    expect(await bar()).toEqual(ten);
    await page.reload();
    expect(await bar()).toEqual(ten);
    expect(await watched.problems()).toEqual([]);

    await app.stop();
    const connection = { address: app.simulator.address };
    await using again = await startApp({ folder: app.folder, settings: { ...KEEP_ALL, connection } });
    await page.goto(again.url);
    expect(await bar()).toEqual(ten);
    expect(await sentence(page)).toBe("The sync was stopped.");
  });

  test("asks before another recordings folder is used, and the focus is on waiting", async () => {
    await using app = await startApp({ settings: KEEP_ALL });
    app.app.job.start("manual");
    await app.synced();
    emptyFolder(app);
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    const { page } = watched;
    await watched.open("/");
    const dialog = page.locator("dialog[data-modal=new-folder]");
    const go = dialog.getByRole("button", { name: "Start with a new folder" });
    await action(page, "accept-destination").click();
    await dialog.waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Wait for the disk");
    const text = (await dialog.innerText()).replaceAll("\u00a0", " ");
    expect(text).toContain(app.destination);
    expect(text).toMatch(/Was there\s+4 recordings, last seen at \d\d:\d\d/);
    expect(text).toContain("4 recordings leave the viewer");
    expect(await go.isDisabled()).toBe(true);
    expect(await fitProblems(watched)).toEqual([]);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(app.app.destination.standing).toBe("unmarked");

    await action(page, "accept-destination").click();
    await dialog.getByRole("checkbox").check();
    await go.click();
    await action(page, "accept-destination").waitFor({ state: "detached" });
    expect(await sentence(page)).toBe("The recordings folder is a new one.");
    expect(app.app.destination.standing).toBe("accepted");
    expect(await watched.problems()).toEqual([]);
  });

  test("tells what was known of a disk that left, everywhere, and goes on by itself when it is back", async () => {
    await using app = await startApp({ settings: KEEP_ALL });
    app.app.job.start("manual");
    await app.synced();
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await page.clock.install();
    await watched.open("/");
    await page.locator("#recent-activity-card .thumb").first().waitFor();
    emptyFolder(app);
    // The page looks at everything again.
    await page.clock.fastForward(16_000);
    await page.getByText("The recordings folder is not available.").first().waitFor();
    const card = page.locator("#folder-card");
    await card
      .getByText(/^4\s+recordings at /)
      .first()
      .waitFor();
    expect(await card.innerText()).toMatch(/On the camera\s+4\s+recordings/);
    await page.locator("#storage-card").getByText("Not known").waitFor();
    await page.locator("#recent-activity-card").getByText("They cannot be played now.").waitFor();
    expect(await page.locator("#recent-activity-card a[href*=key]").count()).toBe(0);
    expect(await page.locator("main").innerText()).not.toMatch(
      /\b0\s+(recordings|clips|files)\b(?! at )|No clips yet|safe here/,
    );

    await watched.open("/viewer");
    expect(await page.locator("main").innerText()).toMatch(
      /Clips not known[\s\S]*There were 4\s+recordings, last seen at/,
    );
    await watched.open("/trash");
    expect(await page.locator("main").innerText()).toMatch(/not known\.[\s\S]*The trash held 0\s+recordings at/);
    await watched.open("/stats");
    await page.getByText("How much is free now is not known.").waitFor();
    const codes = await page.evaluate(async () => {
      const paths = ["viewer/days", "viewer/calendar", "recordings/recent", "trash", "retention", "overview"];
      return await Promise.all(paths.map(async (path) => (await fetch(`/api/${path}`)).json()));
    });
    expect(codes.slice(0, 4).map(({ code }) => code)).toEqual(Array(4).fill("FOLDER_NOT_AVAILABLE"));
    expect(codes[4].trash).toMatchObject({ recordings: null, bytes: null });
    expect(codes[5]).toMatchObject({ recordings: null, available_bytes: null, last_known: { recordings: 4 } });

    await watched.open("/");
    rmSync(app.destination, { recursive: true });
    renameSync(`${app.destination}.away`, app.destination);
    await page.clock.fastForward(16_000);
    await page.waitForFunction(() => /^All 4/.test(document.querySelector(".sentence")?.textContent ?? ""));
    await page.locator("#recent-activity-card a[href*=key]").first().click();
    await page.waitForURL("**/viewer?key=*");
    // No browser plays the bytes in these files: the page says so in place of the picture.
    await page.locator("video").first().waitFor({ state: "attached" });
  });

  test("shows a run that another page began, and asks nothing while the tab is hidden", async () => {
    await using app = await startApp({ settings: KEEP_ALL, card: card(), rate: SLOW });
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await page.clock.install();
    await watched.open("/");
    app.app.job.start("schedule");
    await page.waitForSelector('body[data-state="running"]');
    expect(await action(page, "stop").isVisible()).toBe(true);

    const hide = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => value });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    await hide(true);
    await page.waitForLoadState("networkidle");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.clock.runFor(600_000);
    expect(asked).toEqual([]);
    await hide(false);
    await page.waitForRequest(/progress\/stream/);
    await page.waitForRequest(/\/hx\//);
  });

  test("says in place why an action did not work, until the job has gone on without it, and that the connection is gone", async () => {
    await using app = await startApp({ settings: KEEP_ALL });
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/");
    await page.route("**/api/sync/now", (route) =>
      route.fulfill({
        status: 500,
        contentType: "application/json",
        body: JSON.stringify({ error: "Something unexpected happened", code: "INTERNAL", details: {} }),
      }),
    );
    await action(page, "sync-now").click();
    expect(await page.locator("[data-action-error]").innerText()).toContain("Something unexpected happened");
    expect(await action(page, "sync-now").isEnabled()).toBe(true);
    // Another page starts it.
    app.app.job.start("manual");
    await app.synced();
    await page.locator("[data-action-error]").waitFor({ state: "detached" });
    expect(await page.locator("#no-connection").isVisible()).toBe(false);

    await app.stop();
    await page.waitForSelector("#no-connection:not([hidden])");
    expect(await page.locator("#no-connection").innerText()).toContain("No connection to Dashdock");
  });

  test("leads to sign-in when the session has ended, and back to the page", async () => {
    await using app = await startApp({ settings: KEEP_ALL, mode: "login", password: "three quiet green harbours" });
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    const signIn = async () => {
      await page.locator("input[name=username]").fill("admin");
      await page.locator("input[name=password]").fill("three quiet green harbours");
      await page.locator("button[type=submit]").click();
    };
    await page.goto("/stats?range=24h");
    await signIn();
    await page.waitForURL("**/stats?range=24h");
    // A card that asks by itself, or a stream that has ended, would lead there, too.
    await page.route(/\/hx\/|\/api\/(overview|sync\/progress|auth)/, (route) => route.abort());
    await watched.open("/");
    await page.context().clearCookies();
    await action(page, "sync-now").click();
    await page.waitForURL(/\/login\?next=/);
    await page.unrouteAll();
    await signIn();
    await page.waitForFunction(() => location.pathname === "/");
    await watched.ready();
    expect(await page.locator("h1").innerText()).toBe("Dashboard");
  });

  test("pauses and resumes the schedule in place; keeps theme and keys as chosen, and opens the list of keys", async () => {
    await using app = await startApp({ settings: KEEP_ALL });
    await using watched = await WatchedPage.open(browser(), { url: app.url, theme: "dark" });
    const { page } = watched;
    await watched.open("/");
    // Resume may be pressed as soon as it is seen.
    await action(page, "pause").click();
    await action(page, "resume").click();
    await action(page, "pause").waitFor();
    expect(app.app.settings.current.schedule.paused).toBe(false);
    await action(page, "pause").click();
    await action(page, "resume").waitFor();
    expect(app.app.settings.current.schedule.paused).toBe(true);
    expect(await page.locator(".hero").innerText()).toContain("Paused.");
    await page.waitForFunction(() => /Paused/.test(document.querySelector("#next-scheduled-card")?.textContent ?? ""));
    await action(page, "resume").click();
    await action(page, "pause").waitFor();
    expect(app.app.settings.current.schedule.paused).toBe(false);

    const theme = () => page.evaluate(() => document.documentElement.dataset["theme"] ?? "system");
    await page.locator("[data-theme-switch]").click();
    expect(await theme()).toBe("light");
    await page.reload();
    expect(await theme()).toBe("light");
    expect(await page.locator("[data-theme-switch]").getAttribute("aria-label")).toBe("Theme: light");

    const keys = page.locator("dialog[data-modal=keys]");
    await watched.ready();
    await page.keyboard.press("?");
    expect(await keys.isVisible()).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);
    await keys.getByRole("switch").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    expect(await keys.isVisible()).toBe(false);
    await page.locator("[data-open-keys]").click();
    await keys.getByRole("switch").check();
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("l");
    await page.waitForURL("**/logs");
    expect(await watched.problems()).toEqual([]);
  });
});
