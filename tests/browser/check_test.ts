import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { reportAt, stageChecks, verdict } from "../support/camera/check_answers.ts";
import { orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

const SETTINGS = { settings: { retention: { keep: "" } } } as const;

const dialog = (page: Page) => page.locator("dialog[data-modal=check-camera]");
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim());
/** Top of each step, below the top of their list: the dialog itself stays in the middle. */
const tops = (page: Page) =>
  page.locator(".checks > li").evaluateAll((steps) => {
    const [first] = steps;
    return steps.map((step) => Math.round(step.getBoundingClientRect().y - (first?.getBoundingClientRect().y ?? 0)));
  });

describeInBrowser("the check of the camera", (browser) => {
  test("opens from the camera's card, steps arrive in their places, and its verdict has one cause and one remedy", async () => {
    await using app = await startApp(SETTINGS);
    const context = await browser().newContext({ baseURL: app.url, viewport: { width: 390, height: 844 } });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await using watched = await WatchedPage.open(browser(), { url: app.url, context });
    const { page } = watched;
    const stage = await stageChecks(page);
    await watched.open("/");
    const link = page.locator("#dashcam-card [data-action=check-camera]");
    expect(await link.getAttribute("href")).toBe("/settings#connection-address");
    await link.click();

    // All of them stand from the first moment.
    await dialog(page).locator(".note", { hasText: "Asking the camera." }).waitFor();
    const places = await tops(page);
    expect(places.length).toBe(10);
    await stage.send(reportAt("route"));
    await dialog(page).getByText("1 of 10 known, 1 being asked").waitFor();
    expect(await page.locator(".checks .is-busy").innerText()).toMatch(/Route.*being asked.*now/s);
    await stage.send(reportAt("speed"));
    await dialog(page).getByText("6 of 10 known, 1 being asked").waitFor();
    expect(await tops(page)).toEqual(places);
    expect(await orderProblems(watched)).toEqual([]);

    const command = "docker network create -d macvlan --subnet 192.168.30.0/24 -o parent=eth0.30 cars";
    const cause = "It works. One setting on the camera will hurt.";
    const found = { level: "attention", cause, setting: "Wifi.WifiSleepMode", command } as const;
    await stage.send(reportAt(null, { verdict: verdict(found) }));
    await stage.end();
    await dialog(page).locator(".note.is-attention", { hasText: cause }).waitFor();
    await dialog(page).getByText("finished 20:51, took 9 s").waitFor();
    expect(await tops(page)).toEqual(places);
    expect(await dialog(page).getByRole("link", { name: "See the setting" }).getAttribute("href")).toBe(
      "/settings/camera#camera-wifi",
    );
    expect(await orderProblems(watched)).toEqual([]);

    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await dialog(page).getByRole("button", { name: "Copy the command" }).click();
    await dialog(page).locator(".codeline [role=status]", { hasText: "Copied." }).waitFor();
    expect(await copied()).toBe(command);
    await dialog(page).getByRole("button", { name: "Copy", exact: true }).click();
    await dialog(page).locator(".result", { hasText: "Copied" }).waitFor();
    expect(await copied()).toContain(`took 9 s\n\n${cause}\n`);
    expect(await copied()).toContain("List        fine            412 recordings, newest today 07:31\n");

    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    expect(await focused(page)).toBe("Check the camera");
    expect(await watched.problems()).toEqual([]);
  });

  test("can be stopped and begun anew, and says that it broke off", async () => {
    await using app = await startApp(SETTINGS);
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    const stage = await stageChecks(page);
    await watched.open("/");
    await page.locator("#dashcam-card [data-action=check-camera]").click();
    await dialog(page).getByText("0 of 10 known").waitFor();
    await stage.send(reportAt("clock"));
    await dialog(page).getByText("8 of 10 known, 1 being asked").waitFor();
    const again = dialog(page).locator(".row > :last-child");
    await again.focus();
    await page.keyboard.press("Enter");
    await dialog(page).getByText("stopped, 8 of 10 known").waitFor();
    expect(await page.locator(".checks .is-busy").count()).toBe(0);
    expect(await focused(page)).toBe("Check again");

    await page.keyboard.press("Enter");
    await dialog(page).getByText("0 of 10 known").waitFor();
    await stage.send(reportAt("model"));
    await dialog(page).getByText("5 of 10 known, 1 being asked").waitFor();
    await stage.end();
    await dialog(page).locator(".note.is-failed", { hasText: "The check was interrupted." }).waitFor();
    expect(await page.locator(".checks").innerText()).toMatch(/Model.*not asked/s);
    expect(await orderProblems(watched)).toEqual([]);
  });

  test("tells a camera whose settings hurt, a web page, a camera that goes away in its middle, and one that takes no requests", async () => {
    await using app = await startApp(SETTINGS);
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    const { simulator } = app;
    const note = (level: string, words: string) => dialog(page).locator(`.note.is-${level}`, { hasText: words });
    const again = dialog(page).getByRole("button", { name: "Check again" });
    await watched.open("/");
    await page.locator("#dashcam-card [data-action=check-camera]").click();
    // The simulated camera's Wi-Fi sleeps sooner than the schedule looks.
    await note("attention", "The camera works. The camera’s Wi-Fi turns off after 10 idle minutes").waitFor();
    expect(await page.locator(".checks .is-fine").count()).toBe(9);
    expect(await dialog(page).innerText()).toContain(simulator.address);

    const lift = simulator.fault("list-html");
    await again.click();
    await note("failed", "web page").waitFor();
    lift();
    simulator.fault({ name: "goes-away", value: 0, after: 1000 });
    await again.click();
    await note("failed", "went away in the middle of the check").waitFor();
    expect(await page.locator(".checks li.is-fine", { hasText: /^List/ }).count()).toBe(1);
    await again.click();
    await note("failed", "accepts no requests at this port").waitFor();
    await simulator.comeBack();
    expect(await orderProblems(watched)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
  });

  test("during a sync says so, and what waits for its end", async () => {
    await using app = await startApp({ ...SETTINGS, rate: 60_000 });
    app.app.job.start("manual");
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/");
    await page.locator(".hero.is-busy").waitFor();
    await page.locator("#dashcam-card [data-action=check-camera]").click();
    await dialog(page).locator(".note.is-busy", { hasText: "A sync is running" }).waitFor();
    expect(await page.locator(".checks li", { hasText: "Settings" }).innerText()).toContain("after the sync");
    expect(app.app.job.isRunning).toBe(true);
  });

  test("without script is a link to the camera's address", async () => {
    await using app = await startApp(SETTINGS);
    const context = await browser().newContext({ baseURL: app.url, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto("/");
    await page.locator("#dashcam-card [data-action=check-camera]").click();
    expect(await page.locator("#connection-address").inputValue()).toBe(app.simulator.address);
    await context.close();
  });
});
