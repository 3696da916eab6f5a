import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { AppError } from "../../server/domain/answers/errors.ts";
import { STEP_LABELS } from "../../server/domain/camera/check_report.ts";
import { asset } from "../../server/http/assets/assets.ts";
import type { Route } from "../../server/http/request/route.ts";
import { startApp } from "../support/app/app.ts";
import { HttpStage, PASSWORD, SAMPLES, type StageApp } from "../support/app/http.ts";
import { boxesOf, describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { reportAt, stageChecks, verdict } from "../support/camera/check_answers.ts";
import { fitProblems, orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

const ASSETS: Route<StageApp> = { method: "GET", path: "/assets/:name", access: "open", handle: asset };
const REFUSING: readonly Route<StageApp>[] = [
  {
    method: "GET",
    path: "/broken",
    access: "open",
    handle: () => {
      throw new Error("for a test");
    },
  },
  {
    method: "GET",
    path: "/starting",
    access: "open",
    handle: () => {
      throw new AppError("STARTING", "Not yet.");
    },
  },
];
const FIRST_USE = { settings: { connection: { address: "" } } } as const;
const DETAILS = "[aria-labelledby=start-next]";

/** Everything wrong with the page. That the page itself is a refusal is no news. */
async function faults(watched: WatchedPage, look = orderProblems): Promise<string[]> {
  return (await look(watched)).filter((text) => !/^Failed to load resource.* (4\d\d|5\d\d) /.test(text));
}

/** Sends the sign-in form and lets the time of a failure pass. */
async function failIn(stage: HttpStage, watched: WatchedPage): Promise<void> {
  const { page } = watched;
  await page.fill("#username", "admin");
  await page.fill("#password", "not my password");
  const asleep = stage.clock.asleep(1500);
  const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
  // The answer waits for our clock, so nothing may wait for the answer.
  await page.click("button[type=submit]", { noWaitAfter: true });
  await asleep;
  await stage.clock.advance(1500);
  await answered;
  await page.waitForSelector("#login-error");
  await watched.ready();
}

/** The text of the one element there is. */
const words = async (page: Page, selector: string) => (await page.locator(selector).textContent())?.trim() ?? "";

describeInBrowser("in the browser", (browser) => {
  describe("the pages in front of the sign-in", () => {
    test("are in order at every width", async () => {
      await using stage = await HttpStage.open({ routes: [...SAMPLES, ...REFUSING, ASSETS] });
      await using watched = await WatchedPage.open(browser(), { url: stage.listening.url, width: 390 });
      await watched.open("/login?next=/settings");
      expect(["login", ...(await faults(watched, fitProblems))]).toEqual(["login"]);
      await failIn(stage, watched);
      expect(["wrong", ...(await faults(watched))]).toEqual(["wrong"]);
      for (let time = 0; time < 9; time++) stage.app.throttle.begin("127.0.0.1");
      await watched.open("/login");
      await watched.page.waitForSelector("[role=timer]");
      expect(["locked", ...(await faults(watched))]).toEqual(["locked"]);
      for (const [path, look] of [
        ["/nothing", orderProblems],
        ["/broken", fitProblems],
        ["/starting", fitProblems],
      ] as const) {
        await watched.page.goto(path);
        expect([path, ...(await faults(watched, look))]).toEqual([path]);
      }
      await stage.changeAuth({ password_hash: "" });
      await watched.open("/first-run");
      expect(["first run", ...(await faults(watched, fitProblems))]).toEqual(["first run"]);
      await watched.page.fill("#password", "three quiet");
      await watched.page.click("button[type=submit]");
      await watched.page.waitForSelector("#password-error");
      expect(["with errors", ...(await faults(watched))]).toEqual(["with errors"]);
    });

    test("tell how many tries are left, keep the name, and show the password on request", async () => {
      await using stage = await HttpStage.open({ routes: [...SAMPLES, ASSETS] });
      await using watched = await WatchedPage.open(browser(), { url: stage.listening.url });
      const { page } = watched;
      await watched.open("/login?next=/settings");
      expect(await words(page, "h1 + p")).toBe("Sign in to go on.");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("username");
      await failIn(stage, watched);
      expect(await words(page, "#login-error")).toContain("9 tries left");
      expect(await page.inputValue("#username")).toBe("admin");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("password");

      const eye = page.getByRole("button", { name: "Show password" });
      expect(await eye.getAttribute("aria-pressed")).toBe("false");
      await page.fill("#password", PASSWORD);
      await eye.click();
      expect(await eye.getAttribute("aria-pressed")).toBe("true");
      expect(await page.getAttribute("#password", "type")).toBe("text");
      expect(await page.inputValue("#password")).toBe(PASSWORD);

      // On its way: the button says so, the password is hidden again, and a second press sends nothing.
      const sending = await page.evaluate(async () => {
        const form = document.querySelector("form");
        const passed: boolean[] = [];
        form?.addEventListener("submit", (event) => {
          passed.push(!event.defaultPrevented);
          event.preventDefault();
        });
        form?.requestSubmit();
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        const busy = form?.querySelector("[type=submit]")?.getAttribute("aria-busy");
        const type = form?.querySelector("[name=password]")?.getAttribute("type");
        form?.requestSubmit();
        return { passed, busy, type };
      });
      expect(sending).toEqual({ passed: [true, false], busy: "true", type: "password" });

      await watched.open("/login?next=/settings");
      await page.fill("#username", "admin");
      await page.fill("#password", PASSWORD);
      await page.click("button[type=submit]");
      await page.waitForURL("**/settings");
      expect(await page.textContent("body")).toBe("settings");
    });

    test("count a lock down and let people try again when it is over", async () => {
      await using stage = await HttpStage.open({ routes: [...SAMPLES, ASSETS] });
      for (let time = 0; time < 10; time++) stage.app.throttle.begin("127.0.0.1");
      await using watched = await WatchedPage.open(browser(), { url: stage.listening.url });
      const { page } = watched;
      await page.clock.install();
      await watched.open("/login");
      const timer = page.getByRole("timer");
      const button = page.locator("button[type=submit]");
      await page.waitForSelector("[role=timer]");
      await page.clock.pauseAt(Date.now() + 60_000);
      const before = await timer.textContent();
      expect(before).toMatch(/^1[34]\u00a0min \d\d\u00a0s$/);
      await page.clock.runFor(3000);
      expect(await timer.textContent()).not.toBe(before);
      expect(await button.getAttribute("aria-disabled")).toBe("true");
      await page.fill("#username", "admin");
      await page.fill("#password", PASSWORD);
      await page.keyboard.press("Enter");
      expect(page.url()).toEndWith("/login");
      const above = await page.locator("#username").boundingBox();
      await page.clock.runFor(900_000);
      expect(await words(page, "#login-error")).toContain("You can sign in again");
      expect(await page.locator("#username").boundingBox()).toEqual(above);
      expect(await button.getAttribute("aria-disabled")).toBeNull();
      await stage.clock.advance(900_000);
      await button.click();
      await page.waitForURL((url) => url.pathname === "/");
      expect(await page.textContent("body")).toBe("page for admin");
    });

    test("work without a script: first run and sign-in, with what is wrong beside the field", async () => {
      await using app = await startApp({ ...FIRST_USE, mode: "login" });
      await using context = await browser().newContext({ baseURL: app.url, javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto("/");
      expect(page.url()).toEndWith("/first-run");
      expect(await page.locator(".show-password").isVisible()).toBe(false);
      await page.fill("#password", PASSWORD);
      await page.fill("#confirm", `${PASSWORD}!`);
      await page.click("button[type=submit]");
      expect(await words(page, "#confirm-error")).toBe("The two passwords are not the same.");
      await page.fill("#password", PASSWORD);
      await page.fill("#confirm", PASSWORD);
      await page.click("button[type=submit]");
      expect(page.url()).toEndWith("/login");
      await page.fill("#username", "admin");
      await page.fill("#password", "not my password");
      await page.click("button[type=submit]");
      expect(await words(page, "#login-error")).toContain("9 tries left");
      await page.fill("#password", PASSWORD);
      await page.click("button[type=submit]");
      expect(await words(page, "h1")).toBe("Dashboard");
      expect(await words(page, "noscript")).toContain("needs JavaScript");
    });
  });

  describe("the first use", () => {
    test("leads from the password over sign-in and the camera's address to the first sync", async () => {
      const settings = { ...FIRST_USE.settings, retention: { keep: "" } };
      await using app = await startApp({ settings, mode: "login", rate: 60_000 });
      await using watched = await WatchedPage.open(browser(), { url: app.url });
      const { page } = watched;
      await watched.open("/");
      expect(await words(page, ".steps [aria-current]")).toBe("1. Your password");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("password");
      await page.fill("#password", "password2024");
      expect(await words(page, "#password-hint")).toStartWith("Weak.");
      await page.fill("#password", PASSWORD);
      expect(await words(page, "#password-hint")).toBe("Strong. 28 characters; at least 12 are needed.");
      // Typed once, as it can be shown.
      expect(await page.locator("#confirm").count()).toBe(0);
      await page.getByRole("button", { name: "Show password" }).click();
      expect(await page.getAttribute("#password", "type")).toBe("text");
      await page.keyboard.press("Tab");
      await page.fill("#username", " admin ");
      await page.click("button[type=submit]");
      await page.waitForURL((url) => url.pathname === "/");
      await watched.ready();

      // Nothing but this step.
      expect(await words(page, "h1")).toBe("Where is your camera?");
      expect(await page.locator("nav, .cell").count()).toBe(0);
      await page.click("text=Check");
      expect(await words(page, "#address-error")).toBe("Type the address of the camera first.");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("address");

      await page.fill("#address", "not an address");
      await page.keyboard.press("Enter");
      await page.waitForSelector("#address-error");
      expect(await words(page, "#address-error")).toContain("is not an address: expected a host name");

      await app.simulator.goAway();
      await page.fill("#address", `http://${app.simulator.address}/`);
      await page.keyboard.press("Enter");
      await page.locator(".address .note.is-failed", { hasText: "it accepts no requests at this port" }).waitFor();
      expect(await page.inputValue("#address")).toBe(app.simulator.address);
      expect(await page.getByRole("button", { name: "Save it anyway" }).isVisible()).toBe(true);

      await app.simulator.comeBack();
      await page.keyboard.press("Enter");
      const start = page.getByRole("button", { name: "Save and start the first download" });
      // Waits only until the camera is known to be one.
      await page.locator(".address [role=status]", { hasText: "It is a camera." }).waitFor({ state: "attached" });
      await start.click();
      await page.waitForSelector(".hero.is-busy");
      expect(await page.locator(".start").count()).toBe(0);
      expect(app.app.settings.current.connection.address).toBe(app.simulator.address);
      expect(app.app.job.isRunning).toBe(true);
    });

    test("asks how long to keep what is here already, with a script and without, and decides nothing by itself", async () => {
      for (const javaScriptEnabled of [true, false]) {
        await using app = await startApp({ ...FIRST_USE, mode: "login" });
        mkdirSync(app.destination, { recursive: true });
        for (const day of ["20240103", "20240104"])
          writeFileSync(join(app.destination, `${day}_101500_NF.mp4`), "a video");
        await using context = await browser().newContext({ baseURL: app.url, javaScriptEnabled });
        const page = await context.newPage();
        await page.goto("/first-run");
        if (javaScriptEnabled) await page.waitForSelector("[data-island][data-ready]");
        const group = page.getByRole("group", { name: /2\srecordings are here already\. How long/ });
        expect(await group.getByRole("radio", { name: "Decide later" }).isChecked()).toBe(true);
        await page.fill("#password", PASSWORD);
        if (!javaScriptEnabled) await page.fill("#confirm", PASSWORD);
        await group.getByRole("radio", { name: "Decide later" }).focus();
        await page.keyboard.press("ArrowDown");
        expect(await group.getByRole("radio", { name: "Keep all of them" }).isChecked()).toBe(true);
        await group.getByText("1 year").click();
        await page.click("button[type=submit]");
        await page.waitForURL((url) => url.pathname === (javaScriptEnabled ? "/" : "/login"));
        expect(app.app.settings.current.retention.keep).toBe("1y");
      }
    });

    test("is in order at every width where recordings are here already", async () => {
      await using app = await startApp({ ...FIRST_USE, mode: "login" });
      mkdirSync(app.destination, { recursive: true });
      writeFileSync(join(app.destination, "20240103_101500_NF.mp4"), "a video");
      await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
      await watched.open("/first-run");
      expect(await watched.page.getByRole("radio").count()).toBe(5);
      expect(await faults(watched)).toEqual([]);
    });

    test("judges a password again when the name changes, and keeps what is wrong with the name until then", async () => {
      await using app = await startApp({ ...FIRST_USE, mode: "login" });
      await using watched = await WatchedPage.open(browser(), { url: app.url });
      const { page } = watched;
      await watched.open("/first-run");
      await page.fill("#password", "annabelle smith");
      const before = await words(page, "#password-hint");
      await page.fill("#username", "annabelle smith");
      expect(await words(page, "#password-hint")).toStartWith("Weak.");
      expect(before).not.toStartWith("Weak.");

      await page.fill("#username", "a\u0001b");
      await page.click("button[type=submit]");
      await page.waitForSelector("#username-error");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("username");
      await page.fill("#password", PASSWORD);
      expect(await words(page, "#username-error")).toContain("control character");
      await page.fill("#username", "anna");
      await page.waitForSelector("#username-error", { state: "detached" });
    });

    test("saves an address without a check, and says at the field why it cannot", async () => {
      const schedule = { cron_expression: "*/15 * * * *" };
      await using app = await startApp({ ...FIRST_USE, settings: { ...FIRST_USE.settings, schedule } });
      await using watched = await WatchedPage.open(browser(), { url: app.url });
      const { page } = watched;
      await watched.open("/");
      expect(await words(page, DETAILS)).toContain("2 weeks, then 7\u00a0days in the trash");
      // No run comes before there is an address.
      expect(await words(page, DETAILS)).toContain("ScheduleEvery 15 minutesKept");
      const button = page.getByRole("button", { name: "Save without a check" });
      await page.fill("#address", "a camera");
      await button.click();
      await page.waitForSelector("#address-error");
      expect(await words(page, "#address-error")).toContain("is not an address");
      await page.fill("#address", "192.0.2.1");
      await button.click();
      await page.waitForSelector(".start", { state: "detached" });
      expect(app.app.settings.current.connection.address).toBe("192.0.2.1");
      expect(app.app.job.isRunning).toBe(false);
    });

    test("asks once when Check is pressed twice, and shows what it finds", async () => {
      await using app = await startApp(FIRST_USE);
      await using watched = await WatchedPage.open(browser(), { url: app.url });
      const { page } = watched;
      const asked: string[] = [];
      page.on("request", (request) => {
        if (request.url().endsWith("/api/camera/check")) asked.push(request.url());
      });
      await watched.open("/?start");
      await page.fill("#address", app.simulator.address);
      await page.getByRole("button", { name: "Check", exact: true }).dblclick();
      const found = page.locator(".address .note");
      await found.waitFor();
      expect(await found.textContent()).toContain("Wi-Fi auto turn off");
      // No page has the settings of a camera that is not saved yet.
      expect(await found.getByRole("link").allTextContents()).toEqual(["Help"]);
      expect(asked.length).toBe(1);
      expect(await page.locator("#address-failure, #address-error").count()).toBe(0);
      // The same address can be checked again.
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page.getByText("Checking the address.").waitFor();
      await found.waitFor();
      expect(asked.length).toBe(2);
    });

    test("leads to how the address is found, and past it, at every width and without a script", async () => {
      await using app = await startApp(FIRST_USE);
      await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
      await watched.open("/?start");
      expect(await faults(watched, fitProblems)).toEqual([]);
      await using context = await browser().newContext({ baseURL: app.url, javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto("/?start");
      await page.getByText("Routers call this “fixed address”").waitFor();
      await page.getByRole("link", { name: "More in the guide" }).click();
      await page.locator("#find-the-address-of-the-camera").waitFor();
      await page.goto("/?start");
      await page.getByRole("link", { name: "Do this later" }).click();
      await page.locator(".start").waitFor();
      await app.client.open("/");
      await app.client.send("PATCH", "/api/settings/connection", { address: app.simulator.address });
      await page.goto("/?start");
      expect(page.url()).toBe(`${app.url}/`);
    });

    test("goes to sign-in when the session has ended meanwhile", async () => {
      await using app = await startApp({ ...FIRST_USE, mode: "login", password: PASSWORD });
      await using watched = await WatchedPage.open(browser(), { url: app.url });
      await watched.open("/login");
      await watched.page.fill("#username", "admin");
      await watched.page.fill("#password", PASSWORD);
      await watched.page.click("button[type=submit]");
      await watched.page.waitForURL((url) => url.pathname === "/");
      await watched.ready();
      await watched.page.fill("#address", "192.0.2.1");
      // Only now: a card that asks meanwhile would go to sign-in by itself.
      await watched.page.context().clearCookies({ name: "dashdock_session" });
      await watched.page.keyboard.press("Enter");
      await watched.page.waitForURL(/\/login\?next=/);
    });

    test("is in order at every width, and no answer of the camera moves anything", async () => {
      await using app = await startApp(FIRST_USE);
      await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
      const { page } = watched;
      const stage = await stageChecks(page);
      await watched.open("/");
      expect(["idle", ...(await faults(watched, fitProblems))]).toEqual(["idle"]);
      await page.fill("#address", app.simulator.address);
      await page.keyboard.press("Enter");
      const start = page.getByRole("button", { name: "Save and start the first download" });
      const places = () => boxesOf(page, ".checks > li, .start + .cluster");
      await page.getByText("Checking the address.").waitFor();
      const before = await places();
      for (const step of ["list", "speed"] as const) {
        await stage.send(reportAt(step));
        await page.locator(".checks .is-busy", { hasText: STEP_LABELS[step] }).waitFor();
        expect([step, await places()]).toEqual([step, before]);
        // The speed test need not be waited for.
        expect([step, await start.isEnabled()]).toEqual([step, step === "speed"]);
      }
      expect(["checking", ...(await faults(watched))]).toEqual(["checking"]);
      await stage.send(reportAt(null, { verdict: verdict() }));
      await stage.end();
      await page.getByRole("button", { name: "Check", exact: true }).waitFor();
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page.getByText("Checking the address.").waitFor();
      await stage.send(reportAt("speed", { verdict: verdict({ level: "failed", cause: "It went away." }) }));
      await stage.end();
      await page.locator(".address .note.is-failed").waitFor();
      expect(["failed", ...(await faults(watched))]).toEqual(["failed"]);
    });
  });
});
