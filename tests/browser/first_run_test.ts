import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { openApp } from "../../server/app.ts";
import { asset } from "../../server/http/assets/assets.ts";
import { type Listening, listen } from "../../server/http/listen/server.ts";
import { errorPage, ROUTES } from "../../server/routes.ts";
import { startApp } from "../support/app/app.ts";
import { HttpStage, PASSWORD, SAMPLES } from "../support/app/http.ts";
import { temporaryPlace } from "../support/app/process.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

const FIRST_USE = { settings: { connection: { address: "" } }, mode: "login" } as const;
const BERLIN = "Europe/Berlin";

const words = async (page: Page, selector: string) =>
  (await page.locator(selector).first().textContent())?.trim() ?? "";
const awake = (page: Page) => page.waitForFunction(() => !document.querySelector("[data-island]:not([data-ready])"));

describeInBrowser("without a camera or a password", (browser) => {
  describe("the browser's time zone in the first run", () => {
    const rows: readonly (readonly [name: string, takes: boolean, zone: string])[] = [
      ["is taken for schedule and times when that is left ticked", true, "Europe/Berlin"],
      ["is not taken when it is unticked", false, "UTC"],
    ];
    for (const [name, takes, zone] of rows)
      test(name, async () => {
        await using app = await startApp(FIRST_USE);
        await using watched = await WatchedPage.open(browser(), { url: app.url, zone: BERLIN });
        const { page } = watched;
        await page.goto("/");
        await awake(page);
        const offer = page.getByRole("checkbox", { name: "Use this browser’s time zone (Europe/Berlin)" });
        expect(await offer.isChecked()).toBe(true);
        if (!takes) await offer.uncheck();
        await page.fill("#password", PASSWORD);
        await page.keyboard.press("Enter");
        await page.waitForURL((url) => url.pathname === "/");
        expect(app.app.settings.current.schedule.timezone).toBe(zone);
        for (const path of ["/", "/stats", "/logs", "/settings"]) {
          const html = await (await page.request.get(app.url + path)).text();
          expect([path, html]).toEqual([path, expect.stringContaining(`data-clock="${zone}"`)]);
          const foot = html.slice(html.indexOf("page-foot"));
          expect([path, foot]).toEqual([path, expect.stringContaining(`Times in ${zone}`)]);
        }
      });

    test("is not offered where it is the one in force", async () => {
      await using app = await startApp(FIRST_USE);
      await using watched = await WatchedPage.open(browser(), { url: app.url, zone: "UTC" });
      const { page } = watched;
      await page.goto("/first-run");
      await awake(page);
      expect(await page.locator("input[name=timezone]").count()).toBe(0);
      expect(await words(page, ".zone-offer")).toBe("Times are in UTC.");
      await page.fill("#password", PASSWORD);
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname === "/");
      expect(app.app.settings.current.schedule.timezone).toBe("UTC");
    });

    test("is not offered where a zone was given on purpose", async () => {
      const offers = async (env: Record<string, string>) => {
        await using app = await startApp({ ...FIRST_USE, env });
        const before = app.app.settings.current.schedule.timezone;
        const isOffered = (await (await app.client.fetch("/first-run")).text()).includes("zone-offer");
        await app.client.open("/first-run");
        await app.client.submit("/first-run", { password: PASSWORD, confirm: PASSWORD });
        return [isOffered, app.app.settings.current.schedule.timezone === before];
      };
      expect(await offers({})).toEqual([true, true]);
      expect(await offers({ SERVICE_TIMEZONE: "UTC" })).toEqual([false, true]);
      expect(await offers({ SERVICE_TIMEZONE: "America/New_York" })).toEqual([false, true]);
    });
  });

  describe("the browser's time zone beside the camera's address", () => {
    const NO_CAMERA = { connection: { address: "" } } as const;
    const saved = async (env: Record<string, string>, timezoneId: string, tick?: boolean) => {
      await using app = await startApp({ settings: NO_CAMERA, env });
      await using watched = await WatchedPage.open(browser(), { url: app.url, zone: timezoneId });
      const { page } = watched;
      await page.goto("/");
      await awake(page);
      const offer = page.getByRole("checkbox", { name: `Use this browser’s time zone (${timezoneId})` });
      const isOffered = (await offer.count()) === 1;
      if (tick !== undefined) await offer.setChecked(tick);
      await page.fill("#address", app.simulator.address);
      await page.getByRole("button", { name: "Save without a check" }).click();
      await page.locator("[data-action=sync-now]").waitFor();
      return [isOffered, app.app.settings.current.schedule.timezone];
    };

    test("is taken where no page before has asked, left unticked it is not", async () => {
      expect(await saved({}, "Europe/Berlin")).toEqual([true, "Europe/Berlin"]);
      expect(await saved({}, "Europe/Berlin", false)).toEqual([true, "UTC"]);
    });

    test("is not offered where it is in force, or where a zone was given on purpose", async () => {
      expect(await saved({}, "UTC")).toEqual([false, "UTC"]);
      expect(await saved({ SERVICE_TIMEZONE: "America/New_York" }, "Europe/Berlin")).toEqual([
        false,
        "America/New_York",
      ]);
    });
  });

  describe("the browser's time zone in the settings", () => {
    test("can be chosen with one press while no other is set, and times are in it once it is saved", async () => {
      await using app = await startApp();
      await using watched = await WatchedPage.open(browser(), { url: app.url, zone: BERLIN });
      const { page } = watched;
      await page.goto("/settings");
      const offer = page.getByRole("button", { name: "Use this browser’s time zone (Europe/Berlin)" });
      await offer.click();
      expect(await page.locator("[data-section=schedule] [name=timezone]").inputValue()).toBe("Europe/Berlin");
      await offer.waitFor({ state: "detached" });
      await page.getByRole("button", { name: /^Save/ }).click();
      await page.waitForFunction(() => document.querySelector("#toasts")?.textContent !== "");
      expect(app.app.settings.current.schedule.timezone).toBe("Europe/Berlin");
      await page.reload();
      await page.waitForSelector("[data-island][data-ready]");
      await page.locator("[data-section=schedule] [name=timezone]").focus();
      await page.waitForSelector("[data-later=zone][data-awake]");
      expect(await offer.count()).toBe(0);
      expect(await page.locator(".page-foot").textContent()).toContain("Times in Europe/Berlin");
    });
  });

  describe("the first step", () => {
    test("gives way to the usual dashboard when the address was set in another tab", async () => {
      await using app = await startApp({ settings: { connection: { address: "" } } });
      await using watched = await WatchedPage.open(browser(), { url: app.url });
      const { page } = watched;
      await watched.open("/");
      await watched.ready();
      expect(await page.locator(".start").count()).toBe(1);
      await app.client.open("/");
      await app.client.send("PATCH", "/api/settings/connection", { address: app.simulator.address });
      await page.locator(".start").waitFor({ state: "detached" });
      await page.locator("[data-action=sync-now]").waitFor();
      expect(await page.locator("#next-scheduled-card").textContent()).not.toContain("None yet");
    });
  });

  describe("the first run", () => {
    test("of a service that another has just set up leads to its sign-in page", async () => {
      await using app = await startApp(FIRST_USE);
      await using watched = await WatchedPage.open(browser(), { url: app.url });
      const { page } = watched;
      await watched.open("/first-run");
      await app.client.open("/first-run");
      await app.client.submit("/first-run", { username: "anna", password: `${PASSWORD}!`, confirm: `${PASSWORD}!` });
      await page.fill("#password", PASSWORD);
      await page.keyboard.press("Enter");
      await page.waitForSelector("#login-error");
      expect(await words(page, "h1")).toBe("Sign in");
      expect(app.app.settings.current.auth.username).toBe("anna");
    });

    test("goes on in a page whose cookie went lost, and says so when the service is gone", async () => {
      await using app = await startApp(FIRST_USE);
      await using watched = await WatchedPage.open(browser(), { url: app.url });
      const { page } = watched;
      await watched.open("/first-run");
      await page.context().clearCookies();
      await page.fill("#password", PASSWORD);
      await page.keyboard.press("Enter");
      await page.waitForSelector("#form-error");
      expect(await words(page, "#form-error")).toContain("did not carry the token");
      // The typed text is still there, and so is the token that came with the refusal.
      expect(await page.inputValue("#password")).toBe(PASSWORD);
      await page.route("**/first-run", (route) => route.abort());
      await page.click("button[type=submit]");
      await page.waitForFunction(() => document.querySelector("#form-error")?.textContent?.includes("does not answer"));
      await page.unroute("**/first-run");
      await page.click("button[type=submit]");
      await page.waitForURL((url) => url.pathname === "/");
      await awake(page);
      expect(await words(page, "h1")).toBe("Where is your camera?");
    });

    test("opened while the service starts waits, and a form sent then is not lost", async () => {
      await using place = await temporaryPlace();
      const open = async () => openApp({ configDir: place.at("config"), destination: place.at("recordings"), env: {} });
      const first = await open();
      const listening: Listening = listen(first, ROUTES, errorPage, { port: 0, host: "127.0.0.1" });
      await using watched = await WatchedPage.open(browser(), { url: listening.url, zone: BERLIN });
      const { page } = watched;
      await page.goto("/settings");
      expect(await words(page, "h1")).toBe("Dashdock is starting");
      await first.openStores();
      // The page leads on by itself, to the address that was asked for: from there the first run is the way.
      await page.waitForURL("**/first-run");
      await awake(page);

      await page.fill("#password", PASSWORD);
      await first.close();
      await listening.stop();
      const second = await open();
      const again = listen(second, ROUTES, errorPage, { port: listening.port, host: "127.0.0.1" });
      const refused = page.waitForResponse((answer) => answer.status() === 503);
      await page.click("button[type=submit]");
      await refused;
      await second.openStores();
      await page.waitForURL((url) => url.pathname === "/");
      expect(second.settings.current.schedule.timezone).toBe("Europe/Berlin");
      await page.goto("about:blank");
      await second.close();
      await again.stop();
    });

    test("asks for the code in order at every width, and says beside the field what is wrong with it", async () => {
      const routes = [...SAMPLES, { method: "GET", path: "/assets/:name", access: "open", handle: asset } as const];
      await using stage = await HttpStage.open({ password: null, trustProxy: true, routes });
      await using watched = await WatchedPage.open(browser(), { url: stage.listening.url, width: 390 });
      const { page } = watched;
      await watched.context.setExtraHTTPHeaders({ "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" });
      await watched.open("/first-run");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("code");
      expect(await orderProblems(watched)).toEqual([]);
      await page.fill("#password", PASSWORD);
      await page.click("button[type=submit]");
      await page.waitForSelector("#code-error");
      expect(await words(page, "#code-error")).toBe("Type the code that was printed at the start.");
      await page.fill("#code", stage.codes[0] ?? "");
      await page.click("button[type=submit]");
      await page.waitForURL((url) => url.pathname === "/");
      expect(await page.textContent("body")).toBe("page for admin");
    });
  });
});
