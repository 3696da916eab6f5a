import { expect, setDefaultTimeout, test } from "bun:test";
import { configFiles } from "../../server/dashcam/simulator/simulated_config.ts";
import { startApp } from "../support/app/app.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";

setDefaultTimeout(60_000);

describeInBrowser("a hint about the camera", (browser) => {
  test("comes with the run that sees its cause, goes in every tab when it is dismissed, and comes back with its cause", async () => {
    await using running = await startApp({ settings: { retention: { keep: "" } } });
    const { app, simulator } = running;
    await using one = await WatchedPage.open(browser(), { url: running.url });
    await using other = await WatchedPage.open(browser(), { url: running.url });
    const card = one.page.locator("#hints-card");
    const same = other.page.locator("#hints-card");
    await Promise.all([one.open("/"), other.open("/")]);
    expect([await card.isVisible(), await same.isVisible()]).toEqual([false, false]);
    const synced = async () => {
      app.job.start("manual");
      await app.job.ended();
    };
    const hint = (text: string | RegExp) => card.locator(".note").filter({ hasText: text });

    await synced();
    await hint("The camera’s Wi-Fi sleeps before the next run comes.").waitFor();
    await same.getByText("Wi-Fi turns off after 10 idle minutes").waitFor();
    expect(await hint("Wi-Fi").getByRole("link").first().getAttribute("href")).toBe("/settings#schedule");
    expect(await accessibilityProblems(one.page)).toEqual([]);

    await one.page.locator("[data-action=dismiss-hint]").click();
    await Promise.all([card.waitFor({ state: "hidden" }), same.waitFor({ state: "hidden" })]);
    await other.open("/");
    expect(await same.isVisible()).toBe(false);

    // Another cause shows the other hint alone; the dismissed one comes back when its own cause did.
    const lift = simulator.fault("list-empty");
    await synced();
    await hint("The camera’s list is empty.").waitFor();
    expect(await card.locator(".note").count()).toBe(1);
    lift();
    simulator.settings = configFiles({ "Wifi.WifiSleepMode": "0" });
    await synced();
    await card.waitFor({ state: "hidden" });
    simulator.settings = configFiles();
    await synced();
    await hint("Wi-Fi sleeps").waitFor();
    await same.getByText("Wi-Fi sleeps").waitFor();
    expect([...(await one.problems()), ...(await other.problems())]).toEqual([]);
  });
});
