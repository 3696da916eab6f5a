import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage, type WIDTHS } from "../support/browser/browser.ts";
import { type as typeInto, wakeAll } from "../support/browser/settings_page.ts";
import { fitProblems, orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

const DAY_MS = 86_400_000;

/** `YYYYMMDD` so many days ago. */
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "");
const field = (page: Page, name: string) => page.locator(`[data-section=retention] [name=${name}]`);
/** Text of the place, with plain blanks. */
const said = async (place: Locator) => (await place.textContent())?.replace(/\s+/g, " ").trim();
const picture = (page: Page) => page.locator("#retention .preview");
const bar = (page: Page) => page.locator(".savebar");
const toast = (page: Page) => page.locator(".toast").last();

const type = (page: Page, name: string, text: string) =>
  typeInto(page, name.includes(".") ? name : `retention.${name}`, text);

describeInBrowser("Keep and delete", (browser) => {
  /** A service with a few recordings, and its settings page. */
  async function opened(width: (typeof WIDTHS)[number] = 1440, theme: "dark" | "light" = "dark", keep = "") {
    const app = await startApp({ settings: { retention: { keep }, schedule: { timezone: "UTC" } } });
    mkdirSync(app.destination, { recursive: true });
    const video = (name: string) => writeFileSync(join(app.destination, `${name}.mp4`), "x".repeat(1000));
    for (const direction of "FR") video(`${daysAgo(3)}_080000_N${direction}`);
    video(`${daysAgo(10)}_090000_PF`);
    video(`${daysAgo(20)}_100000_EF`);
    await app.app.library.refresh();
    // These were not brought by this service: a user has confirmed the deleting.
    await app.client.open("/settings");
    const ask = async (method: string, path: string, body?: unknown) =>
      expect([path, (await app.client.send(method, path, body)).status]).toEqual([path, 200]);
    if (keep === "") await ask("PATCH", "/api/settings/retention", { keep });
    const watched = await WatchedPage.open(browser(), { url: app.url, width, theme });
    const { page } = watched;
    return {
      app,
      watched,
      page,
      ask,
      has: (name: string) => existsSync(join(app.destination, `${name}.mp4`)),
      async open() {
        await watched.open("/settings#retention");
        await wakeAll(page);
      },
      async [Symbol.asyncDispose]() {
        await watched[Symbol.asyncDispose]();
        await app[Symbol.asyncDispose]();
      },
    };
  }

  test("draws what the next run would delete while it is typed", async () => {
    await using it = await opened();
    const { page, watched } = it;
    await it.open();
    const big = picture(page).locator(".big");
    expect(await said(big)).toBe("Nothing");
    expect(await page.locator(".pv-lane .pv-go").count()).toBe(0);

    await type(page, "keep", "1w");
    await big.getByText("2 recordings").waitFor();
    expect(await said(big)).toStartWith("2 recordings, 2 kB go to the trash");
    expect(await page.locator(".pv-lane .pv-go").count()).toBe(2);
    expect(await said(bar(page))).toContain("in Keep and delete · 2 recordings go ");
    expect(await said(page.locator("#retention-keep_event-says"))).toBe("1 week");

    await type(page, "keep_event", "always");
    await big.getByText("1 recording,").waitFor();
    expect(await said(page.locator(".pv-row", { hasText: "Event" }).locator(".pv-n"))).toBe("none");
    expect(await said(page.locator(".pv-row", { hasText: "Parking" }).locator(".pv-n"))).toBe("1 · 1 kB");

    // Invalid values keep the last picture.
    await type(page, "max_gb", "0");
    await picture(page).getByText("Correct the marked values above").waitFor();
    expect(await said(big)).toStartWith("1 recording, 1 kB goes to the trash");
    expect(await said(page.locator("#retention-max_gb-error"))).toBe(
      "Write a number above 0 and at most 1 000 000, or nothing for no limit.",
    );
    await page.getByRole("button", { name: "Discard" }).click();
    await big.getByText("Nothing").waitFor();
    expect(await bar(page).count()).toBe(0);
    expect(await watched.problems()).toEqual([]);
  });

  test("takes what was typed before its script came", async () => {
    await using it = await opened();
    const { page, watched } = it;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/assets/retention_section-*.js", async (route) => {
      await released;
      await route.continue();
    });
    await it.ask("PATCH", "/api/settings/retention", { keep: "5w" });
    await watched.open("/settings#retention");
    await type(page, "keep", "1w");
    expect(await page.locator("#retention[data-awake]").count()).toBe(0);
    expect(await said(picture(page).locator(".big"))).toBe("Nothing");
    release();
    await picture(page).getByText("2 recordings").waitFor();
    expect(await field(page, "keep").inputValue()).toBe("1w");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("retention-keep");
    expect(await said(bar(page))).toContain("1 unsaved change");
    expect(await watched.problems()).toEqual([]);
  });

  test("asks before it saves what deletes more, and saves nothing when that is not wanted", async () => {
    await using it = await opened();
    const { page, app, watched } = it;
    await it.open();
    const dialog = page.locator("dialog[data-modal=retention-confirm]");
    const settings = () => app.app.settings.current.retention;
    await type(page, "keep", "2d");
    await page.keyboard.press("Enter");
    await dialog.waitFor();
    expect(await said(dialog.locator("h2"))).toBe("Delete 4 recordings?");
    expect(await said(dialog)).toContain("4 recordings, 4 kB go to the trash, the oldest from ");
    expect(await said(dialog)).toContain("They can be restored from the trash for 7 days.");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Keep editing");
    expect(await orderProblems(watched)).toEqual([]);

    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    expect(settings().keep).toBe("");
    expect(await said(bar(page))).toContain("1 unsaved change");
    expect(await field(page, "keep").inputValue()).toBe("2");

    await page.getByRole("button", { name: "Save 1 change" }).click();
    await dialog.getByRole("button", { name: "Save, delete 4" }).click();
    await toast(page).waitFor();
    expect(await said(toast(page))).toMatch(/^Saved\. 4 recordings, 4 kB, go to the trash (at|on) /);
    expect(settings().keep).toBe("2d");
    expect(await bar(page).count()).toBe(0);

    // No more than that is nothing to ask.
    await type(page, "keep", "2 days");
    expect(await bar(page).count()).toBe(0);
    await type(page, "keep", "5d");
    await page.keyboard.press("Enter");
    await toast(page).getByText("2 recordings").waitFor();
    expect(await dialog.count()).toBe(0);
    expect(settings().keep).toBe("5d");
    expect(await watched.problems()).toEqual([]);
  });

  test("asks before the trash goes sooner, or is off", async () => {
    await using it = await opened();
    const { page, app } = it;
    const key = `${daysAgo(10)}_090000_P`;
    await it.ask("DELETE", `/api/recordings/${key}`);
    await it.open();
    await type(page, "trash_days", "0");
    await page.locator("#trash").getByText("With what is typed, 1 recording, 1 kB leaves the trash for good").waitFor();
    await page.keyboard.press("Enter");
    const dialog = page.locator("dialog[data-modal=retention-confirm]");
    await dialog.getByText("1 recording, 1 kB leaves the trash for good.").waitFor();
    await dialog.getByRole("button", { name: "Keep editing" }).click();
    expect(app.app.settings.current.retention.trash_days).toBe(7);
  });

  test("checks all recordings, names what is damaged or missing, and forgets what is not missed", async () => {
    await using it = await opened(390, "light");
    const { page, app, watched } = it;
    await it.open();
    const place = page.locator("#whole");
    await place.getByRole("button", { name: "Check every file" }).click();
    await place.getByText("All recordings are whole").waitFor();
    const lost = `${daysAgo(3)}_080000_NF.mp4`;
    rmSync(join(app.destination, lost));
    await place.getByRole("button", { name: "Check every file" }).click();
    await place.getByText("1 file is missing").waitFor();
    await place.locator("summary").click();
    await place.getByText(lost).waitFor();
    expect(await watched.problems()).toEqual([]);
    await place.getByRole("button", { name: "Forget the missing file" }).click();
    await place.getByText("All recordings are whole").waitFor();
  });

  test("says that deleting is held, and asks before saving lets it go on", async () => {
    await using it = await opened(1440, "dark", "2w");
    const { page, app, watched } = it;
    await it.open();
    await picture(page).getByText("Deletion is on hold.").waitFor();
    expect(await said(picture(page).locator(".big"))).toStartWith("1 recording, 1 kB is due. Deletion is on hold");
    await type(page, "event_context", "2");
    await page.keyboard.press("Enter");
    const dialog = page.locator("dialog[data-modal=retention-confirm]");
    await dialog.getByText("Deletion is waiting for your approval. Saving approves it.").waitFor();
    await dialog.getByRole("button", { name: "Save, delete 1" }).click();
    await toast(page).getByText("1 recording, 1 kB, goes to the trash").waitFor();
    await picture(page).getByText("Deletion is on hold.").waitFor({ state: "hidden" });
    const state = (await (await app.client.fetch("/api/retention")).json()) as { held: unknown };
    expect(state.held).toBeNull();
    expect(await watched.problems()).toEqual([]);
  });

  test("sends what is empty as nothing, and always as it is", async () => {
    await using it = await opened();
    const { page } = it;
    await it.ask("PATCH", "/api/settings/retention", { max_gb: 500, max_percent: 85 });
    await it.open();
    expect(await said(page.locator("#retention-max_gb-says"))).toMatch(/^GB for recordings, now 4 kB$/);
    const patches: unknown[] = [];
    page.on("request", (request) => {
      if (request.method() === "PATCH") patches.push(request.postDataJSON());
    });
    await type(page, "max_gb", "");
    await type(page, "max_percent", "90.5");
    await type(page, "keep_manual", "Always");
    await type(page, "event_context", "3");
    await page.keyboard.press("Enter");
    await toast(page).waitFor();
    expect(patches).toEqual([{ keep_manual: "always", event_context: 3, max_gb: null, max_percent: 90.5 }]);
  });

  test("lets a kept recording go, and keeps it again with its note; says why it could not, and sees what another tab kept", async () => {
    await using it = await opened();
    const { page, app, watched } = it;
    const key = `${daysAgo(3)}_080000_N`;
    await it.ask("PUT", `/api/recordings/${key}/keep`, { note: "The tram <that> stopped" });
    await it.open();
    const row = page.locator(".keptlist li");
    expect(await said(row)).toContain("The tram <that> stopped");
    expect(await said(row)).toContain("2 cameras");
    await row.getByRole("button", { name: /^Kept: .*Press to remove the protection$/ }).press("Enter");
    await page.locator("#kept").getByText("Nothing is marked as kept.").waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("kept-title");
    const kept = async () => ((await (await app.client.fetch("/api/retention")).json()) as { kept: object }).kept;
    expect(await kept()).toMatchObject({ recordings: 0 });
    await toast(page).getByRole("button", { name: "Undo" }).click();
    await row.getByText("The tram <that> stopped").waitFor();
    expect(await kept()).toMatchObject({ recordings: 2 });
    expect(await watched.problems()).toEqual([]);

    // A recording that could not be let go keeps its row.
    await page.route("**/keep", (route) =>
      route.fulfill({
        status: 500,
        json: { error: "The list cannot be written.", code: "KEPT_NOT_SAVED", details: {} },
      }),
    );
    await page.locator(".keptlist .b-icon").click();
    await toast(page).getByText("The list cannot be written.").waitFor();
    expect(await page.locator(".keptlist li").count()).toBe(1);
    expect(await page.locator(".keptlist .b-icon").getAttribute("aria-busy")).not.toBe("true");

    await it.ask("PUT", `/api/recordings/${daysAgo(10)}_090000_P/keep`, { note: "From the viewer" });
    await page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange")));
    await page.locator(".keptlist").getByText("From the viewer").waitFor();
  });

  test("removes all marks only after a question, and sets them again with Undo", async () => {
    await using it = await opened();
    const { page, app, watched } = it;
    const keys = [`${daysAgo(3)}_080000_N`, `${daysAgo(20)}_100000_E`];
    for (const key of keys) await it.ask("PUT", `/api/recordings/${key}/keep`, { note: `Note of ${key}` });
    const kept = async () => ((await (await app.client.fetch("/api/retention")).json()) as { kept: object }).kept;
    await it.open();
    const before = await kept();
    await page.getByRole("button", { name: "Remove all marks…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Keep the marks" }).click();
    expect(await kept()).toEqual(before);
    await page.getByRole("button", { name: "Remove all marks…" }).click();
    await dialog.getByRole("button", { name: /^Remove 2.marks$/ }).click();
    await page.locator("#kept").getByText("Nothing is marked as kept.").waitFor();
    expect(await kept()).toMatchObject({ recordings: 0 });
    await toast(page).getByRole("button", { name: "Undo" }).click();
    await page.locator(".keptlist").getByText(`Note of ${keys[1]}`).waitFor();
    expect(await kept()).toEqual(before);
    expect(await watched.problems()).toEqual([]);
  });

  test("empties the trash after a question", async () => {
    await using it = await opened();
    const { page, watched } = it;
    const key = `${daysAgo(10)}_090000_P`;
    await it.ask("DELETE", `/api/recordings/${key}`);
    expect(it.has(`${key}F`)).toBe(false);
    await it.open();
    const trash = page.locator("#trash");
    expect(await said(trash)).toContain("1 recording, 1 kB. The next 1 leaves for good on ");
    const dialog = page.locator("dialog[data-modal=empty-trash]");
    await trash.getByRole("button", { name: "Empty the trash…" }).click();
    await dialog.waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Keep them");
    expect(await orderProblems(watched)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(await said(trash)).toContain("1 recording, 1 kB.");
    await trash.getByRole("button", { name: "Empty the trash…" }).click();
    await dialog.getByRole("button", { name: "Empty the trash" }).click();
    await trash.getByText("Nothing is in the trash.").waitFor();
    expect(await said(toast(page))).toBe("The trash is empty. 1 recording, 1 kB, is deleted for good.");
    expect(await watched.problems()).toEqual([]);
  });

  test("is in order at every width, with changes and what is wrong", async () => {
    await using it = await opened(390);
    const { page, watched } = it;
    await it.ask("PUT", `/api/recordings/${daysAgo(3)}_080000_N/keep`, { note: "word ".repeat(60) });
    await it.ask("DELETE", `/api/recordings/${daysAgo(20)}_100000_E`);
    await it.open();
    expect(await fitProblems(watched)).toEqual([]);
    await type(page, "keep", "1w");
    await type(page, "keep_parking", "soon");
    await picture(page).getByText("Correct the marked values above").waitFor();
    expect(await orderProblems(watched, "#retention")).toEqual([]);
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });
});
