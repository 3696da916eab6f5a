import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { driveNames, type WrittenRecording, writeLedger } from "../support/app/written_ledger.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { atEveryWidth, describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { textsOf } from "../support/browser/stats_page.ts";
import { orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

const NOW = Date.parse("2026-11-21T07:51:00Z");
const SETTINGS = { retention: { keep: "" } };

const HOUR = 3_600_000;
/** When the car was home on the evening of 10 Nov, and next. */
const EVENING = Date.parse("2026-11-10T18:04:00Z");
const NEXT = Date.parse("2026-11-12T19:20:00Z");

function recordings(state: WrittenRecording["state"], from: string, minutes: number, type = "N"): WrittenRecording[] {
  return driveNames(from, minutes, type).map((name) => ({ name, state }));
}

const SIZED = { size: 50_000_000, from: EVENING };

function lost(one: WrittenRecording): WrittenRecording {
  return { ...one, ...SIZED, cause: "short_visit", until: NEXT };
}

const DAYS: readonly WrittenRecording[] = [
  ...recordings("home", "2026-11-09T08:00:00", 40),
  ...recordings("home", "2026-11-10T08:02:00", 49),
  ...recordings("lost", "2026-11-10T17:40:00", 23).map(lost),
  // Came home in their place, though the camera has them still.
  ...recordings("home", "2026-11-10T16:00:00", 2, "P").map((one) => ({ ...one, ...SIZED, until: EVENING + HOUR })),
  ...recordings("left_out", "2026-11-10T21:00:00", 1, "P"),
  ...recordings("home", "2026-11-17T08:00:00", 130),
  ...recordings("coming", "2026-11-18T08:00:00", 12),
  ...recordings("left_out", "2026-11-18T09:00:00", 2, "P"),
];

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({ clock: new FakeClock(NOW), settings: SETTINGS });
  await writeLedger(app, DAYS, { since: "2026-07-01" });
});
afterAll(() => app[Symbol.asyncDispose]());

describeInBrowser("the page of what was missed", (browser) => {
  const open = async (path = "/stats/coverage", width: 390 | 1440 = 1440) => {
    const watched = await WatchedPage.open(browser(), { url: app.url, width });
    await watched.open(path);
    await watched.page.locator("[data-island=coverage][data-ready]").waitFor();
    return watched;
  };

  test("is in order at every width, and opens a day in place, with its address, and goes back", async () => {
    await using watched = await open("/stats/coverage", 390);
    const { page } = watched;
    expect(await orderProblems(watched)).toEqual([]);
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    expect(await textsOf(page.locator("#day h2, #day .state"))).toEqual(["Tue 10 Nov 2026", "23 min lost"]);

    await page.getByRole("link", { name: "Wed 18 Nov" }).click();
    await page.locator("#day h2", { hasText: "Wed 18" }).waitFor();
    expect(await page.evaluate(() => location.search)).toBe("?date=2026-11-18");
    expect(await textsOf(page.locator("#day .state, #day .big, #day .keys li"))).toEqual([
      "24 to come",
      "28 recorded, 24 to come, 4 left out",
      "Still to come",
      "Left out by your rules",
    ]);
    const lanes = await page.locator("#day .cv").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    expect(lanes.slice(0, 2)).toEqual([
      "Recorded 08:00 to 08:12 and once parked",
      "All but 08:00 to 08:12 (still to come) and 09:00 to 09:02 (left out by your rules)",
    ]);
    expect(await textsOf(page.locator("[data-island] [role=status]"))).toEqual([
      "Wed 18 Nov 2026: 24 to come. 28 recorded, 24 to come, 4 left out",
    ]);
    await page.locator(".table a").click();
    await page.locator("#day h2", { hasText: "Tue 10" }).waitFor();
    await page.goBack();
    await page.locator("#day h2", { hasText: "Wed 18" }).waitFor();
    await page.goBack();
    await page.locator("#day h2", { hasText: "Tue 10" }).waitFor();
    expect(await page.evaluate(() => [location.search, "isSamePage" in window])).toEqual(["", true]);
    expect(await watched.problems()).toEqual([]);
  });

  test("has one stop of the tab key in the map, and arrows go from day to day as they lie", async () => {
    await using watched = await open();
    const { page } = watched;
    const stops = () =>
      page.locator("a.hm-d").evaluateAll((all) => all.filter((one) => (one as HTMLElement).tabIndex === 0).length);
    const focused = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset["date"]);
    expect(await stops()).toBe(1);
    await page.locator('[data-date="2026-11-10"]').focus();
    const walk = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
      return await focused();
    };
    // Weeks are columns on a desk.
    expect(await walk("ArrowDown")).toBe("2026-11-11");
    expect(await walk("ArrowRight")).toBe("2026-11-18");
    expect(await walk("ArrowUp", "ArrowLeft")).toBe("2026-11-10");
    expect(await walk("End")).toBe("2026-11-21");
    // Nothing is beyond today.
    expect(await walk("ArrowDown")).toBe("2026-11-21");
    expect(await walk("Home")).toBe("2026-08-24");
    await page.setViewportSize({ width: 390, height: 844 });
    // They are rows on a phone.
    expect(await walk("ArrowRight")).toBe("2026-08-25");
    expect(await walk("ArrowDown")).toBe("2026-09-01");
    expect(await stops()).toBe(1);
    await page.keyboard.press("Enter");
    await page.locator("#day h2", { hasText: "Tue 1" }).waitFor();
    expect(await focused()).toBe("2026-09-01");
    // The day stands below the map there, and comes into sight.
    expect(await page.locator("#day").evaluate((day) => day.getBoundingClientRect().top < innerHeight)).toBe(true);
  });

  test("sets the order that would have brought some home, and takes it back", async () => {
    await using watched = await open();
    const { page } = watched;
    const note = page.locator("#day .note");
    expect(await textsOf(note.locator("b, p, .b"))).toEqual([
      "The car was home for a short time only.",
      "By Thu 12 Nov, 19:20 the camera had recorded over 17:40 to 18:03.",
      "Fetching first what the camera overwrites next would have brought 4 of them home.",
      "Set that order",
      "See the day",
    ]);
    const order = () => app.app.settings.current.sync.priority;
    await note.getByRole("link", { name: "Set that order" }).click();
    await note.getByRole("link", { name: "Choose what comes home" }).waitFor();
    expect(order()).toBe("smart");
    await page.locator("#toasts").getByRole("button", { name: "Undo" }).click();
    await note.getByRole("link", { name: "Set that order" }).waitFor();
    expect(order()).toBe("date");
    expect(await watched.problems()).toEqual([]);
  });

  test("says so when a day does not come, keeps what is there, and tries again", async () => {
    await using watched = await open();
    const { page } = watched;
    await page.route("**/hx/stats/coverage*", (route) => route.abort());
    await page.getByRole("link", { name: "Mon 9 Nov" }).click();
    const note = page.locator("#day .note[role=alert]");
    await note.waitFor();
    expect(await textsOf(note.locator("b"))).toEqual(["The day could not be fetched."]);
    expect(await textsOf(page.locator("#day h2"))).toEqual(["Tue 10 Nov 2026"]);
    await page.unroute("**/hx/stats/coverage*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("#day h2", { hasText: "Mon 9" }).waitFor();
    expect(await note.count()).toBe(0);

    // The day that was chosen last is shown, whatever comes first.
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    await page.route("**/hx/stats/coverage?date=2026-11-17", () => ask());
    await page.getByRole("link", { name: "Tue 17 Nov" }).click();
    await asked;
    await page.getByRole("link", { name: "Wed 18 Nov" }).click();
    await page.locator("#day h2", { hasText: "Wed 18" }).waitFor();
    expect(await note.count()).toBe(0);
    expect(await page.evaluate(() => location.search)).toBe("?date=2026-11-18");
  });

  test("asks what happened to the card, and counts anew what was answered", async () => {
    await using asked = await startApp({ clock: new FakeClock(NOW), settings: SETTINGS });
    const newest = recordings("home", "2026-11-19T08:00:00", 1);
    await writeLedger(asked, [...DAYS.slice(-28), ...newest], { since: "2026-11-01", asks: "formatted" });
    await using watched = await WatchedPage.open(browser(), { url: asked.url, width: 390 });
    const { page } = watched;
    await watched.open("/stats/coverage");
    const sentence = page.locator(".sentence");
    expect(await textsOf(sentence)).toEqual(["Is something lost? That depends on your answer."]);
    await page.getByRole("button", { name: "Answer" }).click();
    const dialog = page.locator("dialog[data-modal=card-question]");
    const save = dialog.getByRole("button", { name: "Save the answer" });
    expect(await save.isDisabled()).toBe(true);
    const wide = await atEveryWidth(page, () =>
      dialog.evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)),
    );
    expect(wide).toHaveLength(3);
    expect(wide).not.toContain(true);
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole("radio", { name: "Neither of them" }).check();
    await save.click();
    await page.locator(".sentence", { hasText: "were lost" }).waitFor();
    expect(await textsOf(sentence)).toEqual(["12 minutes were lost since 1 Nov. All else came home."]);
    // The day that was open stays open, though something is lost on another one now.
    expect(await textsOf(page.locator("#day h2"))).toEqual(["Thu 19 Nov 2026"]);
    expect(await page.locator("#card-question, dialog[open]").count()).toBe(0);
    expect(await watched.problems()).toEqual([]);
  });
});
