import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessibilityProblems } from "../support/browser/axe.ts";
import {
  bar,
  describeSettingsPage,
  field,
  KEEP_ALL,
  PASSWORD,
  said,
  settings,
  toast,
  type,
  unfold,
} from "../support/browser/settings_page.ts";
import { orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

describeSettingsPage((opened) => {
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
    await page.getByRole("group", { name: "Kinds", exact: true }).getByRole("button", { name: "Parking" }).click();
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
    await page.locator("#sync-retry_failed_after[aria-invalid=true]").waitFor();
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
    // Valid values are saved; the others are still there to be corrected.
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

  test("says why nothing could be saved, and keeps what was typed; asks before it is left with changes, and only then", async () => {
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

    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await type(page, "metrics.job", "bus");
    await Promise.all([page.waitForEvent("dialog"), page.locator(".nav a", { hasText: "Logs" }).click()]);
    expect(asked).toEqual(["beforeunload"]);
    expect(new URL(page.url()).pathname).toBe("/settings");
    expect(await field(page, "metrics.job").inputValue()).toBe("bus");
    await bar(page).getByRole("button", { name: "Discard" }).click();
    await page.locator(".nav a", { hasText: "Logs" }).click();
    await page.waitForURL("**/logs");
    expect(asked).toEqual(["beforeunload"]);
  });

  test("undoes, takes the default, and discards", async () => {
    await using it = await opened({ settings: { retention: { keep: "6w" }, logging: { verbose: 2 } } });
    const { page, watched } = it;
    await type(page, "retention.keep", "5w");
    await page.getByRole("button", { name: "Undo: Keep recordings for" }).press("Enter");
    expect(await field(page, "retention.keep").inputValue()).toBe("6");
    expect(await page.locator("#retention-keep-choice").inputValue()).toBe("w");
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

  test("finds settings by label, help, name and value; takes what was typed before its script came", async () => {
    await using it = await opened();
    const { page, watched } = it;
    await page.keyboard.press("/");
    const shown = () =>
      page.locator("[data-section] .field:not([hidden], [hidden] *) .field-name > :first-child").allInnerTexts();
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

  test("keeps its address and its navigation in step, and marks the section of the field that a link leads to, and the one that is read", async () => {
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
    // Scrolling by the link is told with the next frame; scrolling by hand comes after it.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForURL((url) => url.hash === "#schedule");
    expect(await said(current)).toBe("How often");
    await page.evaluate(() => document.getElementById("sync")?.scrollIntoView());
    await page.waitForURL((url) => url.hash === "#sync");
    expect(await said(current)).toBe("What to download");

    for (const [field, name] of [
      ["retention-trash_days", "Keep and delete"],
      ["system-destination", "Storage"],
      ["auth-username", "Sign-in"],
      ["schedule-timezone", "How often"],
    ] as const) {
      await page.goto("about:blank");
      await page.goto(`${it.app.url}/settings#${field}`);
      await page.locator(`#${field}:focus`).waitFor();
      // The browser gives it the focus, too, before the script has come.
      await page.waitForSelector("[data-island=settings_form][data-ready]");
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      expect([field, await said(current)]).toEqual([field, name]);
    }
    // A link's scrolling is told by one event, at the latest by the first that follows.
    await page.evaluate(() => scrollTo(0, 40));
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    // Read with the wheel: its heading has come up, and the end of the section before is still there.
    await page.evaluate(() => {
      const top = document.getElementById("group-auth")?.getBoundingClientRect().top ?? 0;
      scrollBy(0, top - innerHeight / 4);
    });
    await current.getByText("Sign-in").waitFor();
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

  test("is in order at every width: with changes and errors, what waits for a restart, and dialogs", async () => {
    await using it = await opened({ ...KEEP_ALL, mode: "login", password: PASSWORD }, 390);
    const { page, watched } = it;
    expect(await watched.problems()).toEqual([]);
    await type(page, "sync.include", "NF");
    await type(page, "sync.retry_failed_after", "90m");
    expect(await orderProblems(watched, "[data-section=sync]")).toEqual([]);
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
