import { expect, setDefaultTimeout, test } from "bun:test";
import { bar, describeSettingsPage, said, type } from "../support/browser/settings_page.ts";

setDefaultTimeout(60_000);

describeSettingsPage((opened) => {
  test("says what a schedule means as it is typed", async () => {
    await using it = await opened({ settings: { schedule: { cron_expression: "*/15 * * * *" } } });
    const { page, watched } = it;
    const says = page.locator("#schedule-cron_expression-says");
    await type(page, "schedule.cron_expression", "0 3 * * sun");
    await says.getByText("At 03:00, only on Sunday.").waitFor();
    expect(await page.locator("#schedule-cron_expression-says time").count()).toBe(3);
    expect(await said(says)).toMatch(/ Next: Sun \d+ \w+, 03:00, Sun \d+ \w+, 03:00, Sun \d+ \w+, 03:00 UTC$/);
    await type(page, "schedule.timezone", "Australia/Sydney");
    await says.getByText(/ AE[DS]T$/).waitFor();
    await page
      .locator("#schedule-timezone-says")
      .getByText(/^AE[DS]T, UTC\+1[01]:00$/)
      .waitFor();
    await type(page, "schedule.cron_expression", "61 * * * *");
    await page.locator("#schedule-cron_expression-error").waitFor();
    expect(await said(page.locator("#schedule-cron_expression-error"))).toContain("holds 61, outside 0-59");
    expect(await said(bar(page))).toContain("1 field to correct");
    await page.getByLabel("Look for the camera", { exact: true }).selectOption("Every 10 minutes");
    await says.getByText(/^Next: /).waitFor();
    expect(await page.locator("[name=cron_expression]").inputValue()).toBe("*/10 * * * *");
    expect(await page.locator("[name=cron_expression]").isVisible()).toBe(false);
    expect(await page.locator("#schedule").innerText()).toContain("Was every 15 minutes");
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
    expect(await said(says)).toStartWith("Every day at 02:00.");
  });

  test("tells the runs that come next once the first of those it told has come", async () => {
    await using it = await opened();
    const { page, watched } = it;
    await page.clock.install();
    await watched.open("/settings");
    const next = Date.UTC(2030, 0, 1, 12);
    await page.route("**/api/schedule/preview?*", (route) =>
      route.fulfill({
        json: { valid: true, words: "Daily.", next: [next], time_zone: "UTC", now: next - 7 * 60_000 },
      }),
    );
    // Every quarter of an hour there is one.
    await page.clock.fastForward(15 * 60_000);
    await page.locator("[data-later=schedule][data-awake]").waitFor();
    const says = page.locator("#schedule-cron_expression-says").getByText("Next: 12:00 UTC");
    // A part that woke up sets its alarm with a frame, and a frame comes with the clock.
    for (let quarter = 0; quarter < 20 && !(await says.isVisible()); quarter++) {
      await page.clock.fastForward(15 * 60_000);
      await page.waitForLoadState("networkidle");
    }
    await says.waitFor();
  });
});
