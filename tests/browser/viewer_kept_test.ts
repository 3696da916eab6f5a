import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type AppOptions, type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { button, chosen, loaded, players, row, until } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";
import { fitProblems, orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

const [OLD, BEFORE, EVENT, AFTER, LAST] = [
  "20260606_235900_N",
  "20260607_101500_N",
  "20260607_101600_E",
  "20260607_101700_N",
  "20260607_120000_N",
] as const;
const KEYS = [OLD, BEFORE, EVENT, AFTER, LAST];
const NOTE = "Truck cut in from the left lane. Sent to the insurer.";

/** A service with five moments at home, the event with two cameras; nothing is ever too old. */
async function filled(retention: NonNullable<AppOptions["settings"]>["retention"] = {}): Promise<RunningApp> {
  const app = await startApp({ settings: { retention: { keep: "", ...retention }, schedule: { paused: true } } });
  await putFootage(app.destination, [...KEYS.map((key) => `${key}F.mp4`), `${EVENT}R.mp4`]);
  await app.app.library.refresh();
  return app;
}

const badge = (page: Page) => page.locator(".vw-head .badge");
const keepButton = (page: Page) => page.locator('.vw-head [data-tool="i-keep"]');
const note = (page: Page) => page.getByRole("textbox", { name: "Note" });
const toast = (page: Page, words: string) => page.locator(".toast").filter({ hasText: words });
/** The keys of the rows, from the top. */
const rows = (page: Page) =>
  page.locator(".trip[data-key]").evaluateAll((all) => all.map((one) => one.getAttribute("data-key") ?? ""));
const rowsAre = (page: Page, keys: readonly string[]) =>
  page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll(".trip[data-key]")].map((one) => one.getAttribute("data-key")).join() === wanted,
    keys.join(),
  );
const box = (page: Page, clock: string) => page.getByRole("checkbox", { name: `Select ${clock}` });
/** Names of the videos at home. */
const videos = (app: RunningApp) => readdirSync(app.destination).filter((name) => /^[0-9].*\.mp4$/.test(name));

describeInBrowser("keeping and deleting in the viewer:", (browser) => {
  const open = (app: RunningApp) => WatchedPage.open(browser(), { url: app.url });

  test("a recording is kept and let go by button and by key, and after loading the page again it is still so", async () => {
    await using app = await filled();
    await using watched = await open(app);
    const { page } = watched;
    await watched.open(`/viewer?key=${EVENT}`);
    await button(page, "Keep this clip").click();
    await badge(page).waitFor();
    expect(await keepButton(page).getAttribute("aria-pressed")).toBe("true");
    expect(await page.locator(".vw-head").textContent()).toContain("never deleted, with the minute before and after");
    // Clips around an event are kept with it.
    await row(page, AFTER).getByText("With 10:16").waitFor();
    expect(await row(page, AFTER).locator(".rec-kept").count()).toBe(1);
    expect(await row(page, LAST).locator(".rec-kept").count()).toBe(0);
    await page.reload();
    await watched.ready();
    await badge(page).waitFor();
    expect(await row(page, EVENT).locator(".rec-kept").count()).toBe(1);
    expect(await page.locator(".day").first().textContent()).toContain("1\u00a0kept");
    await page.keyboard.press("b");
    await badge(page).waitFor({ state: "detached" });
    await row(page, AFTER).getByText("With 10:16").waitFor({ state: "detached" });
    await page.reload();
    await watched.ready();
    expect(await keepButton(page).getAttribute("aria-pressed")).toBe("false");
    expect(await watched.problems()).toEqual([]);
  });

  test("a note keeps the recording; taking the mark off can be undone with it; what cannot be saved is not shown as a mark", async () => {
    await using app = await filled();
    await using watched = await open(app);
    const { page } = watched;
    await watched.open(`/viewer?key=${AFTER}`);
    await loaded(page);
    await page.keyboard.press("t");
    // Letters of keys are letters here, from the first one on: nothing plays, nothing is kept, nothing is deleted.
    await page.keyboard.type("bkmt n");
    expect(await note(page).inputValue()).toBe("bkmt n");
    await page.keyboard.press("Delete");
    await page.keyboard.press("Escape");
    await note(page).waitFor({ state: "detached" });
    expect(await badge(page).count()).toBe(0);
    expect((await players(page)).every(({ paused }) => paused)).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-tool"))).toBe("i-note");

    await button(page, "Add a note").click();
    await note(page).fill(NOTE);
    await page.keyboard.press("Enter");
    await page.locator(".vw-note p").getByText(NOTE).waitFor();
    await badge(page).waitFor();
    expect(await row(page, AFTER).locator(".rec-note").textContent()).toBe(NOTE);
    await page.reload();
    await watched.ready();
    expect(await page.locator(".vw-note p").first().textContent()).toBe(NOTE);

    await keepButton(page).click();
    await badge(page).waitFor({ state: "detached" });
    await toast(page, "its note is gone").getByRole("button", { name: "Undo" }).click();
    await page.locator(".vw-note p").getByText(NOTE).waitFor();
    await page.locator(".vw-note").getByRole("button", { name: "Edit the note" }).click();
    await note(page).fill("");
    await page.keyboard.press("Enter");
    await page.locator(".vw-note").waitFor({ state: "detached" });
    expect(await badge(page).count()).toBe(1);
    expect(await watched.problems()).toEqual([]);

    // A mark that cannot be saved is not shown, and a note stays to be saved later.
    await row(page, EVENT).click();
    await page.waitForURL(`**/viewer?key=${EVENT}`);
    await badge(page).waitFor({ state: "detached" });
    const refusal = { error: "The disk is full.", code: "KEPT_NOT_SAVED" };
    await page.route("**/keep", (route) => route.fulfill({ status: 500, json: refusal }));
    await keepButton(page).click();
    await toast(page, "The disk is full.").waitFor();
    expect(await keepButton(page).getAttribute("aria-pressed")).toBe("false");
    await page.keyboard.press("t");
    await note(page).fill(NOTE);
    await page.keyboard.press("Enter");
    await page.locator(".vw-note .trouble").getByText("The disk is full.").waitFor();
    expect(await note(page).inputValue()).toBe(NOTE);
    await page.unroute("**/keep");
    await page.keyboard.press("Enter");
    await badge(page).waitFor();
  });

  test("what is deleted by hand makes way for its neighbour, and comes back with Undo as it was", async () => {
    await using app = await filled();
    await using watched = await open(app);
    const { page } = watched;
    await watched.open(`/viewer?key=${AFTER}`);
    await loaded(page);
    await page.keyboard.press("Space");
    await until(page, (all) => all.every(({ paused }) => !paused));
    await row(page, AFTER).focus();
    await page.keyboard.press("Delete");
    const said = toast(page, "is in the trash until");
    await said.waitFor();
    await page.waitForURL(`**/viewer?key=${EVENT}`);
    await rowsAre(page, [LAST, EVENT, BEFORE]);
    expect(await chosen(page)).toBe(EVENT);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-key"))).toBe(EVENT);
    await until(page, (all) => all.length === 2 && all.every(({ paused }) => paused));
    expect(videos(app)).not.toContain(`${AFTER}F.mp4`);
    await said.getByRole("button", { name: "Undo" }).click();
    await page.waitForURL(`**/viewer?key=${AFTER}`);
    await rowsAre(page, [LAST, AFTER, EVENT, BEFORE]);
    expect(videos(app)).toContain(`${AFTER}F.mp4`);
    expect(await badge(page).count()).toBe(0);

    // Once it is kept, neither button nor key deletes it.
    await page.keyboard.press("b");
    await badge(page).waitFor();
    expect(await page.locator('[data-tool="i-trash"]').getAttribute("aria-disabled")).toBe("true");
    await page.keyboard.press("Delete");
    await toast(page, "Take its mark off first").waitFor();
    expect(existsSync(join(app.destination, `${AFTER}F.mp4`))).toBe(true);
    expect(await watched.problems()).toEqual([]);
  });

  test("the last of all is deleted, too", async () => {
    await using app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
    await putFootage(app.destination, [`${LAST}F.mp4`]);
    await using watched = await open(app);
    const { page } = watched;
    await watched.open("/viewer");
    await button(page, "Delete this clip").click();
    await page.getByRole("link", { name: "Look in the trash" }).waitFor();
    expect(await page.locator("video.is-shown, .trip").count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("vw-mid");
    await toast(page, "is in the trash").getByRole("button", { name: "Undo" }).click();
    await row(page, LAST).waitFor();
    await loaded(page);
    expect(await chosen(page)).toBe(LAST);
  });

  test("without a trash it is asked first", async () => {
    await using app = await filled({ trash_days: 0 });
    await using watched = await open(app);
    const { page } = watched;
    await watched.open(`/viewer?key=${LAST}`);
    await page.keyboard.press("Delete");
    const dialog = page.locator("dialog[data-modal=delete-confirm]");
    await dialog.getByText("deleted for good").waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Leave it");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(videos(app)).toContain(`${LAST}F.mp4`);
    await button(page, "Delete this clip").click();
    await button(page, "Delete for good").click();
    await toast(page, "is deleted for good.").waitFor();
    expect(await page.locator(".toast").getByRole("button", { name: "Undo" }).count()).toBe(0);
    expect(videos(app)).not.toContain(`${LAST}F.mp4`);
  });

  test("several are chosen, also by range and by day, deleted and had back; kept ones stay and are named", async () => {
    await using app = await filled({ event_context: 0 });
    await using watched = await open(app);
    const { page } = watched;
    await watched.open(`/viewer?key=${EVENT}`);
    await page.keyboard.press("b");
    await badge(page).waitFor();
    await button(page, "Select").click();
    const bar = page.getByRole("region", { name: "Selected clips" });
    await bar.getByText("0\u00a0clips selected").waitFor();
    await page.getByRole("checkbox", { name: /^Select all of Sun 7.Jun/ }).click();
    await bar.getByText("4\u00a0clips selected").waitFor();
    await bar.getByRole("button", { name: "Clear" }).click();
    await box(page, "12:00:00").click();
    await box(page, "10:15:00").click({ modifiers: ["Shift"] });
    await bar.getByText("4\u00a0clips selected").waitFor();
    await box(page, "12:00:00").click();
    await bar.getByRole("button", { name: "Delete 3" }).click();
    const said = toast(page, "2\u00a0clips are in the trash until");
    await said.waitFor();
    expect(await said.textContent()).toContain("Sun 7\u00a0Jun, 10:16 is kept and stays.");
    await rowsAre(page, [LAST, EVENT]);
    expect(await bar.count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Select");
    expect(videos(app).sort()).toEqual([`${OLD}F.mp4`, `${EVENT}F.mp4`, `${EVENT}R.mp4`, `${LAST}F.mp4`]);
    await said.getByRole("button", { name: "Undo" }).click();
    await rowsAre(page, [LAST, AFTER, EVENT, BEFORE]);
    expect(await page.locator(".trip .rec-kept").count()).toBe(1);
    expect(videos(app)).toHaveLength(6);

    await button(page, "Select").click();
    await box(page, "12:00:00").click();
    await bar.getByRole("button", { name: "Keep 1" }).click();
    await row(page, LAST).locator(".rec-kept").waitFor();
    expect(await watched.problems()).toEqual([]);
  });

  test("only what is kept is listed, also after loading the page again, and steps stay in it", async () => {
    await using app = await filled({ event_context: 0 });
    await using watched = await open(app);
    const { page } = watched;
    await watched.open(`/viewer?key=${EVENT}`);
    await page.keyboard.press("b");
    await badge(page).waitFor();
    await page.keyboard.press("p");
    await page.waitForURL(`**/viewer?key=${BEFORE}`);
    await page.keyboard.press("p");
    await page.waitForURL(`**/viewer?key=${OLD}`);
    await page.keyboard.press("b");
    await badge(page).waitFor();
    const chip = page.getByRole("button", { name: /^Kept/ }).and(page.locator(".chip"));
    await page.locator(".chip-kept b").getByText("2", { exact: true }).waitFor();
    await chip.click();
    await page.waitForURL(`**/viewer?key=${OLD}&only=kept`);
    await page.locator(".list-says").getByText("Only what is kept:").waitFor();
    expect(await rows(page)).toEqual([OLD]);
    await page.keyboard.press("n");
    await page.waitForURL(`**/viewer?key=${EVENT}&only=kept`);
    expect(await rows(page)).toEqual([EVENT, OLD]);
    await page.reload();
    await watched.ready();
    expect(await rows(page)).toEqual([EVENT]);
    await page.getByRole("link", { name: "Show all" }).click();
    await rowsAre(page, [LAST, AFTER, EVENT, BEFORE]);
    await page.waitForURL(`**/viewer?key=${EVENT}`);
    await page.goBack();
    await rowsAre(page, [EVENT]);
    // Let go, it leaves the list and stays on show.
    await page.keyboard.press("b");
    await rowsAre(page, []);
    expect(await page.locator(".day").count()).toBe(1);
    expect(await badge(page).count()).toBe(0);
    expect(await page.locator("video.is-shown").count()).toBe(2);
    expect(await watched.problems()).toEqual([]);
  });

  /**
   * A service that was started on what another program had brought: all of it is too old, and no user has confirmed a
   * thing.
   */
  async function adopted(): Promise<RunningApp> {
    const app = await startApp({ settings: { schedule: { paused: true } } });
    await putFootage(
      app.destination,
      KEYS.map((key) => `${key}F.mp4`),
    );
    return app;
  }

  test("what waits to be deleted is looked at, in order at every width, and everything is kept", async () => {
    await using app = await adopted();
    await using watched = await open(app);
    const { page } = watched;
    await watched.open("/viewer?only=due");
    const says = page.locator(".list-says");
    await says.getByText(/Only what the next run would delete: 5\srecordings, \d/).waitFor();
    expect(await rows(page)).toEqual([LAST, AFTER, EVENT, BEFORE]);
    expect(await orderProblems(watched, ".list-says")).toEqual([]);
    // A kept clip is not due any more.
    await page.keyboard.press("b");
    await rowsAre(page, [AFTER, EVENT, BEFORE]);
    await says.getByText(/4\srecordings/).waitFor();
    expect(new URL(page.url()).search).toBe(`?key=${LAST}&only=due`);
    await page.keyboard.press("p");
    await page.waitForURL(`**/viewer?key=${AFTER}&only=due`);
    await says.getByRole("button", { name: "Keep everything" }).click();
    await says.getByText("Everything is kept: no run deletes anything").waitFor();
    await rowsAre(page, []);
    expect(await says.getByRole("button").count()).toBe(0);
    expect(app.app.settings.current.retention).toMatchObject({ keep: "", keep_event: "", max_gb: null });
    await says.getByRole("link", { name: "Show all" }).click();
    await rowsAre(page, [LAST, AFTER, EVENT, BEFORE]);
    expect(await watched.problems()).toEqual([]);
  });

  test("what waits to be deleted is agreed to, and stays until the next run; an answer that is refused is not taken for one", async () => {
    await using app = await adopted();
    await using watched = await open(app);
    const { page } = watched;
    await watched.open("/viewer?only=due");
    const says = page.locator(".list-says");
    const refusal = { error: "The settings cannot be saved.", code: "SETTINGS_NOT_SAVED" };
    await page.route("**/api/settings/retention", (route) => route.fulfill({ status: 500, json: refusal }));
    await says.getByRole("button", { name: "Keep everything" }).click();
    await says.getByText("The settings cannot be saved.").waitFor();
    expect(await says.getByRole("button").count()).toBe(2);

    await says.getByRole("button", { name: "Delete them" }).click();
    await says.getByText("The next scheduled run deletes them.").waitFor();
    expect(await says.getByRole("button").count()).toBe(0);
    expect(await app.app.deletions.held()).toBeNull();
    expect(videos(app)).toHaveLength(5);
    await page.reload();
    await watched.ready();
    await says.getByText(/5\srecordings/).waitFor();
    expect(await says.getByRole("button").count()).toBe(0);
  });

  test("what another tab keeps and deletes is seen soon; what it has kept meanwhile is not deleted, and the mark is seen", async () => {
    await using app = await filled();
    await using watched = await open(app);
    const { page } = watched;
    await page.clock.install();
    await watched.open(`/viewer?key=${LAST}`);
    await loaded(page);
    const { client } = app;
    await client.open("/");
    expect((await client.send("DELETE", `/api/recordings/${LAST}`)).status).toBe(200);
    expect((await client.send("PUT", `/api/recordings/${EVENT}/keep`, {})).status).toBe(200);
    await page.clock.runFor(31_000);
    await page.getByText("This clip is not here any more").waitFor();
    await page.getByRole("button", { name: /^Clips of 10:15 to/ }).click();
    await row(page, EVENT).locator(".rec-kept").waitFor();
    expect(await rows(page)).toEqual([AFTER, EVENT, BEFORE]);

    // A recording that it has kept since then is not deleted, and the mark is seen.
    await row(page, BEFORE).click();
    await page.waitForURL(`**/viewer?key=${BEFORE}`);
    await (await app.client.send("PUT", `/api/recordings/${BEFORE}/keep`, { note: NOTE })).json();
    await page.keyboard.press("Delete");
    await page.locator(".toast.is-failed").waitFor();
    await badge(page).waitFor();
    await page.locator(".vw-note p").getByText(NOTE).waitFor();
    expect(videos(app)).toContain(`${BEFORE}F.mp4`);
  });

  test("is in order at every width", async () => {
    await using app = await filled();
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    const { page } = watched;
    await watched.open(`/viewer?key=${EVENT}`);
    await page.keyboard.press("t");
    await note(page).fill(NOTE);
    expect(["writing", ...(await orderProblems(watched, ".vw-note"))]).toEqual(["writing"]);
    await page.keyboard.press("Enter");
    await badge(page).waitFor();
    expect(["kept", ...(await fitProblems(watched))]).toEqual(["kept"]);
    await button(page, "Select").click();
    await box(page, "10:16:00").click();
    await page.evaluate(() => scrollTo(0, 0));
    expect(["choosing", ...(await orderProblems(watched, "#recordings"))]).toEqual(["choosing"]);
    for (const path of ["/viewer?only=kept", "/viewer?only=due"]) {
      await watched.open(path);
      expect([path, ...(await fitProblems(watched))]).toEqual([path]);
    }
  });
});
