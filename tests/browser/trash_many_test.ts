import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { putInTrash } from "../support/app/trash.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { Fingers } from "../support/browser/fingers.ts";
import { fitProblems, orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(240_000);

const DAYS = [
  "20261102",
  "20261103",
  "20261104",
  "20261105",
  "20261106",
  "20261107",
  "20261108",
  "20261109",
  "20261110",
];
/** Clips of each day, one in a hundred an event, which two cameras have recorded: 4,095 recordings. */
const PER_DAY = 450;
const keysOf = (day: string) =>
  Array.from({ length: PER_DAY }, (_, at) => {
    const clock = `${String(Math.floor(at / 60)).padStart(2, "0")}${String(at % 60).padStart(2, "0")}00`;
    return `${day}_${clock}_${at % 100 === 0 ? "E" : "N"}`;
  });

const plain = (text: string | null) => (text ?? "").replaceAll(/[\u00a0\u202f]/g, " ");
const sentence = async (page: Page) => plain(await page.locator(".trash-hero .sentence").textContent());
const toast = (page: Page, words: RegExp) => page.locator(".toast", { hasText: words });
const day = (page: Page, date: string) => page.locator(`[data-day="${date}"]`);
const SPACE = "[\u00a0\u202f ]";
const words = (text: string) => new RegExp(text.replaceAll(" ", SPACE));

describeInBrowser("a trash of thousands", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({
      clock: new FakeClock("2026-11-20T20:51:00Z"),
      settings: { retention: { keep: "" }, schedule: { paused: true } },
    });
    for (const [at, date] of DAYS.entries())
      putInTrash(
        app.destination,
        { at: `2026-11-${14 + Math.min(at, 5)}T21:00:00Z`, cause: at === 8 ? "room" : "age" },
        keysOf(date).flatMap((key) => (key.endsWith("E") ? [`${key}F.mp4`, `${key}R.mp4`] : [`${key}F.mp4`])),
        1,
      );
  });
  afterAll(() => app[Symbol.asyncDispose]());
  const isHome = (key: string) => existsSync(join(app.destination, `${key}F.mp4`));

  test("is filtered by kind and cause, opened day by day, and selected as a range", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/trash");
    expect(await sentence(page)).toBe("4 050 clips are in the trash.");
    expect(plain(await page.locator("#trash-days").textContent())).toBe("4 050 clips on 9 days");
    await page.getByText("Shift-click selects a range.").waitFor();
    await page.getByRole("button", { name: words("Event 45") }).click();
    await page.locator("#trash-days", { hasText: words("45 clips on 9 days") }).waitFor();
    await page.getByRole("button", { name: words("Disk limit 450") }).click();
    await page.locator("#trash-days", { hasText: words("5 clips on 1 day") }).waitFor();
    for (const chip of ["Disk limit", "Event"]) await page.getByRole("button", { name: words(`^${chip}`) }).click();

    await day(page, "2026-11-02").getByRole("checkbox").check();
    await day(page, "2026-11-04")
      .getByRole("checkbox")
      .click({ modifiers: ["Shift"] });
    await page.getByText(words("^1 350 clips selected$")).waitFor();
    await page.getByLabel("From", { exact: true }).fill("2026-11-05T00:00");
    await page.getByLabel("To", { exact: true }).fill("2026-11-05T01:59");
    await page.getByRole("button", { name: words("^Select 120 clips$") }).click();
    await page.getByText(words("^1 470 clips selected$")).waitFor();
    expect(
      await day(page, "2026-11-05")
        .getByRole("checkbox")
        .first()
        .evaluate((box: HTMLInputElement) => box.indeterminate),
    ).toBe(true);
    const parts = [".trange", ".savebar"];
    for (const part of parts) expect([part, await accessibilityProblems(page, part)]).toEqual([part, []]);
    expect(await watched.problems()).toEqual([]);
    await page.getByRole("button", { name: "Clear" }).click();

    await day(page, "2026-11-05").getByRole("button", { name: "Thu 5\u00a0Nov" }).click();
    await day(page, "2026-11-05").locator("[data-row]").first().waitFor();
    expect(await page.locator("[data-row]").count()).toBe(200);
    await day(page, "2026-11-05")
      .getByRole("button", { name: words("Show 200 more \\(250 left\\)") })
      .click();
    expect(await page.locator("[data-row]").count()).toBe(400);

    // Choosing a day chooses only the clips that the filter shows.
    await page.getByRole("button", { name: words("Event 45") }).click();
    await day(page, "2026-11-02").getByRole("checkbox").check();
    await page.getByRole("button", { name: words("Restore 5 clips") }).click();
    await toast(page, words("10 recordings are restored.")).waitFor();
    expect([isHome("20261102_000000_E"), isHome("20261102_000100_N")]).toEqual([true, false]);
    await page.getByRole("button", { name: "Undo" }).click();
    await toast(page, words("5 clips are in the trash again.")).waitFor();
    expect(isHome("20261102_000000_E")).toBe(false);
    expect(await watched.problems()).toEqual([]);
  });

  test("selects all days that are shown at one press, and says of when the selected clips are", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/trash");
    const all = page.getByRole("button", { name: "All days" });
    const bar = async () => plain(await page.locator(".savebar").textContent());
    await all.click();
    await page.getByText(words("^4 050 clips selected$")).waitFor();
    expect(await all.getAttribute("aria-pressed")).toBe("true");
    expect(await bar()).toContain("4 095 recordings, ");
    expect(await bar()).toContain(", 2 to 10 Nov");
    expect(await page.locator(".tbars .tb-on").count()).toBe(9);
    await all.click();
    await page.locator(".savebar").waitFor({ state: "detached" });
    await page.getByRole("button", { name: words("Event 45") }).click();
    await page.locator("#trash-days", { hasText: words("45 clips on 9 days") }).waitFor();
    await all.click();
    await page.getByText(words("^45 clips selected$")).waitFor();
    expect(plain(await page.locator(".trash-hero").textContent())).toMatch(
      /The next [0-9 ]+ recordings are deleted for good (in 1 day|tomorrow|today|at the next run)/,
    );
    expect(await watched.problems()).toEqual([]);
  });

  test("selects nothing that a filter leaves out, though its clips are still on their way or do not come", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    const held = Promise.withResolvers<void>();
    let isRefused = true;
    await page.route("**/api/trash", async (route) => {
      if (isRefused) return await route.abort();
      await held.promise;
      await route.continue();
    });
    await watched.open("/trash");
    const all = page.getByRole("button", { name: "All days" });
    await page.getByRole("button", { name: words("Event 45") }).click();
    await all.click();
    await page.locator(".toast").waitFor();
    expect(await page.locator(".savebar").count()).toBe(0);
    isRefused = false;
    await all.click();
    expect(await page.locator(".savebar").count()).toBe(0);
    held.resolve();
    await page.getByText(words("^45 clips selected$")).waitFor();
  });

  test("is selected with a finger that rests and is drawn on, by clips and by days, and by no swipe", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    const { page } = watched;
    await watched.open("/trash");
    await page.getByText("Press long and drag to select a range.").waitFor();
    const fingers = await Fingers.on(page);
    /** Not below the bars at the edges of a phone. */
    const show = (place: Locator) => place.evaluate((element) => element.scrollIntoView({ block: "center" }));
    const middle = async (place: Locator) => {
      const box = await place.boundingBox();
      if (box === null) throw new Error("not drawn");
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const selected = (text: string) => page.getByText(words(`^${text} selected$`)).waitFor();
    const head = (date: string) => day(page, date).locator(".tday-n");

    await show(head("2026-11-04"));
    const from = await middle(head("2026-11-03"));
    const to = await middle(head("2026-11-05"));
    await fingers.down(from);
    await selected("450 clips");
    await fingers.move([from, to]);
    await selected("1 350 clips");
    // Drawn back it selects less.
    await fingers.move([to, { x: to.x, y: (from.y + to.y) / 2 }]);
    await selected("900 clips");
    // On the bar at the lower edge the page goes on below the finger.
    await fingers.move([to, await middle(page.locator(".savebar b"))]);
    await selected("3 600 clips");
    await fingers.up();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.locator(".savebar").waitFor({ state: "detached" });

    await day(page, "2026-11-05").locator(".tday-b").click();
    const rows = day(page, "2026-11-05").locator("[data-row]");
    await rows.first().waitFor();
    await show(rows.nth(2));
    const top = await middle(rows.nth(1));
    const bottom = await middle(rows.nth(3));
    await fingers.down(top);
    await selected("1 clip");
    await fingers.move([top, bottom]);
    await selected("3 clips");
    await fingers.up();
    // The finger that leaves presses nothing.
    await selected("3 clips");
    // A finger that moves at once scrolls, and selects nothing.
    await page.getByRole("button", { name: "Clear" }).click();
    await page.locator(".savebar").waitFor({ state: "detached" });
    await show(rows.nth(5));
    const place = await middle(rows.nth(5));
    const scrolled = await page.evaluate(() => scrollY);
    await fingers.swipe(place, { x: place.x, y: place.y - 120 });
    await page.waitForFunction((before) => scrollY > before, scrolled);
    expect(await page.locator(".savebar").count()).toBe(0);
    expect(await watched.problems()).toEqual([]);
  });

  test("of thousands of recordings comes back from the first click, and goes again with Undo", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/trash");
    await page.getByRole("button", { name: "Restore all…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore all" }).click();
    const said = toast(page, words("4 095 recordings are restored. Rules leave them alone for at least a week"));
    await said.waitFor({ timeout: 120_000 });
    expect(await sentence(page)).toBe("The trash is empty.");
    await page.getByRole("heading", { name: "Nothing in the trash" }).waitFor();
    expect(plain(await page.locator(".trash-hero").textContent())).toContain("4 095 recordings are restored.");
    expect(DAYS.flatMap(keysOf).every(isHome)).toBe(true);
    await said.getByRole("button", { name: "Undo" }).click();
    await toast(page, words("4 050 clips are in the trash again.")).waitFor({ timeout: 120_000 });
    expect(await sentence(page)).toBe("4 050 clips are in the trash.");
    expect(DAYS.flatMap(keysOf).some(isHome)).toBe(false);
    expect(await watched.problems()).toEqual([]);
  });

  test("is in order at every width, with its days and the clips of one", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    await watched.open("/trash");
    const { page } = watched;
    await day(page, "2026-11-05").locator(".tday-b").click();
    await day(page, "2026-11-05").locator("[data-row]").first().waitFor();
    expect(await fitProblems(watched)).toEqual([]);
    // Barriers are looked for among few rows: those of events have the elements of all others, and more.
    await page.getByRole("button", { name: words("Event 45") }).click();
    await page.locator("#trash-days", { hasText: words("45 clips on 9 days") }).waitFor();
    expect(await page.locator("[data-row]").count()).toBe(5);
    expect(await orderProblems(watched)).toEqual([]);
  });
});
