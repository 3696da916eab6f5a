import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import type { Settings } from "../../server/domain/settings/settings.ts";
import { type AppOptions, type RunningApp, startApp } from "../support/app.ts";
import { accessibilityProblems } from "../support/axe.ts";
import { describeInBrowser, WatchedPage, type WIDTHS } from "../support/browser.ts";
import { Client } from "../support/client.ts";
import { orderProblems } from "../support/in_order.ts";

setDefaultTimeout(60_000);

const PASSWORD = "correct horse battery staple";
const ANOTHER = "a different long password";
const KEEP_ALL = { settings: { retention: { keep: "" } } } as const;

const field = (page: Page, path: string) => {
  const [section, name] = path.split(".");
  return page.locator(`[data-section=${section}] [name=${name}]`);
};
/** Opens the part of the page in which a setting is folded away, as a hand does: what moves then is no jump. */
async function unfold(page: Page, path: string): Promise<void> {
  await field(page, path).evaluate((control) => {
    control.dispatchEvent(new Event("pointerdown", { bubbles: true }));
    for (let fold = control.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null)
      fold.open = true;
  });
}
/** Types as a hand does, in place of what is there. */
async function type(page: Page, path: string, text: string): Promise<void> {
  await unfold(page, path);
  await field(page, path).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.type(text);
}
const bar = (page: Page) => page.locator(".savebar");
/** What stands there, with plain blanks. */
const said = async (place: Locator) => (await place.textContent())?.replace(/\s+/g, " ").trim();
const toast = (page: Page) => page.locator(".toast").last();
const settings = ({ app }: RunningApp) => app.settings.current;

/** A browser that has signed in. */
async function signedIn({ url }: RunningApp): Promise<Client> {
  const client = new Client(url);
  await client.signIn("admin", PASSWORD);
  return client;
}

describeInBrowser("the settings page", (browser) => {
  let shared: RunningApp;
  let initial: Settings;
  beforeAll(async () => {
    shared = await startApp(KEEP_ALL);
    initial = settings(shared);
  });
  afterAll(() => shared[Symbol.asyncDispose]());

  /** A service and its settings page: the one that tests share, with the settings of its start, where no other is asked for. */
  async function opened(options?: AppOptions, width: (typeof WIDTHS)[number] = 1440) {
    const app = options ? await startApp(options) : shared;
    if (!options) await app.app.settings.update(() => initial);
    const session = options?.mode === "login" ? await signedIn(app) : undefined;
    const watched = await WatchedPage.open(browser(), {
      url: app.url,
      width,
      session: session?.cookie("dashdock_session"),
    });
    await watched.open("/settings");
    const { page } = watched;
    // The parts that come after the form, of which retention is one.
    await page.locator("#retention[data-awake]").waitFor();
    return {
      app,
      watched,
      page,
      async [Symbol.asyncDispose]() {
        await watched[Symbol.asyncDispose]();
        if (options) await app[Symbol.asyncDispose]();
      },
    };
  }

  test("saves what was changed with Enter, and nothing else", async () => {
    await using it = await opened();
    const { page, app, watched } = it;
    const patches: [string, unknown][] = [];
    page.on("request", (request) => {
      if (request.method() === "PATCH") patches.push([new URL(request.url()).pathname, request.postDataJSON()]);
    });
    await type(page, "sync.retry_failed_after", "36h");
    await page.getByText("36 hours").waitFor();
    await unfold(page, "logging.quiet");
    await field(page, "logging.quiet").press("Space");
    await page
      .getByRole("group", { name: "Kinds: not these recordings" })
      .getByRole("button", { name: "Parking P" })
      .click();
    expect(await field(page, "sync.exclude").inputValue()).toBe("P");
    expect(await said(bar(page))).toContain("3 unsaved changes");
    expect(await page.locator("nav[aria-label=Settings] a:has(.dot)").allInnerTexts()).toEqual([
      "What to download",
      "Logs",
    ]);
    await field(page, "sync.retry_failed_after").press("Enter");
    await toast(page).waitFor();
    expect(await said(toast(page))).toBe("3 changes saved. Some apply at the next run, some at once.");
    expect(patches).toEqual([
      ["/api/settings/sync", { exclude: ["P"], retry_failed_after: "36h" }],
      ["/api/settings/logging", { quiet: true }],
    ]);
    expect(settings(app).sync).toMatchObject({ exclude: ["P"], retry_failed_after: "36h" });
    expect(await bar(page).count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe("/settings");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("sync-retry_failed_after");
    expect(await watched.problems()).toEqual([]);
  });

  test("shows what is wrong at the field, while it is typed and when the service says so", async () => {
    await using it = await opened();
    const { page, app } = it;
    await type(page, "sync.retry_failed_after", "90m");
    const retry = field(page, "sync.retry_failed_after");
    expect(await retry.getAttribute("aria-invalid")).toBe("true");
    const ids = (await retry.getAttribute("aria-describedby"))?.split(" ") ?? [];
    expect(await said(page.locator(`#${ids.at(-1)}`))).toBe("Minutes are not known here. Write 5400s.");
    await type(page, "web.session_lifetime_hours", "48");
    expect(await said(bar(page))).toContain("1 field to correct");
    // Nothing is sent while something is plainly wrong.
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.id === "sync-retry_failed_after");
    expect(settings(app).web.session_lifetime_hours).toBe(24);

    await type(page, "sync.retry_failed_after", "12h");
    await type(page, "auth.proxy_user_header", "X User");
    await type(page, "auth.username", " ");
    await page.keyboard.press("Enter");
    const username = page.locator("#auth-username");
    await page.locator("#auth-username-error").waitFor();
    expect(await said(page.locator("#auth-username-error"))).toBe("User name is not usable: it is empty.");
    expect(await said(page.locator("#auth-proxy_user_header-error"))).toStartWith("User header is not usable:");
    await page.waitForFunction(() => document.activeElement?.id === "auth-username");
    expect(await username.getAttribute("aria-invalid")).toBe("true");
    // What was right is saved, what was not is still there to be corrected.
    await page.waitForFunction(() => /2\sunsaved changes/.test(document.querySelector(".savebar")?.textContent ?? ""));
    expect(settings(app).web.session_lifetime_hours).toBe(48);
    expect(await said(bar(page))).toContain("2 unsaved changes");
    expect(await said(bar(page))).toContain("2 fields to correct");
    await username.fill("driver");
    expect(await username.getAttribute("aria-invalid")).toBeNull();
    await page.getByRole("button", { name: "Undo: User header" }).click();
    await page.getByRole("button", { name: "Save 1 change" }).click();
    await bar(page).getByText("Restart needed").waitFor();
    expect(settings(app).auth.username).toBe("driver");
  });

  test("says why nothing could be saved, and keeps what was typed", async () => {
    await using it = await opened();
    const { page, app } = it;
    await page.route("**/api/settings/*", (route) =>
      route.fulfill({ status: 507, json: { error: "The disk is full.", code: "STORAGE_FULL", details: {} } }),
    );
    await type(page, "metrics.job", "car");
    await page.keyboard.press("Enter");
    await bar(page).getByRole("alert").waitFor();
    expect(await said(bar(page).getByRole("alert"))).toBe("The disk is full.");
    await page.route("**/api/settings/*", (route) => route.abort());
    await page.keyboard.press("Enter");
    await bar(page).getByText("Dashdock does not answer").waitFor();
    expect(await field(page, "metrics.job").inputValue()).toBe("car");
    await page.unroute("**/api/settings/*");
    await page.keyboard.press("Enter");
    await toast(page).waitFor();
    expect(settings(app).metrics.job).toBe("car");
  });

  test("undoes, takes the default, and discards", async () => {
    await using it = await opened({ settings: { retention: { keep: "6w" }, logging: { verbose: 2 } } });
    const { page, watched } = it;
    await type(page, "retention.keep", "5w");
    await page.getByRole("button", { name: "Undo: Keep recordings for" }).press("Enter");
    expect(await field(page, "retention.keep").inputValue()).toBe("6w");
    await page.waitForFunction(() => document.activeElement?.id === "retention-keep");
    await unfold(page, "logging.verbose");
    await page.getByRole("button", { name: "Use the default: Verbosity" }).click();
    expect(await field(page, "logging.verbose").inputValue()).toBe("0");
    await field(page, "sync.priority").selectOption("type");
    await bar(page).getByRole("button", { name: "Discard" }).click();
    expect(await field(page, "logging.verbose").inputValue()).toBe("2");
    expect(await field(page, "sync.priority").inputValue()).toBe("date");
    expect(await bar(page).count()).toBe(0);
    expect(await watched.problems()).toEqual([]);
  });

  test("asks before it is left with changes, and only then", async () => {
    await using it = await opened();
    const { page } = it;
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await type(page, "metrics.job", "car");
    await Promise.all([page.waitForEvent("dialog"), page.locator(".nav a", { hasText: "Logs" }).click()]);
    expect(asked).toEqual(["beforeunload"]);
    expect(new URL(page.url()).pathname).toBe("/settings");
    expect(await field(page, "metrics.job").inputValue()).toBe("car");
    await bar(page).getByRole("button", { name: "Discard" }).click();
    await page.locator(".nav a", { hasText: "Logs" }).click();
    await page.waitForURL("**/logs");
    expect(asked).toEqual(["beforeunload"]);
  });

  test("finds settings by label, help, name and value", async () => {
    await using it = await opened();
    const { page, watched } = it;
    await page.keyboard.press("/");
    const shown = () => page.locator("[data-section] .field:not([hidden]) .field-name > :first-child").allInnerTexts();
    const all = (await shown()).length;
    for (const [words, labels] of [
      ["argon", []],
      ["prometheus collect", ["Offer /metrics"]],
      ["affinity_key", ["Camera ID for a shared proxy"]],
      ["10485760", ["Log file size"]],
      ["one folder per week", ["Folders"]],
    ] as const) {
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(words);
      expect([words, await shown()]).toEqual([words, [...labels]]);
      const said = labels.length === 0 ? "No setting found" : "1\u00a0setting found";
      expect(await page.locator(".settings-nav [role=status]").textContent()).toBe(said);
    }
    await page.locator("#find").press("Escape");
    expect((await shown()).length).toBe(all);
    expect(await watched.problems()).toEqual([]);
  });

  test("keeps its address and its navigation in step", async () => {
    await using it = await opened();
    const { page } = it;
    const current = page.locator("nav[aria-label=Settings] [aria-current]");
    await page.goto("/settings#auth");
    await page.waitForFunction(() => document.querySelector("[data-island][data-ready]"));
    expect(await said(current)).toBe("Sign-in");
    // The last group cannot reach the top of the window.
    await page.locator("nav[aria-label=Settings] a", { hasText: "Expert" }).click();
    await current.getByText("Expert").waitFor();
    expect(new URL(page.url()).hash).toBe("#web");
    // What the link has scrolled is told with the next frame; what a hand scrolls comes after it.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForURL((url) => url.hash === "#connection");
    expect(await said(current)).toBe("Camera");
    await page.evaluate(() => document.getElementById("sync")?.scrollIntoView());
    await page.waitForURL((url) => url.hash === "#sync");
    expect(await said(current)).toBe("What to download");
  });

  test("marks the section of the field that a link leads to, and the one that is read", async () => {
    await using it = await opened();
    const { page } = it;
    const current = page.locator("nav[aria-label=Settings] [aria-current]");
    for (const [field, name] of [
      ["retention-keep", "Keep and delete"],
      ["system-destination", "Disk"],
      ["auth-username", "Sign-in"],
      ["schedule-cron_expression", "Schedule"],
    ] as const) {
      await page.goto("about:blank");
      await page.goto(`${it.app.url}/settings#${field}`);
      await page.locator(`#${field}:focus`).waitFor();
      await page.waitForFunction(() => document.querySelector("[data-later=dialogs][data-awake]"));
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      expect([field, await said(current)]).toEqual([field, name]);
    }
    // What a link scrolls is told by one event, at the latest by the first that follows.
    await page.evaluate(() => scrollTo(0, 40));
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    // Read with the wheel: its heading has come up, and the end of the section before is still there.
    await page.evaluate(() => {
      const top = document.getElementById("group-auth")?.getBoundingClientRect().top ?? 0;
      scrollBy(0, top - innerHeight / 4);
    });
    await current.getByText("Sign-in").waitFor();
  });

  test("says what a schedule means as it is typed", async () => {
    await using it = await opened();
    const { page, watched } = it;
    const says = page.locator("#schedule-cron_expression-says");
    await type(page, "schedule.cron_expression", "0 3 * * sun");
    await says.getByText("At 03:00, only on Sunday.").waitFor();
    expect(await page.locator(".next-runs li").count()).toBe(3);
    expect(await said(page.locator(".next-runs li").first())).toMatch(/^Sun \d+ \w+, 03:00in /);
    await type(page, "schedule.timezone", "Australia/Sydney");
    await page
      .locator(".next-runs")
      .getByText(/^AE[DS]T$/)
      .first()
      .waitFor();
    await page
      .locator("#schedule-timezone-says")
      .getByText(/^AE[DS]T, UTC\+1[01]:00$/)
      .waitFor();
    await type(page, "schedule.cron_expression", "61 * * * *");
    await page.locator("#schedule-cron_expression-error").waitFor();
    expect(await said(page.locator("#schedule-cron_expression-error"))).toContain("holds 61, outside 0-59");
    expect(await said(bar(page))).toContain("1 field to correct");
    await page.getByRole("button", { name: "At night" }).click();
    await says.getByText("Every day at 03:00.").waitFor();
    expect(await page.getByRole("button", { name: "At night" }).getAttribute("aria-pressed")).toBe("true");
    expect(await watched.problems()).toEqual([]);
  });

  test("drops the answer to what was typed before", async () => {
    await using it = await opened();
    const { page } = it;
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const late = Promise.withResolvers<void>();
    await page.route(/schedule\/preview.*cron_expression=0\+1\+/, async (route) => {
      late.resolve();
      await held;
      await route.continue().catch(() => {});
    });
    await type(page, "schedule.cron_expression", "0 1 * * *");
    await late.promise;
    await type(page, "schedule.cron_expression", "0 2 * * *");
    const says = page.locator("#schedule-cron_expression-says");
    await says.getByText("Every day at 02:00.").waitFor();
    release();
    await page.waitForLoadState("networkidle");
    expect(await said(says)).toBe("Every day at 02:00.");
  });

  test("shows what the file says and cannot be used, until it is set", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dashdock-test-"));
    mkdirSync(join(folder, "config"));
    const stored = { version: 2, retention: { keep: "forever" }, system: { dry_run: "no" } };
    writeFileSync(join(folder, "config", "settings.json"), JSON.stringify(stored), { mode: 0o600 });
    await using it = await opened({ folder });
    const { page, app, watched } = it;
    const notes = page.locator("[data-section] .note");
    expect(await notes.count()).toBe(2);
    expect(await said(notes.first())).toStartWith('The settings file says "forever" for “Keep recordings for”');
    expect(await accessibilityProblems(page, "[data-section=retention]")).toEqual([]);
    // It is no change of the page, and nothing is in the way of saving something else.
    expect(await bar(page).count()).toBe(0);
    await type(page, "metrics.job", "car");
    await page.keyboard.press("Enter");
    await bar(page).waitFor({ state: "detached" });
    expect(settings(app).metrics.job).toBe("car");
    expect(await notes.count()).toBe(2);

    await page.getByRole("button", { name: "Keep for ever" }).click();
    expect(await said(bar(page))).toContain("1 unsaved change");
    await page.getByRole("button", { name: "Undo: Keep recordings for" }).click();
    expect(await bar(page).count()).toBe(0);
    await page.getByRole("button", { name: "Keep for ever" }).click();
    await field(page, "system.dry_run").press("Space");
    await page.getByRole("button", { name: "Save 2 changes" }).click();
    await notes.first().waitFor({ state: "detached" });
    expect(app.app.settings.unusable).toEqual([]);
    expect([settings(app).retention.keep, settings(app).system.dry_run]).toEqual(["", false]);
    expect(await watched.problems()).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  test("asks before it lets everyone in, and goes on saving afterwards", async () => {
    await using it = await opened({ ...KEEP_ALL, mode: "login", password: PASSWORD });
    const { page, app } = it;
    const dialog = page.locator("dialog[data-modal=auth-mode]");
    await field(page, "auth.mode").selectOption("none");
    await page.getByRole("button", { name: "Save 1 change" }).click();
    await dialog.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Keep it as it is" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(settings(app).auth.mode).toBe("login");
    await page.getByRole("button", { name: "Save 1 change" }).click();
    await dialog.getByRole("button", { name: "Let everyone in" }).click();
    await toast(page).waitFor();
    expect(settings(app).auth.mode).toBe("none");
    expect(await page.locator("[data-action=rotate-sessions]").count()).toBe(0);
    // The token of the page was that of a session which is no more.
    await type(page, "metrics.job", "car");
    await page.keyboard.press("Enter");
    await bar(page).waitFor({ state: "detached" });
    expect(settings(app).metrics.job).toBe("car");
    await field(page, "auth.mode").selectOption("login");
    // Where the session of before still holds, sign-in leads back at once.
    await Promise.all([
      page.waitForRequest(/\/login\?next=/),
      page.waitForEvent("load"),
      page.getByRole("button", { name: "Save 1 change" }).click(),
    ]);
    expect(settings(app).auth.mode).toBe("login");
  });

  test("changes the password, which signs the other browser out and keeps this one", async () => {
    await using it = await opened({ ...KEEP_ALL, mode: "login", password: PASSWORD });
    const { page, app, watched } = it;
    const other = await signedIn(app);

    const dialog = page.locator("dialog[data-modal=password]");
    const open = () => page.getByRole("button", { name: "Change password" }).first().click();
    const submit = () => dialog.getByRole("button", { name: "Change password" }).click();
    const input = (name: string) => dialog.locator(`[name=${name}]`);
    await open();
    await input("current_password").fill("not the password");
    await input("new_password").fill("too short");
    await submit();
    expect(await said(dialog.locator("#new_password-error"))).toBe("The password must have at least 12 characters.");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("new_password");
    await input("new_password").fill(ANOTHER);
    await input("confirm_password").fill(`${ANOTHER}!`);
    await submit();
    expect(await said(dialog.locator("#confirm_password-error"))).toBe("The two passwords are not the same.");
    await input("confirm_password").fill(ANOTHER);
    await input("confirm_password").press("Enter");
    await dialog.locator("#current_password-error").waitFor();
    expect(await said(dialog.locator("#current_password-error"))).toBe("This is not the current password.");
    expect(await accessibilityProblems(page)).toEqual([]);

    // Closed, it forgets.
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await open();
    expect(await input("new_password").inputValue()).toBe("");
    await input("current_password").fill(PASSWORD);
    await input("new_password").fill(ANOTHER);
    await input("confirm_password").fill(ANOTHER);
    await submit();
    await toast(page).waitFor();
    expect(await said(toast(page))).toBe("Password changed. All other browsers are signed out.");

    await type(page, "metrics.job", "car");
    await page.keyboard.press("Enter");
    await bar(page).waitFor({ state: "detached" });
    expect(settings(app).metrics.job).toBe("car");
    expect((await other.fetch("/api/auth/me")).status).toBe(401);
    expect((await watched.problems()).filter((text) => !text.includes("401"))).toEqual([]);
  });

  test("stays while the password changes, also when a card is refused with the session that has just ended", async () => {
    await using it = await opened({ ...KEEP_ALL, mode: "login", password: PASSWORD });
    const { page } = it;
    const refused = Promise.withResolvers<void>();
    await page.route("**/api/auth/password", async (route) => {
      const response = await route.fetch();
      // The service has the new password, this browser still the old session.
      await page.evaluate(() => document.getElementById("state")?.dispatchEvent(new Event("refresh")));
      await refused.promise;
      await route.fulfill({ response });
    });
    await page.route("**/hx/state", async (route) => {
      await route.fulfill({ status: 401, headers: { "hx-redirect": "/login?next=/settings" } });
      await page.unroute("**/hx/state");
      refused.resolve();
    });
    await page.getByRole("button", { name: "Change password" }).first().click();
    const dialog = page.locator("dialog[data-modal=password]");
    await dialog.locator("[name=current_password]").fill(PASSWORD);
    await dialog.locator("[name=new_password]").fill(ANOTHER);
    await dialog.locator("[name=confirm_password]").fill(ANOTHER);
    await dialog.getByRole("button", { name: "Change password" }).click();
    await toast(page).waitFor();
    expect(await said(toast(page))).toBe("Password changed. All other browsers are signed out.");
    expect(new URL(page.url()).pathname).toBe("/settings");
  });

  test("says how long to wait after too many wrong passwords", async () => {
    await using it = await opened({ ...KEEP_ALL, mode: "login", password: PASSWORD });
    const { page } = it;
    await page.route("**/api/auth/password", (route) =>
      route.fulfill({
        status: 429,
        json: { error: "Too many failed attempts. Try again in 14 minutes.", code: "RATE_LIMITED", details: {} },
      }),
    );
    await page.getByRole("button", { name: "Change password" }).click();
    const dialog = page.locator("dialog[data-modal=password]");
    for (const [name, text] of [
      ["current_password", PASSWORD],
      ["new_password", ANOTHER],
      ["confirm_password", ANOTHER],
    ] as const)
      await dialog.locator(`[name=${name}]`).fill(text);
    await page.keyboard.press("Enter");
    await dialog.getByText("Try again in 14 minutes.").waitFor();
  });

  test("signs out everywhere, this browser too, even with unsaved changes", async () => {
    await using it = await opened({ ...KEEP_ALL, mode: "login", password: PASSWORD });
    const { page, app } = it;
    const other = await signedIn(app);
    await type(page, "metrics.job", "car");
    const dialog = page.locator("dialog[data-modal=sessions]");
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await dialog.getByText("The unsaved changes on this page are lost.").waitFor();
    await dialog.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.waitForURL("**/login");
    expect((await other.fetch("/api/auth/me")).status).toBe(401);
    expect(settings(app).metrics.job).toBe("dashdock");
  });

  test("stays with its changes when the session ends, and saves them after another sign-in", async () => {
    await using it = await opened({ ...KEEP_ALL, mode: "login", password: PASSWORD }, 390);
    const { page, app, watched } = it;
    await page.clock.install();
    await watched.open("/settings");
    const prompts: string[] = [];
    page.on("dialog", (dialog) => {
      prompts.push(dialog.type());
      void dialog.dismiss();
    });
    await type(page, "metrics.job", "car");
    await bar(page).waitFor();
    await app.client.signIn("admin", PASSWORD);
    expect((await app.client.send("DELETE", "/api/auth/sessions")).ok).toBe(true);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const note = bar(page).getByRole("alert");
    await page.clock.fastForward(6000);
    await note.waitFor();
    expect(await said(note)).toBe("You were signed out. Your changes are still here: sign in in a new tab, then save.");
    expect(await accessibilityProblems(page, ".savebar")).toEqual([]);
    await Promise.all([
      page.waitForResponse("**/api/schedule/preview?*"),
      type(page, "schedule.cron_expression", "0 3 * * *"),
    ]);
    await Promise.all([page.waitForResponse("**/api/settings/schedule"), page.keyboard.press("Enter")]);
    await page.waitForLoadState("networkidle");
    // Nothing asks again and again, and nothing is in the way.
    asked.length = 0;
    await page.clock.fastForward(120_000);
    await page.waitForLoadState("networkidle");
    expect([asked, prompts, await note.count()]).toEqual([[], [], 1]);
    expect(new URL(page.url()).pathname).toBe("/settings");

    const isAskedAgain = page.waitForRequest("**/hx/state");
    const [tab] = await Promise.all([page.waitForEvent("popup"), note.getByRole("link").click()]);
    await tab.locator("[name=username]").fill("admin");
    await tab.locator("[name=password]").fill(PASSWORD);
    await tab.locator("[name=password]").press("Enter");
    await tab.waitForURL((url) => url.pathname === "/");
    await page.getByRole("button", { name: "Save 2 changes" }).click();
    await toast(page).waitFor();
    expect([settings(app).metrics.job, settings(app).schedule.cron_expression]).toEqual(["car", "0 3 * * *"]);
    expect([await bar(page).count(), prompts]).toEqual([0, []]);
    await isAskedAgain;
  });

  test("goes on after a sign-in in another tab, and leaves when nothing is left to save", async () => {
    await using it = await opened({ ...KEEP_ALL, mode: "login", password: PASSWORD });
    const { page, watched } = it;
    const session = await watched.context.cookies();
    const lookAgain = () => page.evaluate(() => void dispatchEvent(new Event("focus")));
    await type(page, "metrics.job", "car");
    await bar(page).waitFor();
    await watched.context.clearCookies();
    const note = bar(page).getByRole("alert");
    await page.keyboard.press("Enter");
    await note.waitFor();
    expect(await said(note)).toStartWith("You were signed out.");
    const [answer] = await Promise.all([page.waitForResponse("**/api/auth/me"), lookAgain()]);
    expect([answer.status(), await note.count()]).toEqual([401, 1]);
    await watched.context.addCookies(session);
    await lookAgain();
    await note.waitFor({ state: "detached" });
    expect(await said(bar(page))).toContain("1 unsaved change");

    await watched.context.clearCookies();
    await page.keyboard.press("Enter");
    await note.waitFor();
    await bar(page).getByRole("button", { name: "Discard" }).click();
    await page.waitForURL(/\/login\?next=/);
  });

  test("keeps saying how far away the next run is", async () => {
    await using it = await opened();
    const { page, watched } = it;
    await page.clock.install();
    await watched.open("/settings");
    await page.locator("[data-later=schedule][data-awake]").waitFor();
    const next = Date.UTC(2030, 0, 1, 12);
    await page.route("**/api/schedule/preview?*", (route) =>
      route.fulfill({
        json: { valid: true, words: "Daily.", next: [next], time_zone: "UTC", now: next - 7 * 60_000 },
      }),
    );
    await page.clock.fastForward(60_000);
    await page.locator(".next-runs").getByText("in 7").waitFor();
    // The run comes sooner than the next minute.
    const run = await page.evaluate(() => document.querySelector(".next-runs .quiet")?.textContent);
    expect(run).toBe("in 7\u00a0min");
    await page.unroute("**/api/schedule/preview?*");
    await page.clock.fastForward(60_000);
    await page.locator(".next-runs li").nth(2).waitFor();
  });

  test("takes what was typed before its script came", async () => {
    await using it = await opened();
    const { page } = it;
    const script = Promise.withResolvers<void>();
    await page.route(/settings_form-.*\.js/, async (route) => {
      await script.promise;
      await route.continue();
    });
    await page.goto("/settings", { waitUntil: "commit" });
    await unfold(page, "metrics.job");
    await field(page, "metrics.job").fill("car");
    script.resolve();
    await bar(page).getByText("1\u00a0unsaved change").waitFor();
    expect(await field(page, "metrics.job").inputValue()).toBe("car");
    expect(await field(page, "metrics.job").isVisible()).toBe(true);
  });

  test("is in order at every width: with changes and errors, what waits for a restart, and dialogs", async () => {
    await using it = await opened({ ...KEEP_ALL, mode: "login", password: PASSWORD }, 390);
    const { page, watched } = it;
    expect(await watched.problems()).toEqual([]);
    await type(page, "sync.include", "NF");
    await type(page, "sync.retry_failed_after", "90m");
    expect(await orderProblems(watched)).toEqual([]);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.locator("dialog[data-modal=password]").waitFor();
    expect(await orderProblems(watched)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.locator("dialog[data-modal=password]").waitFor({ state: "detached" });

    await bar(page).getByRole("button", { name: "Discard" }).click();
    await type(page, "web.session_lifetime_hours", "48");
    await page.keyboard.press("Enter");
    await bar(page).getByText("Restart needed").waitFor();
    expect(await accessibilityProblems(page, ".savebar")).toEqual([]);
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.locator("dialog[data-modal=sessions]").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await watched.problems()).toEqual([]);
  });
});
