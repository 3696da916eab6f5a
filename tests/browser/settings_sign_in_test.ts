import { expect, setDefaultTimeout, test } from "bun:test";
import { accessibilityProblems } from "../support/browser/axe.ts";
import {
  bar,
  describeSettingsPage,
  field,
  KEEP_ALL,
  PASSWORD,
  said,
  settings,
  signedIn,
  toast,
  type,
  wakeAll,
} from "../support/browser/settings_page.ts";

setDefaultTimeout(60_000);

const ANOTHER = "a different long password";

describeSettingsPage((opened) => {
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
    // With the earlier session still valid, sign-in leads back at once.
    await Promise.all([
      page.waitForRequest(/\/login\?next=/),
      page.waitForEvent("load"),
      page.getByRole("button", { name: "Save 1 change" }).click(),
    ]);
    expect(settings(app).auth.mode).toBe("login");
  });

  test("makes a key that is shown once, and revokes it after it has asked", async () => {
    await using it = await opened(KEEP_ALL);
    const { page, app, watched } = it;
    const make = page.getByRole("button", { name: "Make a key" });
    await make.click();
    expect(await said(page.locator("#key-problem"))).toBe("Type a name, such as the program that uses the key.");
    await page.locator("#key-name").fill("Prometheus");
    await page.locator("#key-scope").selectOption("metrics");
    await page.locator("#key-name").press("Enter");
    const text = (await said(page.locator("#key-made"))) ?? "";
    expect(app.app.keys.find(text)).toMatchObject({ name: "Prometheus", scope: "metrics" });
    expect([await accessibilityProblems(page), await bar(page).count()]).toEqual([[], 0]);
    await page.reload();
    expect((await page.content()).includes(text)).toBe(false);
    await page.getByRole("button", { name: "Revoke the key Prometheus…" }).click();
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await toast(page).waitFor();
    expect([app.app.keys.all, await page.locator("[data-key]").count(), await watched.problems()]).toEqual([[], 0, []]);
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
      // The service has the new password, this browser still the old session: cards are refused from now on, not before.
      await page.route("**/hx/state", async (card) => {
        await card.fulfill({ status: 401, headers: { "hx-redirect": "/login?next=/settings" } });
        await page.unroute("**/hx/state");
        refused.resolve();
      });
      await page.evaluate(() => document.getElementById("state")?.dispatchEvent(new Event("refresh")));
      await refused.promise;
      await route.fulfill({ response });
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
    const questions = asked.filter((path) => !path.startsWith("/assets/"));
    expect([questions, prompts, await note.count()]).toEqual([[], [], 1]);
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
    const { page } = it;
    const session = await page.context().cookies();
    const lookAgain = () => page.evaluate(() => void dispatchEvent(new Event("focus")));
    await type(page, "metrics.job", "car");
    await bar(page).waitFor();
    await page.context().clearCookies();
    const note = bar(page).getByRole("alert");
    await page.keyboard.press("Enter");
    await note.waitFor();
    expect(await said(note)).toStartWith("You were signed out.");
    const [answer] = await Promise.all([page.waitForResponse("**/api/auth/me"), lookAgain()]);
    expect([answer.status(), await note.count()]).toEqual([401, 1]);
    await page.context().addCookies(session);
    await lookAgain();
    await note.waitFor({ state: "detached" });
    expect(await said(bar(page))).toContain("1 unsaved change");

    await page.context().clearCookies();
    await page.keyboard.press("Enter");
    await note.waitFor();
    await bar(page).getByRole("button", { name: "Discard" }).click();
    await page.waitForURL(/\/login\?next=/);
  });

  test("lists the browsers that are signed in, and signs out one of them", async () => {
    await using it = await opened({ ...KEEP_ALL, mode: "login", password: PASSWORD });
    const { page, app, watched } = it;
    const other = await signedIn(app);
    await other.open("/");
    await page.reload();
    await wakeAll(page);
    const rows = page.locator(".browsers li");
    expect(await rows.count()).toBe(2);
    expect(await rows.filter({ hasText: "This browser" }).count()).toBe(1);
    await rows.filter({ hasNotText: "This browser" }).first().getByRole("button").click();
    await page.waitForFunction(() => document.querySelectorAll(".browsers li").length === 1);
    expect((await other.fetch("/api/status")).status).toBe(401);
    expect(await watched.problems()).toEqual([]);
  });
});
