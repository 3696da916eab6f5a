import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { simulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import type { DeletionReceipt } from "../../server/domain/retention/deletion.ts";
import { type AppOptions, type RunningApp, startApp } from "../support/app/app.ts";
import { boxesOf, describeInBrowser, WatchedPage } from "../support/browser/browser.ts";

setDefaultTimeout(60_000);

const KEEP_ALL = { retention: { keep: "" } } as const;
const SLOW = 200_000;

/** A card whose videos take seconds at `SLOW`. */
function card() {
  return simulatedCard({ recordings: 8, now: Date.UTC(2026, 5, 7, 10, 20), footage: syntheticFootage(400_000) });
}

const action = (page: Page, name: string) => page.locator(`[data-action="${name}"]`);

/** Texts of the page in each frame that changed it. */
interface Seen {
  readonly sentence: string;
  readonly detail: string;
  readonly plan: string;
  readonly last: string;
  readonly next: string;
  readonly camera: string;
  readonly busy: string;
}

/** Notes from now on what every frame shows. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: Seen[] = [];
    Object.assign(window, { seen });
    const text = (selector: string) =>
      (document.querySelector(selector)?.textContent ?? "").replaceAll(/[\u00a0\u202f]/g, " ");
    const look = () => {
      const now = {
        sentence: text(".hero .sentence"),
        detail: text(".sentence + p"),
        plan: text(".hero .now .quiet"),
        last: text("#last-run-card"),
        next: text("#next-scheduled-card"),
        camera: text("#dashcam-card"),
        busy: document.querySelector<HTMLElement>("[data-action][aria-busy]")?.dataset["action"] ?? "",
      };
      if (JSON.stringify(now) !== JSON.stringify(seen.at(-1))) seen.push(now);
      requestAnimationFrame(look);
    };
    look();
  });
}

const seen = (page: Page) => page.evaluate(() => (window as unknown as { seen: Seen[] }).seen);

/** No card is asked for by the clock: what changes has been told. */
async function withoutPolling(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { setTimeout: later, setInterval: again } = window;
    window.setTimeout = ((run: () => void, ms = 0) => later(run, ms > 3000 ? 2_000_000_000 : ms)) as typeof setTimeout;
    window.setInterval = ((run: () => void) => again(run, 2_000_000_000)) as typeof setInterval;
  });
}

interface Opened extends AsyncDisposable {
  readonly app: RunningApp;
  readonly watched: WatchedPage;
  readonly page: Page;
}

describeInBrowser("the cards of the dashboard", (browser) => {
  async function opened(options: AppOptions = {}): Promise<Opened> {
    const app = await startApp({ settings: KEEP_ALL, ...options });
    const watched = await WatchedPage.open(browser(), { url: app.url });
    await withoutPolling(watched.page);
    await watched.open("/");
    return {
      app,
      watched,
      page: watched.page,
      async [Symbol.asyncDispose]() {
        await watched[Symbol.asyncDispose]();
        await app[Symbol.asyncDispose]();
      },
    };
  }

  test("answer a press at once while a camera that is gone is waited for, and say one thing about it", async () => {
    await using it = await opened();
    const { app, page } = it;
    app.app.job.start("manual");
    await app.synced();
    await page.waitForFunction(() => /^All 4/.test(document.querySelector(".sentence")?.textContent ?? ""));
    // The very first run may move the page.
    await it.watched.open("/");
    await page.waitForFunction(() => /Reachable/.test(document.querySelector("#dashcam-card")?.textContent ?? ""));
    app.simulator.fault("never-answers");
    await watch(page);
    await action(page, "sync-now").click();
    await page.waitForSelector('body[data-state="running"]');
    // Reads the frames that were seen, not the page: the page may be a frame ahead of them.
    const lastCamera = (word: string) =>
      page.waitForFunction(
        (camera) => (window as unknown as { seen: Seen[] }).seen.at(-1)?.camera.includes(camera),
        word,
      );
    await lastCamera("Asking");
    const waiting = (await seen(page)).at(-1);
    expect(waiting).toMatchObject({ sentence: "Asking the camera what it has.", busy: "" });
    expect(waiting?.detail).toStartWith("Waiting for its answer. Started ");
    expect(waiting?.camera).toContain("Asking the camera");
    expect(waiting?.last).toContain("Running now");

    await app.simulator.goAway();
    await page.waitForSelector('body[data-state="failed"]');
    await lastCamera("Away");
    const end = (await seen(page)).at(-1);
    expect(end?.detail).not.toContain("The camera is at home");
    expect(end?.last).toContain("Camera away");
    expect(await it.watched.problems()).toEqual([]);
  });

  test("show the press of a button until there is an answer, and pressing again does nothing", async () => {
    await using it = await opened();
    const { app, page } = it;
    const answer = Promise.withResolvers<void>();
    const asked: string[] = [];
    await page.route("**/api/sync/now", async (route) => {
      asked.push(route.request().method());
      await answer.promise;
      await route.continue();
    });
    const width = async () => (await action(page, "sync-now").boundingBox())?.width;
    const before = await width();
    await action(page, "sync-now").click();
    await page.waitForSelector('[data-action="sync-now"][aria-busy="true"]');
    expect(await width()).toBe(before);
    await action(page, "sync-now").click();
    answer.resolve();
    await page.waitForFunction(() => /^All 4/.test(document.querySelector(".sentence")?.textContent ?? ""));
    expect(asked).toEqual(["POST"]);
    expect(await page.locator("[aria-busy]").count()).toBe(0);
    expect(app.app.history.latest()).toMatchObject({ success: true });
  });

  test("tell the end of a run in the same frame, and no run that has ended is running", async () => {
    await using it = await opened({ card: card(), rate: SLOW });
    const { app, page } = it;
    const before = await boxesOf(page, ".hero-do");
    await watch(page);
    await action(page, "sync-now").click();
    await page.waitForFunction(() => /^Downloading/.test(document.querySelector(".sentence")?.textContent ?? ""));
    app.simulator.rate = null;
    await page.waitForFunction(() => /^All 8/.test(document.querySelector(".sentence")?.textContent ?? ""));
    const frames = await seen(page);
    const ended = frames.filter(({ sentence }) => sentence.startsWith("All 8"));
    for (const { last, camera } of ended) {
      expect(last).toContain("Just now");
      expect(last).toContain(`${app.app.history.latest()?.counts?.videos} recordings`);
      expect(camera).toContain("Reachable");
    }
    await page.waitForFunction(() => document.querySelectorAll("#recent-activity-card .thumb").length === 4);
    expect(await it.watched.problems()).toEqual([]);
    // Its buttons stand where they stood.
    expect((await boxesOf(page, ".hero-do")).map(([, top]) => top)).toEqual(before.map(([, top]) => top));
  });

  test("tell a pause in the same frame, also one from elsewhere, and nothing moves at any width", async () => {
    await using it = await opened();
    const { app, page } = it;
    app.app.job.start("manual");
    await app.synced();
    await page.waitForFunction(() => /^All 4/.test(document.querySelector(".sentence")?.textContent ?? ""));
    const places = () =>
      boxesOf(page, ".hero-head, [data-action=sync-now], [data-action=pause], [data-action=resume], .cluster");
    const before = await places();
    await watch(page);
    await action(page, "pause").click();
    await action(page, "resume").waitFor();
    expect(await places()).toEqual(before);
    await app.client.open("/");
    await app.client.send("POST", "/api/schedule/resume");
    await action(page, "pause").waitFor();
    expect(await places()).toEqual(before);
    const frames = await seen(page);
    expect(frames.some(({ next }) => next.includes("Paused"))).toBe(true);
    for (const { plan, next } of frames) expect(plan === "No run is planned").toBe(next.includes("Paused"));
    expect(await it.watched.problems()).toEqual([]);
  });

  test("are all asked for once when the tab is shown again", async () => {
    await using it = await opened();
    const { app, page } = it;
    const hide = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => value });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    await hide(true);
    await app.client.open("/");
    await app.client.send("POST", "/api/schedule/pause");
    app.app.job.start("manual");
    await app.synced();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await hide(false);
    await page.waitForFunction(() => /Just now/.test(document.querySelector("#last-run-card")?.textContent ?? ""));
    await page.waitForFunction(() => /Paused/.test(document.querySelector("#next-scheduled-card")?.textContent ?? ""));
    expect(asked).toContain("/hx/day-of-runs-card");
    expect(asked.filter((path) => path === "/hx/sync/last-run-card")).toHaveLength(1);
  });

  test("come up to date without the stream, by asking", async () => {
    await using app = await startApp({ settings: KEEP_ALL });
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await page.route("**/api/sync/progress/stream", (route) => route.abort());
    await page.clock.install();
    await watched.open("/");
    app.app.job.start("manual");
    await app.synced();
    await page.clock.runFor(16_000);
    await page.waitForFunction(() => /^All 4/.test(document.querySelector(".sentence")?.textContent ?? ""));
    await page.waitForFunction(() => document.querySelectorAll("#recent-activity-card .thumb").length === 2);
  });

  test("leave the focus on the same receipt when another comes before it", async () => {
    await using it = await opened();
    const { app, page } = it;
    const receipt = (id: string, at: string): DeletionReceipt => ({
      id,
      at,
      cause: "age",
      by: null,
      recordings: 1,
      bytes: 1000,
      oldest: "2026-06-01",
      newest: "2026-06-01",
      until: new Date(Date.now() + 86_400_000).toISOString(),
    });
    const add = (it: DeletionReceipt) => {
      app.app.history.deletions.add(it);
      app.app.cards.publish(["receipts-card"]);
    };
    add(receipt("first", new Date(Date.now() - 60_000).toISOString()));
    const first = page.locator("#undo-deletion-first");
    await first.focus();
    add(receipt("second", new Date().toISOString()));
    await page.locator("#undo-deletion-second").waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("undo-deletion-first");
    expect(await first.isVisible()).toBe(true);
  });
});
