import { expect, setDefaultTimeout, test } from "bun:test";
import { startApp } from "../support/app/app.ts";
import { openReceiver } from "../support/app/receivers.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";

setDefaultTimeout(60_000);

describeInBrowser("who is told", (browser) => {
  test("is added by what people copy, saved, tested, renamed and removed", async () => {
    await using receiver = openReceiver();
    await using app = await startApp({ settings: { retention: { keep: "" } } });
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    const { page } = watched;
    const targets = () => app.app.settings.current.notify.targets;
    const save = async () => {
      await page.locator(".savebar [type=submit]").click();
      await page.locator(".savebar [type=submit]").waitFor({ state: "detached" });
    };
    await watched.open("/settings#notify");
    const row = page.locator(".targets li");
    const address = page.getByLabel("Address of the service");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Write an address first.").waitFor();
    await address.fill(`http://${receiver.host}/a-topic`);
    await address.press("Enter");
    await row.getByText("Not saved yet").waitFor();
    expect(await row.getByRole("button", { name: /^Test / }).isDisabled()).toBe(true);
    await save();
    expect(targets()).toEqual([`ntfy://${receiver.host}/a-topic?scheme=http`]);
    await row.getByRole("button", { name: /^Test / }).click();
    await row.getByText(/The test was taken, with 200 in [0-9]+ ms/).waitFor();
    await row.getByText(/Told at /).waitFor();
    receiver.instead = () => new Response("topic is full <b>", { status: 507 });
    await row.getByRole("button", { name: /^Test / }).click();
    await row.getByText("The test was refused. What came back:").waitFor();
    expect(await row.locator("pre").textContent()).toMatch(/^507 {2}[0-9]+ ms\ntopic is full <b>$/);
    expect(await accessibilityProblems(page)).toEqual([]);

    // As it was drawn anew, the address has dots, and keeps its topic all the same.
    await page.reload();
    await row.getByText("The last message was refused.").waitFor();
    await row.getByRole("button", { name: /^Change / }).click();
    const own = row.getByLabel(/^Address of /);
    expect(await own.inputValue()).toBe(`ntfy://${receiver.host}/a-t***?scheme=http`);
    await own.fill(`${await own.inputValue()}#Phone`);
    await own.press("Tab");
    await row.getByText("Phone", { exact: true }).waitFor();
    await page.getByRole("switch", { name: /^An event came home/ }).uncheck();
    await save();
    expect(targets()).toEqual([`ntfy://${receiver.host}/a-topic?scheme=http#Phone`]);
    expect(app.app.settings.current.notify.events).not.toContain("event");
    await page.getByRole("button", { name: "Remove" }).click();
    await save();
    expect(targets()).toEqual([]);
    expect(await watched.problems()).toEqual([]);
  });
});
