import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { Settings } from "../../server/domain/settings/settings.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage, type Width } from "../support/browser/browser.ts";
import { uncover, unfold, wakeAll } from "../support/browser/settings_page.ts";
import { orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

const KEEP_ALL = { settings: { retention: { keep: "" } } } as const;

const field = (page: Page, path: string) => {
  const [section, name] = path.split(".");
  return page.locator(`[data-section=${section}] [name=${name}]`);
};
const isSeen = (page: Page, path: string) => field(page, path).isVisible();
const bar = (page: Page) => page.locator(".savebar");
const menu = (page: Page) => page.locator("nav[aria-label=Settings]");
const summary = (page: Page, heading: string) => page.locator("summary", { hasText: heading });
const said = async (page: Page, selector: string) =>
  (await page.locator(selector).textContent())?.replaceAll(/\s+/g, " ").trim();
const settings = ({ app }: RunningApp) => app.settings.current;

/** Elements in the middle of the window that scroll the page when they get the focus. Runs in the page. */
function movedByFocus(): string[] {
  scrollTo(0, (document.documentElement.scrollHeight - innerHeight) / 2);
  const before = scrollY;
  const inSight = document.querySelectorAll<HTMLElement>(".bar a, .bar button, .settings-nav a, .savebar button");
  return [...inSight].flatMap((element) => {
    element.focus();
    return scrollY === before ? [] : [`${element.textContent} by ${scrollY - before} px`];
  });
}

describeInBrowser("the settings page", (browser) => {
  let app: RunningApp;
  let initial: Settings;
  beforeAll(async () => {
    app = await startApp(KEEP_ALL);
    mkdirSync(app.destination, { recursive: true });
    initial = settings(app);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  /** The settings page, with the settings of the service's start. */
  async function opened(path = "/settings", width: Width = 1440) {
    await app.app.settings.update(() => initial);
    const watched = await WatchedPage.open(browser(), { url: app.url, width });
    const { page } = watched;
    await page.goto(path);
    await wakeAll(page);
    return {
      app,
      watched,
      page,
      [Symbol.asyncDispose]: () => watched[Symbol.asyncDispose](),
    };
  }

  test("folds away what few people need, and opens it by hand and by key", async () => {
    await using it = await opened();
    const { page, watched } = it;
    for (const path of ["logging.quiet", "metrics.file", "stats.retention_days", "sync.affinity_key"])
      expect([path, await isSeen(page, path)]).toEqual([path, false]);
    await summary(page, "Logs").click();
    expect(await isSeen(page, "logging.quiet")).toBe(true);
    expect(await isSeen(page, "logging.ring_buffer_capacity")).toBe(false);
    await summary(page, "Metrics").focus();
    await page.keyboard.press("Enter");
    expect([await isSeen(page, "metrics.file"), await isSeen(page, "metrics.job")]).toEqual([true, false]);
    await summary(page, "Logs").click();
    expect(await isSeen(page, "logging.quiet")).toBe(false);
    expect(await watched.problems()).toEqual([]);
  });

  test("opens what an address leads to, a section or one setting, and so does a link of its own", async () => {
    await using it = await opened("/settings#logging");
    const { page } = it;
    expect([await isSeen(page, "logging.quiet"), await isSeen(page, "metrics.file")]).toEqual([true, false]);
    await menu(page).getByText("Metrics").click();
    await field(page, "metrics.file").waitFor();
    await page.goto("about:blank");
    await page.goto(`${it.app.url}/settings#metrics-state_file`);
    await page.locator("#metrics-state_file:focus").waitFor();
    expect(await isSeen(page, "metrics.state_file")).toBe(true);
    await page.evaluate(() => {
      location.hash = "#sync-affinity_key";
    });
    await page.locator("#sync-affinity_key:focus").waitFor();
  });

  test("does not open what is scrolled past; opens what a search finds, and closes it again afterwards", async () => {
    await using it = await opened();
    const { page } = it;
    await page.setViewportSize({ width: 1440, height: 400 });
    await summary(page, "Logs").evaluate((element) => element.scrollIntoView());
    await menu(page).locator("[aria-current]", { hasText: "Logs" }).waitFor();
    expect([await isSeen(page, "logging.quiet"), new URL(page.url()).hash]).not.toContain("#logging");
    expect(await isSeen(page, "logging.quiet")).toBe(false);
    await page.setViewportSize({ width: 1440, height: 900 });

    await summary(page, "Logs").click();
    await page.locator("#find").fill("label");
    await field(page, "metrics.instance").waitFor();
    expect(await isSeen(page, "metrics.job")).toBe(true);
    await page.locator("#find").fill("verbosity");
    await field(page, "logging.verbose").waitFor();
    await page.locator("#find").press("Escape");
    await field(page, "metrics.job").waitFor({ state: "hidden" });
    // Parts that were open before stay open.
    expect([await isSeen(page, "logging.verbose"), await isSeen(page, "metrics.file")]).toEqual([true, false]);
  });

  test("opens what has an unsaved change or is wrong, and goes to it before it saves", async () => {
    await using it = await opened();
    const { page, app } = it;
    await summary(page, "Metrics").click();
    await summary(page, "Job label").click();
    await field(page, "metrics.state_file").fill("state.json");
    await summary(page, "Metrics").click();
    expect(await isSeen(page, "metrics.state_file")).toBe(false);
    await bar(page).getByRole("button", { name: "Save 1 change" }).click();
    await page.locator("#metrics-state_file:focus").waitFor();
    expect(await said(page, "#metrics-state_file-error")).toBe(
      '"state.json" does not begin with /: write the whole path, such as /volume1/dashcam.',
    );
    await field(page, "metrics.state_file").fill("/volume1/state.json");
    await bar(page).getByRole("button", { name: "Save 1 change" }).click();
    await bar(page).waitFor({ state: "detached" });
    expect(settings(app).metrics.state_file).toBe("/volume1/state.json");
    // It stays open: nothing goes away under the hand.
    expect(await isSeen(page, "metrics.state_file")).toBe(true);
  });

  test("opens what the settings file has wrong", async () => {
    await using app = await startApp(KEEP_ALL);
    const { page } = await WatchedPage.open(browser(), { url: app.url });
    const path = `${app.folder}/config/settings.json`;
    await app.stop();
    const stored = await Bun.file(path).json();
    await Bun.write(path, JSON.stringify({ ...stored, stats: { retention_days: "long" } }));
    await using again = await startApp({ folder: app.folder });
    await page.goto(`${again.url}/settings`);
    await wakeAll(page);
    expect(await isSeen(page, "stats.retention_days")).toBe(true);
    expect(await isSeen(page, "logging.quiet")).toBe(false);
  });

  test("folds without a script, too, and shows all that is set", async () => {
    await using app = await startApp(KEEP_ALL);
    const context: BrowserContextOptions = { javaScriptEnabled: false, baseURL: app.url };
    const page = await (await browser().newContext(context)).newPage();
    await page.goto("/settings");
    expect(await isSeen(page, "metrics.file")).toBe(false);
    await summary(page, "Metrics").click();
    expect(await isSeen(page, "metrics.file")).toBe(true);
    expect(await page.locator("[data-action=check-camera]").isVisible()).toBe(true);
    await page.goto("about:blank");
    await page.goto("/settings#logging");
    expect(await isSeen(page, "logging.quiet")).toBe(true);
    await page.context().close();
  });

  for (const width of [390, 768] as const)
    test(`keeps the list of sections in sight at ${width} px, one tap from each, and covers no heading`, async () => {
      await using it = await opened("/settings", width);
      const { page, watched } = it;
      for (const [name, id] of [
        ["Keep and delete", "retention"],
        ["Metrics", "metrics"],
        ["How often", "schedule"],
        ["Sign-in", "auth"],
      ] as const) {
        const link = menu(page).getByRole("link", { name, exact: true });
        await link.click();
        await menu(page).locator("[aria-current]", { hasText: name }).waitFor();
        const [list, heading, current] = await Promise.all([
          menu(page).boundingBox(),
          page.locator(`#group-${id}`).boundingBox(),
          link.boundingBox(),
        ]);
        const below = (list?.y ?? 0) + (list?.height ?? 0);
        expect([name, (heading?.y ?? 0) >= below, (heading?.y ?? 0) < 400]).toEqual([name, true, true]);
        // The one that is read is in sight, and large enough for a finger.
        expect((current?.x ?? -1) >= 0 && (current?.x ?? 0) + (current?.width ?? 0) <= width).toBe(true);
        if (width === 390) expect(current?.height ?? 0).toBeGreaterThanOrEqual(44);
      }
      // The same by key: the focused element is not under the list or the bar.
      await field(page, "sync.retry_failed_after").fill("3h");
      await page.locator("#connection-timeout_seconds").focus();
      const [list, input] = await Promise.all([
        menu(page).boundingBox(),
        page.locator("#connection-timeout_seconds").boundingBox(),
      ]);
      expect(input?.y ?? 0).toBeGreaterThanOrEqual((list?.y ?? 0) + (list?.height ?? 0));
      // Elements that are always in sight move nothing when they get the focus: neither the page nor a link before a
      // click.
      expect(await page.evaluate(movedByFocus)).toEqual([]);
      if (width === 390) expect(await accessibilityProblems(page, "nav[aria-label=Settings]")).toEqual([]);
      expect(await watched.problems()).toEqual([]);
    });

  test("checks the address that is typed, and understands one from the browser's address line", async () => {
    await using it = await opened();
    const { page, app, watched } = it;
    const { address } = app.simulator;
    const check = page.locator("[data-action=check-camera]");
    const dialog = page.locator("dialog[data-modal=check-camera]");
    await field(page, "connection.address").fill(`http://${address}/`);
    expect(await said(page, "#connection-address-says")).toBe(`= ${address}`);
    // It is the address that is set already.
    expect(await bar(page).count()).toBe(0);
    await check.click();
    await dialog.locator(".note.is-attention", { hasText: "Wi-Fi turns off after 10 idle minutes" }).waitFor();
    expect(await dialog.locator(".mono").textContent()).toBe(address);
    const setting = dialog.getByRole("link", { name: "See the setting" });
    expect(await setting.getAttribute("href")).toBe("/settings/camera#camera-wifi");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Check");
    await field(page, "connection.address").fill("127.0.0.1:1/x");
    expect(await said(page, "#connection-address-error")).toBe(
      '"127.0.0.1:1/x" is not an address: write "127.0.0.1:1", without http:// or a path.',
    );
    await field(page, "connection.address").fill("http://127.0.0.1:1/");
    await check.click();
    // The typed address is asked, saved or not.
    await dialog.locator(".checks .is-fine", { hasText: "Address" }).waitFor();
    expect(await dialog.locator(".mono").textContent()).toBe("127.0.0.1:1");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(settings(app).connection.address).toBe(address);
    await bar(page).getByRole("button", { name: "Save 1 change" }).click();
    await bar(page).waitFor({ state: "detached" });
    expect(settings(app).connection.address).toBe("127.0.0.1:1");
    expect(await field(page, "connection.address").inputValue()).toBe("127.0.0.1:1");

    await field(page, "connection.address").fill("not an address");
    expect(await said(page, "#connection-address-error")).toStartWith('"not an address" is not an address');
    await check.click();
    await page.locator("#connection-address:focus").waitFor();
    expect(await dialog.count()).toBe(0);
    await field(page, "connection.address").fill("");
    await check.click();
    await page.locator("#connection-address-failure").waitFor();
    expect(await accessibilityProblems(page, "[data-section=connection]")).toEqual([]);
    expect(await watched.problems()).toEqual([]);
  });

  test("asks before the disk stop lets nothing more come home", async () => {
    await using it = await opened();
    const { page, app } = it;
    const stop = field(page, "retention.max_used_disk_percent");
    // The share of the disk changes while other programs write to it.
    const warning = /^The disk is [\d.]+ % full now: nothing more would come home\.$/;
    await stop.fill("1");
    expect(await said(page, "#retention-max_used_disk_percent-says")).toMatch(warning);
    const dialog = page.locator("dialog[data-modal=retention-confirm]");
    const save = bar(page).getByRole("button", { name: "Save 1 change" });
    await save.click();
    await dialog.getByText("The disk is").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Keep editing" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(settings(app).retention.max_used_disk_percent).toBe(90);
    await save.click();
    await dialog.getByRole("button", { name: "Save anyway" }).click();
    await bar(page).waitFor({ state: "detached" });
    expect(settings(app).retention.max_used_disk_percent).toBe(1);
    expect((await said(page, ".toast"))?.replace("Saved. ", "")).toMatch(warning);
    // Above what is used there is nothing to ask.
    await stop.fill("100");
    expect(await said(page, "#retention-max_used_disk_percent-says")).toBe("");
    await save.click();
    await bar(page).waitFor({ state: "detached" });
    expect([settings(app).retention.max_used_disk_percent, await dialog.count()]).toEqual([100, 0]);
  });

  test("shows how a duration was understood, and stores its short form; tells harmful values while they are typed, and saves none", async () => {
    await using it = await opened();
    const { page, app } = it;
    await uncover(page, "retention.keep");
    await field(page, "retention.keep").fill("2 Weeks");
    expect(await page.locator("#retention-keep-choice").inputValue()).toBe("w");
    await field(page, "sync.retry_failed_after").fill("12 hours");
    await page.getByText("= 12h").waitFor();
    await unfold(page, "sync.include");
    await field(page, "sync.include").fill("nf");
    expect(await said(page, "#sync-include-codes")).toBe("NF Normal Front");
    await field(page, "sync.retry_failed_after").press("Enter");
    await bar(page).waitFor({ state: "detached" });
    const { sync, retention } = settings(app);
    expect([sync.retry_failed_after, sync.include, retention.keep]).toEqual(["12h", ["NF"], "2w"]);
    expect(await field(page, "retention.keep").inputValue()).toBe("2");

    const before = JSON.stringify(settings(app));
    const rows: [path: string, text: string, says: string][] = [
      ["connection.timeout_seconds", "0", "Write a number above 0 and at most 300."],
      [
        "system.destination",
        "recordings",
        '"recordings" does not begin with /: write the whole path, such as /volume1/dashcam.',
      ],
    ];
    for (const [path, text, says] of rows) {
      await field(page, path).fill(text);
      expect(await said(page, `#${path.replace(".", "-")}-error`)).toBe(says);
    }
    await field(page, "connection.timeout_seconds").press("Enter");
    await page.locator("#system-destination:focus").waitFor();
    expect(JSON.stringify(settings(app))).toBe(before);
  });

  test("chooses the recordings folder out of those that are there, and saves it like any other change", async () => {
    await using it = await opened();
    const { page, watched } = it;
    const target = join(app.folder, "archive");
    mkdirSync(join(target, "deeper"), { recursive: true });
    await page.locator("[data-action=choose-folder]").click();
    const dialog = page.locator("dialog[data-modal=folders]");
    await dialog.getByText("archive").waitFor();
    const use = dialog.getByRole("button", { name: "Use this folder" });
    expect(await use.isDisabled()).toBe(true);
    await dialog.getByRole("button", { name: "Open archive" }).click();
    await dialog.getByText("deeper").waitFor();
    await dialog.getByRole("button", { name: "Up to the folder above" }).click();
    await dialog.getByRole("radio", { name: "archive" }).check();
    expect(await accessibilityProblems(page, "dialog[data-modal=folders]")).toEqual([]);
    await use.click();
    await dialog.waitFor({ state: "detached" });
    expect(await field(page, "system.destination").inputValue()).toBe(target);
    expect(await said(page, ".savebar")).toContain("1 unsaved change");
    expect(await watched.problems()).toEqual([]);
  });

  test("is in order at every width with everything open and a warning", async () => {
    await using it = await opened("/settings", 390);
    const { page, watched } = it;
    for (const fold of await page.locator("details").all())
      await fold.evaluate((element) => element.setAttribute("open", ""));
    await field(page, "retention.max_used_disk_percent").fill("1");
    expect(await orderProblems(watched)).toEqual([]);
  });
});
