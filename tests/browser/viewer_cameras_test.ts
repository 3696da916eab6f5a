import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { formatSeconds } from "../../server/domain/text/format.ts";
import type { Calendar } from "../../server/domain/viewer/viewer_schema.ts";
import type { ParkedCameras } from "../support/app/several_cameras.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser } from "../support/browser/browser.ts";
import {
  CAR,
  carWith,
  chips,
  isShown,
  openViewer,
  problems,
  said,
  TWO,
  toast,
  VAN,
  whoseInList,
} from "../support/browser/viewer_cameras.ts";
import { button, chosen, row } from "../support/browser/viewer_page.ts";

setDefaultTimeout(60_000);

describeInBrowser("the viewer of several cameras", (browser) => {
  let app: ParkedCameras;
  beforeAll(async () => {
    app = await carWith(TWO);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("tells of each trip whose it is, by time over all, and steps stay with the car on show", async () => {
    await using watched = await openViewer(browser(), app, `/viewer?key=${CAR.SECOND}`);
    const { page } = watched;
    expect(said(await page.locator(".vw-head .whose").textContent())).toBe("CCar");
    expect(await whoseInList(page)).toEqual(["CCar", "VVan", "VVan", "CCar"]);
    expect(
      await page
        .locator(".trips > .day-head .day")
        .allTextContents()
        .then((all) => all.map(said)),
    ).toEqual(["Fri 20 Nov5 clips", "Thu 19 Nov1 clip", "Sat 3 Oct1 clip", "Thu 1 Oct1 clip"]);

    // The van's clip lies between these two, and its days between those.
    await page.keyboard.press("p");
    await isShown(page, CAR.MORNING);
    await page.keyboard.press("p");
    await isShown(page, CAR.AUTUMN);
    await page.keyboard.press("n");
    await isShown(page, CAR.MORNING);
    await page.keyboard.press("]");
    await isShown(page, CAR.EVENING);
    await page.keyboard.press("n");
    await toast(page, "There is nothing newer to go to.").waitFor();
    await page.keyboard.press("Shift+E");
    await isShown(page, CAR.AUTUMN);
    await page.keyboard.press("e");
    await toast(page, "There is no later event.").waitFor();

    await row(page, VAN.NOON).click();
    await isShown(page, VAN.NOON);
    expect(said(await page.locator(".vw-head .whose").textContent())).toBe("VVan");
    await page.keyboard.press("p");
    await isShown(page, VAN.BESIDE);
    await page.keyboard.press("p");
    await isShown(page, VAN.BEFORE);
    expect(
      await page
        .getByRole("link", { name: /^Next clip/ })
        .or(button(page, "Next clip"))
        .count(),
    ).toBe(1);
    await page.keyboard.press("[");
    await isShown(page, VAN.AUTUMN);
    await page.keyboard.press("e");
    await isShown(page, VAN.NOON);

    // At one time both were filmed: the one on show counts.
    await page.keyboard.press("/");
    await page.locator("#list-search").fill("08:00:35");
    await page.keyboard.press("Enter");
    await isShown(page, VAN.BESIDE);
    expect(await problems(watched)).toEqual([]);
  });

  test("shows one of them alone by keyboard, in the address, and keeps what is on show and the kind", async () => {
    await using watched = await openViewer(browser(), app, `/viewer?key=${VAN.NOON}&types=E`);
    const { page } = watched;
    await chips(page).getByRole("link", { name: "Van" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL((address) => address.searchParams.get("camera") === "van");
    await watched.ready();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get("key"), searchParams.get("types")]).toEqual([VAN.NOON, "E"]);
    expect(await chips(page).locator("[aria-current]").textContent()).toBe("VVan 4");
    expect(await chosen(page)).toBe(VAN.NOON);
    // All here is the van's, which the chip says.
    expect(await page.locator(".trips .trip .whose").count()).toBe(0);
    await page.getByRole("link", { name: "Show all" }).click();
    await row(page, VAN.BESIDE).waitFor();
    await page.reload();
    await watched.ready();
    expect(await chips(page).locator("[aria-current]").textContent()).toBe("VVan 4");
    expect(said(await page.locator("[aria-label='Show only']").textContent())).toBe("Normal 2Event 2Kept 0");
    await page.keyboard.press("p");
    await isShown(page, VAN.BESIDE);
    // Another car's are the newest of it.
    await chips(page).getByRole("link", { name: "Car" }).click();
    await page.waitForURL((address) => address.searchParams.get("camera") === "main");
    await isShown(page, CAR.EVENING);
    await watched.ready();
    await chips(page).getByRole("link", { name: "All" }).click();
    await page.waitForURL((address) => address.searchParams.get("camera") !== "main");
    await isShown(page, CAR.EVENING);
    expect(await whoseInList(page)).toEqual(["CCar", "VVan", "VVan", "CCar"]);
    expect(await problems(watched)).toEqual([]);
  });

  test("adds them up in calendar, kinds and what is kept", async () => {
    const keep = async (key: string, note: string) =>
      expect((await app.client.send("PUT", `/api/recordings/${key}/keep`, { note })).status).toBe(200);
    await keep(CAR.MORNING, "dent at home");
    await keep(VAN.NOON, "dent at work");
    await using watched = await openViewer(browser(), app, `/viewer?key=${CAR.MORNING}`);
    const { page } = watched;
    expect(said(await chips(page).textContent())).toBe("All 8CCar 4VVan 4");
    expect(said(await page.locator("[aria-label='Show only']").textContent())).toBe("Normal 5Event 3Kept 2");

    await page.locator(".list-day").click();
    const calendar = page.getByRole("dialog");
    await calendar.locator("table:not([aria-busy])").waitFor();
    const answer = await app.client.fetch("/api/viewer/calendar?camera=all");
    const { days } = (await answer.json()) as Pick<Calendar, "days">;
    const driven = days.filter(({ date }) => date === "2026-11-20").map(({ driving_seconds: seconds }) => seconds);
    expect(driven.map((seconds) => seconds > 0)).toEqual([true, true]);
    const together = formatSeconds(driven.reduce((sum, seconds) => sum + seconds, 0));
    expect(said(await calendar.locator("[data-date='2026-11-20']").getAttribute("aria-label"))).toBe(
      said(`Friday 20 November, ${together} driven, 1 event`),
    );
    expect(said(await calendar.locator(".cal-sum").textContent())).toContain("on 2 days, 1 event");
    await page.keyboard.press("PageUp");
    await calendar.getByRole("heading", { name: "October 2026" }).waitFor();
    expect(said(await calendar.locator(".cal-sum").textContent())).toContain("on 2 days, 2 events");
    // Only the van filmed on that day. From there on a day begins with the van's first clip, though the car's is
    // earlier.
    await calendar.locator("[data-date='2026-10-03']").click();
    await isShown(page, VAN.AUTUMN);
    await page.keyboard.press("c");
    await calendar.locator("[data-date='2026-10-03']:focus").waitFor();
    await page.keyboard.press("PageDown");
    await calendar.locator("[data-date='2026-11-20']").click();
    await isShown(page, VAN.BESIDE);

    await button(page, "Kept 2").click();
    const notice = page.locator(".list-says");
    const bytes = (await (await app.client.fetch("/api/retention?camera=all")).json()) as {
      cameras: { kept: { recordings: number; bytes: number } }[];
    };
    expect(bytes.cameras.map(({ kept }) => kept.recordings)).toEqual([1, 1]);
    await notice.getByText(/2\srecordings, /).waitFor();
    expect(await whoseInList(page)).toEqual(["VVan", "CCar"]);
    await page.reload();
    await watched.ready();
    await notice.getByText(/2\srecordings, /).waitFor();

    // A clip that is found by its note says whose it is.
    await page.keyboard.press("/");
    await page.locator("#list-search").fill("dent");
    const found = page.getByRole("listbox", { name: "Suggestions" });
    await found.getByRole("option").nth(1).waitFor();
    expect(await found.locator(".whose").allTextContents()).toEqual(["VVan", "CCar"]);
    expect([...(await problems(watched)), ...(await accessibilityProblems(page))]).toEqual([]);
  });
});
